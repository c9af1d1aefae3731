"""Texts as the numbers of their terms: hashes, of which some terms share one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.language.term_hashes import ALL, hash_texts
from telusur.language.token_table import Hashes, hash_term

BUCKETS = 1 << 17

Ints = NDArray[np.int32]

_FIRST_AT: Ints = np.zeros(BUCKETS, np.int32)
"""Room where each text notes where a term stands first; none reads what another wrote."""


def buckets_of(hashes: Hashes) -> Ints:
    """Return the numbers of terms: 17 of the 28 bits of their hashes, of which a byte has seven."""
    low, middle, high = hashes & 0x7F, hashes >> 1 & 0x3F80, hashes >> 2 & 0x1C000
    return (low | middle | high).astype(np.int32)


def bucket_of(term: str) -> int:
    """Return the number a term is known by: the same on every machine."""
    return int(buckets_of(np.array([hash_term(term)], np.uint32))[0])


def first_terms(texts: Sequence[str], language: str, most: int = ALL) -> tuple[Ints, Ints]:
    """Return the first terms of each text, at most so many; and how many each has."""
    hashes, lengths = hash_texts(texts, language, most)
    return buckets_of(hashes), lengths


def count_terms(numbers: Ints) -> tuple[Ints, Ints]:
    """Return each term once, in the order of the text, and how often it is there."""
    places = np.arange(len(numbers), dtype=np.int32)
    _FIRST_AT[numbers[::-1]] = places[::-1]
    first = _FIRST_AT[numbers]
    is_first = first == places
    counts = np.bincount(first, minlength=len(numbers))
    return numbers[is_first], counts[is_first].astype(np.int32)
