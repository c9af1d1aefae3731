"""What is known about each URL that waits: by the links to it on all pages seen.

Each link adds to the sums of its target; the features of a URL are made from its sums.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import numbers_of
from telusur.crawl.strategies.focused_pages import Doubles, PageModel, SeenPage, sums_of_runs

FEATURES = (
    "parents", "support", "anchor", "around", "asked", "near", "hub", "list", "links", "unknown",
    "rare", "crowd", "place", "fit", "text",
)  # fmt: skip
_COUNT, _WEIGHT, _VALUE, _ANCHOR, _AROUND, _ASKED, _NEAR, _HUB, _LIST, _UNKNOWN, _RARE, _CROWD, _PLACE = range(13)  # fmt: skip
_SUMS = 13
_GUESS_SHARE = 0.7
"""Of a page that the user judged, the guess still counts: what is nearly relevant leads on too."""


def value_of(page: SeenPage) -> float:
    """Return how much a page is worth as one that leads on."""
    if page.label != page.label:  # NaN: nothing was said
        return page.guess
    return _GUESS_SHARE * page.guess + (1.0 - _GUESS_SHARE) * page.label


def outcome_of(page: SeenPage) -> float:
    """Return how relevant a page is: what the user said, or else the guess."""
    return page.guess if page.label != page.label else page.label


class LinkTable:
    """The URLs that pages in memory lead to, fetched or not."""

    def __init__(self) -> None:
        self._place_of: dict[int, int] = {}
        self._ids = bytearray()
        self._outcomes = np.full(1024, np.nan)
        self._sums = np.zeros((1024, _SUMS))
        self._mean_value = 0.0

    def fit(self, pages: Sequence[SeenPage], model: PageModel) -> None:
        """Begin anew with these pages, as they are judged now."""
        self.__init__()  # type: ignore[misc]
        self._mean_value = float(np.mean([value_of(page) for page in pages])) if pages else 0.0
        for page in pages:
            self.settle(page)
        places = [self._places(page.targets) for page in pages]
        if places:
            self._add(pages, np.concatenate(places), model)

    def add(self, page: SeenPage, model: PageModel) -> None:
        """Add the links of one more page."""
        self._add([page], self._places(page.targets), model)

    def features(self, url_ids: bytes) -> Doubles:
        """Return a row of features for each URL; of one that no page leads to, all are 0."""
        numbers = numbers_of(url_ids).tolist()
        known = [self._place_of.get(number, -1) for number in numbers]
        sums = self._sums[known]
        sums[[place < 0 for place in known]] = 0.0
        return _features(sums, self._mean_value)

    def waiting(self) -> tuple[bytes, Doubles]:
        """Return the ids and features of all URLs that are not among the pages."""
        count = len(self._place_of)
        at = np.flatnonzero(np.isnan(self._outcomes[:count]) & (self._sums[:count, _COUNT] > 0))
        ids = np.frombuffer(bytes(self._ids), "V16")[at].tobytes()
        return ids, _features(self._sums[at], self._mean_value)

    def settle(self, page: SeenPage) -> None:
        """Note how a URL turned out."""
        (place,) = self._places(page.url_id)
        self._outcomes[place] = outcome_of(page)

    def _places(self, url_ids: bytes) -> NDArray[np.int64]:
        """Return the places of URLs in the table, new ones at its end."""
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
        return np.array(places, np.int64)

    def _add(self, pages: Sequence[SeenPage], places: NDArray[np.int64], model: PageModel) -> None:
        values = _link_values(pages, self._outcomes[places], model)
        count = len(self._place_of)
        if len(pages) == 1:
            np.add.at(self._sums, places, values)
            return
        for column in range(_SUMS):
            self._sums[:count, column] += np.bincount(places, values[:, column], count)


def _link_values(pages: Sequence[SeenPage], outcomes: Doubles, model: PageModel) -> Doubles:
    """Return what each link of the pages adds to the sums of its target."""
    sights = [page.sight for page in pages]
    sizes = np.array([len(sight.named) for sight in sights])
    page_at = np.repeat(np.arange(len(pages)), sizes)
    worth = np.array([value_of(page) for page in pages])
    anchors = np.concatenate([sight.anchors for sight in sights])
    arounds = np.concatenate([sight.arounds for sight in sights])
    anchor_lengths = np.concatenate([sight.anchor_lengths for sight in sights])
    around_lengths = np.concatenate([sight.around_lengths for sight in sights])
    in_anchor = np.maximum(1, anchor_lengths)
    weight = (sizes[page_at] + 5.0) ** -0.5  # a link among many says less
    known = ~np.isnan(outcomes)
    results = np.where(known, outcomes, 0.0)
    yields = np.bincount(page_at, results, len(pages)) + worth
    hub = (yields / (np.bincount(page_at, known, len(pages)) + 2.0))[page_at]
    near = (_beside(results, page_at, 3) + 0.5 * hub) / (_beside(known, page_at, 3) + 0.5)
    anchor = sums_of_runs(model.term_weights[anchors], anchor_lengths) / np.sqrt(in_anchor)
    around = sums_of_runs(model.term_weights[arounds], around_lengths)
    table = np.empty((len(page_at), _SUMS))
    table[:, _COUNT] = 1.0
    table[:, _WEIGHT] = weight
    table[:, _VALUE] = weight * worth[page_at]
    table[:, _ANCHOR] = anchor
    table[:, _AROUND] = around / np.sqrt(np.maximum(1, around_lengths))
    table[:, _ASKED] = np.concatenate([sight.named for sight in sights])
    table[:, _NEAR] = weight * near
    table[:, _HUB] = weight * hub
    table[:, _LIST] = _beside(anchor, page_at, 4) / (
        _beside(np.ones(len(anchor)), page_at, 4) + 0.5
    )
    table[:, _UNKNOWN] = sums_of_runs(model.pages_with[anchors] < 2, anchor_lengths) / in_anchor
    table[:, _RARE] = sums_of_runs(model.rarity[anchors], anchor_lengths) / in_anchor
    table[:, _CROWD] = np.log1p(sizes)[page_at]
    table[:, _PLACE] = np.concatenate([np.arange(size) / max(1, size) for size in sizes])
    return table


def _beside(values: NDArray[np.generic], page_at: NDArray[np.int64], reach: int) -> Doubles:
    """Return for each link the sum over those beside it on its page, the nearest counting most."""
    total = np.zeros(len(values))
    for step in range(1, min(reach + 1, len(values))):
        same = (page_at[step:] == page_at[:-step]) / step
        total[step:] += same * values[:-step]
        total[:-step] += same * values[step:]
    return total


def _features(sums: Doubles, mean_value: float) -> Doubles:
    count = np.maximum(1.0, sums[:, _COUNT])
    weight = np.maximum(1e-9, sums[:, _WEIGHT])
    value = sums[:, _VALUE]
    anchor = sums[:, _ANCHOR] / count
    return np.stack(
        [
            np.log((value + 0.1 * mean_value) / (sums[:, _WEIGHT] + 0.1) + 0.02),
            np.log(value + 1e-3),
            anchor,
            sums[:, _AROUND] / count,
            sums[:, _ASKED] / count,
            sums[:, _NEAR] / weight,
            sums[:, _HUB] / weight,
            sums[:, _LIST] / count,
            np.log(count),
            sums[:, _UNKNOWN] / count,
            sums[:, _RARE] / count,
            sums[:, _CROWD] / count,
            sums[:, _PLACE] / count,
            anchor * np.sqrt(value / weight),
            sums[:, _AROUND] / np.sqrt(count),
        ],
        axis=1,
    )
