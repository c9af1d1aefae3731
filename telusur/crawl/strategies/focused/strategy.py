"""Focused: learns during the crawl which links lead to pages about the topic.

Every page is judged by its text, compared with pages judged relevant before (`pages`). Every
waiting URL is described by all links to it: their texts, their pages, the outcomes of neighbouring
links (`links`), and the similarity of their words to the topic in meaning (`kinship`). The weight
of each feature is learned from the outcomes of the URLs fetched so far (`weights`). See
docs/strategies.md for the formulas, and docs/decisions/0022-focused.md for measurements.
"""

import json
import math
from collections.abc import Mapping, Sequence, Set

import numpy as np

from telusur.arrays import Doubles
from telusur.crawl.strategies.contract import Again, Prospects, Setup, Strategy, Visit
from telusur.crawl.strategies.focused.kinship import Kinship
from telusur.crawl.strategies.focused.learner import Learner
from telusur.crawl.strategies.focused.links import Places
from telusur.crawl.strategies.focused.memory import SeenPage
from telusur.crawl.strategies.focused.pages import logistic
from telusur.crawl.strategies.focused.record import pack_page, unpack_page
from telusur.crawl.strategies.focused.sight import Sight, look_at
from telusur.crawl.strategies.focused.terms import bucket_of
from telusur.crawl.topic import PageText
from telusur.models import Document, Link

# How many of the latest pages are remembered; when there are more, a quarter is forgotten.
MOST_PAGES = 2000
# How many links of a page are used for learning.
MOST_LINKS = 400
# Up to this many pages everything is learned again after every 8 % more pages, later half as often.
CAREFUL_PAGES = 500
# The weight of the learner with labels; the rest is for the one without. Many pages that lead to
# good pages are not good themselves.
LABELS_COUNT = 0.55
_LEAST_PUT = 100
_PAGE, _MODEL = "sight", "fitted"


