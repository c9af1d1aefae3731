from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.crawl.urls.identity import (
    FORMER_INDEX_PAGES,
    INDEX_PAGES,
    MAX_URL_LENGTH,
    complete_url,
    former_key_of,
    guess_url,
    host_of,
    key_of,
    keys_meant,
    normalize_url,
    parse_url,
    site_of,
    url_pattern,
)

CASES = Path(__file__).parents[1] / "cases" / "normalize.txt"


def read_cases():
    for line in CASES.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            question, wanted = line.split(" => ")
            base, _, url = question.rpartition("> ") if question[0] == "<" else ("", "", question)
            yield pytest.param(url, base[1:] or None, wanted, id=line)


@pytest.mark.parametrize(("url", "base", "wanted"), list(read_cases()))
def test_normalize_url(url, base, wanted):
    assert (normalize_url(url, base) or "nothing") == wanted


PIECES = """
    http:// https:// / // . .. ; ? & = # : @ % %2e %2F %7E %41 %C3 é a b A example.com 127.1 [::1]
    index.html default.asp ;jsessionid=1 PHPSESSID=1 utm_source=x sid= + [ ] { | \\
    (S(0123456789abcdefghijklmn)) 0123456789abcdef0123456789abcdef
"""
MESSY_URLS = st.lists(st.sampled_from([*PIECES.split(), " ", "\t"]), max_size=12).map("".join)


@given(MESSY_URLS | st.text(max_size=30))
def test_normalising_twice_changes_nothing(text):
    key = normalize_url("http://example.com/" + text)
    if key is not None:
        assert normalize_url(key) == key
        assert key_of(key) == key


@given(MESSY_URLS)
def test_parsing_twice_changes_nothing(text):
    for url in (parse_url(text), parse_url(text, "https://example.com/a/b?c")):
        assert url is None or parse_url(url) == url


@given(MESSY_URLS, MESSY_URLS)
def test_the_key_of_a_parsed_url_is_the_key_of_the_url(base, text):
    base = "http://example.com/" + base
    url = parse_url(text, base)
    assert normalize_url(text, base) == (url and key_of(url))


def test_what_is_fetched_keeps_its_spelling():
    url = "http://Example.com/%7ejoe//index.html?b=2&a=1&utm_source=x#top"
    assert parse_url(url) == "http://example.com/%7ejoe//index.html?b=2&a=1&utm_source=x"


def test_an_at_sign_behind_the_host_is_no_user_name():
    assert parse_url("http://example.com/@ann?mail=a@b") == "http://example.com/@ann?mail=a@b"
    assert parse_url("http://a:b@c@example.com/@x") == "http://example.com/@x"


def test_a_lone_surrogate_is_no_url():
    assert parse_url("http://example.com/\ud800") is None
    assert normalize_url("http://example.com/\ud800") is None


def test_urls_that_are_too_long_have_no_key():
    url = "http://example.com/" + "a" * (MAX_URL_LENGTH - 19)
    assert normalize_url(url) == url
    assert normalize_url(url + "a") is None
    assert parse_url("http://example.com/" + "a" * 1_000_000) is None


def test_a_key_that_outgrows_the_limit_by_escaping_is_refused():
    assert normalize_url("http://example.com/?" + "[" * 1000) is None


def test_guess_url_takes_only_names_under_a_real_top_level_domain():
    assert guess_url(" example.org ") == "https://example.org/"
    assert guess_url("нэб.рф/a") == "https://xn--90ax2c.xn--p1ai/a"
    assert guess_url("example.org/a:80") == "https://example.org/a:80"
    assert guess_url("notes.txt") is None
    assert guess_url("what is this") is None


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("localhost", "http://localhost/"),
        ("localhost:8080", "http://localhost:8080/"),
        ("LOCALHOST:8080/a?b", "http://localhost:8080/a?b"),
        ("news.localhost:8800/x", "http://news.localhost:8800/x"),
        ("192.168.1.5", "http://192.168.1.5/"),
        ("192.168.1.5:8000/a", "http://192.168.1.5:8000/a"),
        ("[::1]:8000", "http://[::1]:8000/"),
        ("[2001:db8::1]/a", "http://[2001:db8::1]/a"),
        ("nas.lan:8000", "http://nas.lan:8000/"),
        ("example.org:8080", "http://example.org:8080/"),
        ("example.org:443/a", "https://example.org/a"),
        ("localhost:443", "https://localhost/"),
    ],
)
def test_guess_url_takes_machines_and_ports_for_http(typed, url):
    assert guess_url(typed) == url
    assert normalize_url(typed) == url


