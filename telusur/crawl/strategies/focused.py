"""Focused, our own: learns while it crawls which links lead to pages about the topic.

Every page seen is judged by what it says and by what pages judged relevant say (focused_pages).
Every URL that waits is described by all the links to it: their texts, the pages they stand on, what
their neighbours turned out to be (focused_links). What each of these is worth is learned from how
the URLs fetched so far turned out (focused_weights). See docs/strategies.md for the formulas, and
docs/decisions/0022-focused.md for what was measured.
"""

import json
import math
from collections.abc import Mapping, Sequence, Set

import numpy as np

from telusur.crawl.strategies.contract import Again, Prospects, Setup, Strategy, Visit
from telusur.crawl.strategies.focused_features import COUNT, FEATURES, SUMS, features_of
from telusur.crawl.strategies.focused_links import LinkTable
from telusur.crawl.strategies.focused_memory import Column, Memory, SeenPage, Vocabulary
from telusur.crawl.strategies.focused_pages import PageModel
from telusur.crawl.strategies.focused_record import pack_page, unpack_page
from telusur.crawl.strategies.focused_sight import Sight, look_at
from telusur.crawl.strategies.focused_terms import bucket_of
from telusur.crawl.strategies.focused_values import Judged, Links
from telusur.crawl.strategies.focused_weights import LinkWeights
from telusur.crawl.topic import PageText
from telusur.models import Document, Link

MOST_PAGES = 2000
"""So many pages are remembered, the latest; a quarter is forgotten when there are more."""
MOST_LINKS = 400
"""So many links of a page are learned from."""
CAREFUL_PAGES = 500
"""Up to here everything is learned anew with every 5 % of pages, later with every 10 %."""
_LEAST_PUT = 100


