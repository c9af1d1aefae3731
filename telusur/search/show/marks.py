"""Finds the words of a query in a text by its token table, without analysing the text again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from telusur.language.exact import exact_terms
from telusur.language.token_table import TokenTable, hash_term

# The most occurrences of one word that are examined: a page may repeat it ten thousand times.
MOST_PLACES = 200


class Mark(NamedTuple):
    """The position of a word, and its number in the query."""

    start: int
    end: int
    word: int


@dataclass(slots=True, frozen=True)
class SoughtWord:
    """A word or phrase of the query, in all its forms, and its weight for snippets."""

    # Hashes of terms that must be side by side.
    runs: tuple[tuple[int, ...], ...] = ()
    # If there are any, the run must be written as one of these.
    exact: frozenset[tuple[str, ...]] = frozenset()
    weight: float = 1.0
    # A word of this phrase, to be marked only where the phrase is not.
    part_of: frozenset[tuple[str, ...]] = frozenset()
    # The first two letters of each term; none if unknown.
    beginnings: frozenset[str] = frozenset()

    @classmethod
    def of(cls, runs: Iterable[Sequence[str]], weight: float = 1.0) -> "SoughtWord":
        """Return a word that is found by its terms, in any of these runs."""
        known = tuple(runs)
        hashes = tuple([tuple(map(hash_term, run)) for run in known])
        beginnings = frozenset([term[:2] for run in known for term in run])
        return cls(hashes, weight=weight, beginnings=beginnings)


def find_marks(
    text: str, table: TokenTable, words: Iterable[SoughtWord], language: str
) -> list[Mark]:
    """Return the positions of words in a text, in order."""
    marks: list[Mark] = []
    phrases_found: set[frozenset[tuple[str, ...]]] = set()
    for number, word in enumerate(words):
        if word.part_of in phrases_found:
            continue
        before = len(marks)
        spans = [span for run in word.runs for span in _places_of(run, table)]
        if word.exact:
            spans = [span for span in spans if _is_written(text, span, word.exact, language)]
        marks += [Mark(*span, number) for span in spans]
        if word.exact and len(marks) > before:
            phrases_found.add(word.exact)
    marks.sort()
    return marks


def _places_of(run: tuple[int, ...], table: TokenTable) -> list[tuple[int, int]]:
    """Return start and end of each place where the terms of a run are side by side."""
    hashes, starts, ends = table
    found = hashes == run[0]
    for step, wanted in enumerate(run[1:], 1):
        found[:-step] &= hashes[step:] == wanted
        found[-step:] = False
    places = np.flatnonzero(found)[:MOST_PLACES]
    if not len(places):
        return []
    last = ends[places + (len(run) - 1)]
    return list(zip(starts[places].tolist(), last.tolist(), strict=True))


def _is_written(
    text: str, span: tuple[int, int], forms: frozenset[tuple[str, ...]], language: str
) -> bool:
    return tuple(exact_terms(text[span[0] : span[1]], language)) in forms
