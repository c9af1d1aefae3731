"""What `focused` learns from pages: which are relevant, and how good waiting URLs are. If there are
labels, there are two learners: one uses the labels, the other does not.
"""

import math
from collections.abc import Sequence

import numpy as np

from telusur.arrays import Doubles, Floats
from telusur.crawl.strategies.focused.features import COUNT, FEATURES, SUMS, features_of
from telusur.crawl.strategies.focused.links import LinkTable, Places
from telusur.crawl.strategies.focused.memory import Column, Memory, SeenPage, TopicVocabulary
from telusur.crawl.strategies.focused.pages import PageModel
from telusur.crawl.strategies.focused.sight import Sight
from telusur.crawl.strategies.focused.values import Judged, Links
from telusur.crawl.strategies.focused.weights import LinkWeights

_EVIDENCE = SUMS + 2


class Learner:
    """Learns from pages; everything can be rebuilt from the pages.

    Learners that get the same pages store the same URLs at the same places.
    """

    def __init__(
        self, asked_terms: Sequence[int], given: Sequence[Sight], *, is_told: bool
    ) -> None:
        self._is_told = is_told
        self._memory = Memory(TopicVocabulary())
        self._model = PageModel(self._memory, asked_terms, given)
        self.links = LinkTable(self._model)
        self._weights = LinkWeights()
        # What was known about each page before it was fetched, and of pages as such.
        self._evidence = Column(np.float32, _EVIDENCE)
        # The same as features, computed when needed.
        self._known = Column(np.float64, len(FEATURES))

    def evidence_of(self, url_id: bytes) -> Floats:
        """Return what is known about a URL before it is fetched."""
        means = self.links.mean_value, self.links.mean_outcome
        return np.append(self.links.sums(url_id), means).astype(np.float32)

    def odds_at(self, places: Places) -> Doubles:
        """Return the log odds that URLs are relevant."""
        return self._weights.odds(self.links.features_at(places))

    def add(self, pages: Sequence[SeenPage]) -> Links:
        """Judge pages by the current model and remember them; return their links."""
        sights, labels = self._remember(pages)
        guesses = self._memory.guesses[-len(pages) :]
        guesses[:] = self._model.guess(sights)
        outcomes = np.where(np.isnan(labels), guesses, labels)
        return self.links.add(pages, sights, Judged(guesses, outcomes))

    def recall(self, pages: Sequence[SeenPage]) -> None:
        """Remember pages before everything is learned again from them."""
        sights, _ = self._remember(pages)
        self.links.remember(pages, sights)

    def _remember(self, pages: Sequence[SeenPage]) -> tuple[list[Sight], Doubles]:
        """Remember the terms of pages; return them in the numbers of the vocabulary, and the
        labels."""
        sights = [self._memory.vocabulary.read(page.sight) for page in pages]
        labels = np.array([page.label if self._is_told else math.nan for page in pages])
        self._memory.add(sights, labels)
        self._evidence.add([self._evidence_in(page) for page in pages], len(pages))
        return sights, labels

    def _evidence_in(self, page: SeenPage) -> Floats:
        """Return this learner's part of the evidence: the first, or the last without labels."""
        if page.evidence is None:
            return np.zeros(_EVIDENCE, np.float32)
        return page.evidence[:_EVIDENCE] if self._is_told else page.evidence[-_EVIDENCE:]

    def forget(self, pages: int) -> None:
        """Forget the first pages."""
        self._memory.forget(pages)
        self.links.forget(pages)
        self._evidence.drop(pages)
        self._known.drop(min(pages, len(self._known)))

    def fit(self) -> None:
        """Learn again from all pages."""
        if len(self._memory):
            self._model.fit()
        outcomes = self._memory.outcomes
        self.links.fit(Judged(self._memory.guesses, outcomes))
        new = self._evidence.values[len(self._known) :].astype(np.float64).T
        self._known.add(features_of(new[:SUMS], *new[SUMS:]).T, new.shape[1])
        is_led_to = self._evidence.values[:, COUNT] > 0.0  # except start URLs
        self._weights.fit(self._known.values[is_led_to], outcomes[is_led_to], self._memory.told)
