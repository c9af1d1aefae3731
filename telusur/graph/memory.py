"""A graph in memory, for invented collections and for tests."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telusur.graph.contract import Edges, Named, Sample
from telusur.graph.outline import NO_PARENT, Outline


@dataclass(slots=True, frozen=True)
class MemoryPage:
    """A page; `parent` is the place of an earlier one."""

    number: int
    url: str
    title: str
    site: str
    parent: int = NO_PARENT
    depth: int = 0
    rank: float = 0.0
    topic: float | None = None


class MemoryGraph:
    """A graph made from records."""

    def __init__(self, pages: Sequence[MemoryPage], links: Iterable[tuple[int, int]] = ()) -> None:
        self._named = [Named(page.url, page.title) for page in pages]
        names = tuple(dict.fromkeys(page.site for page in pages))
        self._outline = Outline(
            rows=np.arange(len(pages)),
            numbers=np.array([page.number for page in pages], np.uint64),
            sites=np.array([names.index(page.site) for page in pages], np.uint32),
            depths=np.array([page.depth for page in pages], np.uint16),
            parents=np.array([page.parent for page in pages], np.int32),
            ranks=np.array([page.rank for page in pages], np.float32),
            site_names=names,
            topics=_topics(pages),
        )
        pairs = sorted({(source, target) for source, target in links if source != target})
        self._links = np.array(pairs, np.int32).reshape(-1, 2)

    def outline(self) -> Outline:
        """Return the pages."""
        return self._outline

    def name(self, outline: Outline, places: Sequence[int]) -> list[Named]:
        """Return URL and title of each page."""
        return [self._named[place] for place in places]

    def links_of(self, outline: Outline, places: NDArray[np.int32]) -> Iterator[Edges]:
        """Yield the links of these pages."""
        kept = self._links[np.isin(self._links[:, 0], places)]
        yield kept[:, 0], kept[:, 1]

    def sample(self, outline: Outline) -> Sample:
        """Return all links."""
        return Sample(self._links[:, 0], self._links[:, 1], len(outline))


def _topics(pages: Sequence[MemoryPage]) -> NDArray[np.float32] | None:
    scores = np.array([np.nan if page.topic is None else page.topic for page in pages], np.float32)
    return None if np.isnan(scores).all() else scores
