"""What is counted of each cluster, and what people see of it."""

import heapq
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from telusur.models import Bounds
from telusur.reports.clusters.shapes import Shape, common_selector, key_of

_EXAMPLES = 3


@dataclass(slots=True, frozen=True)
class BlockCluster:
    """A cluster of a site's blocks."""

    number: int
    # What identifies the cluster when the site is clustered again with the same pages.
    key: str
    # Title, author, content or other, by the pages' meta tags.
    name: str
    # What the extractor calls most of its blocks, and how large their share is.
    extracted: str
    agreement: float
    blocks: int
    pages: int
    words: int
    # A CSS selector that fits all its blocks.
    selector: str
    # A few of its texts, the most frequent first.
    examples: tuple[str, ...]
    # A page with blocks of it.
    page: str
    # The label that a person gave; empty for none.
    by_hand: str = ""

    @property
    def label(self) -> str:
        """Return the label given by hand; otherwise what the extractor calls most blocks."""
        return self.by_hand or self.extracted

    @property
    def example(self) -> str:
        """Return its most frequent text."""
        return self.examples[0]


class CountedBlock(NamedTuple):
    """What is kept of a block until its cluster is known."""

    label: str
    shape: Shape
    path: str
    text: str
    words: int
    place: Bounds


@dataclass(slots=True)
class ClusterTally:
    """What is counted of a cluster."""

    labels: Counter[str] = field(default_factory=Counter)
    shapes: Counter[Shape] = field(default_factory=Counter)
    paths: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    urls: list[str] = field(default_factory=list)
    words: int = 0

    def add(self, row: CountedBlock) -> None:
        """Count a block."""
        self.labels[row.label] += 1
        self.shapes[row.shape] += 1
        self.paths[row.path] += 1
        self.texts[row.text] += 1
        self.words += row.words

    def view(self, number: int, name: str) -> BlockCluster:
        """Return the cluster for people."""
        label, count = self.labels.most_common(1)[0]
        blocks = self.labels.total()
        return BlockCluster(
            number, key_of(self.shapes), name, label, round(count / blocks, 4), blocks,
            len(self.urls), self.words, common_selector(self.paths), self._examples(),
            self.urls[0],
        )  # fmt: skip

    def _examples(self) -> tuple[str, ...]:
        """Return the most frequent texts; of several, those that say more than a number."""
        ranked = heapq.nsmallest(
            _EXAMPLES, self.texts.items(), key=lambda item: (-item[1], -min(len(item[0]), 40), item)
        )
        return tuple(text for text, _ in ranked)


def with_own_keys(clusters: list[BlockCluster]) -> list[BlockCluster]:
    """Return the clusters; of those whose blocks have the same shapes, later ones get a number."""
    seen = Counter[str]()
    named = []
    for each in clusters:
        seen[each.key] += 1
        again = f"-{seen[each.key]}" if seen[each.key] > 1 else ""
        named.append(replace(each, key=each.key + again))
    return named
