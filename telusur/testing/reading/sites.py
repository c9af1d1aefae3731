"""What readers of a site must return: `SiteReaderSuite`."""

from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.rules.sitemap_listing import Listed
from telusur.models import Link, State
from telusur.store.session import Session
from telusur.testing.cases import StoreCase
from telusur.testing.reading.filling import (
    NOBODY,
    FilledStore,
    found_url,
    id_of,
    ids_of,
    paths_in,
    put_document,
    url_of,
    urls_of,
)
from telusur.testing.reading.site_documents import SiteDocumentTests


class SiteUrlTests(StoreCase):
    """Hosts, URLs, responses and links of one site among others."""

    def test_a_site_that_nobody_knows(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1")
        filled.put_document("a.example/1")
        site = filled.store.site("b.example")
        assert (site.hosts(9), site.count_hosts(), site.states()) == ([], 0, [])
        assert (site.count_fetched("status"), site.median_seconds()) == ({}, 0.0)
        assert (site.slow(0.0, 9), site.redirects(9), site.failed(9)) == ((0, []),) * 3
        assert (list(site.indexed_urls()), site.count_documents()) == ([], (0, 0))
        assert (site.copies(9), site.without("title", 9), site.shared("title", 9)) == ((0, []),) * 3
        assert (site.sitemaps(9), site.count_listed(), site.not_fetched(9)) == ([], 0, [])
        site.close()

    def test_hosts_and_their_robots_files(self) -> None:
        filled = FilledStore(self)
        filled.find("www.a.example/1", "a.example/1", site="a.example")
        filled.find("b.example/1")
        filled.write(lambda s: s.catalogue.put_robots("http://a.example", b"Allow: /", 200, 7.0))
        site, whole = filled.store.site("a.example"), filled.store.site()
        rows = [
            ("http://a.example", 200, 7.0, b"Allow: /"),
            ("http://www.a.example", None, None, b""),
        ]
        assert [tuple(row) for row in site.hosts(9)] == rows
        assert [tuple(row) for row in site.hosts(1)] == rows[:1]
        assert (site.count_hosts(), whole.count_hosts()) == (2, 3)
        assert [row[0] for row in whole.hosts(9)][1] == "http://b.example"

    def test_urls_by_state_and_kind_of_reason(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "a.example/2", skip_reason="robots: Disallow: /")
        filled.find("a.example/3", "b.example/1")
        filled.fetch("a.example/4", status=None, state=State.FAILED, reason="http 500, at last")
        filled.fetch("a.example/5")
        own = {(State.SKIPPED, "robots", 2), (State.WAITING, "", 1), (State.FAILED, "http 500", 1),
               (State.DONE, "", 1)}  # fmt: skip
        assert set(filled.store.site("a.example").states()) == own
        assert (State.WAITING, "", 2) in filled.store.site().states()

    def test_urls_that_robots_files_keep_out(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "a.example/2", skip_reason="robots: Disallow: /")
        filled.find("a.example/3", skip_reason="scope: robots")
        filled.find("b.example/1", skip_reason="robots")
        site = filled.store.site("a.example")
        rows = [(url, "robots: Disallow: /") for url in urls_of("a.example/1", "a.example/2")]
        assert sorted(tuple(row) for row in site.excluded(9)) == rows
        assert len(site.excluded(1)) == 1
        assert len(filled.store.site().excluded(9)) == 3

    def test_the_fate_of_any_url(self) -> None:
        filled = FilledStore(self)
        filled.fetch("b.example/1")
        filled.fetch("b.example/2")
        filled.fetch("b.example/2", status=None, state=State.FAILED, reason="timeout")
        filled.find("b.example/3")
        filled.put_document("added.example/")
        site = filled.store.site("a.example")
        assert site.fate_of(id_of("b.example/1")) == ("done", "", 200)
        assert site.fate_of(id_of("b.example/2")) == ("failed", "timeout", None)
        assert site.fate_of(id_of("b.example/3")) == ("waiting", "", None)
        for path in ("added.example/", NOBODY):
            assert site.fate_of(id_of(path)) == ("", "", None)

    # Responses

    def test_answers_by_status_and_type(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", status=404, state=State.FAILED, content_type="")
        filled.fetch("a.example/1")
        filled.fetch("a.example/2", content_type="TEXT/html; charset=utf-8")
        filled.fetch("a.example/3", status=404, state=State.FAILED, content_type="")
        filled.fetch("a.example/4", status=301, content_type="application/pdf")
        filled.fetch("a.example/5", status=None, state=State.FAILED, content_type="")
        filled.fetch("a.example/6", status=503, state=State.WAITING)
        filled.fetch("b.example/1", status=500, state=State.FAILED)
        site = filled.store.site("a.example")
        statuses = [("200", 2), ("301", 1), ("404", 1), ("none", 1)]
        assert list(site.count_fetched("status").items()) == statuses
        types = {"text/html": 2, "unknown": 2, "application/pdf": 1}
        assert site.count_fetched("content_type") == types
        assert filled.store.site().count_fetched("status")["500"] == 1

    def test_how_long_half_of_the_answers_took(self) -> None:
        filled = FilledStore(self)
        for number, seconds in enumerate((3.0, 1.0, 2.0)):
            filled.fetch(f"a.example/{number}", seconds=seconds)
        filled.fetch("a.example/silent", status=None, state=State.FAILED, seconds=90.0)
        filled.fetch("b.example/1", seconds=50.0)
        assert filled.store.site("a.example").median_seconds() == 2.0
        filled.fetch("a.example/4", seconds=4.0)
        assert filled.store.site("a.example").median_seconds() == 3.0

    def test_the_slowest_answers(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", seconds=2.0, size_bytes=5)
        filled.fetch("a.example/2", seconds=3.0, status=404, state=State.FAILED, reason="http 404")
        filled.fetch("a.example/3", seconds=1.0)
        filled.fetch("b.example/1", seconds=9.0)
        site = filled.store.site("a.example")
        total, (slowest, second) = site.slow(2.0, 9)
        assert (total, slowest.url, slowest.seconds) == (2, url_of("a.example/2"), 3.0)
        assert (slowest.state, slowest.reason, slowest.status) == (State.FAILED, "http 404", 404)
        assert (slowest.url_id, second.size_bytes) == (id_of("a.example/2"), 5)
        total, rows = site.slow(0.5, 1)
        assert (total, paths_in(rows)) == (3, ["a.example/2"])

    def test_urls_that_answered_with_another_address(self) -> None:
        filled = FilledStore(self)
        for path, status in (("b", 302), ("a", 301), ("c", 308), ("d", 304), ("e", 200)):
            filled.fetch(f"a.example/{path}", status=status)
        filled.fetch("b.example/1", status=301)
        site = filled.store.site("a.example")
        total, rows = site.redirects(9)
        assert (total, paths_in(rows)) == (3, ["a.example/a", "a.example/b", "a.example/c"])
        total, rows = site.redirects(2)
        assert (total, len(rows)) == (3, 2)
        assert filled.store.site().redirects(0)[0] == 4

    def test_failed_urls_and_where_they_were_found(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/", depth=0)
        filled.find("a.example/2", parent=id_of("a.example/"))
        filled.fetch("a.example/2", status=404, state=State.FAILED, reason="http 404")
        filled.fetch("a.example/1", status=None, state=State.FAILED, reason="timeout")
        filled.fetch("b.example/1", status=404, state=State.FAILED)
        site = filled.store.site("a.example")
        rows = [
            ("http://a.example/1", "timeout", None, ""),
            ("http://a.example/2", "http 404", 404, "http://a.example/"),
        ]
        assert site.failed(9) == (2, rows)
        assert site.failed(1) == (2, rows[:1])

    def test_answers_of_a_type(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/2", content_type="image/png", size_bytes=5)
        filled.fetch("a.example/1", content_type="image/gif; x=y", status=404, state=State.FAILED)
        filled.fetch("a.example/3", content_type="text/html")
        filled.fetch("b.example/1", content_type="image/png")
        site = filled.store.site("a.example")
        assert list(site.files_fetched("image/")) == [
            ("http://a.example/1", "image/gif", 7, 404),
            ("http://a.example/2", "image/png", 5, 200),
        ]
        assert list(site.files_fetched("audio/")) == []

    # Links

    def test_urls_that_lead_to_nothing_on_any_site(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", status=404, state=State.FAILED)
        filled.fetch("b.example/1", status=None, state=State.FAILED)
        filled.fetch("b.example/2")
        filled.put_document("b.example/2", not_indexed="soft 404")
        filled.put_document("b.example/3", not_indexed="noindex")
        broken = set(filled.store.site("a.example").broken_ids())
        assert broken == set(ids_of("a.example/1", "b.example/1", "b.example/2"))

    def test_the_links_of_the_documents_of_a_site(self) -> None:
        filled = FilledStore(self)
        for path in ("a.example/1", "a.example/2", "b.example/1"):
            filled.put_document(path)
        filled.put_document("a.example/3", not_indexed="noindex")
        for path in ("a.example/1", "a.example/3", "b.example/1"):
            filled.put_links(path, "c.example/", "d.example/")
        site, whole = filled.store.site("a.example"), filled.store.site()
        targets = id_of("c.example/") + id_of("d.example/")
        own = {(url_id, targets) for url_id in ids_of("a.example/1", "a.example/3")}
        assert {tuple(row) for row in site.link_targets()} == own
        assert {tuple(row) for row in whole.link_targets()} == own | {
            (id_of("b.example/1"), targets)
        }
        records = dict(site.link_records())
        assert records.keys() == set(urls_of("a.example/1", "a.example/3"))
        page = site.page_and_links(id_of("b.example/1"))
        assert page == ("http://b.example/1", dict(whole.link_records())["http://b.example/1"])
        assert site.page_and_links(id_of("a.example/2")) == ("", b"")

    def test_links_of_a_small_site_among_many_documents(self) -> None:
        filled = FilledStore(self)

        def write(session: Session) -> None:
            for number in range(40):
                put_document(session, f"b.example/{number}")
                session.catalogue.put_links(id_of(f"b.example/{number}"), id_of(NOBODY), b"x")

        filled.write(write)
        filled.put_document("a.example/1")
        filled.put_links("a.example/1", Link(url_of("c.example/")))
        rows = [tuple(row) for row in filled.store.site("a.example").link_targets()]
        assert rows == [(id_of("a.example/1"), id_of("c.example/"))]
        assert len(list(filled.store.site("b.example").link_targets())) == 40


class SitemapReadingTests(StoreCase):
    """What sitemaps name, compared with what was fetched."""

    def test_sitemaps_by_level(self) -> None:
        filled = self._with_sitemaps()
        filled.fetch("a.example/s.xml")
        filled.write(lambda session: session.sitemaps.end(id_of("a.example/s.xml"), 1, 12))
        site = filled.store.site("a.example")
        rows = [
            ("http://a.example/s.xml", 12, "done", ""),
            ("http://a.example/part.xml", None, "waiting", ""),
        ]
        assert [tuple(row) for row in site.sitemaps(9)] == rows
        assert [tuple(row) for row in site.sitemaps(1)] == rows[:1]
        assert len(filled.store.site().sitemaps(9)) == 3

    def test_what_sitemaps_name_and_nobody_fetched(self) -> None:
        filled = self._with_sitemaps()
        filled.fetch("a.example/2")
        filled.fetch("a.example/3", status=None, state=State.FAILED, reason="timeout")
        site, whole = filled.store.site("a.example"), filled.store.site()
        assert (site.count_listed(), site.count_listed_fetched()) == (3, 1)
        assert (whole.count_listed(), whole.count_listed_fetched()) == (4, 1)
        rows = [
            ("http://a.example/1", "waiting", ""),
            ("http://a.example/3", "failed", "timeout"),
        ]
        assert [tuple(row) for row in site.not_fetched(9)] == rows
        assert [tuple(row) for row in site.not_fetched(1)] == rows[:1]

    def test_documents_that_no_sitemap_names(self) -> None:
        filled = self._with_sitemaps()
        for path in ("a.example/9", "a.example/1", "a.example/8", "b.example/7"):
            filled.put_document(path)
        filled.put_document("a.example/7", not_indexed="noindex")
        site = filled.store.site("a.example")
        assert site.not_listed(9) == (2, urls_of("a.example/9", "a.example/8"))
        assert site.not_listed(1) == (2, urls_of("a.example/9"))
        assert site.not_listed(9)[0] == 2
        assert filled.store.site().not_listed(0)[0] == 3

    def _with_sitemaps(self) -> FilledStore:
        """Return a store with two sitemaps of one site and one of another."""
        filled = FilledStore(self)
        filled.find("a.example/1", "a.example/2", "a.example/3", "b.example/1")

        def write(session: Session) -> None:
            session.sitemaps.add([found_url("a.example/part.xml")], 2)
            session.sitemaps.add([found_url("a.example/s.xml"), found_url("b.example/s.xml")], 1)
            named = [_listed(f"a.example/{number}") for number in (2, 1, 3)]
            session.sitemaps.put_listed(id_of("a.example/s.xml"), [*named, _listed(NOBODY)])
            session.sitemaps.put_listed(id_of("b.example/s.xml"), [_listed("b.example/1")])

        filled.write(write)
        return filled


class SiteReaderSuite(SiteUrlTests, SiteDocumentTests, SitemapReadingTests):
    """Counts and lists about one site, or about all."""


def _listed(path: str) -> Listed:
    new = found_url(path)
    return Listed(FoundLink(new.url_id, new.host, new.site, "", Link(new.url)))