@pytest.mark.parametrize(
    "typed", ["tel:5551", "mailto:a@b.com", "1.2.3", "a.b:99999", "localhost:abc", "999.1.1.1",
              "javascript:void(0)", "localhost8", "nas.lan:", "page.html"],
)  # fmt: skip
def test_guess_url_leaves_alone_what_is_no_address(typed):
    assert guess_url(typed) is None


def test_a_start_url_without_a_scheme_gets_the_one_that_it_had_before():
    assert complete_url("example.org") == "https://example.org/"
    assert complete_url("example.org", ["http://example.org/"]) == "http://example.org/"
    both = ["http://example.org/", "https://example.org/"]
    assert complete_url("example.org", both) == "https://example.org/"
    assert complete_url("http://example.org", ["https://example.org/"]) == "http://example.org/"
    assert complete_url("what is this", []) is None


def test_somebody_who_leaves_out_the_scheme_may_mean_both():
    assert keys_meant("example.org/index.html") == ("https://example.org/", "http://example.org/")
    assert keys_meant("http://example.org/index.html") == ("http://example.org/",)
    assert keys_meant("localhost:8080") == ("http://localhost:8080/",)
    assert keys_meant("what is this") == ()


def test_a_page_that_was_an_index_page_before_has_a_former_key():
    assert former_key_of("http://a.example/b/default.html") == "http://a.example/b/"
    assert former_key_of("http://a.example/b/Default.PHP") == "http://a.example/b/"
    for key in ("http://a.example/b/", "http://a.example/default.html?x=1", "http://a.example/b"):
        assert former_key_of(key) is None
    assert not INDEX_PAGES & FORMER_INDEX_PAGES


@pytest.mark.parametrize(
    ("url", "host", "site"),
    [
        ("http://www.example.com/a/b", "http://www.example.com", "example.com"),
        ("https://example.com:8443/", "https://example.com:8443", "example.com"),
        ("https://a.b.example.co.uk/", "https://a.b.example.co.uk", "example.co.uk"),
        ("https://ann.github.io/x", "https://ann.github.io", "ann.github.io"),
        ("https://github.io/", "https://github.io", "github.io"),
        ("http://127.0.0.1:8801/", "http://127.0.0.1:8801", "127.0.0.1:8801"),
        ("http://127.0.0.1/", "http://127.0.0.1", "127.0.0.1"),
        ("http://[::1]:8080/", "http://[::1]:8080", "[::1]:8080"),
        ("http://news.localhost:8800/a", "http://news.localhost:8800", "news.localhost"),
        ("http://x.news.localhost:8800/", "http://x.news.localhost:8800", "news.localhost"),
        ("http://localhost:8800/", "http://localhost:8800", "localhost:8800"),
        ("http://www.example.com./", "http://www.example.com.", "example.com"),
        ("http://xn--bcher-kva.example.com", "http://xn--bcher-kva.example.com", "example.com"),
        ("http://1.2.example.com/", "http://1.2.example.com", "example.com"),
    ],
)
def test_host_and_site(url, host, site):
    assert host_of(url) == host
    assert site_of(url) == site


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://a.example/cal/2024/05?view=day&id=7", "http://a.example/cal/#/#?id&view"),
        ("http://a.example/cal/1999/12?id=8&view=x", "http://a.example/cal/#/#?id&view"),
        ("http://a.example:8080/", "http://a.example:8080/"),
        ("http://a.example/p/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "http://a.example/p/#"),
        ("http://a.example/c/0a1b2c3d4e5f.html", "http://a.example/c/#.html"),
        ("http://a.example/defaced/facade", "http://a.example/defaced/facade"),
        ("http://a.example/%E4%B8%AD/12", "http://a.example/%E4%B8%AD/#"),
        ("http://a.example/?f[1]=a&f[2]=b", "http://a.example/?f[#]"),
    ],
)
def test_url_pattern(url, pattern):
    assert url_pattern(url) == pattern
