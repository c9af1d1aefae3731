"""Reading a collection while others write: counts, histories, documents, exports."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from telusur.backends.files.private import check_entries
from telusur.backends.sqlite.catalogue import STYLE_SHEET, SqliteCatalogue
from telusur.backends.sqlite.database.schema import connect, reconnect
from telusur.backends.sqlite.details import find_copies, read_fetches
from telusur.backends.sqlite.document_row import document_of
from telusur.backends.sqlite.frontier.leases import SqliteFrontier
from telusur.backends.sqlite.frontier.parked import why_parked
from telusur.backends.sqlite.links import SqliteLinks
from telusur.backends.sqlite.marks import find_mark, list_marks, read_marks
from telusur.backends.sqlite.sitemaps import has_sitemaps
from telusur.backends.sqlite.story import read_story
from telusur.backends.sqlite.walks import walk_columns, walk_pages, walk_urls
from telusur.backends.warc.archive import WarcArchive, key_of
from telusur.crawl.hosts.politeness import Clock
from telusur.crawl.urls.identity import former_key_of, normalize_url
from telusur.document_table import EXPORTED
from telusur.models import Counts, Document, MarkedPage, Page, Reason, Story, url_id_of
from telusur.store.reader import MOST_SOURCES
from telusur.store.records import (
    BEGINNING,
    ArchiveKey,
    Cursor,
    StoredLink,
    StoredRobots,
    StoredSheet,
)
from telusur.store.views import CopyView, FetchView, LinkPage, RecordView

MOST_COPIES = 10
_SITEMAPS_FETCHED = """
SELECT count(*) FROM sitemaps JOIN urls ON urls.seq = sitemaps.seq
JOIN pages ON pages.url_id = urls.url_id WHERE final = 1 AND status IS NOT NULL
"""
# One lookup in the index by site for each site, however many documents there are.
_SITE_ORDER = """
WITH RECURSIVE named(site) AS (
    SELECT min(site) FROM documents UNION ALL
    SELECT (SELECT min(site) FROM documents WHERE documents.site > named.site)
    FROM named WHERE named.site IS NOT NULL
)
SELECT named.site FROM named LEFT JOIN sites ON sites.site = named.site
WHERE named.site IS NOT NULL ORDER BY sites.id IS NULL, sites.id, named.site
"""
_AT_ONCE = 500

# Reads the last fetches only, so that a search never walks over all of them.
_FETCHED_AGAIN = """
SELECT DISTINCT again.url_id
FROM (SELECT url_id, fetched_at FROM pages ORDER BY seq DESC LIMIT 5000) AS again
WHERE again.fetched_at > :since AND EXISTS (
    SELECT 1 FROM pages AS before
    WHERE before.url_id = again.url_id AND before.fetched_at <= :since
        AND before.status BETWEEN 200 AND 299
)
LIMIT 1000
"""


# Most collections have no duplicates; then nothing is looked up.
_ANY_COPY = """
SELECT 1 FROM documents
WHERE not_indexed != '' AND not_indexed BETWEEN :kind || ':' AND :kind || ';' LIMIT 1
"""


class SqliteReader:
    """Implements `telusur.store.reader.CatalogueReader`; several threads may share it."""

    def __init__(self, directory: Path, clock: Clock = time.time) -> None:
        self._directory = directory
        self._clock = clock
        check_entries(directory)
        self._connection = connect(directory, read_only=True)
        self._lock = threading.Lock()
        self._has_index_of_copies = False

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    @property
    def _db(self) -> sqlite3.Connection:
        self._connection = reconnect(self._connection, self._directory)
        return self._connection

    def counts(self) -> Counts:
        """Count URLs by state, pages that were answered, and documents in the index."""
        with self._lock:
            counts = SqliteFrontier(self._db).counts()
            (pages,) = self._db.execute(
                "SELECT count(*) FROM pages WHERE final = 1 AND status IS NOT NULL"
            ).fetchone()
            pages -= self._count_sitemaps()
            (documents,) = self._db.execute(
                "SELECT count(*) FROM documents WHERE not_indexed = ''"
            ).fetchone()
        return Counts(
            waiting=counts.waiting,
            leased=counts.leased,
            done=counts.done,
            failed=counts.failed,
            skipped=counts.skipped,
            pages=pages,
            documents=documents,
        )

    def _count_sitemaps(self) -> int:
        """Count the responses that are sitemaps, not pages."""
        if not has_sitemaps(self._db):
            return 0
        return int(self._db.execute(_SITEMAPS_FETCHED).fetchone()[0])

    def sites(self, limit: int) -> list[tuple[str, int]]:
        """Return the sites with their number of indexed documents, the largest first."""
        with self._lock:
            return self._db.execute(
                "SELECT site, count(*) AS documents FROM documents WHERE not_indexed = ''"
                " GROUP BY site ORDER BY documents DESC, site LIMIT ?",
                (limit,),
            ).fetchall()

    def site_order(self) -> tuple[str, ...]:
        """Return all sites that have documents, in the order in which they were found.

        Sites of documents that no crawl found come last.
        """
        with self._lock:
            rows = self._db.execute(_SITE_ORDER).fetchall()
        return tuple(site for (site,) in rows)

    def document(self, url_id: bytes) -> Document | None:
        """Return the current document of a URL."""
        with self._lock, self._rows() as cursor:
            cursor.execute("SELECT * FROM documents WHERE url_id = ?", (url_id,))
            row = cursor.fetchone()
        return document_of(row) if row is not None else None

    def copies(self, urls: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the URLs of duplicates, for those of the pages that have any."""
        found: dict[str, tuple[str, ...]] = {}
        with self._lock:
            if not (self._can_find_copies() and self._has_copies()):
                return found
            originals = {
                f"{Reason.DUPLICATE}: {near}{url}": url for url in urls for near in ("", "near ")
            }
            reasons = list(originals)
            for at in range(0, len(reasons), _AT_ONCE):
                some = reasons[at : at + _AT_ONCE]
                places = ",".join("?" * len(some))
                rows = self._db.execute(
                    f"SELECT not_indexed, url FROM documents WHERE not_indexed IN ({places})"  # noqa: S608
                    " AND not_indexed != '' ORDER BY url LIMIT ?",
                    (*some, MOST_COPIES * len(some)),
                )
                for reason, url in rows:
                    original = originals[reason]
                    found[original] = (*found.get(original, ()), url)[:MOST_COPIES]
        return found

    def _can_find_copies(self) -> bool:
        """Tell whether duplicates can be looked up; format 2 has no index for that."""
        if not self._has_index_of_copies:
            query = "SELECT 1 FROM sqlite_master WHERE name = 'documents_copies'"
            self._has_index_of_copies = self._db.execute(query).fetchone() is not None
        return self._has_index_of_copies

    def _has_copies(self) -> bool:
        found = self._db.execute(_ANY_COPY, {"kind": str(Reason.DUPLICATE)})
        return found.fetchone() is not None

    def fetched_again(self, since: float) -> list[bytes]:
        """Return known pages that were fetched again since a time, the last ones only."""
        with self._lock:
            return [url_id for (url_id,) in self._db.execute(_FETCHED_AGAIN, {"since": since})]

    def links(self, url_id: bytes) -> list[StoredLink]:
        """Return the links of a page."""
        with self._lock:
            return SqliteCatalogue(self._db).links_of(url_id)

    def marks(self) -> list[tuple[bytes, bool]]:
        """Return the pages that the user marked as good or bad."""
        with self._lock:
            return read_marks(self._db)

    def list_marks(self) -> list[MarkedPage]:
        """Return the marked pages with their URLs, in the order they were marked."""
        with self._lock:
            return list_marks(self._db)

    def find_mark(self, url_id: bytes) -> bool | None:
        """Return whether the user marked a page as good; None if it has no mark."""
        with self._lock:
            return find_mark(self._db, url_id)

    def links_from(self, url_id: bytes, page: int, limit: int) -> LinkPage:
        """Return the links of a page in reading order, with the state of each target."""
        with self._own_connection() as cursor:
            return SqliteLinks(cursor.connection).links_from(url_id, page, limit)

    def links_to(
        self,
        url_id: bytes,
        page: int,
        limit: int,
        after: Cursor = BEGINNING,
        most: int = MOST_SOURCES,
    ) -> LinkPage:
        """Return the pages that link to a page, and their link texts."""
        with self._own_connection() as cursor:
            return SqliteLinks(cursor.connection).links_to(url_id, page, limit, after, most)

    def page(self, url_id: bytes, url: str) -> Page | None:
        """Return the newest response for a URL from the archive."""
        key = self._key_of(url_id)
        return self._archive().read(key, url) if key else None

    def _archive(self) -> WarcArchive:
        return WarcArchive(self._directory / "archive")

    def known_id(self, keys: Sequence[str]) -> bytes | None:
        """Return the id of the page with one of these keys; None if there is no such page.

        Keys by earlier rules are found too: see `former_key_of`.
        """
        for key in keys:
            if self._url_of(url_id_of(key)) is not None:
                return url_id_of(key)
            former = former_key_of(key)
            if former and normalize_url(self._url_of(url_id_of(former)) or "") == key:
                return url_id_of(former)
        return None

    def _url_of(self, url_id: bytes) -> str | None:
        """Return the URL of a page that a crawl found or a user added; None for others."""
        with self._lock:
            row = self._db.execute(
                "SELECT url FROM urls WHERE seq = seq_of(?)"
                " UNION ALL SELECT url FROM documents WHERE url_id = ?",
                (url_id, url_id),
            ).fetchone()
        return None if row is None else str(row[0])

    def has_page(self, url_id: bytes) -> bool:
        """Tell whether the archive has a response for a URL."""
        return self._key_of(url_id) is not None

    def robots(self, host: str) -> StoredRobots | None:
        """Return a host's robots.txt, if it was ever requested."""
        with self._lock:
            return SqliteCatalogue(self._db).robots_of(host)

    def site_record(self, site: str) -> bytes | None:
        """Return what was learned about a site while crawling, if anything was."""
        with self._lock:
            try:
                return SqliteCatalogue(self._db).site_record(site)
            except sqlite3.OperationalError:
                # A collection of an older format has no such table.
                return None

    def rendered(self, url_id: bytes) -> bytes | None:
        """Return the newest rendered form of a URL; None if it was not rendered."""
        key = self._key_of(url_id)
        return self._archive().rendered(key) if key else None

    def style_sheet(self, url: str) -> StoredSheet | None:
        """Return the response of a style sheet; None if no crawl asked for it."""
        with self._lock:
            key = SqliteCatalogue(self._db).fact(f"{STYLE_SHEET}{url}")
        if key is None:
            return None
        archived = ArchiveKey(key.decode("ascii", "replace"))
        return StoredSheet(self._archive().read(archived, url) if archived else None)

    def record(self, url_id: bytes) -> RecordView | None:
        """Return the archive record of the newest response for a URL."""
        key = self._key_of(url_id)
        return self._archive().record(key) if key else None

    def record_bytes(self, url_id: bytes) -> bytes | None:
        """Return that record as stored."""
        key = self._key_of(url_id)
        return self._archive().record_bytes(key) if key else None

    def _key_of(self, url_id: bytes) -> ArchiveKey | None:
        with self._lock:
            row = self._db.execute(
                "SELECT warc_file, warc_offset, warc_length FROM pages"
                " WHERE url_id = ? AND warc_file IS NOT NULL ORDER BY seq DESC",
                (url_id,),
            ).fetchone()
        return key_of(*row) if row else None

    def story(self, url_id: bytes) -> Story | None:
        """Return the history of a URL, oldest first."""
        with self._lock, self._rows() as cursor:
            return read_story(cursor, url_id)

    def why_parked(self, host: str) -> str:
        """Return why and until when a host is parked, by the clock of the store; else nothing."""
        with self._lock:
            return why_parked(self._db, host, self._clock())

    def copies_of(self, url_id: bytes) -> list[CopyView]:
        """Return duplicates and near-duplicates of a page, and the original that it repeats."""
        with self._lock:
            return list(find_copies(self._db, url_id))

    def fetches(self, url_id: bytes, most: int) -> list[FetchView]:
        """Return the last fetches of a URL, the newest first."""
        with self._lock:
            return read_fetches(self._db, url_id, most)

    def pages(self, names: Sequence[str] = EXPORTED) -> Iterator[dict[str, Any]]:
        """Walk over the fetched pages in fetch order: these fields of each, names of `EXPORTED`."""
        with self._own_connection() as cursor:
            yield from walk_pages(cursor, names)

    def columns(self, names: Sequence[str]) -> Iterator[sqlite3.Row]:
        """Walk over the indexed documents in the order they came in: these columns, by name."""
        with self._own_connection() as cursor:
            yield from walk_columns(cursor, names)

    def urls(self) -> Iterator[dict[str, Any]]:
        """Walk over all known URLs, in the order they were found."""
        with self._own_connection() as cursor:
            yield from walk_urls(cursor)

    @contextmanager
    def _rows(self) -> Iterator[sqlite3.Cursor]:
        cursor = self._db.cursor()
        cursor.row_factory = sqlite3.Row
        yield cursor
        cursor.close()

    @contextmanager
    def _own_connection(self) -> Iterator[sqlite3.Cursor]:
        """Open a snapshot for a long walk, so that it neither blocks nor sees changes."""
        connection = connect(self._directory, read_only=True)
        connection.row_factory = sqlite3.Row
        try:
            yield connection.cursor()
        finally:
            connection.close()
