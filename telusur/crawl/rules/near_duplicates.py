"""Near-duplicates: a short signature of a text, and the similarity of two signatures.

A signature is a MinHash made in one pass (one permutation hashing). The text is cut into runs of 16
bytes, each starting with a word and about three words long. The hash of each run falls into one of
128 bins, and one byte of the smallest hash of each bin is kept. The share of equal bins of two
texts is about the share of their equal runs. With numpy it costs about as much as `text.split()`,
compiled a quarter of that.
"""

import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from telusur.language.compiled import native

BINS = 128
BANDS = 8
# The share of equal runs from which two texts with the same title are near-duplicates.
THRESHOLD = 0.9
# Shorter texts share much by chance; only exact copies of them are duplicates.
LEAST_WORDS = 50
MOST_BYTES = 256 * 1024
_RUN_BYTES = 16
_BLANK = 0x20
# A text with fewer spaces per character has none between its words: its runs start at each
# character.
_LEAST_BLANKS = 0.05
_BYTES_OF_UNSPACED_WORD = 6
_BIN_SHIFT = np.uint32(32 - 7)
_HALF = np.uint64(32)
_FIRST, _SECOND, _MIX = (
    np.uint64(number) for number in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93)
)
_FIRST_INT, _SECOND_INT, _MIX_INT = int(_FIRST), int(_SECOND), int(_MIX)
_ALL_BITS = 2**64 - 1
_WORDS = struct.Struct(f"{2 * BANDS}Q")
_ODD = np.uint32(1)  # so that the byte 0 means an empty bin
_NOTHING = np.full(BINS, 0xFFFFFF00, np.uint32)
_PADDING = b" " * (_RUN_BYTES + 8)

Signatures = npt.NDArray[np.uint8]


def signature(text: str) -> bytes:
    """Return 128 bytes, similar for similar texts; empty for a text that is too short."""
    data = text[:MOST_BYTES].encode("utf-8", "replace")[:MOST_BYTES]
    if native is not None:
        made: bytes = native.signature(data)
        return made
    starts = _starts(data)
    if starts is None:
        return b""
    data += _PADDING
    # All runs of 8 bytes; two consecutive ones make a run of 16.
    runs = np.ascontiguousarray(np.ndarray((len(data) - 7,), np.uint64, data, 0, (1,)))
    mixed = runs.take(starts) * _FIRST
    starts += 8
    mixed += runs.take(starts) * _SECOND
    mixed ^= mixed >> _HALF
    mixed *= _MIX
    mixed >>= _HALF
    hashes = mixed.astype(np.uint32)
    hashes |= _ODD
    smallest = _NOTHING.copy()
    np.minimum.at(smallest, hashes >> _BIN_SHIFT, hashes)
    return smallest.astype(np.uint8).tobytes()


def _starts(data: bytes) -> Any:
    """Return where the runs begin, or None when there are too few."""
    letters = np.frombuffer(data, np.uint8)
    starts = (letters <= _BLANK).nonzero()[0]
    if len(starts) >= _LEAST_BLANKS * len(data):
        starts += 1
        return starts if len(starts) >= LEAST_WORDS else None
    if len(data) < LEAST_WORDS * _BYTES_OF_UNSPACED_WORD:
        return None
    return ((letters & 0xC0) != 0x80).nonzero()[0]  # the first byte of each character


def similarity(one: bytes, other: bytes) -> float:
    """Return the share of runs that two texts have in common, by their signatures."""
    if len(one) != BINS or len(other) != BINS:
        return 0.0
    a, b = np.frombuffer(one, np.uint8), np.frombuffer(other, np.uint8)
    filled = (a | b) != 0
    return float(np.count_nonzero((a == b) & filled)) / max(1, int(np.count_nonzero(filled)))


def bands(signature: bytes) -> list[int]:
    """Return keys of 64 bits; near-duplicates are likely to share one."""
    # For one signature numpy takes several times as long.
    words = iter(_WORDS.unpack(signature))
    return [_key_of(one, other) for one, other in zip(words, words, strict=True)]


def _key_of(one: int, other: int) -> int:
    key = (one * _FIRST_INT + other * _SECOND_INT) & _ALL_BITS
    return ((key ^ key >> 32) * _MIX_INT) & _ALL_BITS


def band_keys(signatures: Signatures) -> npt.NDArray[np.uint64]:
    """Return the keys of many signatures, one row each.

    A key covers 16 bins. Texts with similarity 0.95 share one of the eight keys with a probability
    of 99 %, 0.9 with 80 %, 0.8 with 20 %.
    """
    words = signatures.view(np.uint64).reshape(len(signatures), BANDS, 2)
    keys: npt.NDArray[np.uint64] = words[:, :, 0] * _FIRST + words[:, :, 1] * _SECOND
    keys ^= keys >> _HALF
    keys *= _MIX
    return keys
