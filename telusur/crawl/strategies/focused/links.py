"""What is known about each waiting URL, from the links to it on all pages seen.

Each link adds to the sums of its target; the features of a URL are made from its sums. Part of what
a link adds never changes; the rest is summed up again when the pages are judged again.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Doubles, Floats, Ints32
from telusur.crawl.strategies.contract import numbers_of
from telusur.crawl.strategies.focused.features import CHANGING, COUNT, SUMS, features_of
from telusur.crawl.strategies.focused.form import FORM
from telusur.crawl.strategies.focused.memory import Column, SeenPage
from telusur.crawl.strategies.focused.pages import PageModel
from telusur.crawl.strategies.focused.sight import Sight
from telusur.crawl.strategies.focused.values import (
    Judged,
    Links,
    add_links,
    lasting_values,
    list_shares,
    make_tables,
    weigh_link_terms,
)

Places = NDArray[np.integer[Any]]
_CHANGING = len(CHANGING)
_SAID = 2 + len(FORM)


class LinkTable:
    """The URLs that pages in memory link to, fetched or not; each has a place."""

    def __init__(self, model: PageModel) -> None:
        self._model = model
        self._place_of: dict[int, int] = {}
        self._ids = bytearray()
        # How URLs turned out.
        self._outcomes: Doubles = np.full(1024, np.nan)
        self._sums: Doubles = np.zeros((SUMS, 1024))
        self.mean_value = 0.0
        # The estimated relevance of pages when last judged, and their outcomes.
        self.mean_outcome = 0.0
        # The places of the pages themselves.
        self._pages = Column(np.int64)
        kinds = [np.int32] * (len(Links._fields) - 1) + [np.float64]
        self._columns = [Column(kind) for kind in kinds]
        # For each link: how much it names the topic, its similarity in meaning, and its form.
        self._said = Column(np.float32, _SAID)
        self._led_by: Doubles = np.zeros((0, 2))
        self._tables = make_tables(model, self._led_by)

    @property
    def _links(self) -> Links:
        return Links(*(column.values for column in self._columns))

    # Pages

    def remember(self, pages: Sequence[SeenPage], sights: Sequence[Sight]) -> Links:
        """Record the links of pages, in the numbers of the vocabulary; return them."""
        own = self._places(b"".join(page.url_id for page in pages))
        places = self._places(b"".join(page.targets for page in pages))
        sizes = [len(sight.named) for sight in sights]
        links = Links(
            np.array(sizes, np.int32),
            places,
            np.concatenate([sight.anchors for sight in sights]),
            np.concatenate([sight.anchor_lengths for sight in sights]),
            np.concatenate([sight.arounds for sight in sights]),
            np.concatenate([sight.around_lengths for sight in sights]),
            np.concatenate([list_shares(size) for size in sizes]),
        )
        for at, column in enumerate(self._columns):
            column.add(links[at], len(links[at]))
        said = np.concatenate(
            [np.column_stack([sight.named, sight.kin, sight.form]) for sight in sights]
        )
        self._pages.add(own, len(own))
        self._said.add(said, len(said))
        self._add_lasting(places, sizes, said)
        return links

    def add(self, pages: Sequence[SeenPage], sights: Sequence[Sight], judged: Judged) -> Links:
        """Remember pages and their outcomes; return their links."""
        links = self.remember(pages, sights)
        self._outcomes[self._pages.values[-len(pages) :]] = judged.outcomes
        self._model.make_room()
        if len(self._model.rarity) > len(self._tables.around):
            self._tables = make_tables(self._model, self._led_by)
        add_links(links, judged, self._outcomes, self._tables, self._sums[:_CHANGING])
        return links

    def fit(self, pages: Judged) -> None:
        """Sum up again what depends on how the pages are judged."""
        self._outcomes[self._pages.values] = pages.outcomes
        self.mean_value = float(pages.guesses.mean()) if len(self._pages) else 0.0
        self.mean_outcome = float(pages.outcomes.mean()) if len(self._pages) else 0.0
        links = self._links
        targets = links.targets
        found = self._outcomes[targets]
        self._model.make_room()
        terms = len(self._model.rarity)
        self._led_by = weigh_link_terms(links, self._sums[COUNT, targets], found, terms)
        self._tables = make_tables(self._model, self._led_by)
        self._sums[:_CHANGING] = 0.0
        add_links(links, pages, self._outcomes, self._tables, self._sums[:_CHANGING])

    def forget(self, pages: int) -> None:
        """Forget the first pages, and the URLs that no other page links to."""
        links = self._links
        first = int(links.sizes[:pages].sum())
        anchors = int(links.anchor_lengths[:first].sum())
        arounds = int(links.around_lengths[:first].sum())
        for column, size in zip(
            self._columns, (pages, first, anchors, first, arounds, first, first), strict=True
        ):
            column.drop(size)
        self._pages.drop(pages)
        self._said.drop(first)
        self._renumber()

    def _renumber(self) -> None:
        """Give the remaining URLs new places, and sum up the permanent values again."""
        places = np.concatenate([self._pages.values, self._links.targets])
        kept, renumbered = np.unique(places, return_inverse=True)
        ids = np.frombuffer(bytes(self._ids), "V16")[kept].tobytes()
        self._ids, self._place_of = bytearray(ids), {}
        self._place_of = {number: at for at, number in enumerate(numbers_of(ids).tolist())}
        self._pages.values[:] = renumbered[: len(self._pages)]
        self._links.targets[:] = renumbered[len(self._pages) :]
        self._outcomes[:] = np.nan
        self._sums[:] = 0.0
        links = self._links
        self._add_lasting(links.targets, links.sizes.tolist(), self._said.values)

    # URLs

    def knows(self, url_id: bytes) -> bool:
        """Tell whether a URL is a page in memory, or one links to it."""
        return int.from_bytes(url_id[:8], "big") in self._place_of

    def places_of(self, url_ids: bytes) -> Places:
        """Return the places of URLs that are known."""
        numbers = numbers_of(url_ids).tolist()
        return np.array([self._place_of[number] for number in numbers], np.int64)

    def sums(self, url_id: bytes) -> Doubles:
        """Return the sums of a URL; all 0 if no page links to it."""
        if not self.knows(url_id):
            return np.zeros(SUMS)
        return self._sums[:, int(self.places_of(url_id)[0])]

    def features_at(self, places: Places) -> Doubles:
        """Return the features of the URLs at these places, one row per feature."""
        return features_of(self._sums[:, places], self.mean_value, self.mean_outcome)

    def waiting(self) -> Places:
        """Return the places of the URLs that are not among the pages."""
        count = len(self._place_of)
        return np.flatnonzero(np.isnan(self._outcomes[:count]) & (self._sums[COUNT, :count] > 0))

    def ids_at(self, places: Places) -> list[bytes]:
        """Return the ids of the URLs at these places."""
        return [bytes(self._ids[16 * at : 16 * at + 16]) for at in places.tolist()]

    def _places(self, url_ids: bytes) -> Ints32:
        """Return the places of URLs, new ones at the end."""
        place_of = self._place_of
        numbers = numbers_of(url_ids).tolist()
        places = [place_of.get(number, -1) for number in numbers]
        for at in [at for at, place in enumerate(places) if place < 0]:
            if numbers[at] not in place_of:
                place_of[numbers[at]] = len(place_of)
                self._ids += url_ids[16 * at : 16 * at + 16]
            places[at] = place_of[numbers[at]]
        while len(place_of) > len(self._outcomes):
            self._outcomes = np.concatenate([self._outcomes, np.full_like(self._outcomes, np.nan)])
            self._sums = np.concatenate([self._sums, np.zeros_like(self._sums)], axis=1)
        return np.array(places, np.int32)

    def _add_lasting(self, places: Places, sizes: Sequence[int], said: Floats) -> None:
        if not len(places):
            return
        values = np.concatenate([lasting_values(size) for size in sizes], axis=1)
        values[:_SAID] = said.T
        for row, added in zip(self._sums[_CHANGING:], values, strict=True):
            np.add.at(row, places, added)
