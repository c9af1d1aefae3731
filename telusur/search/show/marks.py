"""Where a query's words stand in a text, by its token table: the text is not analysed again."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from telusur.language.exact import exact_terms
from telusur.language.token_table import TokenTable

# Places considered of one word: a page that repeats it ten thousand times must not cost a second.
MOST_PLACES = 200


class Mark(NamedTuple):
    """Where a word stands, and the number of that word in the query."""

    start: int
    end: int
    word: int


@dataclass(slots=True, frozen=True)
class SoughtWord:
    """A word or phrase of the query, in all its forms, and how much it is worth to show it."""

    runs: tuple[tuple[int, ...], ...] = ()
    """Hashes of terms that stand side by side."""
    exact: frozenset[tuple[str, ...]] = frozenset()
    """If there are any, the run must be written as one of these."""
    weight: float = 1.0
    part_of: frozenset[tuple[str, ...]] = frozenset()
    """A word of this phrase, to be marked only where the phrase is not."""


def find_marks(
    text: str, table: TokenTable, words: Iterable[SoughtWord], language: str
) -> list[Mark]:
    """Return where words stand in a text, in order."""
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
    """Return start and end of each place where the terms of a run stand side by side."""
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
