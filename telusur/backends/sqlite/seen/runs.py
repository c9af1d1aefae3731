"""Sorted runs of URL ids as arrays: packing into blocks, filters, merging."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Unsigned64
from telusur.backends.sqlite.seen.lookup import DEPTH_BITS

# An id is compared by its first half; a value is a row number and a depth in one number.
ENTRY = np.dtype([("high", ">u8"), ("low", ">u8"), ("value", "<u8")])
# Entries of a block: 4032 bytes, so that a row with one fills a page of SQLite.
BLOCK = 168

# Bits per id in the filter of a run; about one in a hundred unknown ids passes it.
FILTER_BITS = 12

DEEPEST = (1 << DEPTH_BITS) - 1

Entries = NDArray[np.void]


def pack_value(seq: int, depth: int) -> int:
    """Put a row number and a depth into one number."""
    return seq << DEPTH_BITS | min(depth, DEEPEST)


def make_entries(values: dict[bytes, int]) -> Entries:
    """Return the ids with their values, sorted."""
    entries = np.empty(len(values), ENTRY)
    ids = np.frombuffer(b"".join(values), ">u8").reshape(-1, 2)
    entries["high"], entries["low"] = ids[:, 0], ids[:, 1]
    entries["value"] = np.fromiter(values.values(), np.uint64, len(values))
    return sort_entries(entries)


def sort_entries(entries: Entries) -> Entries:
    """Sort by the first half of the id; equal halves may lie in any order."""
    return entries[np.argsort(entries["high"].astype(np.uint64), kind="stable")]


@dataclass(slots=True, frozen=True)
class Wanted:
    """Ids to look up in several runs."""

    high: Unsigned64
    masks: Unsigned64

    @classmethod
    def of(cls, ids: Iterable[bytes]) -> "Wanted":
        """Split the ids once for all runs."""
        halves = np.frombuffer(b"".join(ids), ">u8").reshape(-1, 2).astype(np.uint64)
        return cls(np.ascontiguousarray(halves[:, 0]), _masks(halves[:, 1]))


def _masks(low: Unsigned64) -> Unsigned64:
    """Return four bits of a word for each id, from its second half."""
    one, last = np.uint64(1), np.uint64(63)
    masks = one << (low & last)
    for shift in (6, 12, 18):
        masks |= one << (low >> np.uint64(shift) & last)
    return masks


def _words(high: Unsigned64, size: int) -> NDArray[np.intp]:
    """Return the word of a filter that each id belongs to; growing as the ids do."""
    half = np.uint64(32)
    return ((high >> half) * np.uint64(size) >> half).astype(np.intp)


class Filter:
    """A Bloom filter with one word per id: "no" is certain, "yes" is not."""

    def __init__(self, words: Unsigned64) -> None:
        self.words = words

    @classmethod
    def for_number(cls, number: int) -> "Filter":
        """Return an empty filter for a number of ids."""
        return cls(np.zeros(number * FILTER_BITS // 64 + 1, np.uint64))

    def add(self, entries: Entries) -> None:
        """Add sorted entries."""
        words = _words(entries["high"].astype(np.uint64), len(self.words))
        masks = _masks(entries["low"].astype(np.uint64))
        starts = np.flatnonzero(np.r_[True, words[1:] != words[:-1]])
        self.words[words[starts]] |= np.bitwise_or.reduceat(masks, starts)

    def may_have(self, wanted: Wanted) -> NDArray[np.intp]:
        """Return the places of ids that may be in the run."""
        words = self.words[_words(wanted.high, len(self.words))]
        return np.flatnonzero(words & wanted.masks == wanted.masks)


def merge(runs: list[Iterator[Entries]], slices: int) -> Iterator[Entries]:
    """Merge sorted runs that arrive in pieces, one slice of all possible ids at a time."""
    rest = [np.empty(0, ENTRY) for _ in runs]
    for number in range(1, slices + 1):
        is_last = number == slices
        end = np.uint64((1 << 64) * number // slices - is_last)
        parts = []
        for place, run in enumerate(runs):
            part, rest[place] = _take_below(rest[place], run, end, is_last=is_last)
            parts.append(part)
        yield sort_entries(_join(parts))


def _take_below(
    rest: Entries, run: Iterator[Entries], end: np.uint64, *, is_last: bool
) -> tuple[Entries, Entries]:
    """Read on until the ids reach `end`; return what is below and what is left over."""
    parts = [rest]
    while not len(parts[-1]) or is_last or parts[-1]["high"][-1] < end:
        piece = next(run, None)
        if piece is None:
            break
        parts.append(piece)
    entries = _join(parts)
    if is_last:
        return entries, entries[:0]
    cut = int(np.searchsorted(entries["high"].astype(np.uint64), end))
    return entries[:cut], entries[cut:]


def blocks_of(pieces: Iterable[Entries]) -> Iterator[Entries]:
    """Cut sorted pieces into full blocks; only the last may be shorter."""
    rest = np.empty(0, ENTRY)
    for piece in pieces:
        rest = _join([rest, piece])
        full = len(rest) // BLOCK * BLOCK
        for start in range(0, full, BLOCK):
            yield rest[start : start + BLOCK]
        rest = rest[full:]
    if len(rest):
        yield rest


def _join(parts: list[Entries]) -> Entries:
    """Join entries; without a given type, numpy would swap their bytes."""
    return np.concatenate(parts, dtype=ENTRY)
