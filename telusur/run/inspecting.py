"""Looking closely at one page of a collection, or at one of its sites."""

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from telusur.adapters.sqlite_audit import SqliteAudit
from telusur.adapters.sqlite_links import LinkPage, SqliteLinks
from telusur.adapters.sqlite_schema import connect
from telusur.adapters.warc import Place
from telusur.adapters.warc_fields import RecordView, read_member, view_record
from telusur.crawl.urls import normalize_url
from telusur.errors import UsageError
from telusur.extract.decode import clean_text, decode_html
from telusur.extract.part_records import PageParts
from telusur.index.contract import number_of
from telusur.index.standing import UNKNOWN_DEPTH
from telusur.models import Page, url_id_of
from telusur.run.audit import SLOW_SECONDS, audit_site
from telusur.run.audit_records import SiteAudit
from telusur.run.index_position import INDEX
from telusur.run.label_corrections import PageBlocks, correct_labels, read_blocks
from telusur.run.site_files import FoundFile, find_files
from telusur.run.standing import StandingFile

ARCHIVE = "archive"
MOST_COPIES = 50
MOST_FETCHES = 50


@dataclass(slots=True, frozen=True)
class CopyView:
    """A page that says the same; `how` is same, near, canonical or original (of this page)."""

    url: str
    title: str
    how: str


@dataclass(slots=True, frozen=True)
class FetchView:
    """One finished fetch of a URL, and where its answer lies in the archive."""

    fetched_at: float
    seconds: float
    status: int | None
    reason: str
    content_type: str
    size_bytes: int
    file: str | None
    offset: int | None
    length: int | None


@dataclass(slots=True, frozen=True)
class StandingView:
    """How a page stands before any query; `rank` is 1 for the average page."""

    rank: float
    links: int
    depth: int | None
    pages: int
    """How many pages were compared."""


class Inspecting(ABC):
    """What a collection can tell about one page; each call has its own view of the database."""

    directory: Path

    @abstractmethod
    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return a stored page and its Content-Type, or None."""

    @abstractmethod
    def page(self, url: str) -> Page | None:
        """Return the newest answer for a URL, or None."""

    @abstractmethod
    def parts(self, url: str) -> PageParts | None:
        """Return the parts of a stored page, or None."""

    def links_from(self, url: str, page: int, limit: int) -> LinkPage:
        """Return what a page links to, in reading order."""
        with self._reading() as connection:
            return SqliteLinks(connection).links_from(identify(url), page, limit)

    def links_to(self, url: str, page: int, limit: int, after: int = 0) -> LinkPage:
        """Return who links to a page, and with which words.

        Of a very large collection a part is looked through; `after` of the answer leads on.
        """
        with self._reading() as connection:
            return SqliteLinks(connection).links_to(identify(url), page, limit, after)

    def copies_of(self, url: str) -> list[CopyView]:
        """Return pages with the same text, with nearly the same, and what this one repeats."""
        with self._reading() as connection:
            return list(_find_copies(connection, identify(url)))

    def fetches(self, url: str) -> list[FetchView]:
        """Return the last fetches of a URL, the newest first."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT fetched_at, seconds, status, reason, content_type, size_bytes, warc_file,"
                " warc_offset, warc_length FROM pages WHERE url_id = ? ORDER BY seq DESC LIMIT ?",
                (identify(url), MOST_FETCHES),
            ).fetchall()
        return [FetchView(*row) for row in rows]

    def record(self, url: str) -> RecordView | None:
        """Return the newest record of a URL in the archive, or None."""
        place = self._place_of(url)
        return view_record(self.directory / ARCHIVE, place) if place else None

    def record_bytes(self, url: str) -> bytes | None:
        """Return that record as it lies there, a small WARC file; or None."""
        place = self._place_of(url)
        return read_member(self.directory / ARCHIVE, place) if place else None

    def standing(self, url: str) -> StandingView | None:
        """Return how a page stands; None before that was worked out, and for what is not found."""
        standings = StandingFile(self.directory / INDEX).read()
        row = standings.look_up(np.array([number_of(identify(url))], np.uint64))[0]
        if not row["number"]:
            return None
        depth = int(row["depth"])
        return StandingView(
            round(float(row["rank"]), 4), int(row["links"]),
            None if depth == UNKNOWN_DEPTH else depth, len(standings.table),
        )  # fmt: skip

    def blocks(self, url: str) -> PageBlocks | None:
        """Return the blocks of a stored page, with the labels that people put right; or None."""
        stored = self.html(url)
        return read_blocks(self.directory, as_text(stored), url) if stored else None

    def correct_labels(self, url: str, changes: Mapping[int, str]) -> Path:
        """Keep what a person says about blocks of a page; return the sheet it stands in.

        `telusur train DIR/labels --onto shipped` learns from all sheets of a collection.
        """
        stored = self.html(url)
        if stored is None:
            raise UsageError(f"{url}: the collection does not have this page.")
        return correct_labels(self.directory, as_text(stored), url, changes)

    # Sites

    def audit(self, site: str = "", limit: int = 100, slow: float = SLOW_SECONDS) -> SiteAudit:
        """Return the health of a site, or of all; up to `limit` rows of each kind of finding."""
        return audit_site(self.directory, site, limit, slow)

    def files(self, kind: str, site: str = "", *, with_shown: bool = True) -> Iterator[FoundFile]:
        """Walk over the files of a kind: image, pdf, audio ..., or a media type.

        Pictures that pages show are found by reading all pages; `with_shown` may leave them out.
        """
        return find_files(self.directory, kind, site, self.parts if with_shown else None)

    def indexed_urls(self, site: str = "") -> list[tuple[str, str | None]]:
        """Return URL and date of each document in the index."""
        with self._reading() as connection:
            return list(SqliteAudit(connection, site).indexed_urls())

    def _place_of(self, url: str) -> Place | None:
        stored = (each for each in self.fetches(url) if each.file is not None)
        newest = next(stored, None)
        if newest is None or newest.file is None:
            return None
        return Place(newest.file, newest.offset or 0, newest.length or 0)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with closing(connect(self.directory, read_only=True)) as connection:
            yield connection


