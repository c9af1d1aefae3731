"""The clusters of a site in the workbench, on the crawled demo web."""

import gzip
import html
import json
import re
import threading
from urllib.parse import quote, urlencode

import pytest

from telusur.collection import Collection, open_collection
from telusur.errors import CollectionError
from telusur.learn.pages.sources import read_labelled
from telusur.web.guard.access import Access
from tests.sites import page, serving
from tests.web.conftest import crawl_aside, run_workbench

SITE = "lexikon.localhost"
LIST = f"/site/clusters?site={SITE}"


@pytest.fixture(scope="module")
def shown(demo):
    with open_collection(demo.directory) as collection, run_workbench(collection) as running:
        yield running


@pytest.fixture
def copy(demo_copy):
    with open_collection(demo_copy) as collection, run_workbench(collection) as running:
        yield collection, running


def clusters_of(running):
    return running.get(f"/site/clusters.json?site={SITE}&limit=150").json


def cluster_at(running, selector):
    (found,) = (
        each for each in clusters_of(running)["clusters"] if each["selector"].endswith(selector)
    )
    return found


def test_the_list_has_names_labels_numbers_examples_and_pictures(shown):
    text = html.unescape(shown.get(LIST).text)
    found = clusters_of(shown)
    assert (found["state"], found["site"], found["look"]) == ("ready", SITE, "parsed")
    assert found["total"] == len(found["clusters"])
    for each in found["clusters"]:
        card = text.partition(f'id="cluster-{each["number"]}"')[2].partition("</li>\n  ")[0]
        assert each["selector"] in card
        assert f"{each['blocks']:,} block" in card
        assert f"meta tags: {each['name']}" in card
        assert f">{each['label']}</span>" in card
    assert text.count('<path id="places-') <= 12 < text.count('<use href="#places-')
    pictures = re.findall(r'<use href="#places-(\d+)"/><path d="([^"]+)"', text)
    assert len(pictures) == found["total"]
    assert all(re.fullmatch(r"(M\d+ \d+h\d+v\d+h-\d+z)+", path) for _, path in pictures)
    (title,) = (
        each for each in found["clusters"] if each["selector"] == "body > section.page > h1"
    )
    assert (title["name"], title["label"]) == ("title", "title")


def test_the_list_in_steps(shown):
    first = shown.get(f"{LIST}&limit=2").text
    total = clusters_of(shown)["total"]
    assert f"1–2 of {total} clusters" in first
    assert len(re.findall('<li class="cluster ', first)) == 2
    assert f'href="/site/clusters?site={SITE}&amp;page=2&amp;limit=2"' in first
    assert shown.get(f"/site/clusters.json?site={SITE}&limit=2&page=2").json["clusters"][0][
        "number"
    ] == 3  # fmt: skip


def test_a_page_with_its_clusters(shown):
    box = cluster_at(shown, "table.infobox > tbody > tr > td")
    answer = shown.get(f"/site/clusters/page?site={SITE}&cluster={box['number']}")
    assert "frame-src 'self'" in answer.headers["content-security-policy"]
    frame = html.unescape(re.search(r'<iframe class="copy-frame" src="([^"]+)"', answer.text)[1])
    within = shown.get(frame)
    assert "sandbox" in within.headers["content-security-policy"]
    key = f"c{box['number']}"
    assert f'id="telusur-{key}" checked' in within.text
    assert within.text.count(" checked>") == 1
    told = shown.get(f"/site/clusters/page.json?site={SITE}&cluster={box['number']}").json
    assert told["blocks"]
    assert {block["cluster"] for block in told["blocks"]} == {box["number"]}
    assert within.text.count(f'data-label="{key}"') == len(told["blocks"])
    everything = shown.get(frame.replace(f"&cluster={box['number']}", "")).text
    assert everything.count(" checked>") > 5


