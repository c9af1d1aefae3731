"""What servers do wrong, seen from a whole crawl: what is kept, marked, and left out."""

import gzip
import sqlite3

import telusur
from tests.sites import Answer, page, serving

FAST = {"allow_private": True, "delay": 0, "index": False}


def crawl(directory, site, *paths, **settings):
    with telusur.open(directory) as collection:
        collection.crawl([site.url(path) for path in paths], **{**FAST, **settings})
        return {
            row["url"].removeprefix(site.origin): (row["state"], row["reason"])
            for row in collection.urls()
        }


def truncated_urls(directory):
    connection = sqlite3.connect(directory / "collection.db")
    query = "SELECT url FROM urls JOIN pages USING (url_id) WHERE truncated"
    urls = [url for (url,) in connection.execute(query)]
    connection.close()
    return urls


def test_a_page_cut_by_its_compression_is_marked(tmp_path):
    half = gzip.compress(b"<title>Half</title>" + bytes(range(32, 127)) * 100)[:-20]
    pages = {"/half": Answer(half, headers={"Content-Encoding": "gzip"}), "/whole": page("Whole")}
    with serving(pages) as site:
        crawl(tmp_path / "c", site, "/half", "/whole")
        assert truncated_urls(tmp_path / "c") == [site.url("/half")]


def test_raw_text_ends_where_browsers_end_it_and_kills_no_parser(tmp_path, capfd):
    """Security review 4: 25 bytes that once took a parser down on every page."""
    headers = {"Content-Type": "text/html"}
    odd = Answer('<title>T</title><p>Seen.<xmp></xmpd><a href="/x">raw</a>', headers=headers)
    with serving({f"/{n}": odd for n in range(6)}) as site:
        states = crawl(tmp_path / "c", site, *(f"/{n}" for n in range(6)), near_duplicates=False)
        assert "/x" not in site.paths()
    assert {state for state, _ in states.values()} == {"done"}
    assert "Traceback" not in capfd.readouterr().err


def test_a_page_that_says_not_found_is_kept_out_of_the_index(tmp_path):
    with serving({"/gone": page("Page not found"), "/here": page("Here")}) as site:
        states = crawl(tmp_path / "c", site, "/gone", "/here")
    assert states == {"/gone": ("done", "soft 404"), "/here": ("done", "")}


def test_of_two_equal_pages_the_one_named_as_original_is_indexed(tmp_path):
    copy = '<title>T</title><link rel="canonical" href="/original"><p>The same words.'
    headers = {"Content-Type": "text/html"}
    with serving({}, otherwise=Answer(copy, headers=headers)) as site:
        states = crawl(tmp_path / "c", site, "/copy")
        original = site.url("/original")
    assert states == {
        "/copy": ("done", f"canonical elsewhere: {original}"),
        "/original": ("done", ""),
    }


def test_one_private_address_may_be_allowed_alone(tmp_path):
    with serving({"/": page("B")}) as other:
        start = {"/": page("A", links=[other.url("/")])}
        with serving(start) as site:
            allowed = site.origin.removeprefix("http://")
            settings = {"allow_private": False, "allow_address": (allowed,), "scope": "any"}
            states = crawl(tmp_path / "c", site, "/", **settings)
            assert states["/"] == ("done", "")
            assert states[other.url("/")] == ("failed", "private address: 127.0.0.1")
        assert other.requests == []
