"""Reading one site of a collection, or all of them, for an audit."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from telusur.models import State


class AuditedFetch(NamedTuple):
    """The newest response for a URL."""

    url_id: bytes
    url: str
    state: State
    reason: str
    status: int | None
    seconds: float
    size_bytes: int


class SiteReader(Protocol):
    """Counts and lists about a site. Lists come with their total, and have at most `limit` rows."""

    # Hosts and URLs

    def hosts(self, limit: int) -> list[tuple[str, int | None, float | None, bytes]]:
        """Return hosts with their robots.txt: name, status, time of the request, content."""

    def count_hosts(self) -> int:
        """Return how many hosts there are."""

    def states(self) -> list[tuple[State, str, int]]:
        """Count URLs by state and kind of reason."""

    def excluded(self, limit: int) -> list[tuple[str, str]]:
        """Return URLs that robots.txt disallows: URL and reason."""

    def fate_of(self, url_id: bytes) -> tuple[str, str, int | None]:
        """Return state, reason and last status of any URL."""

    # Responses

    def count_fetched(self, column: str) -> dict[str, int]:
        """Count responses by status or content_type, the most frequent first."""

    def median_seconds(self) -> float:
        """Return the median response time in seconds."""

    def slow(self, seconds: float, limit: int) -> tuple[int, list[AuditedFetch]]:
        """Return how many responses took at least so long, and the slowest ones."""

    def redirects(self, limit: int) -> tuple[int, list[AuditedFetch]]:
        """Return redirects."""

    def failed(self, limit: int) -> tuple[int, list[tuple[str, str, int | None, str]]]:
        """Return failed URLs: URL, reason, status, and where the URL was found."""

    def files_fetched(self, like: str) -> Iterator[tuple[str, str, int, int | None]]:
        """Yield URL, type, size and status of responses whose type has this prefix."""

    # Links

    def broken_ids(self) -> Iterator[bytes]:
        """Yield the ids of all failed URLs, of any site."""

    def link_records(self) -> Iterator[tuple[str, bytes]]:
        """Yield URL and packed links of each document with links."""

    def link_targets(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield id and targets of each document with links."""

    def page_and_links(self, url_id: bytes) -> tuple[str, bytes]:
        """Return URL and packed links of a document."""

    # Documents

    def copies(self, limit: int) -> tuple[int, list[tuple[str, str]]]:
        """Return duplicates: URL, and the reason that names the original."""

    def count_documents(self) -> tuple[int, int]:
        """Return how many documents there are, and how many of them are in the index."""

    def without(self, column: str, limit: int) -> tuple[int, list[tuple[str, str]]]:
        """Return indexed documents whose title or description is empty: URL and title."""

    def shared(self, column: str, limit: int) -> tuple[int, list[tuple[str, int, str]]]:
        """Return titles or descriptions that several documents share: text, count, URLs."""

    def indexed_urls(self) -> Iterator[tuple[str, str | None]]:
        """Yield URL and date of each indexed document, in the order they came in."""

    # Sitemaps

    def sitemaps(self, limit: int) -> list[tuple[str, int | None, str, str]]:
        """Return the sitemaps: URL, how many URLs each names, state and reason."""

    def count_listed(self) -> int:
        """Return how many URLs are in sitemaps."""

    def count_listed_fetched(self) -> int:
        """Return how many of them were fetched."""

    def not_fetched(self, limit: int) -> list[tuple[str, str, str]]:
        """Return URLs in sitemaps that were not fetched: URL, state and reason."""

    def not_listed(self, limit: int) -> tuple[int, list[str]]:
        """Return how many indexed documents are in no sitemap, and the first ones."""

    def close(self) -> None:
        """Close what is open."""