def test_a_page_of_another_site_or_of_none(shown, demo):
    foreign = quote(demo.url("blog", "/"), safe="")
    for road in ("page", "page.json", "copy"):
        answer = shown.get(f"/site/clusters/{road}?site={SITE}&url={foreign}")
        assert (answer.status, f"is not a page of {SITE}." in answer.text) == (400, True)
        missing = quote(demo.url("lexikon", "/nowhere"), safe="")
        assert shown.get(f"/site/clusters/{road}?site={SITE}&url={missing}").status == 404


def test_labels_are_saved_for_the_whole_site_and_downloaded(copy, tmp_path):
    collection, running = copy
    box = cluster_at(running, "table.infobox > tbody > tr > td")
    visitor = running.visit()
    assert "Save labels" in visitor.get(LIST).text
    field = f"label-{box['key']}"
    sent = visitor.send("/site/clusters/label", {"site": SITE, field: "date"})
    assert (sent.status, sent.headers["location"]) == (303, f"/site/clusters?site={SITE}&saved=1")
    text = visitor.get(sent.headers["location"]).text
    assert "Labels saved" in text
    assert '<option value="date" selected>' in text
    assert cluster_at(running, "tr > td")["by_hand"] == "date"
    assert [each.by_hand for each in collection.clusters(SITE).clusters if each.by_hand] == ["date"]

    data = running.get(f"/site/clusters/training.jsonl.gz?site={SITE}")
    assert data.headers["content-type"] == "application/gzip"
    assert f'filename="{SITE}.jsonl.gz"' in data.headers["content-disposition"]
    (tmp_path / "pages.jsonl.gz").write_bytes(data.body)
    pages = list(read_labelled(tmp_path / "pages.jsonl.gz"))
    assert len(pages) == clusters_of(running)["pages"]
    assert all("html" in json.loads(line) for line in gzip.decompress(data.body).splitlines())

    on_page = {"site": SITE, "url": box["page"], "cluster": str(box["number"]), field: "auto"}
    back = visitor.send("/site/clusters/label", on_page).headers["location"]
    assert back.startswith("/site/clusters/page?")
    assert "Labels saved" in visitor.get(back).text
    assert cluster_at(running, "tr > td")["by_hand"] == ""


def test_wrong_labels_are_refused(copy):
    _, running = copy
    key = clusters_of(running)["clusters"][0]["key"]
    visitor = running.visit()
    visitor.get(LIST)

    def send(fields, **more):
        return visitor.send("/site/clusters/label", {"site": SITE, **fields}, **more)

    assert send({f"label-{key}": "menu"}).status == 400
    gone = send({"label-000000000000": "title"})
    assert (gone.status, "load the page again" in gone.text) == (409, True)
    told = send({f"label-{key}": "auto"}, Accept="application/json")
    assert told.json == {"ok": True, "site": SITE, "changed": 0}
    assert visitor.send("/site/clusters/label", {"site": "nowhere.example"}).status == 404
    stranger = running.visit_without_key()
    stranger.get(LIST)
    refused = stranger.send("/site/clusters/label", {"site": SITE, f"label-{key}": "title"})
    assert refused.status == 403
    assert "Save labels" not in stranger.get(LIST).text
    assert not any(each["by_hand"] for each in clusters_of(running)["clusters"])


def test_a_read_only_server_shows_clusters_and_labels_nothing(demo):
    access = Access(read_only=True)
    with (
        open_collection(demo.directory) as collection,
        run_workbench(collection, access=access) as running,
    ):
        text = running.get(LIST).text
        assert 'class="cluster ' in text
        assert "Enter the key" not in text
        visitor = running.visit_without_key()
        assert visitor.send("/site/clusters/label", {"site": SITE}).status == 404


def test_sites_without_clusters(shown, demo, tmp_path):
    choice = shown.get("/site/clusters")
    assert choice.status == 200
    assert f'href="/site/clusters?site={SITE}"' in choice.text
    assert SITE in shown.get("/site/clusters.json").json["sites"]
    assert shown.get("/site/clusters?site=nowhere.example").status == 404
    assert shown.get("/site/clusters.json?site=nowhere.example").status == 404
    with open_collection(tmp_path / "empty") as empty, run_workbench(empty) as running:
        assert "No pages yet" in running.get("/site/clusters").text
        assert running.get("/site/clusters.json?site=a.example").json["state"] == "none"
        assert running.get("/site/clusters/training.jsonl.gz").status == 404


