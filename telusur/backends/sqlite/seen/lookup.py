"""From a URL's id to its row, for readers: SQL may call `seq_of(url_id)`.

The ids lie in sorted runs, cut into blocks of one database page; rows behind the last run are
remembered as they come. A collection of format 1 has an index instead.
"""

import sqlite3
from array import array
from bisect import bisect_right

ID_BYTES, ENTRY_BYTES = 16, 24
DEPTH_BITS = 16
MOST_REMEMBERED = 300_000


def offer_seq_of(connection: sqlite3.Connection) -> None:
    """Let SQL on this connection call `seq_of(url_id)`."""
    connection.create_function("seq_of", 1, SeenLookup(connection).seq_of, deterministic=True)


class SeenLookup:
    """Finds rows by id, one at a time; nothing is read before the first lookup."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._runs: dict[int, tuple[int, array[int]]] = {}
        self._recent: dict[bytes, int] = {}
        self._read_to = 0

    def seq_of(self, url_id: bytes | None) -> int | None:
        """Return the row number of a URL, or None when it is not known."""
        if url_id is None:
            return None
        if url_id in self._recent:
            return self._recent[url_id]
        try:
            behind = seen_to(self._db)
            found = self._find_in_runs(url_id)
        # Format 1 has no such table.
        except sqlite3.OperationalError:
            row = self._db.execute("SELECT seq FROM urls WHERE url_id = ?", (url_id,)).fetchone()
            return row[0] if row else None
        if found is None:
            self._read_on(behind)
            found = self._recent.get(url_id)
        return found

    def _find_in_runs(self, url_id: bytes) -> int | None:
        ids = [run for (run,) in self._db.execute("SELECT id FROM seen_runs")]
        self._runs = {run: self._runs.get(run) or self._load(run) for run in ids}
        for first_block, fences in self._runs.values():
            value = find_in_run(self._db, first_block, fences, url_id)
            if value is not None:
                return value >> DEPTH_BITS
        return None

    def _load(self, run: int) -> tuple[int, "array[int]"]:
        first_block, fences = self._db.execute(
            "SELECT first_block, fences FROM seen_runs WHERE id = ?", (run,)
        ).fetchone()
        return first_block, array("Q", fences)

    def _read_on(self, behind: int) -> None:
        """Read the rows that are new since the last time, or in no run yet."""
        if len(self._recent) > MOST_REMEMBERED:
            self._recent.clear()
            self._read_to = 0
        start = max(behind, self._read_to)
        for seq, url_id in self._db.execute("SELECT seq, url_id FROM urls WHERE seq > ?", (start,)):
            self._recent[url_id] = seq
            self._read_to = seq


def seen_to(connection: sqlite3.Connection) -> int:
    """Return the highest row number that the runs have."""
    row = connection.execute("SELECT value FROM meta WHERE name = 'seen_to'").fetchone()
    return int(row[0]) if row else 0


def find_in_run(
    connection: sqlite3.Connection, first_block: int, fences: "array[int]", url_id: bytes
) -> int | None:
    """Return the value of an id in one run; reads one block."""
    high = int.from_bytes(url_id[:8], "big")
    block = bisect_right(fences, high) - 1
    while block >= 0:
        (entries,) = connection.execute(
            "SELECT entries FROM seen_blocks WHERE id = ?", (first_block + block,)
        ).fetchone()
        value = find_in_block(entries, url_id)
        if value is not None or fences[block] != high:
            return value
        # Ids with the same first half may begin in the block before.
        block -= 1
    return None


def find_in_block(entries: bytes, url_id: bytes) -> int | None:
    """Return the value of an id in a block of entries."""
    place = entries.find(url_id)
    while place >= 0 and place % ENTRY_BYTES:
        place = entries.find(url_id, place + 1)
    if place < 0:
        return None
    return int.from_bytes(entries[place + ID_BYTES : place + ENTRY_BYTES], "little")
