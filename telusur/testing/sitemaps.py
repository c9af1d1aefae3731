"""What every store of sitemaps must do: `SitemapsSuite`."""

from telusur.crawl.frontier_records import Verdict
from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.rules.sitemap_listing import MOST_FILES, Listed
from telusur.models import Link, Page, State, url_id_of
from telusur.store.session import Session
from telusur.testing.cases import StoreCase, new_url


class SitemapsSuite(StoreCase):
    """Which URLs are sitemaps."""

    def test_a_sitemap_waits_and_is_handed_out_as_one(self) -> None:
        session = self.begin()
        added = session.sitemaps.add([new_url("a/map.xml")], 2)
        assert added is not None
        assert (added.fresh, added.waiting) == (1, 1)
        session.frontier.add([new_url("a/page")])
        assert _levels(session) == {"a/map.xml": 2, "a/page": 0}

    def test_a_known_sitemap_is_not_added_again(self) -> None:
        session = self.begin()
        session.sitemaps.add([new_url("a/map.xml")], 1)
        assert session.sitemaps.add([new_url("a/map.xml")], 3) is None
        assert session.sitemaps.add([], 1) is None
        assert _levels(session) == {"a/map.xml": 1}

    def test_a_url_that_waits_as_a_page_becomes_a_sitemap(self) -> None:
        session = self.begin()
        session.frontier.add([new_url("a/map.xml")])
        added = session.sitemaps.add([new_url("a/map.xml")], 1)
        assert added is not None
        assert (added.fresh, added.waiting) == (0, 0)
        assert _levels(session) == {"a/map.xml": 1}

    def test_sitemaps_are_told_from_other_urls(self) -> None:
        session = self.begin()
        session.sitemaps.add([new_url("a/map.xml"), new_url("a/other.xml")], 1)
        session.frontier.add([new_url("a/page")])
        asked = [url_id_of(path) for path in ("a/map.xml", "a/page", "a/unknown")]
        assert session.sitemaps.named(asked) == {url_id_of("a/map.xml")}
        assert session.sitemaps.named([]) == set()

    def test_one_that_was_skipped_for_its_content_type_is_tried_again(self) -> None:
        session = self.begin()
        reasons = {"a/map.xml": "content type: application/xml", "a/no.xml": "robots: Disallow"}
        session.frontier.add([new_url(path) for path in reasons])
        session.frontier.lease(1, 9)
        for path, reason in reasons.items():
            session.frontier.settle([Verdict(url_id_of(path), State.SKIPPED, reason)])
        session.frontier.release("http://a", 0.0)
        session.sitemaps.add([new_url(path) for path in reasons], 1)
        assert _levels(session) == {"a/map.xml": 1}

    def test_a_site_has_so_many_sitemaps_and_no_more(self) -> None:
        session = self.begin()
        many = [new_url(f"a/{number}") for number in range(MOST_FILES + 5)]
        added = session.sitemaps.add(many, 1)
        assert added is not None
        assert added.fresh == MOST_FILES
        assert session.sitemaps.add([new_url("a/more")], 1) is None
        assert session.sitemaps.add([new_url("b/other")], 1) is not None

    def test_a_page_that_turns_out_to_be_a_sitemap_is_none_of_the_answered_pages(self) -> None:
        session = self.begin()
        session.frontier.add([new_url("a/map.xml"), new_url("a/page")])
        session.frontier.lease(1, 9)
        for path in ("a/map.xml", "a/page"):
            page = Page(f"http://{path}", 200)
            session.catalogue.put_fetch(
                url_id_of(path), page, None, size_bytes=0, reason="", is_final=True
            )
            session.frontier.settle([Verdict(url_id_of(path), State.DONE)])
        session.sitemaps.end(url_id_of("a/map.xml"), 1, 7)
        assert list(session.catalogue.answered_urls()) == ["http://a/page"]

    def test_the_end_of_a_sitemap_keeps_its_level(self) -> None:
        session = self.begin()
        session.sitemaps.add([new_url("a/map.xml")], 2)
        session.sitemaps.end(url_id_of("a/map.xml"), 1, 7)
        assert _levels(session) == {"a/map.xml": 2}

    def test_what_is_said_about_an_unknown_url_is_left_out(self) -> None:
        session = self.begin()
        session.sitemaps.add([new_url("a/map.xml")], 1)
        session.frontier.add([new_url("a/known")])
        listed = [Listed(_found("a/known"), 5.0, "daily", 0.8), Listed(_found("a/unknown"))]
        session.sitemaps.put_listed(url_id_of("a/map.xml"), listed)
        assert session.frontier.known_ids([url_id_of("a/unknown")]) == set()


def _found(path: str) -> FoundLink:
    return FoundLink(url_id_of(path), "http://a", "a", "", Link(f"http://{path}"))


def _levels(session: Session) -> dict[str, int]:
    """Lease everything; return how many sitemaps lead to each URL."""
    leases = session.frontier.lease(99, 999)
    return {leased.url[7:]: leased.sitemap for lease in leases for leased in lease.urls}
