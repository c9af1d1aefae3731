"""Texts as the numbers of their terms: what a term is, telusur.language says; its number is a hash.

A word met before is looked up as it is written, so that most texts need no analysis at all.
"""

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from telusur.language.analysis import CACHED_WORDS, LONGEST_TERM, terms
from telusur.language.words import find_words

BUCKETS = 1 << 17
_MARK = "zqxzqjzq"
"""A word of no language, put between texts."""
_NOTHING, _MARKED = -1, -2
"""In place of a number: the word is no term; it stands between texts."""

Ints = NDArray[np.int32]


class _Buckets(dict[str, int]):
    """The number that each term is known by, bounded."""

    def __missing__(self, term: str) -> int:
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[term] = bucket = zlib.crc32(term.encode("utf-8", "replace")) % BUCKETS
        return bucket


_buckets = _Buckets()


def bucket_of(term: str) -> int:
    """Return the number a term is known by: the same on every machine."""
    return _buckets[term]


def buckets_of(found: Iterable[str], count: int) -> Ints:
    """Return the numbers of so many terms."""
    return np.fromiter(map(_buckets.__getitem__, found), np.int32, count)


class WordNumbers(dict[str, int]):
    """The number of each word of a language as it is written; below `_MARKED`, it has several."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._several: list[list[int]] = []
        self._forget()

    def _forget(self) -> None:
        self.clear()
        self._several.clear()
        self[_MARK] = _MARKED

    def __missing__(self, word: str) -> int:
        found = [bucket_of(term) for term in terms(word, self._language)]
        if len(found) <= 1:
            number = found[0] if found else _NOTHING
        else:
            self._several.append(found)
            number = _MARKED - len(self._several)
        if len(word) <= LONGEST_TERM:
            self[word] = number
        return number

    def read(self, texts: Sequence[str]) -> Ints:
        """Return the numbers of texts one after the other, with marks between."""
        if len(self) >= CACHED_WORDS:
            self._forget()
        words = find_words(f" {_MARK} ".join(texts))
        numbers = np.fromiter(map(self.__getitem__, words), np.int32, len(words))
        if len(numbers) and numbers.min() < _MARKED:
            return self._spread(numbers)
        return numbers

    def _spread(self, numbers: Ints) -> Ints:
        """Put the numbers of words that are several terms in their places."""
        spread: list[int] = []
        for number in numbers.tolist():
            spread += self._several[_MARKED - 1 - number] if number < _MARKED else (number,)
        return np.array(spread, np.int32)


@lru_cache(maxsize=16)
def _words_of(language: str) -> WordNumbers:
    return WordNumbers(language)


def first_terms(texts: Sequence[str], most: Sequence[int], language: str) -> tuple[Ints, Ints]:
    """Return the first terms of each text, at most so many; and how many each has.

    Texts are read together, which is several times faster.
    """
    numbers = _words_of(language).read(texts)
    is_mark = numbers == _MARKED
    if np.count_nonzero(is_mark) != max(0, len(texts) - 1):  # somebody writes our mark
        return first_terms([text.replace(_MARK, " ") for text in texts], most, language)
    text_at = np.cumsum(is_mark)
    is_term = numbers >= 0
    place = np.cumsum(is_term)
    before = np.concatenate([[0], place[is_mark]])
    is_kept = is_term & (place - before[text_at] <= np.asarray(most)[text_at])
    lengths = np.bincount(text_at[is_kept], minlength=len(texts))
    return numbers[is_kept], lengths.astype(np.int32)
