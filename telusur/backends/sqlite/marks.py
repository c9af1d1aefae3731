"""Pages that the user marked as good or bad for the topic."""

import sqlite3

from telusur.models import MarkedPage


def put_mark(connection: sqlite3.Connection, url_id: bytes, page: MarkedPage) -> None:
    """Store the mark of a page."""
    if not _has_urls(connection):
        connection.execute("ALTER TABLE marks ADD COLUMN url TEXT NOT NULL DEFAULT ''")
    connection.execute(
        "INSERT OR REPLACE INTO marks (url_id, is_good, marked_at, url) VALUES (?, ?, ?, ?)",
        (url_id, page.is_good, page.marked_at, page.url),
    )


def read_marks(connection: sqlite3.Connection) -> list[tuple[bytes, bool]]:
    """Return the marked pages; a collection of an older format has none."""
    try:
        rows = connection.execute("SELECT url_id, is_good FROM marks ORDER BY url_id").fetchall()
    except sqlite3.OperationalError:
        return []
    return [(url_id, bool(is_good)) for url_id, is_good in rows]


def list_marks(connection: sqlite3.Connection) -> list[MarkedPage]:
    """Return the marked pages with their URLs, in the order they were marked."""
    own = "marks.url" if _has_urls(connection) else "''"
    try:
        rows = connection.execute(
            f"SELECT coalesce(nullif({own}, ''), urls.url, ''), is_good, marked_at FROM marks"  # noqa: S608 - words of ours
            " LEFT JOIN urls ON urls.seq = seq_of(marks.url_id) ORDER BY marked_at, 1"
        ).fetchall()
    # A collection of an older format has no marks.
    except sqlite3.OperationalError:
        return []
    return [MarkedPage(url, bool(is_good), marked_at) for url, is_good, marked_at in rows]


def find_mark(connection: sqlite3.Connection, url_id: bytes) -> bool | None:
    """Return the mark of a page: True is good; None if it has none."""
    try:
        row = connection.execute("SELECT is_good FROM marks WHERE url_id = ?", (url_id,)).fetchone()
    except sqlite3.OperationalError:
        return None
    return None if row is None else bool(row[0])


def _has_urls(connection: sqlite3.Connection) -> bool:
    return any(row[1] == "url" for row in connection.execute("PRAGMA table_info(marks)"))
