"""The views of one page and of its site, on the crawled demo web."""

import csv
import gzip
import io
import re
from functools import partialmethod
from urllib.parse import quote, urlencode

import pytest

from telusur.backends.sqlite.reader import SqliteReader
from telusur.collection import open_collection
from telusur.models import Document
from telusur.web.app import make_app
from telusur.web.guard.access import Access
from telusur.web.page.roads import LABEL_ROADS
from telusur.web.site.pages import write_csv
from tests.web.conftest import run_workbench

STORY = "/sports/2026/09/climbing-hall-opens-in-disused-grain-silo"


@pytest.fixture(scope="module")
def shown(demo):
    with open_collection(demo.directory) as collection, run_workbench(collection) as running:
        yield running


@pytest.fixture(scope="module")
def story(demo):
    return quote(demo.url("news", STORY), safe="")


def test_the_first_view_names_copies_and_leads_to_the_others(shown, story):
    answer = shown.get(f"/page?url={story}")
    assert '<em class="author"><bdi>Jonah Whitlock</bdi></em>' in answer.text
    assert "?print=1</bdi>" in answer.text
    for view in ("blocks", "links", "posts", "parts", "record", "score"):
        assert f'href="/page/{view}?url={story}"' in answer.text
    assert [each["how"] for each in shown.get(f"/page.json?url={story}").json["copies"]] == ["same"]


def test_blocks_have_numbers_and_labels(shown, story):
    found = shown.get(f"/page/blocks.json?url={story}&limit=7").json
    labels = {each["text"]: each["label"] for each in found["blocks"]}
    assert labels["Climbing hall opens in disused grain silo"] == "title"
    assert len(found["blocks"]) == 7 < found["total"]
    following = shown.get(found["next_url"].removeprefix(shown.url)).json
    assert [each["number"] for each in following["blocks"]] == list(range(7, 14))
    within = shown.get(f"/copy/content?view=blocks&url={story}").text
    number = next(each["number"] for each in found["blocks"] if each["label"] == "title")
    assert f'<h1 data-block="{number}" data-label="title">' in within


def test_links_to_a_page_continue_at_a_cursor(demo, story, monkeypatch):
    few = partialmethod(SqliteReader.links_to, most=4)
    with open_collection(demo.directory) as collection, run_workbench(collection) as running:
        whole = running.get(f"/page/links.json?url={story}&side=in").json
        monkeypatch.setattr(SqliteReader, "links_to", few)
        found = [running.get(f"/page/links.json?url={story}&side=in&limit=3").json]
        while found[-1]["next_url"]:
            found.append(running.get(found[-1]["next_url"].removeprefix(running.url)).json)
        text = running.get(f"/page/links?url={story}&side=in").text
    assert [link for each in found for link in each["links"]] == whole["links"]
    assert [len(each["links"]) for each in found] == [3, 1, 3, 1, 2]
    assert not any(each["is_whole"] for each in found)
    assert re.search(r"[1-9]\d? % of all pages have been searched", text)
    assert "Continue the search" in text


@pytest.mark.parametrize("after", ["512", "0", "nonsense", "-1"])
def test_links_with_a_position_of_former_versions_are_refused(shown, story, after):
    for path in ("/page/links", "/page/links.json"):
        answer = shown.get(f"{path}?url={story}&side=in&after={after}")
        assert answer.status == 400
        assert "is not a position in this list; start without it." in answer.text


def test_links_both_ways(shown, demo, story):
    found = shown.get(f"/page/links.json?url={story}&side=in&limit=3").json
    assert found["total"] == 10
    assert found["is_whole"]
    assert found["links"][0]["anchor"]
    assert "side=in" in found["next_url"]
    text = shown.get(f"/page/links?url={story}").text
    assert "Win a boat" in text
    assert "http 404" in text
    assert "1–34 of 34 links" in text


