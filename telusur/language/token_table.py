"""The positions of the terms of a text, packed: made once at indexing, used for snippets.

A table holds for each token the hash of its term (4 bytes of 7 bits), its distance from the token
before (1 byte) and its length (1 byte). A distance too large for a byte is bridged by tokens
without a term. That is six bytes per word, all below 128: an index reads ASCII text in a third of
the time of bytes.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.language.analysis import joined_terms, tokens
from telusur.language.places import locate_terms

# The hash of a token that bridges a gap; no term has it.
NO_TERM = 0
_BYTES_A_TOKEN = 6
_FURTHEST = 127
_SEVEN_BITS = np.uint32(0x7F7F7F7F)
_LONGEST_TERM_BYTES = 256

Hashes = NDArray[np.uint32]
Places = NDArray[np.int64]


class TokenTable(NamedTuple):
    """The tokens of a text: hashes of their terms, and where they start and end, in characters."""

    hashes: Hashes
    starts: Places
    ends: Places


def pack_tokens(text: str, language: str, joined: str | None = None) -> str:
    """Return the table of a text; `joined` are its `joined_terms`, if the caller has them."""
    if joined is None:
        joined = joined_terms(text, language)
    places = locate_terms(text)
    hashes = hash_terms(joined)
    if places is None or len(places[0]) != len(hashes):
        places, hashes = _one_by_one(text, language)
    return _pack(hashes, *places)


def unpack_tokens(packed: str) -> TokenTable:
    """Return the table as arrays; an invalid text gives an empty one."""
    table = packed.encode("ascii", "replace")
    count, rest = divmod(len(table), _BYTES_A_TOKEN)
    if rest:
        count, table = 0, b""
    hashes = np.frombuffer(table, "<u4", count)
    steps = np.frombuffer(table, np.uint8, count, 4 * count)
    starts = np.cumsum(steps, dtype=np.int64)
    return TokenTable(hashes, starts, starts + np.frombuffer(table, np.uint8, count, 5 * count))


def hash_terms(joined: str) -> Hashes:
    """Return the hash of each of the terms of a string, the same on every machine."""
    if "  " in joined or joined.strip(" ") != joined:  # a word without a term left a gap
        joined = " ".join(joined.split())
    data = np.frombuffer(joined.encode("utf-8", "surrogatepass"), np.uint8)
    if not len(data):
        return np.zeros(0, np.uint32)
    starts = np.concatenate(([0], np.flatnonzero(data == ord(" ")) + 1))
    sizes = np.diff(starts, append=len(data))
    place_in_term = np.arange(len(data)) - np.repeat(starts, sizes)
    mixed = _OF_BYTE[data] * _OF_PLACE[place_in_term & (_LONGEST_TERM_BYTES - 1)]
    sums = np.add.reduceat(mixed, starts) * _LAST_STIR
    hashes: Hashes = np.maximum((sums >> np.uint64(32)).astype(np.uint32) & _SEVEN_BITS, 1)
    return hashes


@lru_cache(maxsize=4096)
def hash_term(term: str) -> int:
    """Return the hash of one term."""
    if not term or " " in term:
        hashes = hash_terms(term)
        return int(hashes[0]) if len(hashes) else NO_TERM
    # The same with Python integers: for a few letters numpy takes a hundred times as long.
    data = term.encode("utf-8", "surrogatepass")
    total = sum(_BYTES[byte] * _PLACES[at & 255] for at, byte in enumerate(data)) * _STIR
    return max((total & 0xFFFFFFFFFFFFFFFF) >> 32 & int(_SEVEN_BITS), 1)


def _pack(hashes: Hashes, starts: Places, lengths: Places) -> str:
    steps = np.diff(starts, prepend=0)
    if len(steps) and steps.max() > _FURTHEST:
        bridges = np.maximum(steps - 1, 0) // _FURTHEST
        at = np.repeat(np.arange(len(steps)), bridges)
        hashes = np.insert(hashes, at, NO_TERM)
        lengths = np.insert(lengths, at, 0)
        steps = np.insert(steps - bridges * _FURTHEST, at, _FURTHEST)
    lengths = np.minimum(lengths, _FURTHEST)
    table = b"".join(
        (
            hashes.astype("<u4", copy=False).tobytes(),
            steps.astype(np.uint8).tobytes(),
            lengths.astype(np.uint8).tobytes(),
        )
    )
    return table.decode("ascii")


def _one_by_one(text: str, language: str) -> tuple[tuple[Places, Places], Hashes]:
    """Return positions and hashes for texts in which a word may be any number of terms."""
    found = tokens(text, language, keep_stop_words=True)
    starts = np.array([token.start for token in found], np.int64)
    ends = np.array([token.end for token in found], np.int64)
    return (starts, ends - starts), hash_terms(" ".join(token.term for token in found))


def _scattered(count: int, seed: int) -> NDArray[np.uint64]:
    """Return odd numbers that look random, by the steps of splitmix64."""
    state = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state += np.uint64(seed)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        state = (state ^ (state >> np.uint64(shift))) * np.uint64(factor)
    return (state ^ (state >> np.uint64(31))) | np.uint64(1)


_OF_BYTE = _scattered(256, 1)
_OF_BYTE[ord(" ")] = 0
_OF_PLACE = _scattered(_LONGEST_TERM_BYTES, 2)
_LAST_STIR = np.uint64(0x9E3779B97F4A7C15)
_BYTES: list[int]
_PLACES: list[int]
_BYTES, _PLACES, _STIR = _OF_BYTE.tolist(), _OF_PLACE.tolist(), int(_LAST_STIR)
# What hashes are made of, for the compiled part.
SCATTER = np.concatenate((_OF_BYTE, _OF_PLACE, [_LAST_STIR])).astype(np.uint64).tobytes()
