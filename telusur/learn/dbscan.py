"""DBSCAN: clusters of any shape, where points lie close together."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]
Rows = npt.NDArray[Any]

NOISE = -1
_BLOCK_CELLS = 4_000_000  # distances that are in memory at once: 16 MB


@dataclass(slots=True, frozen=True)
class Clusters:
    """The cluster of each point, -1 for noise; and which points are the core of theirs."""

    labels: Labels
    is_core: npt.NDArray[np.bool_]

    @property
    def number(self) -> int:
        """Return how many clusters there are."""
        return int(self.labels.max(initial=NOISE)) + 1


def dbscan(
    points: Rows, radius: float, least: float, weight: npt.ArrayLike | None = None
) -> Clusters:
    """Cluster points by Ester, Kriegel, Sander and Xu (1996), numbered in order of first points.

    A point with at least `least` points within `radius`, itself included, is a core point. Core
    points within reach of each other are one cluster, with all that is within reach of them.
    `weight` is the number of equal points that a row stands for. Neighbours are never stored: each
    core point looks around once, in blocks, so memory grows with the points, not with their pairs.
    """
    points = np.ascontiguousarray(points, np.float32)
    counts = np.ones(len(points)) if weight is None else np.asarray(weight, np.float64)
    is_core = _count_around(points, radius, counts) >= least
    labels = np.full(len(points), NOISE, np.int64)
    cluster = 0
    for start in np.flatnonzero(is_core):
        if labels[start] == NOISE:
            labels[start] = cluster
            _grow(points, radius, is_core, labels, start)
            cluster += 1
    return Clusters(labels, is_core)


def nearest(points: Rows, among: Rows) -> tuple[Labels, Floats]:
    """Return for each point the row of `among` that is nearest, and how far it is away."""
    points, among = np.asarray(points, np.float32), np.asarray(among, np.float32)
    found = np.zeros(len(points), np.int64)
    distance = np.full(len(points), np.inf, np.float32)
    if len(among):
        for at in _blocks(len(points), len(among)):
            squares = _squared_distances(points[at], among)
            found[at] = squares.argmin(axis=1)
            distance[at] = np.sqrt(squares.min(axis=1))
    return found, distance


def _count_around(points: Floats, radius: float, counts: npt.NDArray[np.float64]) -> Rows:
    around = np.zeros(len(points))
    for at in _blocks(len(points), len(points)):
        around[at] = (_squared_distances(points[at], points) <= radius * radius) @ counts
    return around


def _grow(
    points: Floats,
    radius: float,
    is_core: npt.NDArray[np.bool_],
    labels: Labels,
    start: np.int64,
) -> None:
    """Give the cluster of `start` to all that is within reach of core points, wave by wave."""
    wave = np.array([start])
    while len(wave):
        free = np.flatnonzero(labels == NOISE)
        is_reached = np.zeros(len(free), np.bool_)
        for at in _blocks(len(wave), len(free)):
            squares = _squared_distances(points[wave[at]], points[free])
            is_reached |= (squares <= radius * radius).any(axis=0)
        reached = free[is_reached]
        labels[reached] = labels[start]
        wave = reached[is_core[reached]]


def _squared_distances(some: Floats, others: Floats) -> Floats:
    """Return the squared distance of each pair, as exact as a matrix product in float32 is."""
    own = (some * some).sum(axis=1)[:, None] + (others * others).sum(axis=1)[None, :]
    squares: Floats = np.maximum(own - 2 * (some @ others.T), 0)
    return squares


def _blocks(rows: int, columns: int) -> list[slice]:
    step = max(1, _BLOCK_CELLS // max(1, columns))
    return [slice(at, at + step) for at in range(0, rows, step)]
