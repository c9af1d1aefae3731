"""The catalogue: what is known about pages. Sessions write it in their transactions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from telusur.crawl.frontier_records import Added, NewUrl
from telusur.crawl.rules.sitemap_listing import Listed
from telusur.crawl.strategies.contract import Prospects
from telusur.models import Document, MarkedPage, Page
from telusur.store.records import NO_OPERATIONS, ArchiveKey, CrawlRecord, StoredRobots, Twin


class Catalogue(Protocol):
    """Fetches, documents, links, robots files and crawls."""

    def put_fetch(
        self, url_id: bytes, page: Page, key: ArchiveKey | None, *, size_bytes: int, reason: str,
        is_final: bool, operations: Mapping[str, float] = NO_OPERATIONS,
        crawl_id: int | None = None,
    ) -> None:  # fmt: skip
        """Record a finished fetch; it is not final if the URL will be retried.

        `operations` are the seconds that each operation on the page took, by name.
        """

    def put_document(
        self, url_id: bytes, document: Document, *, site: str, fetched_at: float, digest: bytes,
        canonical: bytes | None, not_indexed: str,
    ) -> None:  # fmt: skip
        """Store the current document of a URL in place of the earlier one; followers see it.

        A document without a topic score keeps the score of the earlier one.
        """

    def renew_document(self, url_id: bytes, document: Document, digest: bytes) -> None:
        """Replace a document by a new extraction of the same page; followers see it.

        Its site, its time of fetch and whether it is in the index stay the same. The caller passes
        the user's own fields. There must be such a document.
        """

    def depth_of(self, url_id: bytes) -> int | None:
        """Return the depth of a URL; None if no crawl found it."""

    def put_mark(self, url_id: bytes, mark: MarkedPage) -> None:
        """Store that the user marked a page as good or bad."""

    def forget_mark(self, url_id: bytes) -> None:
        """Remove the mark of a page."""

    def twin_of(self, url_id: bytes, digest: bytes) -> Twin | None:
        """Return another indexed document with the same title and text."""

    def take_out_of_index(self, url_id: bytes, reason: str) -> None:
        """Take a document out of the index; its URL gets the reason too, and followers see it."""

    def settle_canonicals(self) -> int:
        """Take documents that name another as their original out of the index; return how many.

        The name is a hint: it counts when that page was fetched, is an indexed document of its own,
        and names no original itself.
        """

    def put_links(self, url_id: bytes, targets: bytes, record: bytes) -> None:
        """Store the links of a page: the ids of the targets, and the packed links."""

    def targets_of(self, url_id: bytes) -> list[bytes]:
        """Return the ids of the pages that a page links to."""

    def put_robots(self, host: str, data: bytes, status: int | None, at: float) -> None:
        """Store the robots.txt of a known host and the status of the response."""

    def robots_of(self, host: str) -> StoredRobots | None:
        """Return a host's robots.txt, if it was ever requested."""

    def put_style_sheet(self, url: str, key: ArchiveKey | None) -> None:
        """Store that a style sheet was asked for, and its response; None if there was none."""

    def fact(self, name: str) -> bytes | None:
        """Return a fact about the collection, if it is known."""

    def put_fact(self, name: str, value: bytes) -> None:
        """Store a fact about the collection."""

    def site_record(self, site: str) -> bytes | None:
        """Return what was learned about a site, if anything was."""

    def put_site_record(self, site: str, record: bytes) -> None:
        """Store what was learned about a site in place of what was known before."""

    # Crawls

    def begin_crawl(
        self, settings: Mapping[str, Any], start_urls: Sequence[str], *, has_topic: bool
    ) -> int:
        """Record a crawl that starts now; return its id."""

    def put_limits(self, limits: Mapping[str, Any]) -> None:
        """Change settings of the crawl that was started last."""

    def end_crawl(self, crawl_id: int, outcome: str) -> None:
        """Record how a crawl ended."""

    def last_crawl(self) -> CrawlRecord | None:
        """Return the crawl that was started last."""

    def answered_urls(self) -> Iterator[str]:
        """Walk over the URLs of pages that were answered and will not be retried."""


class NearDuplicates(Protocol):
    """Finds near-duplicates by the signatures of their texts."""

    def find(self, url_id: bytes, title: str, signature: bytes) -> Twin | None:
        """Return an indexed near-duplicate with the same title."""

    def put(self, url_id: bytes, signature: bytes) -> None:
        """Store the signature of a document that goes into the index."""


class Sitemaps(Protocol):
    """Which URLs are sitemaps, and what they say about others."""

    def add(self, urls: Sequence[NewUrl], level: int) -> Added | None:
        """Queue sitemaps that are not yet known as sitemaps, up to the limit of their site.

        One that was fetched as a page before, and skipped for its content type, is retried.
        None: there was nothing to add.
        """

    def named(self, url_ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the URLs that are known as sitemaps."""

    def put_listed(self, sitemap: bytes, listed: Sequence[Listed]) -> None:
        """Store what a sitemap says about known URLs."""

    def end(self, sitemap: bytes, level: int, named: int) -> None:
        """Store how many URLs a sitemap names, even if it was not known as a sitemap."""


class StrategyState(Prospects, Protocol):
    """What a strategy reads from the frontier, and what it has learned."""

    def state(self) -> dict[str, bytes]:
        """Return what was saved, by part."""

    def put_state(self, parts: Mapping[str, bytes]) -> None:
        """Save parts of what was learned."""

    def start_over(self, score_at: Mapping[int, float]) -> None:
        """Forget what another strategy learned; score waiting URLs by their depth."""

    def depths(self) -> list[int]:
        """Return the depths at which URLs wait."""
