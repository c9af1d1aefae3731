"""Where the terms of a text start and how long they are, found for all of them at once by numpy.

It repeats how `words` and `analysis` split a text, and returns None for the few texts in which
normalising makes more or fewer terms of a word than its characters suggest.
"""

import numpy as np
from numpy.typing import NDArray

from telusur.language.characters import (
    OUTSIDE,
    PAIRED,
    PAIRED_GLUE,
    PLAIN,
    PLAIN_GLUE,
    UNRULY,
    kinds_in,
)

_WITHOUT_GLUE = np.arange(UNRULY + 1, dtype=np.uint8)
_WITHOUT_GLUE[PLAIN_GLUE] = PLAIN
_WITHOUT_GLUE[PAIRED_GLUE] = PAIRED
_MOST_MARKS_IN_A_ROW = 8

Places = NDArray[np.int64]


def locate_terms(text: str) -> tuple[Places, Places] | None:
    """Return where each term starts, and its length, or None for texts that need a closer look."""
    kinds = np.zeros(len(text) + 2, np.uint8)
    if text.isascii():
        kinds[1:-1] = _ASCII_KINDS[np.frombuffer(text.encode("ascii"), np.uint8)]
    else:
        kinds[1:-1] = kinds_in(text)
    most = kinds.max()
    if most >= PLAIN_GLUE:
        if most == UNRULY or not _drop_glue_in_front(kinds):
            return None
        kinds = _WITHOUT_GLUE[kinds]
        most = kinds.max()
    edges = np.flatnonzero(kinds[1:] != kinds[:-1])
    if most <= PLAIN:
        return edges[::2], edges[1::2] - edges[::2]
    starts, lengths, kind = edges[:-1], np.diff(edges), kinds[1:][edges[:-1]]
    pieces = kind != OUTSIDE
    return _pairs(starts[pieces], lengths[pieces], kind[pieces] == PAIRED)


def _drop_glue_in_front(kinds: NDArray[np.uint8]) -> bool:
    """Mark as outside the marks that follow no letter, as in emoji; False if there is no end."""
    for _ in range(_MOST_MARKS_IN_A_ROW):
        in_front = np.flatnonzero((kinds[1:] >= PLAIN_GLUE) & (kinds[:-1] == OUTSIDE))
        if not len(in_front):
            return True
        kinds[in_front + 1] = OUTSIDE
    return False


def _pairs(starts: Places, lengths: Places, is_paired: NDArray[np.bool_]) -> tuple[Places, Places]:
    """Return the places with each paired piece replaced by its overlapping pairs."""
    counts = np.where(is_paired, np.maximum(lengths - 1, 1), 1)
    firsts = np.cumsum(counts) - counts
    within = np.arange(counts.sum()) - np.repeat(firsts, counts)
    lengths = np.where(is_paired, np.minimum(lengths, 2), lengths)
    return np.repeat(starts, counts) + within, np.repeat(lengths, counts)


_ASCII_KINDS = np.array(
    [PLAIN if chr(code).isalnum() else OUTSIDE for code in range(128)], np.uint8
)