def identify(url: str) -> bytes:
    """Return the identity of a URL, or raise UsageError for what is none."""
    key = normalize_url(url)
    if not key:
        raise UsageError(f"{url[:200]!r} is no web address; give one with http:// or https://.")
    return url_id_of(key)


def as_text(stored: tuple[bytes | str, str]) -> str:
    """Return a stored page as the text that is parsed."""
    html, content_type = stored
    return clean_text(html) if isinstance(html, str) else decode_html(html, content_type)[0]


def _find_copies(connection: sqlite3.Connection, url_id: bytes) -> Iterator[CopyView]:
    own = connection.execute(
        "SELECT url, digest, not_indexed FROM documents WHERE url_id = ?", (url_id,)
    ).fetchone()
    if own is None:
        return
    url, digest, not_indexed = own
    seen = {url}
    queries = (
        ("same", "digest = ?", digest),
        ("near", "not_indexed = ?", f"duplicate: near {url}"),
        ("same", "not_indexed = ?", f"duplicate: {url}"),
        ("canonical", "not_indexed = ?", f"canonical elsewhere: {url}"),
    )
    original = next(
        (not_indexed.removeprefix(start) for start in _COPY_OF if not_indexed.startswith(start)), ""
    )
    if original:
        title = connection.execute(
            "SELECT title FROM documents WHERE url_id = ?", (identify(original),)
        ).fetchone()
        seen.add(original)
        yield CopyView(original, title[0] if title else "", "original")
    for how, condition, value in queries:
        rows = connection.execute(
            f"SELECT url, title FROM documents WHERE {condition} AND url_id != ?"  # noqa: S608 - ours
            + (" AND not_indexed != ''" if "not_indexed" in condition else "")
            + " LIMIT ?",
            (value, url_id, MOST_COPIES),
        )
        for each, title in rows:
            if each not in seen:
                seen.add(each)
                yield CopyView(each, title, how)


_COPY_OF = ("duplicate: near ", "duplicate: ", "canonical elsewhere: ")
