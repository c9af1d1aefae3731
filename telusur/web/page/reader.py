"""What the views of one page or site need from a collection, beyond search."""

from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Protocol, cast

from starlette.requests import Request

from telusur.extract.threads.found import PageDiscussion
from telusur.extract.writing.part_records import PageParts
from telusur.models import Page
from telusur.reports.audit_records import SiteAudit
from telusur.reports.clusters.clustered_site import ClusteredSite, Draw, Watch
from telusur.reports.clusters.clustering import USUAL_PAGES
from telusur.reports.label_corrections import PageBlocks
from telusur.reports.learned_sites.site_frame import SiteFrame
from telusur.reports.page_details import StandingView
from telusur.reports.site_files import FoundFile, Looked
from telusur.store.views import CopyView, FetchView, LinkPage, RecordView, SiteTally
from telusur.web.reader import CollectionReader, collection_of


class StoredPageReader(CollectionReader, Protocol):
    """A collection with an archive of its pages."""

    def page(self, url: str) -> Page | None:
        """Return the newest response for a URL from the archive, or None."""
        ...

    def parts(self, url: str) -> PageParts | None:
        """Return forms, tables, scripts, images, lists, styles and metadata, or None."""
        ...

    def discussion(self, url: str) -> PageDiscussion | None:
        """Return the posts of a thread and the comments of readers, or None."""
        ...

    def links_from(self, url: str, page: int, limit: int) -> LinkPage:
        """Return what a page links to, in reading order."""
        ...

    def links_to(self, url: str, page: int, limit: int, after: str = "") -> LinkPage:
        """Return the links to a page, with their texts."""
        ...

    def copies_of(self, url: str) -> list[CopyView]:
        """Return duplicates and near-duplicates of a page."""
        ...

    def fetches(self, url: str) -> list[FetchView]:
        """Return the last fetches of a URL, the newest first."""
        ...

    def record(self, url: str) -> RecordView | None:
        """Return the newest record of a URL in the archive, or None."""
        ...

    def record_bytes(self, url: str) -> bytes | None:
        """Return the bytes of that record, or None."""
        ...

    def standing(self, url: str) -> StandingView | None:
        """Return the static rank of a page and its links, or None."""
        ...

    def blocks(self, url: str) -> PageBlocks | None:
        """Return the blocks of a stored page with their labels, or None."""
        ...

    def correct_labels(self, url: str, changes: Mapping[int, str]) -> Path:
        """Save corrected labels of a page; return the sheet they are in."""
        ...

    def mark_of(self, url: str) -> bool | None:
        """Return whether a page is marked good (True) or bad (False); None if neither."""
        ...

    def mark(self, url: str, is_good: bool | None) -> None:
        """Mark a page as good or bad, or remove the mark with None."""
        ...

    def site_tallies(self) -> tuple[SiteTally, ...]:
        """Return the largest sites with pages fetched, URLs waiting, failed and skipped."""
        ...

    def audit(self, site: str = "", limit: int = 100) -> SiteAudit:
        """Return the health of a site."""
        ...

    def count_pages_of(self, site: str) -> int:
        """Return how many indexed pages a site has."""
        ...

    def clusters(
        self,
        site: str = "",
        *,
        pages: int = USUAL_PAGES,
        draw: Draw | None = None,
        watch: Watch | None = None,
    ) -> ClusteredSite:
        """Cluster the blocks of a site, reading up to so many pages while `watch` says True."""
        ...

    def with_names(self, view: ClusteredSite) -> ClusteredSite:
        """Return the same clusters with the labels that they have in the collection now."""
        ...

    def name_clusters(self, view: ClusteredSite, labels: Mapping[int | str, str]) -> ClusteredSite:
        """Give clusters labels by number or key; "auto" removes them."""
        ...

    def training_lines(self, view: ClusteredSite) -> Iterator[str]:
        """Yield the clustered pages as JSON lines of labelled pages."""
        ...

    def site_frame(self, site: str) -> SiteFrame:
        """Return what was learned about a site."""
        ...

    def walk_files(self, kind: str, site: str = "") -> Generator[FoundFile | Looked, None, None]:
        """Yield the files of one kind on a site, and the progress of the search."""
        ...


def page_reader_of(request: Request) -> StoredPageReader:
    """Return the collection a request is about."""
    return cast(StoredPageReader, collection_of(request))
