"""Which of the pages seen are about the topic: a guess that corrects itself as the crawl goes on.

1. At first a page is likely to be relevant if the topic's words are in its title, at its
   beginning, or often in its text (`Sight.asked`).
2. Terms are weighed by how much more often likely pages have them than the others: naive Bayes.
3. Both together give a better guess for each page, and 2. is repeated.

A label from the user overrides the guess, and trains the weights.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Doubles, Floats
from telusur.crawl.strategies.focused.memory import Memory, Texts, settle, texts_of
from telusur.crawl.strategies.focused.sight import Sight
from telusur.language.term_sums import sums_of_runs, sums_of_terms

ROUNDS = 3
FROM_WORDS = 1.5
FROM_TERMS = 1.5
# The guess is the logistic of: these two, times how far a page is above the mean, plus this bias.
BIAS = -1.05
_LEAST_SPREAD = 0.3
# Smoothing: this many average pages are added to each side before frequencies are compared.
_PRIOR_PAGES = 2.0
# A term counts in full from this many pages on.
_KNOWN_FROM = 3.0
# Smoothing: each term is assumed on this many more average pages.
_COMPANY_PAGES = 1.5
_LEAST = 1e-3
# The minimum weight of a word of the topic.
_QUERY_WEIGHT = 2.0


def logistic(values: Doubles) -> Doubles:
    """Return the logistic function of each value."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0))))


class PageModel:
    """A model of what makes a page relevant, learned so far."""

    def __init__(
        self, memory: Memory, asked_terms: Sequence[int], given: Sequence[Sight] = ()
    ) -> None:
        """`asked_terms` are the topic's; `given` are pages known to be relevant."""
        self._memory = memory
        self.vocabulary = memory.vocabulary
        self._asked = self.vocabulary.numbers(np.array(sorted(asked_terms), np.int32))
        self._given = Memory(self.vocabulary)
        if given:
            read = [self.vocabulary.read(sight) for sight in given]
            self._given.add(read, np.ones(len(given)))
        self.term_weights: Doubles = np.zeros(0)
        self.rarity: Doubles = np.zeros(0)
        self.pages_with: Doubles = np.zeros(0)
        # How much more relevant pages with a term are than the average, as logarithm.
        self.company: Doubles = np.zeros(0)
        # The rarity of a term that no page has.
        self._rarest = 1.0
        self._met: NDArray[np.intp] = np.zeros(0, np.intp)
        self._means = np.zeros(2)
        self._spreads = np.ones(2)
        self.make_room()
        self.term_weights[self._asked] = 1.5 * _QUERY_WEIGHT

    def make_room(self) -> None:
        """Extend the tables to all terms seen, including those since the last `fit`."""
        room = len(self.term_weights)
        if self.vocabulary.size <= room:
            return
        more = max(1024, room, self.vocabulary.size - room)
        self.term_weights = np.concatenate([self.term_weights, np.zeros(more)])
        self.pages_with = np.concatenate([self.pages_with, np.zeros(more)])
        self.company = np.concatenate([self.company, np.zeros(more)])
        self.rarity = np.concatenate([self.rarity, np.full(more, self._rarest)])

    def fit(self) -> None:
        """Learn from all pages, and correct the estimate of each.

        It starts from the topic's words each time, so that early mistakes do not last.
        """
        seen = self._memory.texts
        if len(self._given):
            given = self._given.texts
            seen = Texts(*(np.concatenate([seen[at], given[at]]) for at in range(len(seen))))
        self._count_terms(seen)
        # How much a page counts for a term:
        shares = np.asarray(np.minimum(seen.weights, 3.0) / 2.0, np.float32)
        mentions = np.asarray(np.bincount(seen.terms, shares, len(self.rarity)), np.float64)
        norms = self._norms(seen)
        guesses = logistic(4.0 * (seen.asked - 1.0))
        for _ in range(ROUNDS):
            relevant = settle(seen.labels, guesses)
            within = _sums_within(seen, relevant, shares, len(mentions))
            self._weigh_terms(within, mentions, relevant)
            values = np.stack([seen.asked, self._by_terms(seen) / norms])
            self._means = values.mean(axis=1)
            self._spreads = values.std(axis=1) + _LEAST_SPREAD
            guesses = self._combine(values)
        self._memory.guesses[:] = guesses[: len(self._memory)]
        mean = float(guesses.mean())
        within = _sums_within(seen, guesses, shares, len(mentions))
        means = (within + _COMPANY_PAGES * mean + _LEAST) / (mentions + _COMPANY_PAGES) + _LEAST
        self.company = np.where(mentions > 0.0, np.log(means / (mean + 2.0 * _LEAST)), 0.0)

    def guess(self, sights: Sequence[Sight]) -> Doubles:
        """Return how likely each page is to be relevant."""
        self.make_room()
        seen = texts_of(sights)
        return self._combine(np.stack([seen.asked, self._by_terms(seen) / self._norms(seen)]))

    def _combine(self, values: Doubles) -> Doubles:
        words, terms = (values - self._means[:, None]) / self._spreads[:, None]
        return logistic(FROM_WORDS * words + FROM_TERMS * terms + BIAS)

    def _by_terms(self, seen: Texts) -> Doubles:
        table = self.rarity * self.term_weights
        return sums_of_runs(table[:, None], seen.terms, seen.sizes, seen.weights)[:, 0]

    def _norms(self, seen: Texts) -> Doubles:
        """Return the length of each page's vector of terms."""
        squares, table = seen.weights * seen.weights, self.rarity * self.rarity
        sums = sums_of_runs(table[:, None], seen.terms, seen.sizes, squares)[:, 0]
        return np.asarray(np.sqrt(sums + 1e-9))

    def _count_terms(self, seen: Texts) -> None:
        self.make_room()
        self.pages_with = np.bincount(seen.terms, minlength=len(self.rarity)).astype(np.float64)
        self.rarity = np.log(1.0 + len(seen.sizes) / (self.pages_with + 0.5))
        self._rarest = math.log(1.0 + len(seen.sizes) / 0.5)
        self._met = np.flatnonzero(self.pages_with)
        self.term_weights = np.zeros(len(self.rarity))
        self.term_weights[self._asked] = _QUERY_WEIGHT

    def _weigh_terms(self, within: Doubles, mentions: Doubles, relevant: Doubles) -> None:
        """Compare the frequency of a term on relevant pages with that on the others."""
        met, count, total = self._met, len(relevant), float(relevant.sum())
        within, mentions = within[met], mentions[met]
        usual = _PRIOR_PAGES * mentions / count
        good = (within + usual) / (total + _PRIOR_PAGES)
        other = (mentions - within + usual) / (count - total + _PRIOR_PAGES)
        weights = np.log(good / other) * np.minimum(1.0, self.pages_with[met] / _KNOWN_FROM)
        self.term_weights[met] = weights
        asked = self._asked
        self.term_weights[asked] = np.maximum(self.term_weights[asked], _QUERY_WEIGHT)


def _sums_within(seen: Texts, values: Doubles, shares: Floats, terms: int) -> Doubles:
    """Return for each term the sum of the pages' values, each counted by the term's share."""
    return sums_of_terms(values[:, None], seen.terms, seen.sizes, terms, shares)[:, 0]