def test_parts(shown, demo):
    url = quote(demo.url("shop", "/p/tarred-hemp-rope"), safe="")
    parts = shown.get(f"/page/parts.json?url={url}").json
    assert parts["tables"][0]["rows"][1] == ["Maker", "Fenwick Ropewalk"]
    text = shown.get(f"/page/parts?url={url}").text
    assert "Fenwick Ropewalk" in text
    assert "tarred-hemp-rope.png" in text
    assert re.search(r"The page has no [a-z, ]*scripts", text)


def test_the_record_tells_how_long_each_operation_took(shown, story):
    (fetch,) = shown.get(f"/page/record.json?url={story}").json["fetches"]
    assert set(fetch["operations"]) == {"extract", "links", "write"}
    text = shown.get(f"/page/record?url={story}").text
    for name in fetch["operations"]:
        assert re.search(rf">{name} [0-9.]+ ", text)
    newest = text.partition("Time per operation")[2].partition("</section>")[0]
    assert re.findall(r"<dt>(\w+)</dt>", newest) == ["fetch", "extract", "links", "write", "index"]


def test_the_record_can_be_downloaded(shown, story):
    found = shown.get(f"/page/record.json?url={story}").json
    answer = shown.get(f"/page/record.warc.gz?url={story}")
    assert answer.headers["content-type"] == "application/gzip"
    assert "attachment" in answer.headers["content-disposition"]
    assert len(answer.body) == found["record"]["length"]
    assert gzip.decompress(answer.body).startswith(b"WARC/1.1")
    assert f"{found['record']['offset']:,}" in shown.get(f"/page/record?url={story}").text


def test_the_score_and_its_tree(shown, story):
    found = shown.get(f"/page/score.json?url={story}&q=climbing+silo").json
    assert found["place"] == 1
    assert found["explanation"]["details"]
    assert found["standing"]["links"] > 0
    assert "Rank 1" in shown.get(f"/page/score?url={story}&q=climbing+silo").text
    assert "not among the first 100" in shown.get(f"/page/score?url={story}&q=kopi").text


@pytest.mark.parametrize("view", ["blocks", "links", "parts", "record", "score"])
def test_a_url_without_a_page_has_its_story_and_no_more(shown, demo, view):
    skipped = quote(demo.url("news", "/private/rota"), safe="")
    assert shown.get(f"/page/{view}?url={skipped}").status == 200
    assert shown.get(f"/page/{view}?url=http%3A%2F%2Fnowhere.example%2F").status == 404
    assert shown.get(f"/page/{view}").status == 400
    assert shown.get(f"/page/{view}.json?url=http%3A%2F%2Fnowhere.example%2F").status == 404


def test_the_health_of_a_site(shown, demo):
    text = shown.get("/site?site=museum.localhost").text
    assert "Win a boat" not in text
    assert demo.url("museum", "/exhibit/stolen") in text
    tabs = text.partition("Views of this site")[2].partition("</nav>")[0]
    assert '<a href="/site/files?site=museum.localhost">Files</a>' in tabs
    assert '<a href="/site?site=museum.localhost" aria-current="page">Health</a>' in tabs
    assert "Disallow: /closed" in text
    found = shown.get("/site.json?site=museum.localhost&limit=2").json
    assert found["findings"]["broken_links"]["total"] == 4
    assert len(found["findings"]["broken_links"]["rows"]) == 2
    assert found["statuses"]["404"] == 1
    assert shown.get("/site?site=nowhere.example").status == 404
    assert "All sites" in shown.get("/site").text
    assert 'href="/site?site=museum.localhost"' in shown.get("/sites").text


def test_findings_as_a_table(shown, demo):
    answer = shown.get("/site.csv?site=museum.localhost&kind=redirects")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 7
    assert rows[0]["url"] == demo.url("museum", "/chain/1")
    assert shown.get("/site.csv?site=museum.localhost&kind=poems").status == 400


def test_no_cell_is_a_formula():
    assert write_csv(("a", "b"), [("=HYPERLINK()", -1), ("@x", None)]) == (
        "a,b\r\n'=HYPERLINK(),-1\r\n'@x,\r\n"
    )


