"""What the user called good or bad for the topic, kept with the collection."""

import sqlite3
from contextlib import closing
from pathlib import Path

from telusur.adapters.sqlite_schema import connect, storage_errors


def put_mark(directory: Path, url_id: bytes, is_good: bool | None, now: float) -> None:
    """Remember what the user said about a page, or with None forget it; the caller has the lock."""
    with storage_errors(directory), closing(connect(directory, read_only=False)) as connection:
        if is_good is None:
            connection.execute("DELETE FROM marks WHERE url_id = ?", (url_id,))
        else:
            connection.execute(
                "INSERT OR REPLACE INTO marks VALUES (?, ?, ?)", (url_id, is_good, now)
            )


def read_marks(connection: sqlite3.Connection) -> list[tuple[bytes, bool]]:
    """Return the pages that were called good or bad; none in a collection of an older format."""
    try:
        rows = connection.execute("SELECT url_id, is_good FROM marks ORDER BY url_id").fetchall()
    except sqlite3.OperationalError:
        return []
    return [(url_id, bool(is_good)) for url_id, is_good in rows]
