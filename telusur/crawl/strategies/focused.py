"""Focused, our own: learns while it crawls which links lead to pages about the topic.

Every page seen is judged by what it says and by what pages judged relevant say (focused_pages).
Every URL that waits is described by all the links to it: their texts, the pages they stand on, what
their neighbours turned out to be (focused_links). What each of these is worth is learned from how
the URLs fetched so far turned out (focused_weights). See docs/strategies.md for the formulas, and
docs/decisions/0022-focused.md for what was measured.
"""

import json
from collections.abc import Mapping, Sequence

import numpy as np

from telusur.crawl.strategies.contract import Again, Prospects, Scored, Setup, Strategy, Visit
from telusur.crawl.strategies.focused_links import LinkTable
from telusur.crawl.strategies.focused_pages import PageModel, SeenPage
from telusur.crawl.strategies.focused_record import pack_page, unpack_page
from telusur.crawl.strategies.focused_sight import Sight, bucket_of, look_at
from telusur.crawl.strategies.focused_weights import LinkWeights
from telusur.crawl.topic import PageText
from telusur.models import Document, Link

MOST_PAGES = 2000
"""So many pages are remembered, the latest; a quarter is forgotten when there are more."""
MOST_LINKS = 400
"""So many links of a page are learned from."""
CAREFUL_PAGES = 500
"""Up to here everything is learned anew with every 3 % of pages, later with every 10 %."""
_LEAST_PUT = 100


class Focused(Strategy):
    """Scores a link by how likely its target is to be about the topic, as learned so far."""

    needs_topic = True
    again = Again.ASK
    rescore_growth = 0.03

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._pages: list[SeenPage] = []
        self._fitted = 0
        """How many of the pages the models were made from."""
        self._unsaved: list[SeenPage] = []
        self._is_model_saved = True
        self._model = PageModel(self._asked_terms(), self._given())
        self._links = LinkTable()
        self._weights = LinkWeights()

    def look(self, page: PageText, links: Sequence[Link]) -> Sight:
        """Turn the page and its links into numbers."""
        return look_at(page, links[:MOST_LINKS], self.topic.weights(page.document.language))

    def learn(self, page: Visit) -> None:
        """Judge a page, and remember it."""
        sight = page.sight or self.look(PageText(page.document), ())
        seen = SeenPage(self._next_number(), page.url_id.ljust(16, b"\0"), sight, b"")
        if page.url_id in self.topic.label_of:
            seen.label = float(self.topic.label_of[page.url_id])
        features = self._links.features(seen.url_id)
        if features.any():
            seen.evidence = features[0].astype(np.float32)
        if len(self._pages) >= MOST_PAGES:
            del self._pages[: MOST_PAGES // 4]
            self._fit()
        self._pages.append(seen)
        self._judge(seen)

    def score(self, links: Sequence[Link], page: Visit) -> Sequence[float]:
        """Return how likely each target is to be relevant, by all links to it."""
        seen = self._pages[-1]
        seen.targets = page.link_ids[: 16 * len(seen.sight.named)]
        self._links.add(seen, self._model)
        scores: list[float] = self._weights.score(self._links.features(seen.targets)).tolist()
        return scores + [0.0] * (len(links) - len(scores))

    def merge(self, pairs: Sequence[tuple[Scored, Scored]]) -> Sequence[Scored]:
        """Return the newer score: it counts all links."""
        return [new for _, new in pairs]

    def rescore(self, prospects: Prospects) -> None:
        """Learn from all pages anew when it is time, and put in order what comes next."""
        if not self._is_due():
            return
        self._fit()
        most = max(_LEAST_PUT, len(self._pages) // 2)
        first = prospects.best(most)
        rows = [url.row for url in first]
        features = self._links.features(b"".join(url.url_id for url in first))
        known = np.flatnonzero(np.abs(features).sum(axis=1))
        scores = self._weights.score(features)
        prospects.put_scores([rows[at] for at in known], scores[known].tolist())
        ids, features = self._links.waiting()
        scores = self._weights.score(features)
        best = np.argsort(-scores, kind="stable")[:most]
        prospects.put_scores_of([ids[16 * at : 16 * at + 16] for at in best], scores[best].tolist())

    def save(self) -> Mapping[str, bytes]:
        """Return the pages that are new, and up to which of them the models were made."""
        parts = {f"page{page.number % MOST_PAGES}": pack_page(page) for page in self._unsaved}
        if parts or not self._is_model_saved:
            first = self._pages[0].number if self._pages else 0
            parts["model"] = json.dumps([first, self._fitted, len(self._pages)]).encode()
        self._unsaved = []
        self._is_model_saved = True
        return parts

    def restore(self, parts: Mapping[str, bytes]) -> None:
        """Read the pages, and learn from them as before."""
        first, fitted, count = json.loads(parts["model"])
        pages = [unpack_page(record) for part, record in parts.items() if part.startswith("page")]
        pages = sorted((p for p in pages if p.number >= first), key=lambda page: page.number)
        self._pages = pages[:fitted]
        self._fit()
        for page in pages[fitted:count]:
            self._pages.append(page)
            self._judge(page)
            self._links.add(page, self._model)
        self._unsaved = []

    def _judge(self, page: SeenPage) -> None:
        page.guess = self._model.guess(page.sight)
        self._links.settle(page)
        self._unsaved.append(page)

    def _fit(self) -> None:
        if self._pages:
            self._model.fit(self._pages)
        self._links.fit(self._pages, self._model)
        self._weights.fit(self._pages)
        self._fitted = len(self._pages)
        self._is_model_saved = False

    def _is_due(self) -> bool:
        """Tell whether enough pages have come: few in a small crawl, a tenth in a larger one."""
        pages = self._next_number()
        share = 0.0 if pages <= CAREFUL_PAGES else 0.1 * pages
        return len(self._pages) - self._fitted >= min(share, MOST_PAGES // 4)

    def _next_number(self) -> int:
        return self._pages[-1].number + 1 if self._pages else 0

    def _asked_terms(self) -> list[int]:
        languages = {example.language for example in self.topic.examples} | {""}
        return [bucket_of(term) for language in languages for term in self.topic.weights(language)]

    def _given(self) -> list[Sight]:
        pages = [
            PageText(Document(title=example.title, text=example.text, language=example.language))
            for example in self.topic.examples
        ]
        return [look_at(page, (), self.topic.weights(page.document.language)) for page in pages]
