"""How much a page is about the topic, from 0 to 1; by the terms that search goes by.

A parser counts the topic's terms on a page, `measure`. The owner turns that into a score, with what
it has learned of how rare each term is on the pages of this crawl, `judge`: BM25 of the topic's
terms, a term in the title counting as three in the text, divided by what the best page could have.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from telusur.crawl.topic import PageText, Topic

K1 = 1.2
B = 0.75
TITLE_WEIGHT = 3
LEAST_IDF = 0.1
PRIOR_PAGES = 10.0
"""Before pages were seen, each term is as rare as on one in ten."""
RELEVANT = 0.5
"""From here on a page counts as relevant, unless the user says otherwise."""


class Measure(NamedTuple):
    """What a page has of the topic: weight and frequency of each of its terms, and its length."""

    counts: tuple[tuple[str, float, int], ...]
    length: int


def measure(page: PageText, topic: Topic) -> Measure:
    """Count the topic's terms on a page."""
    wanted = topic.weights(page.document.language)
    counts = tuple(
        (term, weight, page.count(term) + (TITLE_WEIGHT - 1) * page.count_in_title(term))
        for term, weight in wanted.items()
    )
    return Measure(counts, len(page.hashes))


class Gauge:
    """Judges measured pages one after the other; it learns how rare terms are as it goes."""

    def __init__(self) -> None:
        self._pages = 0
        self._words = 0
        self._pages_with: Counter[str] = Counter()

    def judge(self, found: Measure) -> float:
        """Return how much a page is about the topic, having learned from it."""
        self._pages += 1
        self._words += found.length
        self._pages_with.update(term for term, _, count in found.counts if count)
        mean = self._words / self._pages or 1.0
        norm = K1 * (1.0 - B + B * found.length / mean)
        got = most = 0.0
        for term, weight, count in found.counts:
            value = weight * self._idf(term)
            most += value
            got += value * count / (count + norm)
        return got / most if most else 0.0

    def _idf(self, term: str) -> float:
        pages = self._pages + PRIOR_PAGES
        pages_with = self._pages_with[term] + PRIOR_PAGES / 10
        return max(LEAST_IDF, math.log(pages / pages_with))

    def save(self) -> bytes:
        """Return what was learned."""
        return json.dumps([self._pages, self._words, dict(self._pages_with)]).encode()

    def restore(self, saved: bytes) -> None:
        """Go on from what was saved."""
        self._pages, self._words, counts = json.loads(saved)
        self._pages_with = Counter(counts)


def saved_gauge(parts: Mapping[str, bytes]) -> Gauge:
    """Return a gauge that goes on from what was saved, if there is anything."""
    gauge = Gauge()
    if parts.get("relevance"):
        gauge.restore(parts["relevance"])
    return gauge
