"""What is known about each URL that waits: by the links to it on all pages seen.

Each link adds to the sums of its target; the features of a URL are made from its sums. Part of what
a link adds never changes; the rest is added up anew when the pages are judged anew.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import numbers_of
from telusur.crawl.strategies.focused_features import CHANGING, COUNT, SUMS, features_of
from telusur.crawl.strategies.focused_memory import Column, SeenPage, Vocabulary
from telusur.crawl.strategies.focused_pages import PageModel
from telusur.crawl.strategies.focused_values import (
    Links,
    changing_values,
    lasting_values,
    make_tables,
    weigh_link_terms,
)
from telusur.language.term_sums import Doubles, Ints, sums_of_terms

Places = NDArray[np.integer[Any]]
_CHANGING = len(CHANGING)


class LinkTable:
    """The URLs that pages in memory lead to, fetched or not; each has a place."""

    def __init__(self, vocabulary: Vocabulary, model: PageModel) -> None:
        self._vocabulary = vocabulary
        self._model = model
        self._place_of: dict[int, int] = {}
        self._ids = bytearray()
        self._outcomes: Doubles = np.full(1024, np.nan)
        """How URLs turned out."""
        self._sums: Doubles = np.zeros((1024, SUMS))
        self.mean_value = 0.0
        """How relevant pages were when they were judged last."""
        self._pages = Column(np.int64)
        """The places of the pages themselves."""
        self._columns = [Column(np.int32) for _ in Links._fields]
        self._named = Column(np.float32)
        self._led_by: Doubles = np.zeros((0, 2))
        self._tables = make_tables(model, self._led_by)

    @property
    def _links(self) -> Links:
        return Links(*(column.values for column in self._columns))

    # Pages

    def remember(self, page: SeenPage) -> Links:
        """Note where a page leads; return its links."""
        (place,) = self._places(page.url_id)
        places = self._places(page.targets)
        sight, numbers = page.sight, self._vocabulary.numbers
        links = Links(
            np.array([len(places)], np.int32), places,
            numbers(sight.anchors), sight.anchor_lengths,
            numbers(sight.arounds), sight.around_lengths,
        )  # fmt: skip
        for column, values in zip(self._columns, links, strict=True):
            column.add(values, len(values))
        self._pages.add(place, 1)
        self._named.add(sight.named, len(places))
        self._add_at(places, lasting_values(len(places), sight.named), slice(_CHANGING, SUMS))
        return links

    def add(self, page: SeenPage, outcome: float, guess: float) -> Places:
        """Remember a page and how it turned out; return the places of its targets."""
        links = self.remember(page)
        self._outcomes[self._pages.values[-1]] = outcome
        self._model.make_room()
        if len(self._model.rarity) > len(self._tables.around):
            self._tables = make_tables(self._model, self._led_by)
        found = self._outcomes[links.targets]
        values = changing_values(links, np.array([guess]), found, self._tables)
        self._add_at(links.targets, values, slice(0, _CHANGING))
        return links.targets

    def fit(self, guesses: Doubles, outcomes: Doubles) -> None:
        """Add up anew what depends on how the pages are judged."""
        self._outcomes[self._pages.values] = outcomes
        self.mean_value = float(guesses.mean()) if len(guesses) else 0.0
        links, count = self._links, len(self._place_of)
        targets = links.targets
        found = self._outcomes[targets]
        self._model.make_room()
        terms = len(self._model.rarity)
        self._led_by = weigh_link_terms(links, self._sums[targets, COUNT], found, terms)
        self._tables = make_tables(self._model, self._led_by)
        values = changing_values(links, guesses, found, self._tables)
        each = np.ones(len(targets), np.int32)
        self._sums[:count, :_CHANGING] = sums_of_terms(values, targets, each, count)

    def forget(self, pages: int) -> None:
        """Forget the first pages, and the URLs that no other page leads to."""
        links = self._links
        first = int(links.sizes[:pages].sum())
        anchors = int(links.anchor_lengths[:first].sum())
        arounds = int(links.around_lengths[:first].sum())
        for column, size in zip(
            self._columns, (pages, first, anchors, first, arounds, first), strict=True
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
            values = lasting_values(size, self._named.values[at : at + size])
            self._add_at(self._links.targets[at : at + size], values, slice(_CHANGING, SUMS))
            at += size

    # URLs

    def sums(self, url_ids: bytes) -> Doubles:
        """Return what is known about URLs, a row of sums each; all 0 where no page leads."""
        places = [self._place_of.get(number, -1) for number in numbers_of(url_ids).tolist()]
        sums = self._sums[places]
        sums[[place < 0 for place in places]] = 0.0
        return sums

    def features_at(self, places: Places) -> Doubles:
        """Return a row of features for each of the URLs at these places."""
        return features_of(self._sums[places], self.mean_value)

    def features(self, url_ids: bytes) -> Doubles:
        """Return a row of features for each URL."""
        return features_of(self.sums(url_ids), self.mean_value)

    def waiting(self) -> Places:
        """Return the places of the URLs that are not among the pages."""
        count = len(self._place_of)
        return np.flatnonzero(np.isnan(self._outcomes[:count]) & (self._sums[:count, COUNT] > 0))

    def ids_at(self, places: Places) -> bytes:
        """Return the ids of the URLs at these places, one after the other."""
        return b"".join(bytes(self._ids[16 * at : 16 * at + 16]) for at in places.tolist())

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
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)])
        return np.array(places, np.int32)

    def _add_at(self, places: Places, values: Doubles, columns: slice) -> None:
        sums = self._sums[:, columns]
        if len(set(places.tolist())) == len(places):
            sums[places] += values
        else:
            np.add.at(sums, places, values)
