"""The texts of documents, read for the snippets of an index that stores none."""

import sqlite3
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from telusur.backends.sqlite.database.schema import DATABASE, connect, reconnect
from telusur.errors import CollectionError

# A page of hits needs ten; grouping by topic and ranking by cosine need more.
_AT_ONCE = 100


class SqliteTexts:
    """Implements `telusur.backends.tantivy.texts.TextSource`; several threads may share it.

    The database is opened with the first text: an index that is only written needs none.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def read(self, url_ids: Sequence[bytes]) -> Mapping[bytes, str]:
        """Return the texts of documents; those that are gone are left out."""
        found: dict[bytes, str] = {}
        with self._lock:
            try:
                db = self._connect()
                for at in range(0, len(url_ids), _AT_ONCE):
                    some = url_ids[at : at + _AT_ONCE]
                    found.update(db.execute(_select(len(some)), some).fetchall())
            except sqlite3.DatabaseError as error:
                raise CollectionError(
                    f"{self._directory}: {DATABASE} cannot be read ({error})."
                ) from error
        return found

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = connect(self._directory, read_only=True)
        else:
            self._connection = reconnect(self._connection, self._directory)
        return self._connection

    def close(self) -> None:
        """Close the database; a later `read` opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


@cache
def _select(count: int) -> str:
    places = ",".join("?" * count)
    return f"SELECT url_id, text FROM documents WHERE url_id IN ({places})"  # noqa: S608 - no input
