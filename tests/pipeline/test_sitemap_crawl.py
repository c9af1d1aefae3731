"""Sitemaps during a crawl: what is asked of a real server, and what becomes of it."""

import gzip
import sqlite3

import pytest

from telusur.collection import open_collection
from tests.sites import Answer, page, serving, wait_until

XML = {"Content-Type": "application/xml"}
TEXT = {"Content-Type": "text/plain"}


def urlset(*entries):
    rows = "".join(f"<url><loc>{entry}</loc></url>" for entry in entries)
    return Answer(f'<?xml version="1.0"?><urlset>{rows}</urlset>', headers=XML)


def index(*urls):
    rows = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return Answer(f"<sitemapindex>{rows}</sitemapindex>", headers=XML)


def robots(*lines):
    return Answer("\n".join(lines), headers=TEXT)


def crawl(site, directory, *paths, **settings):
    fast = {"allow_private": True, "delay": 0, "index": False, "render": "never"}
    with open_collection(directory) as collection:
        collection.crawl([site.url(path) for path in paths or ("/",)], **{**fast, **settings})
        return {row["url"].removeprefix(site.origin): row for row in collection.urls()}


@pytest.fixture(scope="module")
def web():
    """A site whose robots.txt names an index of everything there can be."""
    pages = {
        "/robots.txt": robots(
            "Sitemap: /index.xml", "Sitemap: http://elsewhere.example/s.xml", "Sitemap: /moved.xml"
        ),
        "/": page("Home", links=["/linked"]),
        "/linked": page("Linked page"),
        "/index.xml": index(
            "/nested.xml", "/feed.xml", "/lines.txt", "/broken.xml", "/none.html", "/gone.xml",
            "/index.xml", "http://elsewhere.example/s.xml",
        ),
        "/nested.xml": index("/deep.xml.gz"),
        "/deep.xml.gz": Answer(
            gzip.compress(urlset("/deep", "/linked", "http://elsewhere.example/").payload()),
            headers={"Content-Type": "application/octet-stream"},
        ),
        "/moved.xml": Answer("", 301, {"Location": "/new.xml"}),
        "/new.xml": urlset("/moved"),
        "/feed.xml": "<rss><channel><link>/</link><item><link>/item</link></item></channel></rss>",
        "/none.html": page("Not a sitemap at all", links=["/hidden"]),
    }  # fmt: skip
    for name in ("deep", "moved", "item", "line", "whole"):
        pages[f"/{name}"] = page(f"The page called {name}", f"It speaks about {name} alone.")
    # A page that is found after the index was read: a link from the front page might come first.
    pages["/item"] = page("The page called item", "It speaks about item.", links=["/nested.xml"])
    with serving(pages) as site:
        site.pages["/lines.txt"] = Answer(f"{site.url('/line')}\n", headers=TEXT)
        cut = f"<urlset><url><loc>{site.url('/whole')}</loc></url><url><loc>{site.url('/cu')}"
        site.pages["/broken.xml"] = Answer(cut, headers=XML)
        yield site


@pytest.fixture(scope="module")
def crawled(web, tmp_path_factory):
    directory = tmp_path_factory.mktemp("sitemaps") / "c"
    return directory, crawl(web, directory), list(web.paths())


def test_what_only_sitemaps_name_is_found(crawled):
    _, urls, _ = crawled
    for path in ("/deep", "/moved", "/item", "/line", "/whole", "/linked"):
        assert (urls[path]["state"], urls[path]["reason"]) == ("done", "")
    assert "/hidden" not in urls
    assert "/cu" not in urls


def test_each_sitemap_is_asked_for_once_and_ends_with_its_reason(crawled):
    _, urls, asked = crawled
    assert len(asked) == len(set(asked))
    reasons = {path: (row["state"], row["reason"]) for path, row in urls.items()}
    assert reasons["/index.xml"] == ("done", "sitemap: an index of 8")
    assert reasons["/deep.xml.gz"] == ("done", "sitemap: 3 URLs, 1 of them out of scope")
    assert reasons["/moved.xml"] == ("done", "redirect")
    assert reasons["/new.xml"] == ("done", "sitemap: 1 URLs")
    assert reasons["/none.html"] == ("skipped", "content type: not a sitemap")
    assert reasons["/gone.xml"] == ("failed", "http 404")
    assert reasons["http://elsewhere.example/s.xml"] == ("skipped", "scope: other site")


def test_what_is_named_as_a_sitemap_while_it_is_fetched_as_a_page_is_read_again(tmp_path):
    def wait_for(path, answer):
        return lambda _: wait_until(lambda: site.asked(path), f"a request for {path}") and answer

    pages = {
        "/robots.txt": robots("Sitemap: /index.xml"),
        "/": page("Home", links=["/linked.xml"]),
        "/only": page("The page that only the sitemap names"),
        "/other.xml": urlset("/"),
    }
    with serving(pages) as site:
        # The index is read while the link to one of its sitemaps is in flight.
        site.pages["/index.xml"] = wait_for("/linked.xml", index("/linked.xml", "/other.xml"))
        site.pages["/linked.xml"] = wait_for("/other.xml", urlset("/only"))
        urls = crawl(site, tmp_path / "c", per_host=2)
        assert site.asked("/linked.xml") == 2
    assert urls["/linked.xml"]["reason"] == "sitemap: 1 URLs"
    assert urls["/only"]["state"] == "done"
    assert {row["state"] for row in urls.values()} == {"done"}


