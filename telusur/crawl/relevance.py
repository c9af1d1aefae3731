"""The topic score of a page, from 0 to 1, by the same terms as search.

A parser counts the topic's terms on a page (`measure`). The owner turns the counts into a score
(`judge`), using how rare each term is on the pages of this crawl: BM25 of the topic's terms, a term
in the title counting as three in the text, divided by the score of the best possible page.
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
# Before any page is seen, each term is assumed to be on one page in ten.
PRIOR_PAGES = 10.0
# The default topic score from which a page counts as relevant.
RELEVANT = 0.5


# The resolution of scores when the best share is chosen. Finer steps mean nothing: the score of a
# page shifts slightly as more is known about rare words.
STEPS = 100


@dataclass(slots=True, frozen=True)
class Bar:
    """The threshold of relevance: a topic score, or a place among the best."""

    score: float = RELEVANT
    # The largest share of pages that are relevant; a page without a word of the topic never is.
    share: float | None = None

    def __post_init__(self) -> None:
        if self.share is not None and self.share > 1.0:
            raise UsageError(
                f"--relevant-share: {self.share:g} is more than all pages; write 0.1 for a tenth."
            )

    def choose(self, scores: Mapping[str, float]) -> frozenset[str]:
        """Return the relevant pages when the scores of all pages are known."""
        if self.share is None:
            return frozenset(url for url, score in scores.items() if score >= self.score)
        best = sorted((url for url in scores if scores[url]), key=lambda url: (-scores[url], url))
        return frozenset(best[: math.ceil(self.share * len(scores))])


class Measure(NamedTuple):
    """The topic's terms on a page: weight and frequency of each, and the length of the page."""

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
    """Scores measured pages one after the other, and learns how rare terms are."""

    def __init__(self) -> None:
        self._pages = 0
        self._words = 0
        self._pages_with: Counter[str] = Counter()
        # How many pages had each score, in steps.
        self._scores: Counter[int] = Counter()

    def judge(self, found: Measure) -> float:
        """Learn from a page and return its topic score."""
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
        """Tell whether a page that was just scored is relevant, by what is known so far."""
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
        """Continue from a saved state."""
        self._pages, self._words, counts, *scores = json.loads(saved)
        self._pages_with = Counter(counts)
        self._scores = Counter(dict(scores[0])) if scores else Counter()  # older crawls have none


def saved_gauge(parts: Mapping[str, bytes]) -> Gauge:
    """Return a gauge that continues from a saved state, if there is one."""
    gauge = Gauge()
    if parts.get("relevance"):
        gauge.restore(parts["relevance"])
    return gauge
