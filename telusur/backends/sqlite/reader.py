"""Reading a collection while anything may be writing it: counts, stories, documents, exports."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from telusur.adapters.document_row import document_of, unpack_fields
from telusur.adapters.sqlite_catalogue import SqliteCatalogue, StoredLink, StoredRobots
from telusur.adapters.sqlite_frontier import SqliteFrontier
from telusur.adapters.sqlite_intake import STATES
from telusur.adapters.sqlite_marks import find_mark, list_marks, read_marks
from telusur.adapters.sqlite_schema import connect
from telusur.adapters.sqlite_sitemaps import has_sitemaps
from telusur.adapters.warc import Place, WarcArchive
from telusur.adapters.warc_rendered import read_rendered
from telusur.models import Counts, Document, Event, MarkedPage, Page, Reason, State, Story

MOST_COPIES = 10
_PAGES = """
SELECT urls.url, last.status, urls.state, urls.reason, urls.depth, parents.url AS parent,
       last.fetched_at, last.content_type, last.size_bytes, documents.title, documents.text,
       documents.language, {page_type} AS page_type, {fields} AS fields,
       {topic_score} AS topic_score, {topic} AS topic, last.seq
FROM pages AS last
JOIN urls ON urls.seq = seq_of(last.url_id)
LEFT JOIN urls AS parents ON parents.seq = seq_of(urls.parent)
LEFT JOIN documents ON documents.url_id = last.url_id
WHERE last.final = 1 {no_sitemaps}
  AND NOT EXISTS (
    SELECT 1 FROM pages AS later WHERE later.url_id = last.url_id AND later.seq > last.seq
  )
