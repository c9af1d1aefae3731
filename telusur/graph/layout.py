"""The initial layout of a map: a disc with the start URLs in the middle."""

import numpy as np
from numpy.typing import NDArray

from telusur.graph.contract import Edges

SPACING = 14.0
_GOLDEN = (5**0.5 - 1) / 2
Positions = NDArray[np.float64]


def lay_out(count: int, tree: Edges) -> Positions:
    """Return x and y of each node: its depth gives the ring, its branch the direction.

    Rings are as wide as their nodes need, so that the disc is evenly filled.
    """
    if not count:
        return np.zeros((0, 2))
    above, step = _hang(count, tree)
    middle = _directions(above, step)
    order = np.lexsort((middle, step))
    widths = np.bincount(step)
    inner = np.concatenate(([0], np.cumsum(widths)))[step]
    scattered = (np.arange(count)[np.argsort(order)] * _GOLDEN) % 1.0
    radius = SPACING * np.sqrt(inner + scattered * widths[step])
    angle = 2 * np.pi * middle
    return np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))


def _hang(count: int, tree: Edges) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each node its parent, -1 for none, and its depth."""
    above = np.full(count, -1, np.int64)
    above[np.maximum(*tree)] = np.minimum(*tree)
    step = [0] * count
    for node, parent in enumerate(above.tolist()):
        if parent >= 0:
            step[node] = step[parent] + 1
    return above, np.array(step, np.int64)


def _directions(above: NDArray[np.int64], step: NDArray[np.int64]) -> Positions:
    """Return the direction of each node, 0 to 1; a branch gets room by its number of leaves."""
    parents = above.tolist()
    size = [0.0] * len(parents)
    for node in range(len(parents) - 1, -1, -1):
        size[node] = size[node] or 1.0
        if parents[node] >= 0:
            size[parents[node]] += size[node]
    starts = [0.0] * len(parents)
    taken = [0.0] * len(parents)
    first = 0.0
    for node, parent in enumerate(parents):
        if parent < 0:
            starts[node] = first
            first += size[node]
        else:
            starts[node] = starts[parent] + taken[parent]
            taken[parent] += size[node]
    whole = max(first, 1.0)
    return (np.array(starts) + np.array(size) / 2) / whole
