"""Where the blocks of a page stand, as rectangles for small pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from telusur.models import Block, Bounds

#: Without a browser a page is as wide as this many letters, and a line is as high as this.
LINE_LETTERS = 80
LINE_HEIGHT = 2
_MOST_LINES = 12
_GAP = 1
# Hostile pages put blocks anywhere.
_MOST_PIXELS = 100_000.0
_LEAST_PIXELS = 2.0


class BlockPlace(NamedTuple):
    """The rectangle of a block, and the number of its cluster; None if it is in none."""

    cluster: int | None
    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True, frozen=True)
class PagePlaces:
    """The places of a page's blocks, in reading order."""

    url: str
    places: tuple[BlockPlace, ...]

    @property
    def width(self) -> float:
        """Return how far the blocks reach to the right."""
        return max((each.x + each.width for each in self.places), default=1.0)

    @property
    def height(self) -> float:
        """Return how far the blocks reach down."""
        return max((each.y + each.height for each in self.places), default=1.0)

    @property
    def clusters(self) -> frozenset[int]:
        """Return the clusters that the page has blocks of."""
        return frozenset(each.cluster for each in self.places if each.cluster is not None)


def find_places(blocks: Sequence[Block]) -> list[Bounds]:
    """Return the rectangle of each block: the browser's, or that of its text in reading order.

    Without a browser nobody knows what stands beside what, so blocks are below each other, as high
    and wide as their text.
    """
    if any(block.bounds is not None for block in blocks):
        return [_within(block.bounds) for block in blocks]
    places, y = [], 0
    for block in blocks:
        letters = len(block.text)
        lines = min(max(ceil(letters / LINE_LETTERS), 1), _MOST_LINES)
        height = lines * LINE_HEIGHT
        places.append(Bounds(0, y, min(max(letters, 1), LINE_LETTERS), height))
        y += height + _GAP
    return places


def _within(bounds: Bounds | None) -> Bounds:
    x, y, width, height = bounds or (0.0, 0.0, 0.0, 0.0)
    x, y = (round(min(max(each, 0.0), _MOST_PIXELS)) for each in (x, y))
    width, height = (round(min(max(each, _LEAST_PIXELS), _MOST_PIXELS)) for each in (width, height))
    return Bounds(x, y, width, height)


def choose_pages(clusters: Sequence[frozenset[int]], most: int) -> list[int]:
    """Return the numbers of a few pages that together have most clusters, the richest first."""
    order = sorted(range(len(clusters)), key=lambda page: (-len(clusters[page]), page))
    chosen: list[int] = []
    seen: set[int] = set()
    for page in order:
        if len(chosen) < most and not clusters[page] <= seen:
            chosen.append(page)
            seen |= clusters[page]
    return chosen
