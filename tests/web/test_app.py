import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from telusur.web.paperdoll.doll import make_paper_doll

PAGES = ["/", "/search?q=clock", "/search?q=zyxwvut", "/search?q=tyde", "/search", "/sites",
         "/about", "/api", "/search?q=tide&why=1", "/page?url=https://lexikon.example/de/artikel/Gezeitenuhr",
         "/copy?q=uhr&url=https://lexikon.example/de/artikel/Gezeitenuhr",
         *(f"/page/{view}?url=https://lexikon.example/de/artikel/Gezeitenuhr"
           for view in ("blocks", "links", "parts", "record", "score")),
         "/site?site=lexikon.example", "/site/files?site=lexikon.example&type=pdf"]  # fmt: skip


class Tags(HTMLParser):
    """All tags of a page with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.all = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.all.append((tag, dict(attributes)))

    def attributes(self, name):
        return [attributes for tag, attributes in self.all if tag == name]


@pytest.mark.parametrize("path", PAGES)
def test_every_page_announces_its_twin(workbench, path):
    answer = workbench.get(path)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    links = Tags(answer.text).attributes("link")
    twin = next(link["href"] for link in links if link.get("type") == "application/json")
    assert {"ok", "openapi"} & set(workbench.get(twin).json)


@pytest.mark.parametrize("path", [*PAGES, "/nope"])
def test_every_page_has_landmarks_and_a_heading(workbench, path):
    tags = Tags(workbench.get(path).text)
    names = [tag for tag, _ in tags.all]
    assert {"header", "nav", "main", "footer"} <= set(names)
    assert names.count("h1") == 1
    assert names.count("main") == 1
    assert tags.attributes("html") == [{"lang": "en"}]
    labelled = {label["for"] for label in tags.attributes("label")}
    shown = [box for box in tags.attributes("input") if box.get("type") != "hidden"]
    assert {box["id"] for box in shown} <= labelled
    ids = [attributes["id"] for _, attributes in tags.all if "id" in attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", [*PAGES, "/nope"])
def test_nothing_is_inline(workbench, path):
    for tag, attributes in Tags(workbench.get(path).text).all:
        assert tag != "style"
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert tag != "script" or attributes["src"].startswith("/static/js/")


@pytest.mark.parametrize("path", [*PAGES, "/nope"])
def test_every_link_of_ours_leads_somewhere(workbench, path):
    for tag, attributes in Tags(workbench.get(path).text).all:
        target = attributes.get("href") or attributes.get("src") or ""
        # A page whose parent was never crawled may link to it, and the answer says so.
        if tag in ("a", "link", "script") and target.startswith("/"):
            expected = (200, 404) if target.startswith("/page?") else (200,)
            assert workbench.get(target.partition("#")[0]).status in expected, target


def test_hits(workbench):
    text = workbench.get("/search?q=tide+clock&limit=5").text
    assert "<mark>clock</mark>" in text
    assert 'href="https://www.harbour-post.example/science/2026/03/tide-clocks"' in text
    assert '<time datetime="2026-03-14">14 March 2026</time>' in text
    assert 'lang="de"' in text
    assert '<input type="hidden" name="limit" value="5">' in text


def test_paging_reaches_every_hit_once(workbench):
    seen = []
    path = "/search?q=clock&limit=25"
    while path:
        text = workbench.get(path).text
        seen += re.findall(r'<a href="([^"]+)"[^>]* data-hit>', text)
        following = re.search(r'<link rel="next" href="([^"]+)">', text)
        path = following[1].replace("&amp;", "&") if following else None
    total = workbench.get("/search.json?q=clock").json["total"]
    assert len(seen) == len(set(seen)) == total


def test_a_page_too_far_leads_back(workbench):
    text = workbench.get("/search?q=clock&page=999").text
    assert "There is no page 999" in text
    assert 'href="/search?q=clock"' in text


def test_a_stored_document(workbench):
    text = workbench.get("/page?url=https://dapur-nenek.example/cerita/pasar-subuh").text
    assert '<h1 class="document-title" dir="auto">Pasar subuh</h1>' in text
    assert '<em class="author"><bdi>Ratih Wulandari</bdi></em>' in text
    assert '<article class="document" lang="id">' in text
    assert text.count('<p dir="auto">') == 2
    assert '<time datetime="2026-03-20T09:46:53Z">' in text


def test_a_url_without_document_still_has_its_story(workbench):
    answer = workbench.get("/page?url=https://www.harbour-post.example/private/editors")
    assert answer.status == 200
    assert "robots: Disallow: /private" in answer.text
    assert "No document is stored" in answer.text


def test_an_empty_collection_says_what_to_do(show):
    text = show(make_paper_doll(is_empty=True)).get("/").text
    assert "telusur crawl https://example.org/ --to paper-doll" in text


def test_a_crawl_that_is_running_is_told(show):
    text = show(make_paper_doll(is_crawling=True)).get("/").text
    assert "A crawl is running" in text
    assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in text


def test_opensearch(workbench):
    answer = workbench.get("/opensearch.xml")
    assert answer.headers["content-type"].startswith("application/opensearchdescription+xml")
    root = ElementTree.fromstring(answer.text)
    space = {"o": "http://a9.com/-/spec/opensearch/1.1/"}
    templates = [url.attrib["template"] for url in root.findall("o:Url", space)]
    assert templates[0].startswith(f"{workbench.url}/search?q={{searchTerms}}")


@pytest.mark.parametrize("path", ["/favicon.svg", "/favicon.ico"])
def test_favicon(workbench, path):
    answer = workbench.get(path)
    assert answer.headers["content-type"] == "image/svg+xml"
    ElementTree.fromstring(answer.text)


def test_head_is_answered_without_a_body(workbench):
    answer = workbench.get("/search?q=clock", method="HEAD")
    assert (answer.status, answer.body) == (200, b"")


def test_a_search_offers_what_may_have_been_meant(workbench):
    answer = workbench.get("/search?q=tyde+clock&limit=2")
    links = [link.get("href") for link in Tags(answer.text).attributes("a")]
    assert "/search?q=tide+clock&limit=2" in links
    assert workbench.get("/search.json?q=tyde").json["did_you_mean"] == "tide"
    assert workbench.get("/search.json?q=tide").json["did_you_mean"] is None
