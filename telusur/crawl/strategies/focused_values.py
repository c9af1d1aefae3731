"""What each link adds to the sums of its target."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.focused_features import CHANGING, LASTING
from telusur.crawl.strategies.focused_pages import PageModel
from telusur.language.term_sums import Doubles, Floats, Ints, sums_of_runs, sums_of_terms

_LEAST_LED = 3.0
"""So many relevant pages must have been found before the terms of links are compared."""
_REACH = 4
"""So many links to each side stand beside a link."""


class Links(NamedTuple):
    """The links of several pages, one after the other."""

    sizes: Ints
    """How many links each page has."""
    targets: Ints
    anchors: Ints
    anchor_lengths: Ints
    arounds: Ints
    around_lengths: Ints


class TermTables(NamedTuple):
    """What each term in a link's text and around it is worth, a row for each."""

    anchor: Doubles
    """Its weight, where such links led, whether it is unknown, its rarity."""
    around: Doubles
    """Its weight, where such links led."""


def make_tables(model: PageModel, led_by: Doubles) -> TermTables:
    """Put side by side what pages and links taught about terms; `led_by` may lack the latest."""
    led = np.zeros((len(model.rarity), 2))
    led[: len(led_by)] = led_by
    weights, unknown = model.term_weights, model.pages_with < 2
    return TermTables(
        np.column_stack([weights, led[:, 0], unknown, model.rarity]),
        np.column_stack([weights, led[:, 1]]),
    )


def weigh_link_terms(links: Links, counts: Doubles, outcomes: Doubles, terms: int) -> Doubles:
    """Compare the terms of links that led to relevant pages with those of the others.

    `counts` is how many links lead to the target of each, since a target counts once. Returns the
    worth of each term in and around links.
    """
    is_known = ~np.isnan(outcomes)
    followed = np.where(is_known, 1.0 / counts, 0.0)
    good = np.where(is_known, followed * outcomes, 0.0)
    if good.sum() < _LEAST_LED:
        return np.zeros((terms, 2))
    rate = min(max(float(good.sum() / followed.sum()), 0.02), 0.98)
    told = np.column_stack([followed, good])
    weights = np.zeros((terms, 2))
    runs = ((links.anchors, links.anchor_lengths), (links.arounds, links.around_lengths))
    for column, (numbers, lengths) in enumerate(runs):
        sums = sums_of_terms(told, numbers, lengths, terms)
        at = np.flatnonzero(sums[:, 0])
        met, led = sums[at].T
        odds = (led + rate) / (met - led + 1.0 - rate)
        weights[at, column] = np.log(odds) - np.log(rate / (1.0 - rate))
    return weights


def changing_values(links: Links, worth: Doubles, outcomes: Doubles, tables: TermTables) -> Doubles:
    """Return what links add as the pages are judged now: `worth` by page, `outcomes` by link."""
    values = np.empty((len(outcomes), len(CHANGING)))
    pages = len(worth)
    page_at = np.repeat(np.arange(pages), links.sizes)
    weight = _weights(links.sizes)[page_at]
    is_known = ~np.isnan(outcomes)
    results = np.where(is_known, outcomes, 0.0)
    yields = np.bincount(page_at, results, pages) + worth
    hub = (yields / (np.bincount(page_at, is_known, pages) + 2.0))[page_at]
    in_anchor = np.maximum(1, links.anchor_lengths)
    root = np.sqrt(in_anchor)
    by_anchor = sums_of_runs(tables.anchor, links.anchors, links.anchor_lengths)
    by_around = sums_of_runs(tables.around, links.arounds, links.around_lengths)
    by_around /= np.sqrt(np.maximum(1, links.around_lengths))[:, None]
    by_anchor[:, :2] /= root[:, None]
    by_anchor[:, 2:] /= in_anchor[:, None]
    beside = _Beside(page_at)
    near = (beside.sums(results, 3) + 0.5 * hub) / (beside.sums(is_known, 3) + 0.5)
    values[:, 0] = weight * worth[page_at]
    values[:, 1] = weight * near
    values[:, 2] = weight * hub
    values[:, 3] = anchor = by_anchor[:, 0]
    values[:, 4] = by_around[:, 0]
    values[:, 5] = beside.sums(anchor, 4) / (beside.sums(np.ones(len(anchor)), 4) + 0.5)
    values[:, 6:8] = by_anchor[:, 2:]
    values[:, 8] = by_anchor[:, 1]
    values[:, 9] = by_around[:, 1]
    return values


def lasting_values(size: int, named: Floats) -> Doubles:
    """Return what the links of a page add once and for all."""
    values = np.empty((size, len(LASTING)))
    values[:, 0] = named
    values[:, 1] = np.log1p(size)
    values[:, 2] = np.arange(size) / max(1, size)
    values[:, 3] = (size + 5.0) ** -0.5
    values[:, 4] = 1.0
    return values


def _weights(sizes: Ints) -> Doubles:
    return np.asarray((sizes + 5.0) ** -0.5)  # a link among many says less


class _Beside:
    """Sums over the links beside each link on its page, the nearest counting most."""

    def __init__(self, page_at: NDArray[np.int64]) -> None:
        # With room between the pages, no link stands beside one of another page.
        self._at = np.arange(len(page_at)) + _REACH * page_at
        self._room = int(self._at[-1]) + 1 if len(page_at) else 1

    def sums(self, values: NDArray[np.generic], reach: int) -> Doubles:
        """Return the sum for each link."""
        spread = np.zeros(self._room)
        spread[self._at] = values
        return np.asarray(np.convolve(spread, _NEARNESS[reach])[self._at + reach])


_NEARNESS = {
    reach: np.array([1.0 / abs(step) if step else 0.0 for step in range(-reach, reach + 1)])
    for reach in (3, _REACH)
}
