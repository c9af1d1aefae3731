"""How much a page is about the topic, from 0 to 1; by the terms that search goes by.

A parser counts the topic's terms on a page, `measure`. The owner turns that into a score, with what
it has learned of how rare each term is on the pages of this crawl, `judge`: BM25 of the topic's
terms, a term in the title counting as three in the text, divided by what the best page could have.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from telusur.crawl.topic import PageText, Topic
from telusur.errors import UsageError

K1 = 1.2
B = 0.75
TITLE_WEIGHT = 3
LEAST_IDF = 0.1
PRIOR_PAGES = 10.0
"""Before pages were seen, each term is as rare as on one in ten."""
RELEVANT = 0.5
"""From here on a page counts as relevant, unless the user says otherwise."""


STEPS = 100
"""So finely scores are told apart when the best share of them is looked for: the same page has a
slightly other score when more is known of how rare words are."""


@dataclass(slots=True, frozen=True)
class Bar:
    """What a page must reach to be relevant: a topic score, or a place among the best."""

    score: float = RELEVANT
    share: float | None = None
    """Of all pages, so many are relevant at most; one without a word of the topic never is."""

    def __post_init__(self) -> None:
        if self.share is not None and self.share > 1.0:
            raise UsageError(
                f"--relevant-share: {self.share:g} is more than all pages; write 0.1 for a tenth."
            )

    def choose(self, scores: Mapping[str, float]) -> frozenset[str]:
        """Return the relevant ones when the scores of all pages are known."""
        if self.share is None:
            return frozenset(url for url, score in scores.items() if score >= self.score)
        best = sorted((url for url in scores if scores[url]), key=lambda url: (-scores[url], url))
        return frozenset(best[: math.ceil(self.share * len(scores))])


class Measure(NamedTuple):
    """What a page has of the topic: weight and frequency of each of its terms, and its length."""

    counts: tuple[tuple[str, float, int], ...]
    length: int


def measure(page: PageText, topic: Topic) -> Measure:
    """Count the topic's terms on a page."""
    wanted = topic.weights(page.document.language)
    found = page.mentions(wanted)
    titled = np.count_nonzero(found[:, : page.title_size], axis=1)
    counts = np.count_nonzero(found, axis=1) + (TITLE_WEIGHT - 1) * titled
    return Measure(
        tuple(zip(wanted.keys(), wanted.values(), counts.tolist(), strict=True)), len(page.hashes)
    )


class Gauge:
    """Judges measured pages one after the other; it learns how rare terms are as it goes."""

    def __init__(self) -> None:
        self._pages = 0
        self._words = 0
        self._pages_with: Counter[str] = Counter()
        self._scores: Counter[int] = Counter()
        """How many pages had each score, in steps."""

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
        score = got / most if most else 0.0
        self._scores[int(score * STEPS)] += 1
        return score

    def reaches(self, score: float, bar: Bar) -> bool:
        """Tell whether a page that was just judged is relevant, as far as is known by now."""
        if bar.share is None:
            return score >= bar.score
        step = int(score * STEPS)
        better = sum(count for other, count in self._scores.items() if other > step)
        return score > 0.0 and better < bar.share * self._pages

    def _idf(self, term: str) -> float:
        pages = self._pages + PRIOR_PAGES
        pages_with = self._pages_with[term] + PRIOR_PAGES / 10
        return max(LEAST_IDF, math.log(pages / pages_with))

    def save(self) -> bytes:
        """Return what was learned."""
        scores = sorted(self._scores.items())
        return json.dumps([self._pages, self._words, dict(self._pages_with), scores]).encode()

    def restore(self, saved: bytes) -> None:
        """Go on from what was saved."""
        self._pages, self._words, counts, *scores = json.loads(saved)
        self._pages_with = Counter(counts)
        self._scores = Counter(dict(scores[0])) if scores else Counter()  # older crawls have none


def saved_gauge(parts: Mapping[str, bytes]) -> Gauge:
    """Return a gauge that goes on from what was saved, if there is anything."""
    gauge = Gauge()
    if parts.get("relevance"):
        gauge.restore(parts["relevance"])
    return gauge