class Focused(Strategy):
    """Scores a link by how likely its target is to be about the topic, as learned so far."""

    needs_topic = True
    again = Again.LATEST
    rescore_growth = 0.05

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._numbers: list[int] = []
        """The numbers of the pages that are remembered."""
        self._fitted = 0
        """How many of the pages the models were made from."""
        self._unsaved: list[SeenPage] = []
        self._is_model_saved = True
        self._memory = Memory(Vocabulary())
        self._model = PageModel(self._memory, self._asked_terms(), self._given())
        self._links = LinkTable(self._model)
        self._weights = LinkWeights()
        self._evidence = Column(np.float32, SUMS + 2)
        """What was known about each page before it was fetched, and of pages as such."""
        self._known = Column(np.float64, len(FEATURES))
        """The same as features, as far as they were needed."""
        self._latest: Links
        """The links of the pages that were learned from last."""

    def look(self, page: PageText, links: Sequence[Link]) -> Sight:
        """Turn the page and its links into numbers."""
        return look_at(page, links[:MOST_LINKS], self.topic.weights(page.document.language))

    def learn(self, page: Visit) -> None:
        """Judge a page, and remember it."""
        self._take([page])

    def score(self, links: Sequence[Link], page: Visit) -> Sequence[float]:
        """Return how likely each target is to be relevant, by all links to it."""
        return self._scores([len(links)])[0]

    def score_pages(
        self, pages: Sequence[tuple[Sequence[Link], Visit]]
    ) -> Sequence[Sequence[float]]:
        """Do both for pages that came together: several at once cost little more than one."""
        self._take([page for _, page in pages])
        return self._scores([len(links) for links, _ in pages])

    def _take(self, pages: Sequence[Visit]) -> None:
        if len(self._memory) + len(pages) > MOST_PAGES:
            self._forget(MOST_PAGES // 4)
        first = self._next_number()
        seen = [self._seen(page, first + at) for at, page in enumerate(pages)]
        self._judge(seen)
        self._unsaved += seen

    def _seen(self, page: Visit, number: int) -> SeenPage:
        """Return what is remembered of a page: as it is, and what was known of it before."""
        sight = page.sight or self.look(PageText(page.document), ())
        url_id = page.url_id.ljust(16, b"\0")
        means = self._links.mean_value, self._links.mean_outcome
        evidence = np.append(self._links.sums(url_id), means).astype(np.float32)
        label = float(self.topic.label_of.get(page.url_id, math.nan))
        targets = page.link_ids[: 16 * len(sight.named)]
        return SeenPage(number, url_id, sight, targets, label, evidence)

    def _scores(self, links: Sequence[int]) -> list[list[float]]:
        """Return the scores of the links of the latest pages, which have so many each."""
        targets = self._latest.targets
        scores: list[float] = self._weights.score(self._links.features_at(targets)).tolist()
        found, at = [], 0
        for wanted, size in zip(links, self._latest.sizes.tolist(), strict=True):
            found.append(scores[at : at + size] + [0.0] * (wanted - size))
            at += size
        return found

    def rescore(self, prospects: Prospects) -> None:
        """Learn from all pages anew when it is time, and put in order what comes next."""
        if not self._is_due():
            return
        self._fit()
        most = max(_LEAST_PUT, len(self._memory) // 2)
        first = [url for url in prospects.best(most) if self._links.knows(url.url_id)]
        places = self._links.places_of(b"".join(url.url_id for url in first))
        scores = self._weights.score(self._links.features_at(places))
        prospects.put_scores([url.row for url in first], scores.tolist())
        self._put_best(prospects, most, {url.url_id for url in first})

    def _put_best(self, prospects: Prospects, most: int, done: Set[bytes]) -> None:
        """Put the best of all where they belong, but for those that are there."""
        places = self._links.waiting()
        scores = self._weights.score(self._links.features_at(places))
        if len(scores) > most:
            best = np.flatnonzero(scores >= np.partition(scores, -most)[-most])
            places, scores = places[best], scores[best]
        found = [
            (url_id, score)
            for url_id, score in zip(self._links.ids_at(places), scores.tolist(), strict=True)
            if url_id not in done
        ]
        prospects.put_scores_of([url_id for url_id, _ in found], [score for _, score in found])

    def save(self) -> Mapping[str, bytes]:
        """Return the pages that are new, and up to which of them the models were made."""
        parts = {f"page{page.number % MOST_PAGES}": pack_page(page) for page in self._unsaved}
        if parts or not self._is_model_saved:
            first = self._numbers[0] if self._numbers else 0
            parts["model"] = json.dumps([first, self._fitted, len(self._numbers)]).encode()
        self._unsaved = []
        self._is_model_saved = True
        return parts

    def restore(self, parts: Mapping[str, bytes]) -> None:
        """Read the pages, and learn from them as before."""
        first, fitted, count = json.loads(parts["model"])
        pages = [unpack_page(record) for part, record in parts.items() if part.startswith("page")]
        pages = sorted((p for p in pages if p.number >= first), key=lambda page: page.number)
        if fitted:
            sights = self._remember(pages[:fitted])
            self._links.remember(pages[:fitted], sights)
        self._fit()
        if count > fitted:
            self._judge(pages[fitted:count])

    def _judge(self, pages: Sequence[SeenPage]) -> None:
        sights = self._remember(pages)
        guesses = self._memory.guesses[-len(pages) :]
        guesses[:] = self._model.guess(sights)
        labels = self._memory.texts.labels[-len(pages) :]
        outcomes = np.where(np.isnan(labels), guesses, labels)
        self._latest = self._links.add(pages, sights, Judged(guesses, outcomes))

    def _remember(self, pages: Sequence[SeenPage]) -> list[Sight]:
        """Remember what pages say; return it as the vocabulary reads it."""
        sights = [self._memory.vocabulary.read(page.sight) for page in pages]
        self._numbers += [page.number for page in pages]
        self._memory.add(sights, np.array([page.label for page in pages]))
        self._evidence.add([page.evidence for page in pages], len(pages))
        return sights

    def _forget(self, pages: int) -> None:
        del self._numbers[:pages]
        self._memory.forget(pages)
        self._links.forget(pages)
        self._evidence.drop(pages)
        self._known.drop(min(pages, len(self._known)))
        self._fit()

    def _fit(self) -> None:
        if self._numbers:
            self._model.fit()
        outcomes = self._memory.outcomes
        self._links.fit(Judged(self._memory.guesses, outcomes))
        new = self._evidence.values[len(self._known) :].astype(np.float64).T
        self._known.add(features_of(new[:SUMS], *new[SUMS:]).T, new.shape[1])
        is_told = self._evidence.values[:, COUNT] > 0.0  # but for start URLs
        self._weights.fit(self._known.values[is_told], outcomes[is_told], self._memory.told)
        self._fitted = len(self._numbers)
        self._is_model_saved = False

    def _is_due(self) -> bool:
        """Tell whether enough pages have come: few in a small crawl, a tenth in a larger one."""
        pages = self._next_number()
        share = 0.0 if pages <= CAREFUL_PAGES else 0.1 * pages
        return len(self._numbers) - self._fitted >= min(share, MOST_PAGES // 4)

    def _next_number(self) -> int:
        return self._numbers[-1] + 1 if self._numbers else 0

    def _asked_terms(self) -> list[int]:
        languages = {example.language for example in self.topic.examples} | {""}
        return [bucket_of(term) for language in languages for term in self.topic.weights(language)]

    def _given(self) -> list[Sight]:
        pages = [
            PageText(Document(title=example.title, text=example.text, language=example.language))
            for example in self.topic.examples
        ]
        return [look_at(page, (), self.topic.weights(page.document.language)) for page in pages]
