"""All documents and links of a collection as arrays."""

import sqlite3
from array import array
from collections.abc import Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Unsigned64, each_once
from telusur.crawl.urls.identity import normalize_url
from telusur.graph.pages import NOWHERE, Pages
from telusur.index.contract import number_of
from telusur.index.fields import day_of
from telusur.index.standing import UNKNOWN_DEPTH
from telusur.models import Reason, url_id_of

ROWS = 500
# Pairs that are yielded at a time, and that are gathered at least before repeated ones are dropped.
PAIRS = 100_000
_HALF = np.uint64(32)
_COPIES = (f"{Reason.DUPLICATE}: ", f"{Reason.CANONICAL}: ")
_NEAR = "near "


class SqliteWeb:
    """Implements `telusur.store.web.WholeWeb`; the caller gives it a connection of its own."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def pages(self) -> Generator[None, None, Pages]:
        """Read the documents, with a pause after every few hundred."""
        gathered = _Gathered()
        last = 0
        query = (
            "SELECT documents.seq, documents.url_id, date, not_indexed, depth FROM documents"
            " LEFT JOIN urls ON urls.seq = seq_of(documents.url_id)"
            " WHERE documents.seq > ? ORDER BY documents.seq LIMIT ?"
        )
        while rows := self._db.execute(query, (last, ROWS)).fetchall():
            for row in rows:
                gathered.add(*row)
            last = rows[-1][0]
            yield
        return gathered.sort()

    def edges(self, pages: Pages) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
        """Yield links between documents as pairs of places; each pair comes once.

        A page and its copies have one place and may share links, so their pairs come last.
        """
        has_copies = _have_copies(pages)
        of_copies = _UniquePairs()
        for rows in self._rows("targets"):
            sources = pages.places_of(_numbers(b"".join(row[0] for row in rows)))
            targets = pages.places_of(_numbers(b"".join(row[1] for row in rows)))
            origins = np.repeat(sources, [len(row[1]) // 16 for row in rows])
            known = (origins != NOWHERE) & (targets != NOWHERE) & (origins != targets)
            pairs = each_once((origins[known].astype(np.uint64) << _HALF) | targets[known])
            may_repeat = has_copies[pairs >> _HALF]
            of_copies.add(pairs[may_repeat])
            yield _split(pairs[~may_repeat])
        pairs = of_copies.all()
        for at in range(0, len(pairs), PAIRS):
            yield _split(pairs[at : at + PAIRS])

    def link_records(self, pages: Pages) -> Iterator[list[tuple[int, NDArray[np.uint32], bytes]]]:
        """Yield for each page with links: its place, the places of targets, the packed links."""
        for rows in self._rows("targets, links"):
            sources = pages.places_of(_numbers(b"".join(row[0] for row in rows)))
            yield [
                (int(source), pages.places_of(_numbers(targets)), record)
                for source, (_, targets, record) in zip(sources, rows, strict=True)
                if source != NOWHERE
            ]

    def _rows(self, columns: str) -> Iterator[list[tuple[bytes, ...]]]:
        last = b""
        query = f"SELECT url_id, {columns} FROM links WHERE url_id > ? ORDER BY url_id LIMIT ?"  # noqa: S608 - names of ours
        while rows := self._db.execute(query, (last, ROWS)).fetchall():
            yield rows
            last = rows[-1][0]

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


class _UniquePairs:
    """Pairs of places as numbers; repeated ones are dropped whenever the pairs have doubled."""

    def __init__(self) -> None:
        self._parts: list[Unsigned64] = []
        self._number = 0
        self._most = PAIRS

    def add(self, pairs: Unsigned64) -> None:
        self._parts.append(pairs)
        self._number += len(pairs)
        if self._number > self._most:
            self._most = max(PAIRS, 2 * len(self.all()))

    def all(self) -> Unsigned64:
        """Return the pairs, sorted, each once."""
        unique = each_once(np.concatenate([np.zeros(0, np.uint64), *self._parts]))
        self._parts, self._number = [unique], len(unique)
        return unique


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


def _have_copies(pages: Pages) -> NDArray[np.bool_]:
    """Tell of each place whether copies stand there too."""
    places = pages.places_of(pages.aliases[0])
    has_copies = np.zeros(len(pages), bool)
    has_copies[places[places != NOWHERE]] = True
    return has_copies


def _split(pairs: Unsigned64) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return sources and targets of pairs."""
    return (pairs >> _HALF).astype(np.uint32), pairs.astype(np.uint32)


def _original_of(not_indexed: str) -> int | None:
    """Return the number of the original that a duplicate names."""
    for kind in _COPIES:
        if not_indexed.startswith(kind):
            url = not_indexed.removeprefix(kind).removeprefix(_NEAR)
            key = normalize_url(url)
            return number_of(url_id_of(key)) if key else None
    return None


def _numbers(ids: bytes) -> Unsigned64:
    """Return the numbers of joined ids."""
    return np.frombuffer(ids, ">u8")[::2].astype(np.uint64)
