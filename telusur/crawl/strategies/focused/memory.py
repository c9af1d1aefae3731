"""The pages that `focused` remembers: their terms, in arrays that grow at their end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Doubles, Floats, Ints32
from telusur.crawl.strategies.focused.sight import Sight
from telusur.crawl.strategies.focused.terms import BUCKETS

# This many relevant pages are enough to distinguish them from the others.
ENOUGH = 5.0


class Column:
    """An array that grows at its end and is cut at its beginning."""

    def __init__(self, kind: type, width: int | None = None) -> None:
        self._room: NDArray[Any] = np.zeros(256 if width is None else (256, width), kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, values: Any, count: int) -> None:
        """Append `count` values."""
        end = self._size + count
        if end > len(self._room):
            more = np.zeros((max(end, 256), *self._room.shape[1:]), self._room.dtype)
            self._room = np.concatenate([self.values, more])
        self._room[self._size : end] = values
        self._size = end

    def drop(self, count: int) -> None:
        """Remove the first `count` values."""
        self._room = self._room[count : self._size].copy()
        self._size = len(self._room)

    @property
    def values(self) -> NDArray[Any]:
        """Return the values, not a copy."""
        return self._room[: self._size]


class TopicVocabulary:
    """Numbers terms in the order of their first use, so that tables are no larger than needed."""

    def __init__(self) -> None:
        self._number_of: Ints32 = np.full(BUCKETS, -1, np.int32)
        self.size = 0

    def numbers(self, buckets: Ints32) -> Ints32:
        """Return the numbers of terms, new ones at the end."""
        numbers = self._number_of[buckets]
        if len(numbers) and numbers.min() < 0:
            new = buckets[numbers < 0]  # a term that occurs twice leaves a number unused
            self._number_of[new] = np.arange(self.size, self.size + len(new), dtype=np.int32)
            self.size += len(new)
            numbers = self._number_of[buckets]
        return numbers

    def read(self, sight: Sight) -> Sight:
        """Return the sight of a page in the numbers of this vocabulary."""
        parts = (sight.terms, sight.anchors, sight.arounds)
        numbers = self.numbers(np.concatenate(parts))
        second, third = len(sight.terms), len(sight.terms) + len(sight.anchors)
        return sight._replace(
            terms=numbers[:second], anchors=numbers[second:third], arounds=numbers[third:]
        )


@dataclass(slots=True, eq=False)
class SeenPage:
    """A fetched page: its terms, its links, and what is known about its relevance."""

    number: int
    url_id: bytes
    sight: Sight
    # The url_ids of its links, concatenated.
    targets: bytes
    # 1 or 0 if the user said so.
    label: float = float("nan")
    # What was known about it before it was fetched. With labels there are twice as many numbers:
    # first for the learner with labels, then for the one without.
    evidence: Floats | None = None


class Texts(NamedTuple):
    """The terms of several pages."""

    terms: Ints32
    # 1 + log of the frequency of each term on its page.
    weights: Floats
    # How many terms each page has.
    sizes: Ints32
    # How strongly each page matches the topic's words.
    asked: Doubles
    # What the user said about each page: 1, 0, or nothing.
    labels: Doubles


def texts_of(sights: Sequence[Sight]) -> Texts:
    """Return the terms of pages without labels."""
    return Texts(
        np.concatenate([sight.terms for sight in sights]),
        np.concatenate([sight.weights for sight in sights]),
        np.array([len(sight.terms) for sight in sights], np.int32),
        np.array([sight.asked for sight in sights]),
        np.full(len(sights), np.nan),
    )


def settle(labels: Doubles, guesses: Doubles) -> Doubles:
    """Return how relevant pages are: the user's label, otherwise the guess.

    While hardly any relevant page is known, a page labelled bad still counts as guessed, and less
    so as more become known: bad pages alone do not lead to good ones.
    """
    stated = np.where(np.isnan(labels), guesses, labels)
    return np.where(labels == 0.0, (1.0 - knowledge(stated)) * guesses, stated)


def knowledge(outcomes: Doubles) -> float:
    """Return how much is known about relevant pages: 1 when there are enough of them."""
    return min(1.0, float(outcomes.sum()) / ENOUGH)


class Memory:
    """The terms of the pages in order, and the estimated relevance of each."""

    def __init__(self, vocabulary: TopicVocabulary) -> None:
        self.vocabulary = vocabulary
        self._terms, self._weights = Column(np.int32), Column(np.float32)
        self._sizes, self._asked = Column(np.int32), Column(np.float64)
        self._labels, self._guesses = Column(np.float64), Column(np.float64)

    def __len__(self) -> int:
        return len(self._sizes)

    def add(self, sights: Sequence[Sight], labels: Doubles, guesses: Doubles | float = 0.0) -> None:
        """Remember more pages, in the numbers of the vocabulary."""
        texts = texts_of(sights)
        self._terms.add(texts.terms, len(texts.terms))
        self._weights.add(texts.weights, len(texts.terms))
        self._sizes.add(texts.sizes, len(sights))
        self._asked.add(texts.asked, len(sights))
        self._labels.add(labels, len(sights))
        self._guesses.add(guesses, len(sights))

    def forget(self, pages: int) -> None:
        """Forget the first pages."""
        terms = int(self._sizes.values[:pages].sum())
        self._terms.drop(terms)
        self._weights.drop(terms)
        for column in (self._sizes, self._asked, self._labels, self._guesses):
            column.drop(pages)

    @property
    def texts(self) -> Texts:
        """Return the terms of the pages."""
        return Texts(
            self._terms.values, self._weights.values, self._sizes.values, self._asked.values,
            self._labels.values,
        )  # fmt: skip

    @property
    def guesses(self) -> Doubles:
        """Return the estimated relevance of each page; may be written to."""
        return self._guesses.values

    @property
    def outcomes(self) -> Doubles:
        """Return how relevant each page is; see `settle`."""
        return settle(self._labels.values, self.guesses)

    @property
    def told(self) -> float:
        """Return how reliable the labels are, 0 to 1: all pages have one, and enough are good."""
        labels = self._labels.values
        is_told = ~np.isnan(labels)
        return float(is_told.mean()) * knowledge(labels[is_told]) if len(labels) else 0.0