def test_a_sitemap_is_archived_and_is_no_page(web, crawled):
    directory, _, _ = crawled
    with open_collection(directory) as collection:
        exported = {row["url"] for row in collection.pages()}
        counts = collection.counts()
        assert web.url("/deep") in exported
        assert not {url for url in exported if url.endswith((".xml", ".gz", ".txt", "none.html"))}
        assert counts.pages == len(exported)
        assert collection.page(web.url("/lines.txt")).body
        assert collection.why(web.url("/deep")).parent == web.url("/deep.xml.gz")
        assert "robots.txt" in collection.why(web.url("/index.xml")).events[0].reason
        assert collection.verify().is_fine


def test_nothing_is_asked_for_again(web, crawled):
    directory, before, _ = crawled
    asked = len(web.requests)
    assert crawl(web, directory) == before
    assert len(web.requests) == asked


def test_the_usual_place_is_looked_at_only_when_told_to(tmp_path):
    pages = {
        "/": page("Home", links=["/sitemap.xml"]),
        "/sitemap.xml": urlset("/a"),
        "/a": page("A page"),
    }
    with serving(pages) as site:
        urls = crawl(site, tmp_path / "c")
        assert urls["/sitemap.xml"]["reason"] == "content type: application/xml"
        urls = crawl(site, tmp_path / "c", depth=1, sitemaps="always")  # it is taken for one now
        assert (urls["/sitemap.xml"]["reason"], urls["/a"]["state"]) == ("sitemap: 1 URLs", "done")


def test_a_sitemap_as_start_url_is_read_and_filters_hold_for_what_it_names(tmp_path):
    pages = {
        "/robots.txt": robots("User-agent: *", "Disallow: /docs/secret"),
        "/docs/s.xml": urlset("/docs/a", "/docs/not", "/b", "/docs/secret", "/docs/x.zip"),
        "/docs/other.xml": Answer("<x/>", headers=XML),
    }
    with serving(pages, otherwise=lambda path: page(f"Page {path}")) as site:
        starts = ["/docs/s.xml", "/docs/other.xml"]
        urls = crawl(site, tmp_path / "c", *starts, scope="prefix", exclude=["not$"], depth=1)
    assert {path: row["reason"].partition(":")[0] for path, row in urls.items()} == {
        "/docs/s.xml": "sitemap",
        "/docs/other.xml": "content type",
        "/docs/a": "",
        "/docs/not": "excluded",
        "/docs/secret": "robots",
        "/docs/x.zip": "content type",
    }


def test_priority_and_date_decide_between_equals_and_sitemaps_are_not_counted(tmp_path):
    entries = [("/late", "", ""), ("/new", "2026-05-01", "0.5"), ("/old", "2020-01-01", "0.5"),
               ("/first", "", "0.9"), ("/last", "", "0.1")]  # fmt: skip
    rows = "".join(
        f"<url><loc>{path}</loc><lastmod>{day}</lastmod><changefreq>daily</changefreq>"
        f"<priority>{priority}</priority></url>"
        for path, day, priority in entries
    )
    pages = {
        "/robots.txt": robots("Sitemap: /s.xml"),
        "/s.xml": Answer(f"<urlset>{rows}</urlset>", headers=XML),
    }
    with serving(pages, otherwise=lambda path: page(f"Page {path}")) as site:
        crawl(site, tmp_path / "c", pages=5)
        assert site.paths() == ["/", "/s.xml", "/first", "/new", "/old", "/late"]
    with sqlite3.connect(tmp_path / "c" / "collection.db") as db:
        listed = db.execute("SELECT lastmod, changefreq, priority FROM listed").fetchall()
    assert (1777593600.0, "daily", 0.5) in listed
    assert len(listed) == len(entries)


def test_a_tree_of_sitemaps_ends(tmp_path, monkeypatch):
    monkeypatch.setattr("telusur.backends.sqlite.sitemaps.MOST_FILES", 20)

    def more(path):
        return index(*(f"{path}-{number}" for number in range(30 if "-" in path else 1)))

    pages = {"/robots.txt": robots("Sitemap: /tree"), "/": page("Home")}
    with serving(pages, otherwise=more) as site:
        urls = crawl(site, tmp_path / "c")
        assert len(site.paths()) == len(urls) == 21
    note = "sitemap: an index of 30, more than 3 sitemaps deep"
    assert [row["reason"] for row in urls.values()].count(note) == 18
