"""What is known about each URL that waits: by the links to it on all pages seen.

Each link adds to the sums of its target; the features of a URL are made from its sums.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import numbers_of
from telusur.crawl.strategies.focused_pages import Doubles, PageModel, SeenPage, sums_of_runs
from telusur.crawl.strategies.focused_sight import BUCKETS, Ints

FEATURES = (
    "parents", "support", "anchor", "around", "asked", "near", "hub", "list", "links", "unknown",
    "rare", "crowd", "place", "fit", "text", "led by anchor", "led by around",
)  # fmt: skip
_SUMS = 15
(
    _COUNT, _WEIGHT, _VALUE, _ANCHOR, _AROUND, _ASKED, _NEAR, _HUB, _LIST, _UNKNOWN, _RARE, _CROWD,
    _PLACE, _LED_BY_ANCHOR, _LED_BY_AROUND,
) = range(_SUMS)  # fmt: skip
_LEAST_LED = 3.0
"""So many relevant pages must have been found before the terms of links are compared."""


def outcome_of(page: SeenPage) -> float:
    """Return how relevant a page is: what the user said, or else the guess."""
    return page.guess if page.label != page.label else page.label


class LinkTable:
    """The URLs that pages in memory lead to, fetched or not."""

    def __init__(self) -> None:
        self._place_of: dict[int, int] = {}
        self._ids = bytearray()
        self._places_from: dict[int, NDArray[np.int64]] = {}
        """The places of a page's targets, by the number of the page."""
        self._outcomes = np.full(1024, np.nan)
        self._sums = np.zeros((1024, _SUMS))
        self._mean_value = 0.0
        self._led_by = (np.zeros(BUCKETS), np.zeros(BUCKETS))
        """What terms in and around links are worth, by where such links led."""

    def fit(self, pages: Sequence[SeenPage], model: PageModel) -> None:
        """Add everything up anew, as the pages are judged now."""
        if len(self._places_from) != len(pages):  # some were forgotten
            self._place_of, self._ids, self._places_from = {}, bytearray(), {}
            self._outcomes[:] = np.nan
        self._sums[:] = 0.0
        self._mean_value = float(np.mean([page.guess for page in pages])) if pages else 0.0
        for page in pages:
            self.settle(page)
        places = [self._targets_of(page) for page in pages]
        if places:
            together = np.concatenate(places)
            self._led_by = _weigh_link_terms(pages, together, self._outcomes[together])
            self._add(pages, together, model)

    def add(self, page: SeenPage, model: PageModel) -> None:
        """Add the links of one more page."""
        self._add([page], self._targets_of(page), model)

    def _targets_of(self, page: SeenPage) -> NDArray[np.int64]:
        places = self._places_from.get(page.number)
        if places is None:
            places = self._places_from[page.number] = self._places(page.targets)
        return places

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
        values = _link_values(pages, self._outcomes[places], model, self._led_by)
        count = len(self._place_of)
        if len(pages) == 1:
            np.add.at(self._sums, places, values)
            return
        for column in range(_SUMS):
            self._sums[:count, column] += np.bincount(places, values[:, column], count)


def _weigh_link_terms(
    pages: Sequence[SeenPage], places: NDArray[np.int64], outcomes: Doubles
) -> tuple[Doubles, Doubles]:
    """Compare the terms of links that led to relevant pages with those of the others.

    A target counts once, however many links lead to it.
    """
    share = 1.0 / np.bincount(places)[places]
    followed = np.where(np.isnan(outcomes), 0.0, share)
    good = np.where(np.isnan(outcomes), 0.0, share * outcomes)
    if good.sum() < _LEAST_LED:
        return np.zeros(BUCKETS), np.zeros(BUCKETS)
    rate = min(max(float(good.sum() / followed.sum()), 0.02), 0.98)

    def weigh(terms: Sequence[Ints], lengths: Sequence[Ints]) -> Doubles:
        all_terms, counts = np.concatenate(terms), np.concatenate(lengths)
        met = np.bincount(all_terms, np.repeat(followed, counts), BUCKETS)
        led = np.bincount(all_terms, np.repeat(good, counts), BUCKETS)
        at = np.flatnonzero(met)
        weights = np.zeros(BUCKETS)
        odds = (led[at] + rate) / (met[at] - led[at] + 1.0 - rate)
        weights[at] = np.log(odds) - np.log(rate / (1.0 - rate))
        return weights

    sights = [page.sight for page in pages]
    return (
        weigh([s.anchors for s in sights], [s.anchor_lengths for s in sights]),
        weigh([s.arounds for s in sights], [s.around_lengths for s in sights]),
    )


def _link_values(
    pages: Sequence[SeenPage],
    outcomes: Doubles,
    model: PageModel,
    led_by: tuple[Doubles, Doubles],
) -> Doubles:
    """Return what each link of the pages adds to the sums of its target."""
    sights = [page.sight for page in pages]
    sizes = np.array([len(sight.named) for sight in sights])
    page_at = np.repeat(np.arange(len(pages)), sizes)
    worth = np.array([page.guess for page in pages])
    anchors = np.concatenate([sight.anchors for sight in sights])
    arounds = np.concatenate([sight.arounds for sight in sights])
    anchor_lengths = np.concatenate([sight.anchor_lengths for sight in sights])
    around_lengths = np.concatenate([sight.around_lengths for sight in sights])
    in_anchor = np.maximum(1, anchor_lengths)
    in_around = np.sqrt(np.maximum(1, around_lengths))
    weight = (sizes[page_at] + 5.0) ** -0.5  # a link among many says less
    known = ~np.isnan(outcomes)
    results = np.where(known, outcomes, 0.0)
    yields = np.bincount(page_at, results, len(pages)) + worth
    hub = (yields / (np.bincount(page_at, known, len(pages)) + 2.0))[page_at]
    near = (_beside(results, page_at, 3) + 0.5 * hub) / (_beside(known, page_at, 3) + 0.5)
    anchor = sums_of_runs(model.term_weights[anchors], anchor_lengths) / np.sqrt(in_anchor)
    around = sums_of_runs(model.term_weights[arounds], around_lengths) / in_around
    table = np.empty((len(page_at), _SUMS))
    table[:, _COUNT] = 1.0
    table[:, _WEIGHT] = weight
    table[:, _VALUE] = weight * worth[page_at]
    table[:, _ANCHOR] = anchor
    table[:, _AROUND] = around
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
    led_by_anchor = sums_of_runs(led_by[0][anchors], anchor_lengths)
    table[:, _LED_BY_ANCHOR] = led_by_anchor / np.sqrt(in_anchor)
    table[:, _LED_BY_AROUND] = sums_of_runs(led_by[1][arounds], around_lengths) / in_around
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
            sums[:, _LED_BY_ANCHOR] / count,
            sums[:, _LED_BY_AROUND] / count,
        ],
        axis=1,
    )
