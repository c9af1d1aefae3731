"""What the user called good or bad for the topic, kept with the collection."""

import sqlite3
from contextlib import closing
from pathlib import Path

from telusur.adapters.sqlite_schema import connect, storage_errors
from telusur.models import MarkedPage


def put_mark(directory: Path, url_id: bytes, page: MarkedPage) -> None:
    """Remember what the user said about a page; the caller has the lock."""
    with storage_errors(directory), closing(connect(directory, read_only=False)) as connection:
        if not _has_urls(connection):
            connection.execute("ALTER TABLE marks ADD COLUMN url TEXT NOT NULL DEFAULT ''")
        connection.execute(
            "INSERT OR REPLACE INTO marks (url_id, is_good, marked_at, url) VALUES (?, ?, ?, ?)",
            (url_id, page.is_good, page.marked_at, page.url),
        )


def forget_mark(directory: Path, url_id: bytes) -> None:
    """Forget what the user said about a page; the caller has the lock."""
    with storage_errors(directory), closing(connect(directory, read_only=False)) as connection:
        connection.execute("DELETE FROM marks WHERE url_id = ?", (url_id,))


def read_marks(connection: sqlite3.Connection) -> list[tuple[bytes, bool]]:
    """Return the pages that were called good or bad; none in a collection of an older format."""
    try:
        rows = connection.execute("SELECT url_id, is_good FROM marks ORDER BY url_id").fetchall()
    except sqlite3.OperationalError:
        return []
    return [(url_id, bool(is_good)) for url_id, is_good in rows]


def list_marks(connection: sqlite3.Connection) -> list[MarkedPage]:
    """Return the same with their addresses, in the order they were marked."""
    own = "marks.url" if _has_urls(connection) else "''"
    try:
        rows = connection.execute(
            f"SELECT coalesce(nullif({own}, ''), urls.url, ''), is_good, marked_at FROM marks"  # noqa: S608 - words of ours
            " LEFT JOIN urls ON urls.seq = seq_of(marks.url_id) ORDER BY marked_at, 1"
        ).fetchall()
    except sqlite3.OperationalError:  # of an older format
        return []
    return [MarkedPage(url, bool(is_good), marked_at) for url, is_good, marked_at in rows]


def find_mark(connection: sqlite3.Connection, url_id: bytes) -> bool | None:
    """Return what the user said about a page: True is good; None if nothing."""
    try:
        row = connection.execute("SELECT is_good FROM marks WHERE url_id = ?", (url_id,)).fetchone()
    except sqlite3.OperationalError:
        return None
    return None if row is None else bool(row[0])


def _has_urls(connection: sqlite3.Connection) -> bool:
    return any(row[1] == "url" for row in connection.execute("PRAGMA table_info(marks)"))