class Focused(Strategy):
    """Scores a link by how likely its target is to be about the topic, as learned so far."""

    needs_topic = True
    again = Again.LATEST
    rescore_growth = 0.08

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._kinship = Kinship(setup.vectors, self.topic.words or self.topic.name)
        # The numbers of the pages that are remembered.
        self._numbers: list[int] = []
        # How many pages the models were made from.
        self._fitted = 0
        self._unsaved: list[SeenPage] = []
        self._is_model_saved = True
        terms, given = self._asked_terms(), self._given()
        kinds = [(True, LABELS_COUNT), (False, 1.0 - LABELS_COUNT)]
        # The learners with and without labels, and the weight of each.
        self._learners = [
            (Learner(terms, given, is_told=is_told), share)
            for is_told, share in (kinds if self.topic.labels else [(False, 1.0)])
        ]
        self._links = self._learners[0][0].links
        # The latest pages, and the targets of their links.
        self._latest: list[tuple[Sight, Places]] = []

    def look(self, page: PageText, links: Sequence[Link]) -> Sight:
        """Turn the page and its links into numbers."""
        wanted = self.topic.weights(page.document.language)
        return look_at(page, links[:MOST_LINKS], wanted, self._kinship)

    def learn(self, page: Visit) -> None:
        """Judge a page, and remember it."""
        self._take([page])

    def score(self, links: Sequence[Link], page: Visit) -> Sequence[float]:
        """Return how likely each target is to be relevant, by all links to it."""
        return self._scores([len(links)])[0]

    def score_pages(
        self, pages: Sequence[tuple[Sequence[Link], Visit]]
    ) -> Sequence[Sequence[float]]:
        """Learn from and score a batch of pages: several cost little more than one."""
        self._take([page for _, page in pages])
        return self._scores([len(links) for links, _ in pages])

    def _take(self, pages: Sequence[Visit]) -> None:
        if len(self._numbers) + len(pages) > MOST_PAGES:
            self._forget(MOST_PAGES // 4)
        first = self._next_number()
        seen = [self._seen(page, first + at) for at, page in enumerate(pages)]
        self._add(seen)
        self._unsaved += seen

    def _seen(self, page: Visit, number: int) -> SeenPage:
        """Return the record of a page: its content, and what was known about it before."""
        sight = page.sight or self.look(PageText(page.document), ())
        url_id = page.url_id.ljust(16, b"\0")
        label = float(self.topic.label_of.get(page.url_id, math.nan))
        targets = np.frombuffer(page.link_ids, "V16")[sight.order].tobytes()
        evidence = np.concatenate([learner.evidence_of(url_id) for learner, _ in self._learners])
        return SeenPage(number, url_id, sight, targets, label, evidence)

    def _add(self, pages: Sequence[SeenPage]) -> None:
        self._numbers += [page.number for page in pages]
        for learner, _ in self._learners:
            links = learner.add(pages)
        places = np.split(links.targets, np.cumsum(links.sizes)[:-1])
        self._latest = [(page.sight, of_page) for page, of_page in zip(pages, places, strict=True)]

    def _scores(self, sizes: Sequence[int]) -> list[list[float]]:
        """Return the scores of the links of the latest pages, `sizes` of each."""
        scores = self._scores_at(np.concatenate([places for _, places in self._latest]))
        found, at = [], 0
        for size, (sight, places) in zip(sizes, self._latest, strict=True):
            of_page = np.zeros(size)
            of_page[sight.order] = scores[at : at + len(places)]
            found.append(of_page.tolist())
            at += len(places)
        return found

    def _scores_at(self, places: Places) -> Doubles:
        """Return how likely the URLs at these places are to be relevant, 0 to 1."""
        odds = [share * learner.odds_at(places) for learner, share in self._learners]
        return logistic(sum(odds[1:], start=odds[0]))

    def rescore(self, prospects: Prospects) -> None:
        """Learn again from all pages when it is time, and update the order of waiting URLs."""
        if not self._is_due():
            return
        self._fit()
        most = max(_LEAST_PUT, len(self._numbers) // 2)
        first = [url for url in prospects.best(most) if self._links.knows(url.url_id)]
        places = self._links.places_of(b"".join(url.url_id for url in first))
        scores = self._scores_at(places)
        prospects.put_scores([url.row for url in first], scores.tolist())
        self._put_best(prospects, most, {url.url_id for url in first})

    def _put_best(self, prospects: Prospects, most: int, done: Set[bytes]) -> None:
        """Update the scores of the best waiting URLs, except those already done."""
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
        """Return the new pages, and up to which page the models were made."""
        parts = {f"{_PAGE}{page.number % MOST_PAGES}": pack_page(page) for page in self._unsaved}
        if parts or not self._is_model_saved:
            first = self._numbers[0] if self._numbers else 0
            parts[_MODEL] = json.dumps([first, self._fitted, len(self._numbers)]).encode()
        self._unsaved = []
        self._is_model_saved = True
        return parts

    def restore(self, parts: Mapping[str, bytes]) -> None:
        """Read the saved pages, and learn from them again."""
        if _MODEL not in parts:  # saved by an older version with fewer features: start again
            return
        first, fitted, count = json.loads(parts[_MODEL])
        pages = [unpack_page(record) for part, record in parts.items() if part.startswith(_PAGE)]
        pages = sorted((p for p in pages if p.number >= first), key=lambda page: page.number)
        if fitted:
            self._numbers = [page.number for page in pages[:fitted]]
            for learner, _ in self._learners:
                learner.recall(pages[:fitted])
        self._fit()
        if count > fitted:
            self._add(pages[fitted:count])

    def _forget(self, pages: int) -> None:
        del self._numbers[:pages]
        for learner, _ in self._learners:
            learner.forget(pages)
        self._fit()

    def _fit(self) -> None:
        for learner, _ in self._learners:
            learner.fit()
        self._fitted = len(self._numbers)
        self._is_model_saved = False

    def _is_due(self) -> bool:
        """Tell whether there are enough new pages: few in a small crawl, a tenth in a larger
        one."""
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
