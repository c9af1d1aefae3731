"""The views of one page and of its site, on the crawled demo web."""

import csv
import gzip
import io
import re
from urllib.parse import quote, urlencode

import pytest

from telusur.collection import open_collection
from telusur.web.access import Access
from telusur.web.app import make_app
from telusur.web.page_roads import LABEL_ROADS
from telusur.web.site_pages import write_csv
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
    for view in ("blocks", "links", "parts", "record", "score"):
        assert f'href="/page/{view}?url={story}"' in answer.text
    assert [each["how"] for each in shown.get(f"/page.json?url={story}").json["copies"]] == ["same"]


def test_blocks_have_numbers_and_labels(shown, story):
    found = shown.get(f"/page/blocks.json?url={story}&limit=7").json
    labels = {each["text"]: each["label"] for each in found["blocks"]}
    assert labels["Climbing hall opens in disused grain silo"] == "title"
    assert len(found["blocks"]) == 7 < found["total"]
    following = shown.get(found["next_url"].removeprefix(shown.url)).json
    assert following["ok"]
    within = shown.get(f"/copy/content?view=blocks&url={story}").text
    number = next(each["number"] for each in found["blocks"] if each["label"] == "title")
    assert f'<h1 data-block="{number}" data-label="title">' in within


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
    assert re.search(r"It has no [a-z, ]*scripts", text)


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
    assert "Place 1" in shown.get(f"/page/score?url={story}&q=climbing+silo").text
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
        connection = http.client.HTTPConnection(place, timeout=20)
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
    assert "Called good" not in visitor.get(f"/page?url={story}").text
    for said, shows in (("good", "Called good"), ("bad", "Called bad")):
        visitor.send("/page/mark", {"url": address, "said": said})
        assert shows in visitor.get(f"/page?url={story}").text
    with open_collection(demo.directory) as collection:
        assert [(page.url, page.is_good) for page in collection.marks()] == [(address, False)]
    visitor.send("/page/mark", {"url": address, "said": "forget"})
    assert "Take back" not in visitor.get(f"/page?url={story}").text
    assert visitor.send("/page/mark", {"url": address, "said": "dull"}).status == 400


def test_a_server_that_only_shows_takes_no_labels(demo):
    with open_collection(demo.directory) as collection:
        app = make_app(collection, access=Access(read_only=True))
        paths = {route.path for route in app.routes}
    assert not paths & {road.path for road in LABEL_ROADS}
