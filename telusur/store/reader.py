"""Reading the catalogue while others write: counts, histories, documents, links, exports."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from telusur.models import Counts, Document, MarkedPage, Page, Story
from telusur.store.records import BEGINNING, Cursor, StoredLink, StoredRobots, StoredSheet
from telusur.store.views import CopyView, FetchView, LinkPage, RecordView

#: How many linking pages one search looks for.
MOST_SOURCES = 10_000


class ColumnRow(Protocol):
    """Some columns of a document."""

    def __getitem__(self, name: str, /) -> Any:
        """Return the value of a column."""


class CatalogueReader(Protocol):
    """A read-only view of what is committed; several threads may share it."""

    # URLs

    def counts(self) -> Counts:
        """Count URLs by state, pages that were answered, and documents in the index.

        A page that was fetched in two crawls counts twice.
        """

    def known_id(self, keys: Sequence[str]) -> bytes | None:
        """Return the id of the page with one of these keys; None when there is no such page.

        Keys by earlier rules are found too: see `former_key_of`.
        """

    def story(self, url_id: bytes) -> Story | None:
        """Return the history of a URL, oldest first."""

    def why_parked(self, host: str) -> str:
        """Return why and until when a host is parked, by the clock of the store; else nothing."""

    def urls(self) -> Iterator[dict[str, Any]]:
        """Walk over all known URLs, in the order they were found."""

    def robots(self, host: str) -> StoredRobots | None:
        """Return a host's robots.txt, if it was ever requested."""

    def site_record(self, site: str) -> bytes | None:
        """Return what was learned about a site while crawling, if anything was."""

    # Documents

    def document(self, url_id: bytes) -> Document | None:
        """Return the current document of a URL."""

    def sites(self, limit: int) -> list[tuple[str, int]]:
        """Return the sites with their number of indexed documents, the largest first."""

    def site_order(self) -> tuple[str, ...]:
        """Return all sites that have documents, in the order in which they were found.

        Sites of documents that no crawl found come last.
        """

    def columns(self, names: Sequence[str]) -> Iterator[ColumnRow]:
        """Walk over the indexed documents in the order they came in: these columns, by name.

        `url`, `title`, `date` and `language` are always included. The
        user's own `fields` are JSON.
        """

    def copies(self, urls: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the URLs of duplicates, for those of the pages that have any."""

    def copies_of(self, url_id: bytes) -> list[CopyView]:
        """Return duplicates and near-duplicates of a page, and the original that it repeats."""

    # Fetches

    def pages(self, names: Sequence[str] = ...) -> Iterator[dict[str, Any]]:
        """Walk over the fetched pages in fetch order: these fields of each, names of `EXPORTED`."""

    def fetches(self, url_id: bytes, most: int) -> list[FetchView]:
        """Return the last fetches of a URL, the newest first."""

    def fetched_again(self, since: float) -> list[bytes]:
        """Return known pages that were fetched again since a time, the last ones only."""

    def has_page(self, url_id: bytes) -> bool:
        """Tell whether the archive has a response for a URL."""

    def page(self, url_id: bytes, url: str) -> Page | None:
        """Return the newest response for a URL from the archive."""

    def rendered(self, url_id: bytes) -> bytes | None:
        """Return the newest rendered form of a URL; None if it was not rendered."""

    def style_sheet(self, url: str) -> StoredSheet | None:
        """Return the response of a style sheet; None if no crawl asked for it."""

    def record(self, url_id: bytes) -> RecordView | None:
        """Return the archive record of the newest response for a URL."""

    def record_bytes(self, url_id: bytes) -> bytes | None:
        """Return that record as stored; it is a small WARC file by itself."""

    # Links

    def links(self, url_id: bytes) -> list[StoredLink]:
        """Return the links of a page, in reading order."""

    def links_from(self, url_id: bytes, page: int, limit: int) -> LinkPage:
        """Return the links of a page in reading order, with the state of each target."""

    def links_to(
        self,
        url_id: bytes,
        page: int,
        limit: int,
        after: Cursor = BEGINNING,
        most: int = MOST_SOURCES,
    ) -> LinkPage:
        """Return the pages that link to a page, and their link texts.

        Pages that no crawl found are neither listed nor counted.
        The search ends after `most` linking pages, or earlier if it takes long; `after` of the
        result continues it. All pages of one list have the same `after` and `most`. An invalid
        cursor raises `UsageError`.
        """

    # Marks

    def marks(self) -> list[tuple[bytes, bool]]:
        """Return the pages that the user marked as good or bad."""

    def list_marks(self) -> list[MarkedPage]:
        """Return the marked pages with their URLs, in the order they were marked."""

    def find_mark(self, url_id: bytes) -> bool | None:
        """Return whether the user marked a page as good; None if it has no mark."""

    def close(self) -> None:
        """Close what is open."""