def test_a_score_counts_the_documents_that_there_are(shown, demo):
    documents = shown.get("/status.json").json["documents"]
    for path in ("/page/score", "/search"):
        url = quote(demo.url("news", "/"), safe="")
        text = shown.get(f"{path}?url={url}&q=lighthouse&explain=true").text
        counted = re.findall(r"in [\d,]+ of ([\d,]+) documents", text)
        assert counted, path
        assert {int(number.replace(",", "")) for number in counted} == {documents}
    assert "out of date" not in shown.get(f"/page/score?url={url}").text


def test_a_score_counts_no_document_that_was_replaced(demo_copy):
    urls = [f"https://coast.example/{number}" for number in range(30)]
    with open_collection(demo_copy) as collection, run_workbench(collection) as bench:
        documents = collection.counts().documents + len(urls)
        # Of the documents of one commit only some are replaced: their words stay in the index.
        for some, text in ((urls, "A quillmarsh by night."), (urls[:20], "A quillmarsh by day.")):
            collection.add([Document(url, "Coast", text=text) for url in some])
        asked = f"url={quote(urls[0], safe='')}&q=quillmarsh&explain=true"
        for path in ("/page/score", "/search"):
            counted = set(
                re.findall(r"in [\d,]+ of [\d,]+ documents", bench.get(f"{path}?{asked}").text)
            )
            assert counted == {f"in {len(urls)} of {documents} documents"}, path


def test_files_that_take_longer_come_bit_by_bit(demo, monkeypatch):
    monkeypatch.setattr("telusur.web.site.pages.FILES_SECONDS", 0.0)
    with open_collection(demo.directory) as collection, run_workbench(collection) as running:
        first = running.get("/site/files?type=image").text
        assert "data-goes-on" in first
        assert '<progress id="looked"' in first
        assert '<noscript><meta http-equiv="refresh" content="1"></noscript>' in first
        assert "No image was found" not in first
        found = running.get("/site/files.json?type=image").json
        while not found["is_whole"]:
            found = running.get("/site/files.json?type=image").json
        assert found["looked_at"] == found["to_look_at"] > 500
        last = running.get("/site/files?type=image").text
        assert "data-goes-on" not in last
        assert len(found["files"]) > 10
        assert all(each["url"] in last for each in found["files"][:5])


def test_files_of_a_site(shown, demo):
    found = shown.get("/site/files.json?site=museum.localhost&type=pdf").json
    assert [each["url"] for each in found["files"]] == [demo.url("museum", "/files/leaflet.pdf")]
    assert found["is_whole"]
    assert "Leaflet" in shown.get("/site/files?site=museum.localhost&type=pdf").text
    assert shown.get("/site/files?type=poem").status == 400


def test_labels_are_put_only_by_our_own_form(shown, demo, story):
    import http.client

    def post(**headers):
        place = shown.url.removeprefix("http://")
        connection = http.client.HTTPConnection(place, timeout=100)
        body = urlencode({"url": demo.url("news", STORY), "label-0": "date"})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/page/label", body, kind | headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status

    assert post() == 403
    assert post(**{"Sec-Fetch-Site": "cross-site"}) == 403
    assert post(Origin="http://evil.example") == 403
    assert not (demo.directory / "labels").exists()


def test_a_page_is_called_good_or_bad(shown, demo, story):
    address, visitor = demo.url("news", STORY), shown.visit()
    assert "Marked good" not in visitor.get(f"/page?url={story}").text
    for said, shows in (("good", "Marked good"), ("bad", "Marked bad")):
        visitor.send("/page/mark", {"url": address, "said": said})
        assert shows in visitor.get(f"/page?url={story}").text
    with open_collection(demo.directory) as collection:
        assert [(page.url, page.is_good) for page in collection.marks()] == [(address, False)]
    visitor.send("/page/mark", {"url": address, "said": "forget"})
    assert "Undo" not in visitor.get(f"/page?url={story}").text
    assert visitor.send("/page/mark", {"url": address, "said": "dull"}).status == 400


def test_a_server_that_only_shows_takes_no_labels(demo):
    with open_collection(demo.directory) as collection:
        app = make_app(collection, access=Access(read_only=True))
        paths = {route.path for route in app.routes}
    assert not paths & {road.path for road in LABEL_ROADS}
