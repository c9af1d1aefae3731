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
from dataclasses import replace

import numpy as np

from telusur.crawl.strategies.contract import Again, Prospects, Setup, Strategy, Visit
from telusur.crawl.strategies.focused_features import COUNT, FEATURES, SUMS, features_of
from telusur.crawl.strategies.focused_kinship import Kinship
from telusur.crawl.strategies.focused_links import LinkTable, Places
from telusur.crawl.strategies.focused_memory import Column, Memory, SeenPage, Vocabulary
from telusur.crawl.strategies.focused_pages import PageModel, logistic
from telusur.crawl.strategies.focused_record import pack_page, unpack_page
from telusur.crawl.strategies.focused_sight import Sight, look_at
from telusur.crawl.strategies.focused_terms import bucket_of
from telusur.crawl.strategies.focused_values import Judged
from telusur.crawl.strategies.focused_weights import LinkWeights
from telusur.crawl.topic import PageText
from telusur.language.term_sums import Doubles, Floats
from telusur.models import Document, Link

MOST_PAGES = 2000
"""So many pages are remembered, the latest; a quarter is forgotten when there are more."""
MOST_LINKS = 400
"""So many links of a page are learned from."""
CAREFUL_PAGES = 500
"""Up to here everything is learned anew with every 5 % of pages, later with every 10 %."""
LABELS_COUNT = 0.55
"""So much counts what labels teach; the rest is what words alone do."""
_LEAST_PUT = 100
_PAGE, _MODEL = "seen", "models"
_EVIDENCE = SUMS + 2


