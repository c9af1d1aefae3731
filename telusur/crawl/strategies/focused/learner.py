"""What `focused` makes of the pages it was shown: which are about the topic, what waiting URLs are
worth. Where there are labels there are two of them, one that is told labels and one that is not.
"""

import math
from collections.abc import Sequence

import numpy as np

from telusur.crawl.strategies.focused_features import COUNT, FEATURES, SUMS, features_of
from telusur.crawl.strategies.focused_links import LinkTable, Places
from telusur.crawl.strategies.focused_memory import Column, Memory, SeenPage, Vocabulary
from telusur.crawl.strategies.focused_pages import PageModel
from telusur.crawl.strategies.focused_sight import Sight
from telusur.crawl.strategies.focused_values import Judged, Links
from telusur.crawl.strategies.focused_weights import LinkWeights
from telusur.language.term_sums import Doubles, Floats

_EVIDENCE = SUMS + 2


class Learner:
    """Learns from pages; everything but the pages can be made anew from them.

    Learners that are shown the same pages know the same URLs by the same places.
    """

    def __init__(
        self, asked_terms: Sequence[int], given: Sequence[Sight], *, is_told: bool
    ) -> None:
        self._is_told = is_told
        self._memory = Memory(Vocabulary())
        self._model = PageModel(self._memory, asked_terms, given)
        self.links = LinkTable(self._model)
        self._weights = LinkWeights()
        self._evidence = Column(np.float32, _EVIDENCE)
        """What was known about each page before it was fetched, and of pages as such."""
        self._known = Column(np.float64, len(FEATURES))
        """The same as features, as far as they were needed."""

    def evidence_of(self, url_id: bytes) -> Floats:
        """Return what is known about a URL before it is fetched."""
        means = self.links.mean_value, self.links.mean_outcome
        return np.append(self.links.sums(url_id), means).astype(np.float32)

    def odds_at(self, places: Places) -> Doubles:
        """Return how likely URLs are to be relevant: the odds, as logarithm."""
        return self._weights.odds(self.links.features_at(places))

    def add(self, pages: Sequence[SeenPage]) -> Links:
        """Judge pages as things stand, and remember them; return their links."""
        sights, labels = self._remember(pages)
        guesses = self._memory.guesses[-len(pages) :]
        guesses[:] = self._model.guess(sights)
        outcomes = np.where(np.isnan(labels), guesses, labels)
        return self.links.add(pages, sights, Judged(guesses, outcomes))

    def recall(self, pages: Sequence[SeenPage]) -> None:
        """Remember pages that everything is about to be learned from anew."""
        sights, _ = self._remember(pages)
        self.links.remember(pages, sights)

    def _remember(self, pages: Sequence[SeenPage]) -> tuple[list[Sight], Doubles]:
        """Remember what pages say; return it as the vocabulary reads it, and the labels."""
        sights = [self._memory.vocabulary.read(page.sight) for page in pages]
        labels = np.array([page.label if self._is_told else math.nan for page in pages])
        self._memory.add(sights, labels)
        self._evidence.add([self._evidence_in(page) for page in pages], len(pages))
        return sights, labels

    def _evidence_in(self, page: SeenPage) -> Floats:
        """Return its part of what was known: the first, or the last of one who is not told."""
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
        """Learn from all pages anew."""
        if len(self._memory):
            self._model.fit()
        outcomes = self._memory.outcomes
        self.links.fit(Judged(self._memory.guesses, outcomes))
        new = self._evidence.values[len(self._known) :].astype(np.float64).T
        self._known.add(features_of(new[:SUMS], *new[SUMS:]).T, new.shape[1])
        is_led_to = self._evidence.values[:, COUNT] > 0.0  # but for start URLs
        self._weights.fit(self._known.values[is_led_to], outcomes[is_led_to], self._memory.told)
