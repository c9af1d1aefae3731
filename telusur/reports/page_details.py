"""Details of one page of a collection, or of one of its sites."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from telusur.crawl.urls.identity import normalize_url, parse_url, site_of
from telusur.errors import UsageError
from telusur.index.contract import number_of
from telusur.index.standing import UNKNOWN_DEPTH
from telusur.models import Page, url_id_of
from telusur.pipeline.indexing.standing import LatestStandings
from telusur.reports.audit_records import SLOW_SECONDS, SiteAudit
from telusur.store.reader import CatalogueReader
from telusur.store.records import Cursor
from telusur.store.store import Store
from telusur.store.views import CopyView, FetchView, LinkPage, RecordView

# Searches have this class, too: what reads pages, audits and labels is imported when it is used.
if TYPE_CHECKING:
    from telusur.extract.site.record import SiteRecord
    from telusur.extract.writing.part_records import Image, PageParts
    from telusur.reports.label_corrections import PageBlocks
    from telusur.reports.site_files import FoundFile, Looked

MOST_FETCHES = 50


@dataclass(slots=True, frozen=True)
class StandingView:
    """The static rank of a page; `rank` is 1 for the average page."""

    rank: float
    links: int
    depth: int | None
    # The number of ranked pages.
    pages: int


class Inspecting(ABC):
    """Details of one page, or of one site, of a collection."""

    _store: Store
    _reader: CatalogueReader
    _standings: LatestStandings

    @abstractmethod
    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return a stored page and its Content-Type, or None."""

    @abstractmethod
    def page(self, url: str) -> Page | None:
        """Return the newest response for a URL, or None."""

    @abstractmethod
    def parts(self, url: str) -> "PageParts | None":
        """Return the parts of a stored page, or None."""

    @abstractmethod
    def _identify(self, url: str) -> bytes | None:
        """Return the url_id of a page; None if the URL is not a web address."""

    @abstractmethod
    def images(self, url: str) -> "Sequence[Image] | None":
        """Return the images on a stored page, or None."""

    def links_from(self, url: str, page: int, limit: int) -> LinkPage:
        """Return the links of a page, in reading order."""
        return self._reader.links_from(self._known(url), page, limit)

    def links_to(self, url: str, page: int, limit: int, after: str = "") -> LinkPage:
        """Return the pages that link to a page, and their link texts.

        In a very large collection the search may end early; `after` of the result continues it.
        """
        return self._reader.links_to(self._known(url), page, limit, Cursor(after))

    def copies_of(self, url: str) -> list[CopyView]:
        """Return the exact copies and near-duplicates of a page, and its original."""
        return self._reader.copies_of(self._known(url))

    def fetches(self, url: str) -> list[FetchView]:
        """Return the last fetches of a URL, the newest first."""
        return self._reader.fetches(self._known(url), MOST_FETCHES)

    def record(self, url: str) -> RecordView | None:
        """Return the newest record of a URL in the archive, or None."""
        return self._reader.record(self._known(url))

    def record_bytes(self, url: str) -> bytes | None:
        """Return that record as a small WARC file, or None."""
        return self._reader.record_bytes(self._known(url))

    def standing(self, url: str) -> StandingView | None:
        """Return the static rank of a page; None if it was not computed."""
        standings = self._standings.read()
        row = standings.look_up(np.array([number_of(self._known(url))], np.uint64))[0]
        if not row["number"]:
            return None
        depth = int(row["depth"])
        return StandingView(
            round(float(row["rank"]), 4), int(row["links"]),
            None if depth == UNKNOWN_DEPTH else depth, len(standings.table),
        )  # fmt: skip

    def blocks(self, url: str) -> "PageBlocks | None":
        """Return the blocks of a stored page, with corrected labels; or None."""
        from telusur.reports.label_corrections import read_blocks

        stored = self.html(url)
        if stored is None:
            return None
        return read_blocks(self._store.blobs, as_text(stored), url, self._site_record(url))

    def correct_labels(self, url: str, changes: Mapping[int, str]) -> Path:
        """Correct labels of a page's blocks; return the path of their sheet.

        `telusur train DIR/labels --onto shipped` learns from all sheets of a collection.
        """
        from telusur.reports.label_corrections import correct_labels

        stored = self.html(url)
        if stored is None:
            raise UsageError(f"{url}: the collection does not have this page.")
        with self._store.guard():
            site = self._site_record(url)
            return Path(correct_labels(self._store.blobs, as_text(stored), url, changes, site))

    def _site_record(self, url: str) -> "SiteRecord | None":
        """Return what is known about the site of a page; None if nothing is."""
        from telusur.extract.site.record import SiteRecord

        packed = self._reader.site_record(site_of(parse_url(url) or ""))
        return SiteRecord.from_bytes(packed) if packed else None

    # Sites

    def audit(self, site: str = "", limit: int = 100, slow: float = SLOW_SECONDS) -> SiteAudit:
        """Return the audit of a site, or of all; up to `limit` findings of each kind."""
        from telusur.reports.audit import audit_site

        return audit_site(self._store, site, limit, slow)

    def files(self, kind: str, site: str = "", *, with_shown: bool = True) -> "Iterator[FoundFile]":
        """Iterate over files of a kind: image, pdf, audio ..., or a media type.

        Finding images on pages means reading all pages; `with_shown=False` skips it.
        """
        from telusur.reports.site_files import find_files

        return find_files(self._store, kind, site, self.images if with_shown else None)

    def walk_files(self, kind: str, site: str = "") -> "Generator[FoundFile | Looked, None, None]":
        """Iterate over the same with all images, and report the progress after each page."""
        from telusur.reports.site_files import walk_files

        return walk_files(self._store, kind, site, self.images)

    def indexed_urls(self, site: str = "") -> list[tuple[str, str | None]]:
        """Return URL and date of each document in the index."""
        with closing(self._store.site(site)) as rows:
            return list(rows.indexed_urls())

    def _known(self, url: str) -> bytes:
        return self._identify(url) or identify(url)


def identify(url: str) -> bytes:
    """Return the url_id of a URL, or raise UsageError if it is not a web address."""
    key = normalize_url(url)
    if not key:
        raise UsageError(f"{url[:200]!r} is not a web address; give one with http:// or https://.")
    return url_id_of(key)


def as_text(stored: tuple[bytes | str, str]) -> str:
    """Return a stored page as text for the parser."""
    from telusur.extract.page.decode import clean_text, decode_html

    html, content_type = stored
    return clean_text(html) if isinstance(html, str) else decode_html(html, content_type)[0]
