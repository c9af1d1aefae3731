import gzip

import pytest

from telusur.errors import UsageError
from telusur.pipeline.one_page import OnePage, draw_page, get_page
from telusur.settings import CrawlSettings
from tests.sites import Answer, serving


def test_a_page_comes_decoded_and_is_asked_for_as_a_crawl_would():
    packed = Answer(gzip.compress(b"<p>ebb"), headers={"Content-Encoding": "gzip"})
    settings = CrawlSettings(allow_private=True, header=("X-Tide: high",), user_agent="Me/1")
    with serving({"/": packed}) as site:
        page = get_page(site.url("/"), settings)
        [request] = site.requests
    assert page == OnePage(site.url("/"), b"<p>ebb", "text/html; charset=utf-8")
    assert (request.headers["X-Tide"], request.headers["User-Agent"]) == ("high", "Me/1")


def test_credentials_stay_with_the_host_they_were_meant_for():
    settings = CrawlSettings(allow_private=True, header=("Authorization: secret",))
    with serving({"/": "<p>x"}) as other:
        away = Answer("", 302, {"Location": other.url("/")})
        with serving({"/": away}) as site:
            get_page(site.url("/"), settings)
            assert site.requests[0].headers["Authorization"] == "secret"
        assert "Authorization" not in other.requests[0].headers


def test_a_coding_that_nobody_knows_is_a_reason():
    with serving({"/": Answer("x", headers={"Content-Encoding": "rot13"})}) as site:
        page = get_page(site.url("/"), CrawlSettings(allow_private=True))
    assert page.reason == "Unknown content coding 'rot13'."


def test_a_page_that_says_something_is_not_drawn_unless_always():
    page = OnePage("", b"<p>" + b"The tide comes in. " * 30)
    assert draw_page(page, CrawlSettings(render="auto")) is page
    assert draw_page(page, CrawlSettings(render="never")) is page
    with pytest.raises(UsageError, match="--render always: nothing-there is no program"):
        draw_page(page, CrawlSettings(render="always", browser="nothing-there"))


def test_style_sheets_come_with_a_page_if_they_are_asked_for():
    css = {"Content-Type": "text/css"}
    pages = {
        "/": "<link rel=stylesheet href=/a.css><link rel=stylesheet href=/none.css><p class=x>ebb",
        "/a.css": Answer("@import 'b.css'; .x { display: none }", headers=css),
        "/b.css": Answer(".y { display: none }", headers=css),
    }
    with serving(pages) as site:
        page = get_page(site.url("/"), CrawlSettings(allow_private=True), sheets=True)
        assert site.paths() == ["/", "/a.css", "/none.css", "/b.css"]
        for settings in ({"style_sheets": False}, {"content": "text"}):
            bare = get_page(
                site.url("/"), CrawlSettings(allow_private=True, **settings), sheets=True
            )
            assert bare.sheets is None
        assert get_page(site.url("/"), CrawlSettings(allow_private=True)).sheets is None
        assert len(site.paths()) == 7
    assert page.sheets is not None
    sheets = [page.sheets.get(site.url(path)) for path in ("/a.css", "/b.css", "/none.css")]
    assert [sheet is not None for sheet in sheets] == [True, True, False]
