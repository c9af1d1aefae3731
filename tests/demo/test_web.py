import re
from urllib.parse import urlsplit

import pytest

from telusur.demo.web import ENDLESS, DemoWeb, localhost
from tests.demo import reader

SITES = ["news", "forum", "docs", "blog", "ansiklopedi", "lexikon", "shop", "calendar", "museum"]


def test_there_are_nine_sites_with_their_home_pages(web):
    assert list(web.sites) == SITES
    assert web.start_urls[0] == "http://news.localhost:8800/"
    assert all(reader.ask(web, url).status == 200 for url in web.start_urls)


def test_two_builds_are_equal(web):
    again = DemoWeb(localhost(8800))
    assert again.truth == web.truth
    for name, site in web.sites.items():
        assert again.sites[name].entries == site.entries


def test_another_base_changes_only_origins(web):
    other = DemoWeb(lambda site: f"http://{site}.test")
    assert [one.path for one in other.truth] == [one.path for one in web.truth]
    assert b"localhost:8800" not in b"".join(
        entry.body for site in other.sites.values() for entry in site.entries.values()
    )


def test_every_link_leads_where_the_truth_says(web):
    statuses, found_on = reader.visit(web)
    listed = {one.url: one.status for one in web.truth}
    wrong = [
        (url, status, found_on[url])
        for url, status in statuses.items()
        if status != listed.get(url, 200)
    ]
    assert wrong == []


def test_all_pages_are_connected_from_the_news(web):
    _, found_on = reader.visit(web)
    unlinked = [one.url for one in web.truth if one.url not in found_on and one.kind != "file"]
    assert unlinked == []


def test_redirects_name_their_target(web):
    redirects = [one for one in web.truth if one.kind == "redirect"]
    assert {one.status for one in redirects} == {301, 302, 307}
    for one in redirects:
        location = reader.ask(web, one.url).header("location")
        assert one.location.endswith(location)


def test_a_redirect_loop_never_ends_and_a_chain_does(web):
    def hops(url, limit=10):
        for count in range(limit):
            answer = reader.ask(web, url)
            if answer.status == 200:
                return count
            location = answer.header("location")
            parts = urlsplit(url)
            url = location if "://" in location else f"{parts.scheme}://{parts.netloc}{location}"
        return limit

    assert hops("http://museum.localhost:8800/loop/clockwise") == 10
    assert hops("http://museum.localhost:8800/chain/1") == 3
    assert hops("http://news.localhost:8800/archive/1999/front-page") == 3


def test_an_overloaded_page_succeeds_at_the_second_attempt(web):
    url = "http://museum.localhost:8800/exhibit/the-patient-clerk"
    first = reader.ask(web, url, attempt=0)
    assert (first.status, first.header("retry-after")) == (503, "1")
    assert reader.ask(web, url, attempt=1).status == 200


def test_unchanged_pages_are_answered_304(web):
    url = "http://docs.localhost:8800/commands/snap.html"
    page = reader.ask(web, url)
    same = reader.ask(web, url, {"if-none-match": page.header("etag")})
    assert (same.status, same.body) == (304, b"")
    dated = reader.ask(web, url, {"if-modified-since": page.header("last-modified")})
    assert dated.status == 304
    assert reader.ask(web, url, {"if-none-match": '"other"'}).status == 200


def test_the_bare_address_lists_the_sites_and_a_foreign_host_is_refused(web):
    index = web.answer("127.0.0.1:8800", "/")
    assert all(origin.encode() in index.body for origin in web.origins.values())
    assert web.answer("localhost:8800", "/").status == 200
    assert web.answer("example.org", "/").status == 421


def test_the_calendar_never_ends(web):
    for path in ("/calendar/2031/02", "/calendar/2031/02/28", "/calendar/9999/12", "/calendar/1/1"):
        answer = reader.ask(web, "http://calendar.localhost:8800" + path)
        assert answer.status == 200, path
        assert b'rel="next"' in answer.body
    assert reader.ask(web, "http://calendar.localhost:8800/calendar/2026/13").status == 404


def test_without_the_endless_parts_the_web_has_an_end(web):
    found, waiting = set(), list(web.start_urls)
    encodings = {one.url: one.encoding for one in web.truth}
    while waiting:
        url = waiting.pop()
        if url in found or any(re.search(pattern, url) for pattern in ENDLESS):
            continue
        found.add(url)
        answer = reader.ask(web, url)
        if answer.header("content-type").startswith("text/html"):
            waiting += reader.links(answer, url, encodings.get(url, "utf-8"))
    assert 600 < len(found) < 1000


def test_facets_multiply_and_filter(web):
    base = "http://shop.localhost:8800/products"
    red = reader.links(reader.ask(web, base + "?colour=red"), base)
    assert any("colour=red&size=M" in link for link in red)
    assert any("?sid=" in link for link in red)
    cheap = reader.words(reader.ask(web, base + "?max=10"))
    assert "2 products" in cheap
    assert "Enamel mug" in cheap


@pytest.mark.parametrize(
    "spelling",
    [
        "/exhibit/the-first-web-counter?utm_source=x",
        "/exhibit/%74he-first-web-counter",
        "http://museum.localhost:8800/exhibit/the-first-web-counter",
    ],
)
def test_many_spellings_give_one_page(web, spelling):
    plain = web.answer("museum.localhost:8800", "/exhibit/the-first-web-counter")
    assert web.answer("museum.localhost:8800", spelling) == plain
    assert plain.status == 200
