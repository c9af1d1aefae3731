"""The pages of a collection in the order they were found, and which page each was found on."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

NO_PARENT = -1

Places = NDArray[np.int32]


@dataclass(frozen=True)
class Outline:
    """Every page as arrays, 66 to 70 bytes per page; the index of a page is its id here.

    A page comes after the page it was found on, so a walk in order visits parents first.
    """

    # Where the store finds the page again.
    rows: NDArray[np.int64]
    # See `telusur.index.contract.number_of`.
    numbers: NDArray[np.uint64]
    sites: NDArray[np.uint32]
    depths: NDArray[np.uint16]
    # The place of the page it was found on; `NO_PARENT` for a start URL.
    parents: Places
    # Its PageRank times the number of pages; 0 if unknown.
    ranks: NDArray[np.float32]
    site_names: tuple[str, ...] = field(repr=False)
    # The topic score of each page, 0 to 1; NaN without a topic.
    topics: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def place_of(self, number: int) -> int | None:
        """Return the place of one page, or None where there is none."""
        (place,) = self.places_of(np.array([number], np.uint64)).tolist()
        return None if place == NO_PARENT else int(place)

    def places_of(self, numbers: NDArray[np.uint64]) -> Places:
        """Return the place of each page, `NO_PARENT` for those that are not here."""
        return look_up(numbers, *self._by_number)

    def topic_of(self, place: int) -> float | None:
        """Return the topic score of a page, if it has one."""
        score = np.nan if self.topics is None else float(self.topics[place])
        return None if np.isnan(score) else round(score, 2)

    def site_number(self, site: str) -> int | None:
        """Return the number of a site by its name, or None."""
        return self.site_names.index(site) if site in self.site_names else None

    def children(self, place: int) -> Places:
        """Return the pages found on a page, or the start URLs, in the order they were found."""
        order, starts = self._by_parent
        return order[starts[place + 1] : starts[place + 2]]

    def count_children(self, places: Places) -> NDArray[np.int64]:
        """Return how many pages were found on each."""
        _, starts = self._by_parent
        return starts[places + 2] - starts[places + 1]

    def path(self, place: int) -> list[int]:
        """Return the path to a page, from its start URL, itself last."""
        way = [place]
        while (parent := int(self.parents[way[-1]])) != NO_PARENT:
            way.append(parent)
        return way[::-1]

    @cached_property
    def below(self) -> NDArray[np.int64]:
        """How many pages are below each page, directly or indirectly."""
        total = [0] * len(self)
        for place in range(len(self) - 1, -1, -1):
            parent = int(self.parents[place])
            if parent != NO_PARENT:
                total[parent] += total[place] + 1
        return np.array(total, np.int64)

    @cached_property
    def best_first(self) -> Places:
        """All places: by rank, then near a start URL, then as they were found."""
        return np.lexsort((np.arange(len(self)), self.depths, -self.ranks)).astype(np.int32)

    @cached_property
    def _by_number(self) -> tuple[Places, NDArray[np.uint64]]:
        return sort_numbers(self.numbers)

    @cached_property
    def _by_parent(self) -> tuple[Places, NDArray[np.int64]]:
        order = np.argsort(self.parents, kind="stable").astype(np.int32)
        counts = np.bincount(self.parents + 1, minlength=len(self) + 1)
        return order, np.concatenate(([0], np.cumsum(counts)))


def sort_numbers(numbers: NDArray[np.uint64]) -> tuple[Places, NDArray[np.uint64]]:
    """Return the places of numbers in the order of numbers, and the numbers in that order."""
    order = np.argsort(numbers, kind="stable").astype(np.int32)
    return order, numbers[order]


def look_up(wanted: NDArray[np.uint64], order: Places, known: NDArray[np.uint64]) -> Places:
    """Return the place of each number among the known ones, `NO_PARENT` for others."""
    if not len(known):
        return np.full(len(wanted), NO_PARENT, np.int32)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, order[at], NO_PARENT).astype(np.int32)
