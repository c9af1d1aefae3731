"""The words of names and short lines that a model knows, and which of them a page has."""

import re
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from telusur.arrays import Ints, Ints32
from telusur.extract.compiled import native
from telusur.extract.content.element_names import MOST_NAMES, Names, single_names, words_of

# Concatenated bags of distinct word numbers, each starting with a zero; and where they begin.
Bags = tuple[Ints, Ints]
LONGEST = 80  # characters; only the words of short lines are used
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 10


class Vocabulary:
    """The words that a model knows, each with its number from 1 on."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers = numbers
        self._lexicon = None if native is None else native.Lexicon(numbers)

    def __reduce__(self) -> tuple[type["Vocabulary"], tuple[dict[str, int]]]:
        """Pickle only the words; the compiled part is rebuilt in the parser process."""
        return Vocabulary, (self.numbers,)

    def of_containers(self, names: list[Names], members: Ints32, members_at: Ints32) -> Bags:
        """Return for each container the word numbers of all its elements."""
        if self._lexicon is not None:
            return _as_arrays(*native.join_bags(members_at, members, *self.of_names(names)))
        of_names = [self._known(words_of_element(each)) for each in names]
        starts = [*members_at.tolist(), len(members)]
        numbers = members.tolist()
        return _number(
            (number for name in numbers[start:end] for number in of_names[name])
            for start, end in pairwise(starts)
        )

    def of_names(self, names: list[Names]) -> tuple[bytes, bytes]:
        """Return the numbers of the words of each of these names, for the compiled part."""
        bags: tuple[bytes, bytes] = self._lexicon.name_bags(names)  # type: ignore[union-attr]
        return bags

    def of_lines(self, texts: list[str], marks: list[str]) -> Bags:
        """Return for each line the numbers of its words, if it is short, and of its marks."""
        if self._lexicon is not None:
            return _as_arrays(*self._lexicon.line_bags(texts, LONGEST, _MOST_WORDS, marks))
        return _number(
            self._known((*first_words(text), *words_of_marks(mark)))
            for text, mark in zip(texts, marks, strict=True)
        )

    def _known(self, words: Iterable[str]) -> tuple[int, ...]:
        numbers = map(self.numbers.get, words)
        return tuple(number for number in numbers if number is not None)


def first_words(text: str) -> list[str]:
    """Return the first words of a short text in lower case; of a long one none."""
    return _WORD.findall(text.lower())[:_MOST_WORDS] if len(text) <= LONGEST else []


def words_of_element(element: Names) -> list[str]:
    """Return an element's tag and the words of its names, as the vocabulary writes them."""
    names = single_names(element)
    return [f"<{element[0]}", *(f".{word}" for name in names for word in words_of(name))]


def words_of_marks(marks: str) -> list[str]:
    """Return the words of the marks in a line, as the vocabulary writes them."""
    names = marks.split(None, MOST_NAMES)[:MOST_NAMES]
    return [f"~{word}" for name in names for word in words_of(name)]


def _number(bags: Iterable[Iterable[int]]) -> Bags:
    """Return all numbers in a row, each bag after a zero, and where the bags begin."""
    flat: list[int] = []
    at: list[int] = []
    for bag in bags:
        at.append(len(flat))
        flat.append(0)
        flat += dict.fromkeys(bag)
    return np.array(flat, np.int64), np.array(at, np.int64)


def _as_arrays(ids: bytes, at: bytes) -> Bags:
    return np.frombuffer(ids, np.int64), np.frombuffer(at, np.int64)
