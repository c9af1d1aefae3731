from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.web.frame import urls


def test_what_is_at_its_default_is_left_out():
    assert urls.search_url("a b", page=1, limit=10) == "/search?q=a+b"
    assert urls.search_url("a", page=2, limit=20) == "/search?q=a&page=2&limit=20"
    assert urls.search_url() == "/search"


@given(st.text(st.characters(codec="utf-8"), min_size=1))
def test_a_url_survives_being_a_parameter(url):
    asked = urlsplit(urls.page_url(url)).query
    assert parse_qs(asked, keep_blank_values=True, strict_parsing=True) == {"url": [url]}


def test_a_site_narrows_the_search():
    assert urls.site_url("example.org") == "/search?q=site%3Aexample.org"
    assert urls.site_url("example.org", "tea") == "/search?q=tea+site%3Aexample.org"
    assert urls.site_url("a b") is None
    assert urls.site_url("") is None


@pytest.mark.parametrize(
    ("url", "href"),
    [
        ("http://example.org/", "http://example.org/"),
        ("HTTPS://Example.org/a?b#c", "https://example.org/a?b#c"),
        ("http://[::1]:81/", "http://[::1]:81/"),
        ("https://example.org/\u202egpj.exe", "https://example.org/%E2%80%AEgpj.exe"),
        ('https://example.org/"<x>', "https://example.org/%22%3Cx%3E"),
    ],
)
def test_web_addresses_are_linked_as_a_browser_writes_them(url, href):
    assert urls.live_href(url) == href


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "//example.org/",
        "/search",
        "http:/\\evil.example",
        "https://a.example\\@b.example/",
        "http://a.example/\x00",
        "http://a b",
        "http://[::1/",
        "",
        "vbscript:x",
        "file:///etc/passwd",
    ],
)
def test_nothing_else_may(url):
    assert urls.live_href(url) is None
