"""Texts as numbers of their terms: hashes, which may collide."""

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote

import numpy as np

from telusur.arrays import Ints32
from telusur.language.term_hashes import ALL, hash_texts
from telusur.language.token_table import Hashes, hash_term
from telusur.models import Link

BUCKETS = 1 << 17
_LONGEST_ENDING = 5
_WORDS = re.compile(r"[^\W\d_]{2,}")


# Scratch space for the first position of each term of a text; each text overwrites what it reads.
_FIRST_AT: Ints32 = np.zeros(BUCKETS, np.int32)


def buckets_of(hashes: Hashes) -> Ints32:
    """Return the numbers of terms: 17 of the 28 bits of their hashes, of which a byte has seven."""
    low, middle, high = hashes & 0x7F, hashes >> 1 & 0x3F80, hashes >> 2 & 0x1C000
    return (low | middle | high).astype(np.int32)


def bucket_of(term: str) -> int:
    """Return the number a term is known by: the same on every machine."""
    return int(buckets_of(np.array([hash_term(term)], np.uint32))[0])


def first_terms(texts: Sequence[str], language: str, most: int = ALL) -> tuple[Ints32, Ints32]:
    """Return the first terms of each text, at most `most`, and how many each has."""
    hashes, lengths = hash_texts(texts, language, most)
    return buckets_of(hashes), lengths


def count_terms(numbers: Ints32) -> tuple[Ints32, Ints32]:
    """Return each term once, in the order of the text, and its frequency."""
    places = np.arange(len(numbers), dtype=np.int32)
    _FIRST_AT[numbers[::-1]] = places[::-1]
    first = _FIRST_AT[numbers]
    is_first = first == places
    counts = np.bincount(first, minlength=len(numbers))
    return numbers[is_first], counts[is_first].astype(np.int32)


def link_text(link: Link) -> str:
    """Return the text of a link, and the words in the last part of its address that it lacks."""
    return _link_text(link.url, link.anchor)


@lru_cache(maxsize=20_000)
def _link_text(url: str, anchor: str) -> str:
    said = anchor.lower()
    more = [word for word in _name_of(url) if word not in said]
    return f"{anchor} {' '.join(more)}" if more else anchor


def _name_of(url: str) -> list[str]:
    """Return the words of the last part of an address, without its extension.

    A single word is ignored: it is often an identifier, and new on every link.
    """
    path = url.partition("?")[0].split("/", 3)[3:]
    if not path or not path[0]:
        return []
    name = path[0].rstrip("/").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    name = stem if dot and len(ending) <= _LONGEST_ENDING else name
    words = _WORDS.findall((unquote(name) if "%" in name else name).lower())
    return words if len(words) > 1 else []