def test_a_site_of_too_few_pages(tmp_path):
    pages = {"/robots.txt": "", "/": page("Home", links=["/a"]), "/a": page("Clock")}
    with serving(pages) as site:
        crawl_aside(tmp_path / "small", site.url(), render="never")
    with open_collection(tmp_path / "small") as collection, run_workbench(collection) as running:
        text = running.get("/site/clusters").text
        assert "Too few pages" in text
        assert "The index has 2 pages of" in text
        found = running.get("/site/clusters.json").json
        assert (found["state"], found["known"], found["clusters"]) == ("few", 2, [])
        assert running.get("/site/clusters/copy").status == 404


def test_a_long_clustering_shows_its_progress_and_blocks_nobody(demo, monkeypatch):
    begun, go = threading.Event(), threading.Event()
    cluster = Collection.clusters

    def slowly(self, site="", *, watch, **more):
        watch(3, 100)
        begun.set()
        assert go.wait(100)
        return cluster(self, site, watch=watch, **more)

    monkeypatch.setattr(Collection, "clusters", slowly)
    monkeypatch.setattr("telusur.web.site.clusters.finding.ANSWER_SECONDS", 0.01)
    monkeypatch.setattr("telusur.web.site.clusters.pages.PAGE_SECONDS", 0.01)
    monkeypatch.setattr("telusur.web.site.clusters.as_json.ANSWER_SECONDS", 0.01)
    with open_collection(demo.directory) as collection, run_workbench(collection) as running:
        try:
            running.get(LIST)
            assert begun.wait(100)
            text = running.get(LIST).text
            assert 'max="100" value="3"' in text
            assert '<meta http-equiv="refresh" content="1">' in text
            assert running.get(f"/site/clusters.json?site={SITE}").json["state"] == "waiting"
            busy = running.get(f"/site/clusters/training.jsonl.gz?site={SITE}")
            assert (busy.status, busy.headers["retry-after"]) == (503, "5")
            assert running.get("/search?q=lighthouse").status == 200
        finally:
            go.set()
        monkeypatch.setattr("telusur.web.site.clusters.pages.PAGE_SECONDS", 100.0)
        assert 'class="cluster ' in running.get(LIST).text


def test_a_failed_clustering_says_why(demo, monkeypatch):
    def fail(self, site="", **more):
        raise CollectionError("the archive is gone")

    monkeypatch.setattr(Collection, "clusters", fail)
    with open_collection(demo.directory) as collection, run_workbench(collection) as running:
        answer = running.get(LIST)
        assert (answer.status, "the archive is gone" in answer.text) == (200, True)
        told = running.get(f"/site/clusters.json?site={SITE}").json
        assert (told["state"], told["problem"]) == ("failed", "the archive is gone")
        assert running.get(f"/site/clusters/training.jsonl.gz?site={SITE}").status == 404


def test_pages_as_a_browser_showed_them(copy, render):
    collection, running = copy
    assert "As a browser showed them" not in running.get(LIST).text
    assert "No rendered pages" in running.get(f"{LIST}&look=rendered").text
    view = render(collection, SITE, 5)
    assert len(view.urls) == 5
    asked = urlencode({"site": SITE, "look": "rendered"})
    found = running.get(f"/site/clusters.json?{asked}").json
    assert (found["look"], found["pages"], found["total"]) == ("rendered", 5, len(view.clusters))
    text = running.get(f"/site/clusters?{asked}").text
    assert 'aria-current="page">As a browser showed them' in text
    on_page = running.get(f"/site/clusters/page?{asked}").text
    blocks = running.get(f"/site/clusters/page.json?{asked}").json["blocks"]
    assert on_page.count("<rect ") == len(blocks)
    assert all(len(block["bounds"]) == 4 for block in blocks)
    assert "<iframe" not in on_page
