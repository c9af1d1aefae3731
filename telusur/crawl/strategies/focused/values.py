"""What each link adds to the sums of its target.

The compiled version is used if Telusur was installed with a compiler; `changing_values` is the
reference.
"""

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Doubles, Ints32
from telusur.compiled import load_native
from telusur.crawl.strategies.focused.features import CHANGING, LASTING
from telusur.crawl.strategies.focused.pages import PageModel
from telusur.crawl.strategies.focused.sight import MOST_AROUND, MOST_IN_ANCHOR
from telusur.language.term_sums import sums_of_runs, sums_of_terms

native = load_native("telusur.crawl._native")

# How many relevant pages must be found before the terms of links are compared.
_LEAST_LED = 3.0
# How many links on each side count as neighbours.
_REACH = 4


class Links(NamedTuple):
    """The links of several pages, concatenated."""

    # How many links each page has.
    sizes: Ints32
    targets: Ints32
    anchors: Ints32
    anchor_lengths: Ints32
    arounds: Ints32
    around_lengths: Ints32
    # See `list_shares`.
    list_shares: Doubles


class TermTables(NamedTuple):
    """The values of each term in a link text and around it, one row each."""

    # Its weight, the outcomes of links with it, whether it is unknown, its rarity, the pages with
    # it.
    anchor: Doubles
    # Its weight, the outcomes of links with it, the pages with it.
    around: Doubles


def make_tables(model: PageModel, led_by: Doubles) -> TermTables:
    """Combine what pages and links taught about terms; `led_by` may lack the latest terms."""
    led = np.zeros((len(model.rarity), 2))
    led[: len(led_by)] = led_by
    weights, unknown = model.term_weights, model.pages_with < 2
    return TermTables(
        np.column_stack([weights, led[:, 0], unknown, model.rarity, model.company]),
        np.column_stack([weights, led[:, 1], model.company]),
    )


def weigh_link_terms(links: Links, counts: Doubles, outcomes: Doubles, terms: int) -> Doubles:
    """Compare the terms of links that led to relevant pages with those of the others.

    `counts` is the number of links to the target of each, since a target counts once. Returns the
    value of each term in and around links.
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


class Judged(NamedTuple):
    """The estimated relevance of pages, and their outcomes; the user's labels are outcomes."""

    guesses: Doubles
    outcomes: Doubles


def add_links(
    links: Links, pages: Judged, outcomes: Doubles, tables: TermTables, sums: Doubles
) -> None:
    """Add to the sums of URLs what links contribute, as their pages are judged now.

    `outcomes` are those of all URLs; `sums` has one row for each of `CHANGING`.
    """
    if native is not None:
        native.add_links(*links, *pages, outcomes, *tables, sums)
        return
    values = changing_values(links, pages, outcomes[links.targets], tables)
    for row, added in zip(sums, values, strict=True):
        np.add.at(row, links.targets, added)


def changing_values(links: Links, pages: Judged, outcomes: Doubles, tables: TermTables) -> Doubles:
    """Return what links add as their pages are judged now; `outcomes` are those of the targets.

    A row for each of `CHANGING`.
    """
    values = np.empty((len(CHANGING), len(outcomes)))
    count = len(pages.guesses)
    page_at = np.repeat(np.arange(count), links.sizes)
    is_known = outcomes == outcomes  # noqa: PLR0124 - not NaN
    results = np.where(is_known, outcomes, 0.0)
    good = np.bincount(page_at, results, count)
    fetched = np.bincount(page_at, is_known, count)
    hub = (good + pages.guesses) / (fetched + 2.0)
    weight = _weights(links.sizes)
    by_page = np.stack(
        [
            weight * pages.guesses, weight, weight * hub, 0.5 * hub,
            weight * good, weight * fetched, pages.outcomes,
        ]
    )[:, page_at]  # fmt: skip
    beside = _Beside(page_at)
    near = (beside.sums(results, 3) + by_page[3]) / (beside.sums(is_known, 3) + 0.5)
    by_anchor = sums_of_runs(tables.anchor, links.anchors, links.anchor_lengths).T
    by_around = sums_of_runs(tables.around, links.arounds, links.around_lengths).T
    root = _ROOTS[links.anchor_lengths]
    values[0:3:2] = by_page[0:3:2]
    np.multiply(by_page[1], near, out=values[1])
    np.multiply(by_anchor[0], root, out=values[3])
    np.multiply(by_anchor[1], root, out=values[8])
    shares = _SHARES[links.anchor_lengths]
    np.multiply(by_anchor[2:4], shares, out=values[6:8])
    np.multiply(by_anchor[4], shares, out=values[10])
    np.multiply(by_around[:2], _ROOTS[links.around_lengths], out=values[4:10:5])
    np.multiply(by_around[2], _SHARES[links.around_lengths], out=values[11])
    np.multiply(beside.sums(values[3], _REACH), links.list_shares, out=values[5])
    values[12:] = by_page[4:]
    return values


@lru_cache(maxsize=1000)
def lasting_values(size: int) -> Doubles:
    """Return what each link of a page adds permanently: one row for each of `LASTING`.

    The first rows are missing: how much it names the topic, its similarity, its form.
    """
    values = np.zeros((len(LASTING), size))
    values[-4] = math.log1p(size)
    values[-3] = np.arange(size) / max(1, size)
    values[-2] = _weights(size)
    values[-1] = 1.0
    return values


@lru_cache(maxsize=1000)
def list_shares(size: int) -> Doubles:
    """Return for each link of a page the weight of one of its neighbours."""
    beside = _Beside(np.zeros(size, np.int64))
    return np.asarray(1.0 / (beside.sums(np.ones(size), _REACH) + 0.5))


def _weights(sizes: Any) -> Any:
    return (sizes + 5.0) ** -0.5  # a link among many says less


class _Beside:
    """Sums over the neighbours of each link on its page; the nearest count most."""

    def __init__(self, page_at: NDArray[np.int64]) -> None:
        # A gap between the pages, so that links of different pages are not neighbours.
        self._at = _REACH * page_at
        self._at += np.arange(len(page_at))
        self._room = int(self._at[-1]) + 1 if len(page_at) else 1

    def sums(self, values: NDArray[np.generic], reach: int) -> Doubles:
        """Return the sum for each link."""
        spread = np.zeros(self._room)
        spread[self._at] = values
        return np.convolve(spread, _NEARNESS[reach])[reach:][self._at]


_NEARNESS = {
    reach: np.array([1.0 / abs(step) if step else 0.0 for step in range(-reach, reach + 1)])
    for reach in (3, _REACH)
}
# The weight of one term in a text with this many terms.
_SHARES = 1.0 / np.maximum(1.0, np.arange(1 + max(MOST_IN_ANCHOR, MOST_AROUND)))
_ROOTS = np.sqrt(_SHARES)
