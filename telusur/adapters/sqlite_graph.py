"""The web of a collection as arrays: which documents there are, and which links lead where."""

import sqlite3
from array import array
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.urls import normalize_url
from telusur.index.contract import number_of
from telusur.index.fields import day_of
from telusur.index.standing import UNKNOWN_DEPTH
from telusur.models import Reason, url_id_of

ROWS = 500
_COPIES = (f"{Reason.DUPLICATE}: ", f"{Reason.CANONICAL}: ")
_NEAR = "near "
_NOWHERE = np.uint32(0xFFFFFFFF)

Numbers = NDArray[np.uint64]


@dataclass(slots=True)
class Pages:
    """The documents in the index, sorted by number: a page's place in it is its id here."""

    ids: NDArray[np.void]
    numbers: Numbers
    seqs: NDArray[np.int64]
    days: NDArray[np.uint32]
    depths: NDArray[np.uint16]
    aliases: tuple[Numbers, Numbers]
    """Pages that say the same as another one, sorted, and which one that is."""

    def __len__(self) -> int:
        return len(self.numbers)

    def places_of(self, numbers: Numbers) -> NDArray[np.uint32]:
        """Return the place of each page, by itself or by what it is a copy of, or `_NOWHERE`."""
        copies, originals = self.aliases
        numbers = _look_up(copies, numbers, originals, numbers)
        places = np.arange(len(self.numbers), dtype=np.uint32)
        return _look_up(self.numbers, numbers, places, np.full(len(numbers), _NOWHERE))


def _look_up(keys: Numbers, wanted: Numbers, values: NDArray, otherwise: NDArray) -> NDArray:  # type: ignore[type-arg]
    if not len(keys):
        return otherwise
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, values[at], otherwise)


def read_pages(connection: sqlite3.Connection) -> Generator[None, None, Pages]:
    """Read the documents, with a pause after every few hundred."""
    gathered = _Gathered()
    last = 0
    query = (
        "SELECT documents.seq, documents.url_id, date, not_indexed, depth FROM documents"
        " LEFT JOIN urls ON urls.seq = seq_of(documents.url_id)"
        " WHERE documents.seq > ? ORDER BY documents.seq LIMIT ?"
    )
    while rows := connection.execute(query, (last, ROWS)).fetchall():
        for row in rows:
            gathered.add(*row)
        last = rows[-1][0]
        yield
    return gathered.sort()


class _Gathered:
    """Documents as they are read, in arrays: a page costs 30 bytes."""

    def __init__(self) -> None:
        self._ids = bytearray()
        self._seqs = array("q")
        self._days = array("L")
        self._depths = array("H")
        self._copies = array("Q")
        self._originals = array("Q")

    def add(self, seq: int, url_id: bytes, date: str, not_indexed: str, depth: int | None) -> None:
        if not not_indexed:
            self._ids += url_id
            self._seqs.append(seq)
            self._days.append(day_of(date))
            self._depths.append(UNKNOWN_DEPTH if depth is None else min(depth, UNKNOWN_DEPTH))
        elif (original := _original_of(not_indexed)) is not None:
            self._copies.append(number_of(url_id))
            self._originals.append(original)

    def sort(self) -> Pages:
        numbers = _numbers(bytes(self._ids))
        order = np.argsort(numbers, kind="stable")
        copies = np.array(self._copies, np.uint64)
        by_copy = np.argsort(copies, kind="stable")
        return Pages(
            ids=np.frombuffer(bytes(self._ids), "V16")[order],
            numbers=numbers[order],
            seqs=np.array(self._seqs, np.int64)[order],
            days=np.array(self._days, np.uint32)[order],
            depths=np.array(self._depths, np.uint16)[order],
            aliases=(copies[by_copy], np.array(self._originals, np.uint64)[by_copy]),
        )


def _original_of(not_indexed: str) -> int | None:
    """Return the number of the page that a copy names as the one it repeats."""
    for kind in _COPIES:
        if not_indexed.startswith(kind):
            url = not_indexed.removeprefix(kind).removeprefix(_NEAR)
            key = normalize_url(url)
            return number_of(url_id_of(key)) if key else None
    return None


def read_edges(
    connection: sqlite3.Connection, pages: Pages
) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
    """Yield links between documents as places: from, to. A page links to another one once."""
    for rows in _rows(connection, "targets"):
        sources = pages.places_of(_numbers(b"".join(row[0] for row in rows)))
        targets = pages.places_of(_numbers(b"".join(row[1] for row in rows)))
        origins = np.repeat(sources, [len(row[1]) // 16 for row in rows])
        known = (origins != _NOWHERE) & (targets != _NOWHERE) & (origins != targets)
        pairs = np.unique((origins[known].astype(np.uint64) << np.uint64(32)) | targets[known])
        yield (pairs >> np.uint64(32)).astype(np.uint32), pairs.astype(np.uint32)


def read_link_records(
    connection: sqlite3.Connection, pages: Pages
) -> Iterator[list[tuple[int, NDArray[np.uint32], bytes]]]:
    """Yield for each page that links: its place, those it links to, and the packed links."""
    for rows in _rows(connection, "targets, links"):
        sources = pages.places_of(_numbers(b"".join(row[0] for row in rows)))
        yield [
            (int(source), pages.places_of(_numbers(targets)), record)
            for source, (_, targets, record) in zip(sources, rows, strict=True)
            if source != _NOWHERE
        ]


def _rows(connection: sqlite3.Connection, columns: str) -> Iterator[list[tuple[bytes, ...]]]:
    last = b""
    query = f"SELECT url_id, {columns} FROM links WHERE url_id > ? ORDER BY url_id LIMIT ?"  # noqa: S608 - names of ours
    while rows := connection.execute(query, (last, ROWS)).fetchall():
        yield rows
        last = rows[-1][0]


def _numbers(ids: bytes) -> Numbers:
    """Return the numbers of identities that stand one after the other."""
    return np.frombuffer(ids, ">u8")[::2].astype(np.uint64)
