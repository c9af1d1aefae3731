"""DBSCAN: which points lie close together; no more distances in memory than fit into a chunk."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats, Ints

_DISTANCES_AT_A_TIME = 2_000_000
# Squares of distances are differences of larger numbers: a distance of just the radius must count.
_ROUNDING = 1e-4


class Cores(NamedTuple):
    """The numbers of the points in dense places, and the cluster of each, from 0 on."""

    points: Ints
    clusters: Ints


def find_cores(points: Floats, weights: Ints, radius: float, least: int) -> Cores:
    """Return the core points of DBSCAN (Ester and others, 1996) and their clusters.

    1. A point is a core if points of at least the weight `least`, itself included, are within
    `radius`. 2. Cores within `radius` of each other are in one cluster. All other points belong to
    the nearest core within `radius`, see `nearest`, or are noise.
    """
    most = radius**2 + _ROUNDING
    is_core = np.zeros(len(points), np.bool_)
    for rows, far in _distances(points, points):  # 1
        is_core[rows] = (far <= most) @ weights >= least
    cores = np.flatnonzero(is_core)
    # Each core leads to one of its cluster; the first core of a cluster leads to itself.
    first = np.arange(len(cores))
    for _, far in _distances(points[cores], points[cores]):  # 2
        for is_near in far <= most:
            near = np.flatnonzero(is_near)
            ends = _follow(first, near)
            first[near] = first[ends] = ends.min(initial=len(cores))
    _, clusters = np.unique(_follow(first, np.arange(len(cores))), return_inverse=True)
    return Cores(cores, clusters)


def _follow(first: Ints, numbers: Ints) -> Ints:
    """Return where these numbers lead to in the end."""
    while not np.array_equal(after := first[numbers], numbers):
        numbers = after
    return numbers


def nearest(points: Floats, others: Floats) -> tuple[Ints, Floats]:
    """Return for each point which of the others is nearest, and how far it is."""
    found = np.zeros(len(points), np.int64)
    distance = np.full(len(points), np.inf, np.float32)
    if len(others):
        for rows, far in _distances(points, others):
            found[rows] = far.argmin(axis=1)
            distance[rows] = np.sqrt(np.maximum(far.min(axis=1), 0))
    return found, distance


def _distances(points: Floats, others: Floats) -> Iterator[tuple[slice, NDArray[np.float32]]]:
    """Yield squared distances from some of the points, by their rows, to all the others."""
    if not len(others):
        return
    squares = (others * others).sum(axis=1)
    step = max(1, _DISTANCES_AT_A_TIME // len(others))
    for start in range(0, len(points), step):
        part = points[start : start + step]
        far = part @ others.T
        far *= -2
        far += squares
        far += (part * part).sum(axis=1)[:, None]
        yield slice(start, start + len(part)), far
