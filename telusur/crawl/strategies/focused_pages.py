"""Which of the pages seen are about the topic: a guess that corrects itself as the crawl goes on.

1. At first a page is likely to be relevant if the topic's words stand in its title, at its
   beginning, or often in its text (`Sight.asked`).
2. Terms are weighed by how much more often likely pages have them than the others: naive Bayes.
3. Both together give a better guess for each page, and 2. is repeated.

What the user said about a page stands, and teaches the weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.focused_sight import BUCKETS, Floats, Ints, Sight

Doubles = NDArray[np.float64]

ROUNDS = 3
FROM_WORDS = 1.5
FROM_TERMS = 1.5
BIAS = -1.05
"""The guess is the logistic of these two times how far a page is above the mean, and this."""
_LEAST_SPREAD = 0.3
_PRIOR_PAGES = 2.0
"""So many pages of the usual mix are added to each side before frequencies are compared."""
_KNOWN_FROM = 3.0
"""A term counts in full from so many pages on."""
_QUERY_WEIGHT = 2.0
"""A word of the topic never weighs less."""


@dataclass(slots=True, eq=False)
class SeenPage:
    """A page that was fetched: what it showed, where it leads, and what is thought of it."""

    number: int
    url_id: bytes
    sight: Sight
    targets: bytes
    """The url_ids of its links, one after the other."""
    label: float = float("nan")
    """1 or 0 if the user said so."""
    evidence: Floats | None = None
    """What was known about it before it was fetched; None of a start URL."""
    guess: float = 0.0


def logistic(values: Doubles) -> Doubles:
    """Return the logistic function of each value."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0))))


def sums_of_runs(values: NDArray[np.generic], lengths: Ints) -> Doubles:
    """Return the sums of runs of values that stand one after the other."""
    totals = np.concatenate([[0.0], np.cumsum(values, dtype=np.float64)])
    ends = np.cumsum(lengths)
    return np.asarray(totals[ends] - totals[ends - lengths])


class PageModel:
    """What makes a page relevant, as far as it is known."""

    def __init__(self, asked_terms: Sequence[int], given: Sequence[Sight] = ()) -> None:
        """`asked_terms` are the topic's; `given` are pages that are relevant for certain."""
        self._asked = np.array(sorted(asked_terms), np.int64)
        self._given = list(given)
        self.term_weights: Doubles = np.zeros(BUCKETS)
        self.rarity: Doubles = np.ones(BUCKETS)
        self.pages_with: Doubles = np.zeros(BUCKETS)
        self._mentions: Doubles = np.zeros(BUCKETS)
        self._met: NDArray[np.intp] = np.zeros(0, np.intp)
        self._means = np.zeros(2)
        self._spreads = np.ones(2)
        self.term_weights[self._asked] = 1.5 * _QUERY_WEIGHT

    def fit(self, pages: Sequence[SeenPage]) -> None:
        """Learn from all pages, and correct what is thought of each.

        It begins anew from the topic's words each time, so that early mistakes do not last.
        """
        seen = _Seen([page.sight for page in pages] + self._given)
        labels = np.array([page.label for page in pages] + [1.0] * len(self._given))
        self._count_terms(seen)
        weights, norms = self._term_parts(seen)
        guesses = logistic(4.0 * (seen.asked - 1.0))
        for _ in range(ROUNDS):
            self._weigh_terms(seen, np.where(np.isnan(labels), guesses, labels))
            by_terms = sums_of_runs(weights * self.term_weights[seen.terms], seen.lengths) / norms
            values = np.stack([seen.asked, by_terms])
            self._means = values.mean(axis=1)
            self._spreads = values.std(axis=1) + _LEAST_SPREAD
            guesses = self._combine(values)
        for page, guess in zip(pages, guesses.tolist(), strict=False):
            page.guess = guess

    def guess(self, sight: Sight) -> float:
        """Return how likely a page is to be relevant."""
        seen = _Seen([sight])
        weights, norms = self._term_parts(seen)
        by_terms = sums_of_runs(weights * self.term_weights[seen.terms], seen.lengths) / norms
        return float(self._combine(np.stack([seen.asked, by_terms]))[0])

    def _combine(self, values: Doubles) -> Doubles:
        words, terms = (values - self._means[:, None]) / self._spreads[:, None]
        return logistic(FROM_WORDS * words + FROM_TERMS * terms + BIAS)

    def _term_parts(self, seen: "_Seen") -> tuple[Doubles, Doubles]:
        """Return how much each term counts on its page, and how long the page is by that."""
        weights = seen.weights * self.rarity[seen.terms]
        return weights, np.sqrt(sums_of_runs(weights * weights, seen.lengths) + 1e-9)

    def _count_terms(self, seen: "_Seen") -> None:
        self.pages_with = np.bincount(seen.terms, minlength=BUCKETS).astype(np.float64)
        self.rarity = np.log(1.0 + len(seen.lengths) / (self.pages_with + 0.5))
        self._mentions = np.bincount(seen.terms, seen.shares, BUCKETS).astype(np.float64)
        self._met = np.flatnonzero(self.pages_with)
        self.term_weights = np.zeros(BUCKETS)
        self.term_weights[self._asked] = _QUERY_WEIGHT

    def _weigh_terms(self, seen: "_Seen", relevant: Doubles) -> None:
        """Compare how often relevant pages have a term, and the others."""
        met, count, total = self._met, len(relevant), float(relevant.sum())
        spread = seen.shares * np.repeat(relevant, seen.lengths)
        within = np.bincount(seen.terms, spread, BUCKETS)[met]
        mentions = self._mentions[met]
        usual = _PRIOR_PAGES * mentions / count
        good = (within + usual) / (total + _PRIOR_PAGES)
        other = (mentions - within + usual) / (count - total + _PRIOR_PAGES)
        weights = np.log(good / other) * np.minimum(1.0, self.pages_with[met] / _KNOWN_FROM)
        self.term_weights[met] = weights
        asked = self._asked
        self.term_weights[asked] = np.maximum(self.term_weights[asked], _QUERY_WEIGHT)


class _Seen:
    """The terms of several pages, one after the other."""

    def __init__(self, sights: Sequence[Sight]) -> None:
        self.terms = np.concatenate([sight.terms for sight in sights])
        self.weights = np.concatenate([sight.weights for sight in sights])
        self.shares = np.minimum(self.weights, 3.0) / 2.0  # how much a page counts for a term
        self.lengths = np.array([len(sight.terms) for sight in sights], np.int32)
        self.asked = np.array([sight.asked for sight in sights])