ORDER BY last.seq
"""


_SITEMAPS_FETCHED = """
SELECT count(*) FROM sitemaps JOIN urls ON urls.seq = sitemaps.seq
JOIN pages ON pages.url_id = urls.url_id WHERE final = 1 AND status IS NOT NULL
"""
_AT_ONCE = 500

# Of the last fetches only, so that a search never walks over all of them.
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


# Most collections have none, and then nothing has to be looked up.
_ANY_COPY = """
SELECT 1 FROM documents
WHERE not_indexed != '' AND not_indexed BETWEEN :kind || ':' AND :kind || ';' LIMIT 1
"""


class SqliteReader:
    """A read-only view that several threads may share."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._db = connect(directory, read_only=True)
        self._lock = threading.Lock()
        self._has_index_of_copies = False

    def close(self) -> None:
        """Close the database."""
        self._db.close()

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
        """Count the answers that are sitemaps, and no pages."""
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

    def document(self, url_id: bytes) -> Document | None:
        """Return the current document of a URL."""
        with self._lock, self._rows() as cursor:
            cursor.execute("SELECT * FROM documents WHERE url_id = ?", (url_id,))
            row = cursor.fetchone()
        return document_of(row) if row is not None else None

    def copies(self, urls: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return, for those of the pages that have any, the URLs of pages that say the same."""
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
        """Tell whether copies can be looked up; a collection of format 2 would have to be read."""
        if not self._has_index_of_copies:
            query = "SELECT 1 FROM sqlite_master WHERE name = 'documents_copies'"
            self._has_index_of_copies = self._db.execute(query).fetchone() is not None
        return self._has_index_of_copies

    def _has_copies(self) -> bool:
        found = self._db.execute(_ANY_COPY, {"kind": str(Reason.DUPLICATE)})
        return found.fetchone() is not None

    def fetched_again(self, since: float) -> list[bytes]:
        """Return the pages of before that were fetched again since a time, the last of them."""
        with self._lock:
            return [url_id for (url_id,) in self._db.execute(_FETCHED_AGAIN, {"since": since})]

    def links(self, url_id: bytes) -> list[StoredLink]:
        """Return what a page links to."""
        with self._lock:
            return SqliteCatalogue(self._db).links_of(url_id)

    def marks(self) -> list[tuple[bytes, bool]]:
        """Return the pages that the user called good or bad."""
        with self._lock:
            return read_marks(self._db)

    def list_marks(self) -> list[MarkedPage]:
        """Return them with their addresses, in the order they were marked."""
        with self._lock:
            return list_marks(self._db)

    def find_mark(self, url_id: bytes) -> bool | None:
        """Return whether the user called a page good or bad; None if neither."""
        with self._lock:
            return find_mark(self._db, url_id)

    def page(self, url_id: bytes, url: str) -> Page | None:
        """Return the newest answer for a URL from the archive."""
        place = self._place_of(url_id)
        return WarcArchive(self._directory / "archive").read(place, url) if place else None

    def has_page(self, url_id: bytes) -> bool:
        """Tell whether the archive has an answer for a URL."""
        return self._place_of(url_id) is not None

    def robots(self, host: str) -> StoredRobots | None:
        """Return a host's robots.txt, if it was ever asked for."""
        with self._lock:
            return SqliteCatalogue(self._db).robots_of(host)

    def rendered(self, url_id: bytes) -> bytes | None:
        """Return the newest answer for a URL as a browser showed it, or None if none did."""
        place = self._place_of(url_id)
        if place is None:
            return None
        path = self._directory / "archive" / place.file
        return read_rendered(path, place.offset + place.length)

    def _place_of(self, url_id: bytes) -> Place | None:
        with self._lock:
            row = self._db.execute(
                "SELECT warc_file, warc_offset, warc_length FROM pages"
                " WHERE url_id = ? AND warc_file IS NOT NULL ORDER BY seq DESC",
                (url_id,),
            ).fetchone()
        return Place(*row) if row else None

    def story(self, url_id: bytes) -> Story | None:
        """Return everything that happened to a URL, oldest first."""
        with self._lock, self._rows() as cursor:
            row = cursor.execute(
                "SELECT urls.*, parents.url AS parent_url, title, not_indexed FROM urls"
                " LEFT JOIN urls AS parents ON parents.seq = seq_of(urls.parent)"
                " LEFT JOIN documents ON documents.url_id = urls.url_id"
                " WHERE urls.seq = seq_of(?)",
                (url_id,),
            ).fetchone()
            if row is None:
                return None
            fetches = cursor.execute(
                "SELECT fetched_at, final, reason, status FROM pages WHERE url_id = ? ORDER BY seq",
                (url_id,),
            ).fetchall()
        state = STATES[row["state"]]
        return Story(
            url=row["url"],
            state=state,
            reason=row["reason"],
            depth=row["depth"],
            parent=row["parent_url"],
            anchor=row["anchor"],
            changed_at=row["changed_at"],
            events=tuple(_events(row, state, fetches)),
            indexed=row["not_indexed"] == "",
            title=row["title"] or "",
        )

    def pages(self) -> Iterator[dict[str, Any]]:
        """Walk over the fetched pages in fetch order, as `export --format jsonl` gives them."""
        with self._own_connection() as cursor:
            known = has_sitemaps(cursor.connection)
            no_sitemaps = "AND urls.seq NOT IN (SELECT seq FROM sitemaps)" if known else ""
            query = _PAGES.format(no_sitemaps=no_sitemaps, **_newer_columns(cursor))
            for row in cursor.execute(query):
                record = dict(row)
                del record["seq"]
                record["state"] = str(STATES[record["state"]])
                for name in ("title", "text", "language", "page_type", "topic"):
                    record[name] = record[name] or ""
                record["fields"] = unpack_fields(record["fields"])
                yield record

    def columns(self, names: Sequence[str]) -> Iterator[sqlite3.Row]:
        """Walk over the indexed documents in the order they came in: these columns, by name.

        What identifies a document, `url`, `title`, `date` and `language`, is always there.
        """
        with self._own_connection() as cursor:
            newer = _newer_columns(cursor)
            wanted = dict.fromkeys(("url", "title", "date", "language", *names))
            sources = {"type": newer["page_type"], **newer}
            listed = ", ".join(f"{sources.get(name, name)} AS {name}" for name in wanted)
            yield from cursor.execute(
                f"SELECT {listed} FROM documents WHERE not_indexed = '' ORDER BY seq"  # noqa: S608
            )

    def urls(self) -> Iterator[dict[str, Any]]:
        """Walk over all URLs known, in the order they were found."""
        with self._own_connection() as cursor:
            for row in cursor.execute("SELECT url, state, reason FROM urls ORDER BY seq"):
                yield {
                    "url": row["url"],
                    "state": str(STATES[row["state"]]),
                    "reason": row["reason"],
                }

    @contextmanager
    def _rows(self) -> Iterator[sqlite3.Cursor]:
        cursor = self._db.cursor()
        cursor.row_factory = sqlite3.Row
        yield cursor
        cursor.close()

    @contextmanager
    def _own_connection(self) -> Iterator[sqlite3.Cursor]:
        """Give a long walk its own snapshot, so that it neither blocks nor sees changes."""
        connection = connect(self._directory, read_only=True)
        connection.row_factory = sqlite3.Row
        try:
            yield connection.cursor()
        finally:
            connection.close()


def _newer_columns(cursor: sqlite3.Cursor) -> dict[str, str]:
    """Return how columns of `documents` are asked for that older collections lack."""
    known = {row["name"] for row in cursor.execute("PRAGMA table_info(documents)")}
    otherwise = {"page_type": "''", "fields": "''", "topic_score": "NULL", "topic": "''"}
    return {
        name: f"documents.{name}" if name in known else lacking
        for name, lacking in otherwise.items()
    }


def _events(row: sqlite3.Row, state: State, fetches: list[sqlite3.Row]) -> Iterator[Event]:
    yield Event(row["found_at"], State.WAITING, _how_found(row))
    for fetch in fetches:
        after = state if fetch["final"] else State.WAITING
        yield Event(fetch["fetched_at"], after, fetch["reason"], fetch["status"])
    has_final_fetch = any(fetch["final"] for fetch in fetches)
    if not has_final_fetch and state is not State.WAITING:
        yield Event(row["changed_at"], state, row["reason"])


def _how_found(row: sqlite3.Row) -> str:
    if row["parent_url"] is None:
        return f"named by {row['anchor']}" if row["anchor"] else "start URL"
    words = f' by the link "{row["anchor"]}"' if row["anchor"] else ""
    return f"found on {row['parent_url']}{words}"