class Focused(Strategy):
    """Scores a link by how likely its target is to be about the topic, as learned so far."""

    needs_topic = True
    again = Again.LATEST
    rescore_growth = 0.05

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._kinship = Kinship(setup.vectors, self.topic.words or self.topic.name)
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
        self._evidence = Column(np.float32, _EVIDENCE)
        """What was known about each page before it was fetched, and of pages as such."""
        self._known = Column(np.float64, len(FEATURES))
        """The same as features, as far as they were needed."""
        self._by_words = self._without_labels(setup)
        """The same, told no labels: it sees the same pages, and so has the same places."""
        self._targets: Places = np.zeros(0, np.int64)
        """Where the links of the last page lead, as they stand there."""
        self._order: Places = np.zeros(0, np.int64)
        """Where each of them stood among the links that were given."""

    def look(self, page: PageText, links: Sequence[Link]) -> Sight:
        """Turn the page and its links into numbers."""
        return look_at(
            page, links[:MOST_LINKS], self.topic.weights(page.document.language), self._kinship
        )

    def learn(self, page: Visit) -> None:
        """Judge a page, and remember it."""
        sight = page.sight or self.look(PageText(page.document), ())
        url_id = page.url_id.ljust(16, b"\0")
        label = float(self.topic.label_of.get(page.url_id, math.nan))
        self._order = sight.order
        targets = np.frombuffer(page.link_ids, "V16")[sight.order].tobytes()
        evidence = self._evidence_of(url_id)
        if len(self._memory) >= MOST_PAGES:
            self._forget(MOST_PAGES // 4)
        seen = SeenPage(self._next_number(), url_id, sight, targets, label, evidence)
        self._judge(seen)
        self._unsaved.append(seen)

    def _evidence_of(self, url_id: bytes) -> Floats:
        """Return what is known about a URL before it is fetched: by labels, then by words alone."""
        means = self._links.mean_value, self._links.mean_outcome
        evidence = np.append(self._links.sums(url_id), means).astype(np.float32)
        if self._by_words is None:
            return evidence
        return np.concatenate([evidence, self._by_words._evidence_of(url_id)])

    def score(self, links: Sequence[Link], page: Visit) -> Sequence[float]:
        """Return how likely each target is to be relevant, by all links to it."""
        scores = np.zeros(len(links))
        scores[self._order] = self._scores_at(self._targets)
        found: list[float] = scores.tolist()
        return found

    def _scores_at(self, places: Places) -> Doubles:
        return logistic(self._odds_at(places))

    def _odds_at(self, places: Places) -> Doubles:
        """Return the odds of the URLs at these places, as logarithm.

        Words alone have a say too: of pages that lead to good ones, many are not good themselves.
        """
        odds = self._weights.odds(self._links.features_at(places))
        if self._by_words is None:
            return odds
        return LABELS_COUNT * odds + (1.0 - LABELS_COUNT) * self._by_words._odds_at(places)

    def rescore(self, prospects: Prospects) -> None:
        """Learn from all pages anew when it is time, and put in order what comes next."""
        if not self._is_due():
            return
        self._fit()
        most = max(_LEAST_PUT, len(self._memory) // 2)
        first = [url for url in prospects.best(most) if self._links.knows(url.url_id)]
        places = self._links.places_of(b"".join(url.url_id for url in first))
        scores = self._scores_at(places)
        prospects.put_scores([url.row for url in first], scores.tolist())
        self._put_best(prospects, most, {url.url_id for url in first})

    def _put_best(self, prospects: Prospects, most: int, done: Set[bytes]) -> None:
        """Put the best of all where they belong, but for those that are there."""
        places = self._links.waiting()
        scores = self._scores_at(places)
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
        parts = {f"{_PAGE}{page.number % MOST_PAGES}": pack_page(page) for page in self._unsaved}
        if parts or not self._is_model_saved:
            first = self._numbers[0] if self._numbers else 0
            parts[_MODEL] = json.dumps([first, self._fitted, len(self._numbers)]).encode()
        self._unsaved = []
        self._is_model_saved = True
        return parts

    def restore(self, parts: Mapping[str, bytes]) -> None:
        """Read the pages, and learn from them as before."""
        if _MODEL not in parts:  # saved by an older version, which saw less: begin anew
            return
        first, fitted, count = json.loads(parts[_MODEL])
        pages = [unpack_page(record) for part, record in parts.items() if part.startswith(_PAGE)]
        pages = sorted((p for p in pages if p.number >= first), key=lambda page: page.number)
        self._recall(pages[:count], fitted)

    def _recall(self, pages: Sequence[SeenPage], fitted: int) -> None:
        """Learn from pages as if they came one after the other."""
        for page in pages[:fitted]:
            sight = self._memory.vocabulary.read(page.sight)
            self._remember(page, sight)
            self._links.remember(page, sight)
        if self._by_words is not None:
            told_nothing = [page.without_label(_EVIDENCE) for page in pages[:fitted]]
            self._by_words._recall(told_nothing, fitted)
        self._fit_own()
        for page in pages[fitted:]:
            self._judge(page)

    def _judge(self, page: SeenPage) -> None:
        if self._by_words is not None:
            self._by_words._judge(page.without_label(_EVIDENCE))
        sight = self._memory.vocabulary.read(page.sight)
        guess = self._model.guess(sight)
        self._remember(page, sight, guess)
        outcome = guess if math.isnan(page.label) else page.label
        self._targets = self._links.add(page, sight, outcome, guess)

    def _remember(self, page: SeenPage, sight: Sight, guess: float = 0.0) -> None:
        self._numbers.append(page.number)
        self._memory.add(sight, page.label, guess)
        evidence = page.evidence if page.evidence is not None else np.zeros(_EVIDENCE)
        self._evidence.add(evidence[:_EVIDENCE], 1)

    def _forget(self, pages: int) -> None:
        if self._by_words is not None:
            self._by_words._forget(pages)
        del self._numbers[:pages]
        self._memory.forget(pages)
        self._links.forget(pages)
        self._evidence.drop(pages)
        self._known.drop(min(pages, len(self._known)))
        self._fit_own()

    def _fit(self) -> None:
        if self._by_words is not None:
            self._by_words._fit()
        self._fit_own()

    def _fit_own(self) -> None:
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

    def _without_labels(self, setup: Setup) -> "Focused | None":
        if not self.topic.labels:
            return None
        return Focused(replace(setup, topic=replace(self.topic, labels=())))

    def _asked_terms(self) -> list[int]:
        languages = {example.language for example in self.topic.examples} | {""}
        return [bucket_of(term) for language in languages for term in self.topic.weights(language)]

    def _given(self) -> list[Sight]:
        pages = [
            PageText(Document(title=example.title, text=example.text, language=example.language))
            for example in self.topic.examples
        ]
        return [look_at(page, (), self.topic.weights(page.document.language)) for page in pages]
