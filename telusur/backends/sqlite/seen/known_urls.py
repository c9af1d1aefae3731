"""The exact set of known URLs, for the writer: sorted runs in the database, merged over time.

New ids gather in memory; their rows in `urls` are what survives a kill. When enough have gathered
they are written as a sorted run, and four runs of a size become one. Both happen in the caller's
transaction, so runs and rows always agree; on opening, rows behind the last run are read again.
"""

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from telusur.backends.sqlite.seen.lookup import find_in_run, seen_to
from telusur.backends.sqlite.seen.runs import (
    ENTRY,
    Entries,
    Filter,
    Wanted,
    blocks_of,
    make_entries,
    merge,
    pack_value,
)

# The number of ids in memory before they become a run, and about what a merge holds of each.
GATHERED = 65_536
RUNS_OF_A_SIZE = 4
# Runs of 4 million ids are not merged: that would stop the crawl for too long.
LARGEST_LEVEL = 3
BLOCKS_AT_A_TIME = 64


@dataclass(slots=True, frozen=True)
class SortedRun:
    """A sorted run: its blocks, the first id of each, and a filter."""

    id: int
    level: int
    entries: int
    first_block: int
    fences: "array[int]"
    filter: Filter


class SeenSet:
    """Knows the row number and the first depth of each URL."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._gathered: dict[bytes, int] = {}
        self._runs: list[SortedRun] = []
        self.last_seq = -1

    def open(self) -> bool:
        """Load from the database, unless it is loaded; tell whether it had to."""
        (last_seq,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM urls").fetchone()
        if last_seq == self.last_seq:
            return False
        # The first time, or a transaction was rolled back.
        self._runs = [
            SortedRun(number, level, entries, first, array("Q", fences), _filter_of(words))
            for number, level, entries, first, fences, words in self._db.execute(
                "SELECT id, level, entries, first_block, fences, filter FROM seen_runs"
            )
        ]
        self._gathered = {
            url_id: pack_value(seq, depth)
            for seq, url_id, depth in self._db.execute(
                "SELECT seq, url_id, depth FROM urls WHERE seq > ?", (seen_to(self._db),)
            )
        }
        self.last_seq = last_seq
        return True

    def find(self, url_ids: Iterable[bytes]) -> dict[bytes, int]:
        """Return the packed row number and depth of those ids that are known."""
        found = {}
        rest = []
        gathered = self._gathered
        for url_id in url_ids:
            value = gathered.get(url_id)
            if value is None:
                rest.append(url_id)
            else:
                found[url_id] = value
        if rest and self._runs:
            self._find_in_runs(rest, found)
        return found

    def _find_in_runs(self, url_ids: Sequence[bytes], found: dict[bytes, int]) -> None:
        wanted = Wanted.of(url_ids)
        for run in self._runs:
            for place in run.filter.may_have(wanted).tolist():
                value = find_in_run(self._db, run.first_block, run.fences, url_ids[place])
                if value is not None:
                    found[url_ids[place]] = value

    def add(self, values: Mapping[bytes, int], last_seq: int) -> None:
        """Add ids whose rows were just written, the last with this number."""
        self._gathered.update(values)
        self.last_seq = last_seq
        if len(self._gathered) >= GATHERED:
            self._note_gathered()

    def _note_gathered(self) -> None:
        """Write the ids in memory as a run; after a failure everything is read again."""
        last_seq, self.last_seq = self.last_seq, -1
        with _transaction(self._db):
            self._write_gathered(last_seq)
        self._gathered = {}
        self.last_seq = last_seq

    def _write_gathered(self, last_seq: int) -> None:
        entries = make_entries(self._gathered)
        self._write_run(0, [entries], len(entries))
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('seen_to', ?)", (last_seq,))
        for level in range(LARGEST_LEVEL):
            runs = [run for run in self._runs if run.level == level]
            if len(runs) >= RUNS_OF_A_SIZE:
                self._merge(runs, level + 1)

    def _merge(self, runs: Sequence[SortedRun], level: int) -> None:
        number = sum(run.entries for run in runs)
        pieces = merge([self._read(run) for run in runs], number // GATHERED + 1)
        self._write_run(level, pieces, number)
        for run in runs:
            self._runs.remove(run)
            self._db.execute("DELETE FROM seen_runs WHERE id = ?", (run.id,))
            self._db.execute(
                "DELETE FROM seen_blocks WHERE id >= ? AND id < ?",
                (run.first_block, run.first_block + len(run.fences)),
            )

    def _read(self, run: SortedRun) -> Iterator[Entries]:
        end = run.first_block + len(run.fences)
        for first in range(run.first_block, end, BLOCKS_AT_A_TIME):
            rows = self._db.execute(
                "SELECT entries FROM seen_blocks WHERE id >= ? AND id < ? ORDER BY id",
                (first, min(first + BLOCKS_AT_A_TIME, end)),
            ).fetchall()
            yield np.frombuffer(b"".join(entries for (entries,) in rows), ENTRY)

    def _write_run(self, level: int, pieces: Iterable[Entries], number: int) -> None:
        """Write sorted pieces as one run, in bounded memory."""
        (first,) = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM seen_blocks").fetchone()
        filter_, fences = Filter.for_number(number), array("Q")
        self._db.executemany(
            "INSERT INTO seen_blocks VALUES (?, ?)",
            _block_rows(_filtered(pieces, filter_), first, fences),
        )
        cursor = self._db.execute(
            "INSERT INTO seen_runs (level, entries, first_block, fences, filter)"
            " VALUES (?, ?, ?, ?, ?)",
            (level, number, first, fences.tobytes(), filter_.words.tobytes()),
        )
        run_id = int(cursor.lastrowid or 0)
        self._runs.append(SortedRun(run_id, level, number, first, fences, filter_))


def _filtered(pieces: Iterable[Entries], filter_: Filter) -> Iterator[Entries]:
    for piece in pieces:
        if len(piece):
            filter_.add(piece)
            yield piece


def _block_rows(
    pieces: Iterable[Entries], first: int, fences: "array[int]"
) -> Iterator[tuple[int, bytes]]:
    for number, block in enumerate(blocks_of(pieces), first):
        fences.append(int(block["high"][0]))
        yield number, block.tobytes()


def _filter_of(words: bytes) -> Filter:
    return Filter(np.frombuffer(words, np.uint64))


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Use the caller's transaction, or one of our own.

    A savepoint within it would keep the old state of every page in memory.
    """
    if connection.in_transaction:
        yield
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
