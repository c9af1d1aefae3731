"""What the views of one page or site ask of a collection, beyond what a search does."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol, cast

from starlette.requests import Request

from telusur.adapters.sqlite_links import LinkPage
from telusur.adapters.sqlite_tallies import SiteTally
from telusur.adapters.warc_fields import RecordView
from telusur.extract.part_records import PageParts
from telusur.models import Page
from telusur.run.audit_records import SiteAudit
from telusur.run.inspecting import CopyView, FetchView, StandingView
from telusur.run.label_corrections import PageBlocks
from telusur.run.site_files import FoundFile
from telusur.web.reader import CollectionReader, collection_of


class PageReader(CollectionReader, Protocol):
    """A collection that kept pages as they came."""

    def page(self, url: str) -> Page | None:
        """Return the newest answer for a URL from the archive, or None."""
        ...

    def parts(self, url: str) -> PageParts | None:
        """Return forms, tables, scripts, images, lists, styles and metadata, or None."""
        ...

    def links_from(self, url: str, page: int, limit: int) -> LinkPage:
        """Return what a page links to, in reading order."""
        ...

    def links_to(self, url: str, page: int, limit: int, after: int = 0) -> LinkPage:
        """Return who links to a page, and with which words."""
        ...

    def copies_of(self, url: str) -> list[CopyView]:
        """Return pages that say the same, or nearly."""
        ...

    def fetches(self, url: str) -> list[FetchView]:
        """Return the last fetches of a URL, the newest first."""
        ...

    def record(self, url: str) -> RecordView | None:
        """Return the newest record of a URL in the archive, or None."""
        ...

    def record_bytes(self, url: str) -> bytes | None:
        """Return that record as it lies there, or None."""
        ...

    def standing(self, url: str) -> StandingView | None:
        """Return how a page stands by its links, or None."""
        ...

    def blocks(self, url: str) -> PageBlocks | None:
        """Return the blocks of a stored page with their labels, or None."""
        ...

    def correct_labels(self, url: str, changes: Mapping[int, str]) -> Path:
        """Keep what a person says about blocks of a page; return the sheet it stands in."""
        ...

    def mark_of(self, url: str) -> bool | None:
        """Return whether a page was called good (True) or bad; None if neither."""
        ...

    def mark(self, url: str, is_good: bool | None) -> None:
        """Call a page good or bad, or take it back with None."""
        ...

    def site_tallies(self) -> tuple[SiteTally, ...]:
        """Return the largest sites with pages fetched, URLs waiting, failed and skipped."""
        ...

    def audit(self, site: str = "", limit: int = 100) -> SiteAudit:
        """Return the health of a site."""
        ...

    def files(self, kind: str, site: str = "") -> Iterator[FoundFile]:
        """Walk over the files of a kind that a site has."""
        ...


def page_reader_of(request: Request) -> PageReader:
    """Return the collection a request is about."""
    return cast(PageReader, collection_of(request))
