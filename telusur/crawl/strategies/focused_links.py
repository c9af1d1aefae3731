"""What is known about each URL that waits: by the links to it on all pages seen.

Each link adds to the sums of its target; the features of a URL are made from its sums. Part of what
a link adds never changes; the rest is added up anew when the pages are judged anew.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import numbers_of
from telusur.crawl.strategies.focused_features import CHANGING, COUNT, SUMS, features_of
from telusur.crawl.strategies.focused_memory import Column, SeenPage
from telusur.crawl.strategies.focused_pages import PageModel
from telusur.crawl.strategies.focused_sight import Sight
from telusur.crawl.strategies.focused_values import (
    Judged,
    Links,
    changing_values,
    lasting_values,
    list_shares,
    make_tables,
    weigh_link_terms,
)
from telusur.language.term_sums import Doubles, Floats, Ints

Places = NDArray[np.integer[Any]]
_CHANGING = len(CHANGING)


class LinkTable:
    """The URLs that pages in memory lead to, fetched or not; each has a place."""

    def __init__(self, model: PageModel) -> None:
        self._model = model
        self._place_of: dict[int, int] = {}
        self._ids = bytearray()
        self._outcomes: Doubles = np.full(1024, np.nan)
        """How URLs turned out."""
        self._sums: Doubles = np.zeros((SUMS, 1024))
        self.mean_value = 0.0
        self.mean_outcome = 0.0
        """How relevant pages were thought to be when they were judged last, and turned out."""
        self._pages = Column(np.int64)
        """The places of the pages themselves."""
        kinds = [np.int32] * (len(Links._fields) - 1) + [np.float64]
        self._columns = [Column(kind) for kind in kinds]
        self._named = Column(np.float32, 2)
        """How much each link names the topic, and how near it is."""
        self._led_by: Doubles = np.zeros((0, 2))
        self._tables = make_tables(model, self._led_by)

    @property
    def _links(self) -> Links:
        return Links(*(column.values for column in self._columns))

    # Pages

    def remember(self, page: SeenPage, sight: Sight) -> Links:
        """Note where a page leads, as the vocabulary reads it; return its links."""
        (place,) = self._places(page.url_id)
        places = self._places(page.targets)
        size = np.array([len(places)], np.int32)
        links = Links(
            size, places, sight.anchors, sight.anchor_lengths, sight.arounds,
            sight.around_lengths, list_shares(len(places)),
        )  # fmt: skip
        for at, column in enumerate(self._columns):
            column.add(links[at], len(links[at]))
        self._pages.add(place, 1)
        named = np.column_stack([sight.named, sight.kin])
        self._named.add(named, len(places))
        self._add_lasting(places, named)
        return links

    def add(self, page: SeenPage, sight: Sight, outcome: float, guess: float) -> Places:
        """Remember a page and how it turned out; return the places of its targets."""
        links = self.remember(page, sight)
        self._outcomes[self._pages.values[-1]] = outcome
        self._model.make_room()
        if len(self._model.rarity) > len(self._tables.around):
            self._tables = make_tables(self._model, self._led_by)
        found = self._outcomes[links.targets]
        judged = Judged(np.array([guess]), np.array([outcome]))
        values = changing_values(links, judged, found, self._tables)
        self._add_at(links.targets, values, self._sums[:_CHANGING])
        return links.targets

    def fit(self, pages: Judged) -> None:
        """Add up anew what depends on how the pages are judged."""
        self._outcomes[self._pages.values] = pages.outcomes
        self.mean_value = float(pages.guesses.mean()) if len(self._pages) else 0.0
        self.mean_outcome = float(pages.outcomes.mean()) if len(self._pages) else 0.0
        links, count = self._links, len(self._place_of)
        targets = links.targets
        found = self._outcomes[targets]
        self._model.make_room()
        terms = len(self._model.rarity)
        self._led_by = weigh_link_terms(links, self._sums[COUNT, targets], found, terms)
        self._tables = make_tables(self._model, self._led_by)
        values = changing_values(links, pages, found, self._tables)
        for row, added in enumerate(values):
            self._sums[row, :count] = np.bincount(targets, added, count)

    def forget(self, pages: int) -> None:
        """Forget the first pages, and the URLs that no other page leads to."""
        links = self._links
        first = int(links.sizes[:pages].sum())
        anchors = int(links.anchor_lengths[:first].sum())
        arounds = int(links.around_lengths[:first].sum())
        for column, size in zip(
            self._columns, (pages, first, anchors, first, arounds, first, first), strict=True
        ):
            column.drop(size)
        self._pages.drop(pages)
        self._named.drop(first)
        self._renumber()

    def _renumber(self) -> None:
        """Give the URLs that are left new places, and add up anew what lasts."""
        places = np.concatenate([self._pages.values, self._links.targets])
        kept, renumbered = np.unique(places, return_inverse=True)
        ids = np.frombuffer(bytes(self._ids), "V16")[kept].tobytes()
        self._ids, self._place_of = bytearray(ids), {}
        self._place_of = {number: at for at, number in enumerate(numbers_of(ids).tolist())}
        self._pages.values[:] = renumbered[: len(self._pages)]
        self._links.targets[:] = renumbered[len(self._pages) :]
        self._outcomes[:] = np.nan
        self._sums[:] = 0.0
        at = 0
        for size in self._links.sizes.tolist():
            of_page = slice(at, at + size)
            self._add_lasting(self._links.targets[of_page], self._named.values[of_page])
            at += size

    # URLs

    def knows(self, url_id: bytes) -> bool:
        """Tell whether a page in memory leads to a URL, or is it."""
        return int.from_bytes(url_id[:8], "big") in self._place_of

    def places_of(self, url_ids: bytes) -> Places:
        """Return the places of URLs that are known."""
        numbers = numbers_of(url_ids).tolist()
        return np.array([self._place_of[number] for number in numbers], np.int64)

    def sums(self, url_id: bytes) -> Doubles:
        """Return what is known about a URL; all 0 where no page leads."""
        if not self.knows(url_id):
            return np.zeros(SUMS)
        return self._sums[:, int(self.places_of(url_id)[0])]

    def features_at(self, places: Places) -> Doubles:
        """Return the features of the URLs at these places, a row for each feature."""
        return features_of(self._sums[:, places], self.mean_value, self.mean_outcome)

    def waiting(self) -> Places:
        """Return the places of the URLs that are not among the pages."""
        count = len(self._place_of)
        return np.flatnonzero(np.isnan(self._outcomes[:count]) & (self._sums[COUNT, :count] > 0))

    def ids_at(self, places: Places) -> list[bytes]:
        """Return the ids of the URLs at these places."""
        return [bytes(self._ids[16 * at : 16 * at + 16]) for at in places.tolist()]

    def _places(self, url_ids: bytes) -> Ints:
        """Return the places of URLs, new ones at the end."""
        place_of, places = self._place_of, []
        for at, number in enumerate(numbers_of(url_ids).tolist()):
            place = place_of.get(number)
            if place is None:
                place = place_of[number] = len(place_of)
                self._ids += url_ids[16 * at : 16 * at + 16]
            places.append(place)
        while len(place_of) > len(self._outcomes):
            self._outcomes = np.concatenate([self._outcomes, np.full_like(self._outcomes, np.nan)])
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)], axis=1)
        return np.array(places, np.int32)

    def _add_lasting(self, places: Places, named: Floats) -> None:
        values = lasting_values(len(places)).copy()
        values[:2] = named.T
        self._add_at(places, values, self._sums[_CHANGING:])

    def _add_at(self, places: Places, values: Doubles, sums: Doubles) -> None:
        if len(set(places.tolist())) == len(places):
            sums[:, places] += values
        else:
            for row, added in zip(sums, values, strict=True):
                np.add.at(row, places, added)
