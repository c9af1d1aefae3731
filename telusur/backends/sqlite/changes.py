"""Documents of `collection.db` in the order of their changes, for followers."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from telusur.backends.sqlite.document_row import STORED, document_from
from telusur.store.records import Change, Cursor

_OWN = ("seq", "url_id", "site", "fetched_at", "not_indexed")
_FIELDS = tuple(field.name for field in STORED if field.is_indexed)
_SELECT = f"SELECT {', '.join((*_OWN, *_FIELDS))} FROM documents"  # noqa: S608 - names of ours

# Larger than every number that a document can have.
_LAST = 2**63 - 1


class SqliteChanges:
    """Implements `telusur.store.changes.Changes`: one writer numbers changes as it commits them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def after(
        self, cursor: Cursor, most: int, until: Cursor | None = None
    ) -> Iterator[tuple[Change, Cursor]]:
        """Yield up to `most` changes after a cursor, each with the cursor that follows it."""
        last = _LAST if until is None else _number(until)
        rows = self._db.execute(
            f"{_SELECT} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",
            (_number(cursor), last, most),
        )
        for row in rows:
            yield _change(row), Cursor(str(row[0]))

    def end(self) -> Cursor:
        """Return the cursor after the last change."""
        (newest,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
        return Cursor(str(newest))

    def count_after(self, cursor: Cursor) -> int:
        """Return how many documents a follower with this cursor has not seen."""
        query = "SELECT count(*) FROM documents WHERE seq > ?"
        return int(self._db.execute(query, (_number(cursor),)).fetchone()[0])

    def latest(self, cursor: Cursor) -> Cursor:
        """Return the cursor, or the end if the cursor lies beyond it (after a power loss)."""
        end = self.end()
        return cursor if _number(cursor) <= _number(end) else end

    def documents(self, url_ids: Iterable[bytes]) -> Iterator[Change]:
        """Yield current documents; missing ones are left out."""
        for url_id in url_ids:
            rows = self._db.execute(f"{_SELECT} WHERE url_id = ?", (url_id,))
            yield from map(_change, rows.fetchall())

    def close(self) -> None:
        """Stop following."""
        self._db.close()


def _number(cursor: Cursor) -> int:
    return int(cursor or 0)


def _change(row: tuple[Any, ...]) -> Change:
    _, url_id, site, fetched_at, not_indexed = row[: len(_OWN)]
    document = document_from(_FIELDS, row[len(_OWN) :])
    return Change(url_id, site, fetched_at, document, not_indexed)
