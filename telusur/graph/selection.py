"""Which pages are on a map, in which order, and the links that connect them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import each_once
from telusur.graph.contract import Edges
from telusur.graph.outline import NO_PARENT, Outline, Places

Mask = NDArray[np.bool_]


@dataclass(slots=True, frozen=True)
class Selection:
    """Pages in the order of the map, and for each except the roots a link from an earlier one."""

    places: Places
    fits: Mask
    # From, to: as ids on this map.
    tree: Edges


def select_best(outline: Outline, fits: Mask, most: int | None) -> Selection:
    """Return the best matching pages, with the pages on the path to them."""
    chosen = _all_with_ways(outline, fits)
    if most is not None and int(chosen.sum()) > most:
        chosen = _best_with_ways(outline, fits, most)
    places = np.flatnonzero(chosen).astype(np.int32)
    ids = np.full(len(outline) + 1, NO_PARENT, np.int32)  # the last one is that of NO_PARENT
    ids[places] = np.arange(len(places))
    above = ids[outline.parents[places]]
    hanging = np.flatnonzero(above != NO_PARENT).astype(np.int32)
    return Selection(places, fits[places], (above[hanging], hanging))


def _all_with_ways(outline: Outline, fits: Mask) -> Mask:
    chosen = fits.copy()
    fresh = np.flatnonzero(fits)
    while len(fresh):
        above = each_once(outline.parents[fresh])
        fresh = above[above != NO_PARENT]
        fresh = fresh[~chosen[fresh]]
        chosen[fresh] = True
    return chosen


def _best_with_ways(outline: Outline, fits: Mask, most: int) -> Mask:
    """Choose the best pages, each with its path; a page whose path is too long is left out."""
    chosen = np.zeros(len(outline), bool)
    left = most
    for place in outline.best_first[fits[outline.best_first]].tolist():
        if left == 0:
            break
        way: list[int] = []
        while place != NO_PARENT and not chosen[place] and len(way) <= left:
            way.append(place)
            place = int(outline.parents[place])  # noqa: PLW2901 - up the way
        if len(way) <= left:
            chosen[way] = True
            left -= len(way)
    return chosen


def select_around(
    outline: Outline,
    centre: int,
    fits: Mask,
    neighbours: Callable[[Places], Edges],
    *,
    steps: int,
    most: int,
) -> Selection:
    """Return a page, its neighbours, their neighbours, and so on, best first.

    `neighbours` returns the links that begin or end at some pages.
    """
    ids = {centre: 0}
    tree: list[tuple[int, int]] = []
    ring = [centre]
    for _ in range(steps):
        sources, targets = neighbours(np.array(ring, np.int32))
        ends = np.concatenate((targets, sources))
        order = np.lexsort((ends, outline.depths[ends], -outline.ranks[ends]))
        both = list(zip(sources.tolist(), targets.tolist(), strict=True))
        inside, ring = set(ring), []
        for at in order.tolist():
            source, target = both[at % len(both)]
            page, other = (target, source) if at < len(both) else (source, target)
            if page in ids or other not in inside or not fits[page] or len(ids) >= most:
                continue
            ids[page] = len(ids)
            ring.append(page)
            tree.append((ids[source], ids[target]))
    places = np.array(list(ids), np.int32)
    hanging = np.array(tree, np.int32).reshape(-1, 2)
    return Selection(places, np.ones(len(places), bool), (hanging[:, 0], hanging[:, 1]))


def thin_links(sources: Places, targets: Places, count: int, most: int) -> Mask:
    """Choose which links to keep: equally many per page; links to often linked pages go first."""
    if len(sources) <= most:
        return np.ones(len(sources), bool)
    popularity = np.bincount(targets, minlength=count)
    order = np.lexsort((targets, popularity[targets], sources))
    ordered = sources[order]
    turn = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    kept = np.zeros(len(sources), bool)
    kept[order[np.argsort(turn, kind="stable")[:most]]] = True
    return kept
