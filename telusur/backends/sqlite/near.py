"""Finds near-duplicates: signatures on disk, their keys in memory.

Keys are looked up in a table of fixed size, where new keys replace old ones. So memory does not
grow, and a page costs one appended row and no random writes. Pages fetched long ago are gradually
forgotten, which is harmless: near-duplicates are mostly fetched close together.
"""

import sqlite3

import numpy as np
import numpy.typing as npt

from telusur.crawl.rules.near_duplicates import (
    BANDS,
    BINS,
    THRESHOLD,
    band_keys,
    bands,
    similarity,
)
from telusur.store.records import Twin

NEAR_SCHEMA = """
CREATE TABLE IF NOT EXISTS near (             -- signatures of the documents in the index
    id INTEGER PRIMARY KEY,
    url_id BLOB NOT NULL,
    signature BLOB NOT NULL
);
"""

# 4 MB, the keys of the last 65,000 documents; a power of two.
SLOTS = 1 << 19
_ID_BITS = 32
_ID_MASK = (1 << _ID_BITS) - 1
_LOAD_ROWS = 10_000


class SqliteNearDuplicates:
    """Keeps the signatures of documents; the caller owns the transaction."""

    def __init__(self, connection: sqlite3.Connection, slots: int = SLOTS) -> None:
        self._db = connection
        self._slots = slots
        self._slot_mask = slots - 1
        self._cells: memoryview[int] | None = None
        # The last signature, and its keys.
        self._last: tuple[bytes, list[int]] = (b"", [])
        connection.execute(NEAR_SCHEMA)

    def find(self, url_id: bytes, title: str, signature: bytes) -> Twin | None:
        """Return an indexed near-duplicate with the same title.

        Both must have the same title: pages with different titles are meant to be different,
        however similar (a product in two colours, two days of a calendar).
        """
        if not signature:
            return None
        cells = self._open()
        for number in self._candidates(cells, signature):
            row = self._db.execute(
                "SELECT near.signature, documents.url_id, url, canonical, title FROM near"
                " JOIN documents ON documents.url_id = near.url_id"
                " WHERE near.id = ? AND documents.url_id != ? AND not_indexed = ''",
                (number, url_id),
            ).fetchone()
            if row and row[4] == title and similarity(signature, row[0]) >= THRESHOLD:
                return Twin(row[1], row[2], row[3])
        return None

    def put(self, url_id: bytes, signature: bytes) -> None:
        """Add a document that goes into the index."""
        if not signature:
            return
        cells = self._open()
        cursor = self._db.execute(
            "INSERT INTO near (url_id, signature) VALUES (?, ?)", (url_id, signature)
        )
        number = int(cursor.lastrowid or 0) & _ID_MASK
        for key in self._keys_of(signature):
            cells[key & self._slot_mask] = (key & ~_ID_MASK) | number

    def _open(self) -> "memoryview[int]":
        """Return the table of keys, created with the first text."""
        if self._cells is None:
            table = np.zeros(self._slots, np.uint64)
            self._load(table, self._slots // BANDS)
            # Single cells are quicker to reach than through numpy.
            self._cells = table.data
        return self._cells

    def _keys_of(self, signature: bytes) -> list[int]:
        """Return the keys of a signature; mostly it is looked for and then added."""
        if self._last[0] != signature:
            self._last = signature, bands(signature)
        return self._last[1]

    def _candidates(self, cells: "memoryview[int]", signature: bytes) -> dict[int, None]:
        """Return the numbers of documents that share a key, each once."""
        numbers: dict[int, None] = {}
        for key in self._keys_of(signature):
            cell = cells[key & self._slot_mask]
            if cell and cell >> _ID_BITS == key >> _ID_BITS:
                numbers[cell & _ID_MASK] = None
        return numbers

    def _load(self, table: npt.NDArray[np.uint64], most: int) -> None:
        """Fill the table with the newest documents, oldest first."""
        (newest,) = self._db.execute("SELECT coalesce(max(id), 0) FROM near").fetchone()
        cursor = self._db.execute(
            "SELECT id, signature FROM near WHERE id > ? ORDER BY id", (newest - most,)
        )
        while rows := cursor.fetchmany(_LOAD_ROWS):
            joined = b"".join(row[1] for row in rows)
            keys = band_keys(np.frombuffer(joined, np.uint8).reshape(len(rows), BINS))
            numbers = np.array([row[0] & _ID_MASK for row in rows], np.uint64)[:, None]
            places = keys & np.uint64(self._slot_mask)
            table[places] = (keys & np.uint64(~_ID_MASK & (2**64 - 1))) | numbers
