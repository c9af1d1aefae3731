"""The static rank of pages: links, depth and date, as a factor on the score."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Unsigned64
from telusur.index.standing import UNKNOWN_DEPTH, Standings, Table
from telusur.index.weights import (
    DEPTH_WEIGHT,
    FRESHNESS_HALF_DAYS,
    FRESHNESS_WEIGHT,
    LINKS_HALF,
    LINKS_WEIGHT,
    RANK_HALF,
    RANK_WEIGHT,
)

Factors = NDArray[np.float64]
_PARTS = ("PageRank", "pages that link here", "distance from a start page", "date")


def static_factors(standings: Standings, numbers: Sequence[int] | Unsigned64) -> Factors:
    """Return the factor of each page; 1 for an unknown page."""
    if not len(standings.table):
        return np.ones(len(numbers))
    at, known = standings.find(np.asarray(numbers, np.uint64))
    return np.where(known, _all_factors(standings)[at], 1.0)


@lru_cache(maxsize=8)
def _all_factors(standings: Standings) -> Factors:
    """Return the factor of every row: once for a table, 0.1 s for a million pages."""
    factors: Factors = 1.0 + _parts_of(standings.table, standings.newest).sum(axis=0)
    return factors


def static_parts(standings: Standings, numbers: Sequence[int]) -> Factors:
    """Return what rank, links, depth and date add to the factor: one row each, one column per
    page."""
    return _parts_of(standings.look_up(np.array(numbers, np.uint64)), standings.newest)


def _parts_of(found: Table, newest: int) -> Factors:
    rank = found["rank"].astype(np.float64)
    links = found["links"].astype(np.float64)
    depth = np.where(found["depth"] == UNKNOWN_DEPTH, np.inf, found["depth"])
    return np.stack(
        (
            RANK_WEIGHT * rank / (rank + RANK_HALF),
            LINKS_WEIGHT * links / (links + LINKS_HALF),
            DEPTH_WEIGHT / (1.0 + depth),
            FRESHNESS_WEIGHT * freshness(found["day"], newest),
        )
    )


def freshness(days: NDArray[np.uint32], newest: int) -> Factors:
    """Return 1 for the newest day and half for each half-life before it; 0 for no date."""
    if not newest:
        return np.zeros(len(days))
    age = _day_numbers(np.array([newest])) - _day_numbers(days.astype(np.int64))
    return np.where(days > 0, 0.5 ** (np.maximum(age, 0.0) / FRESHNESS_HALF_DAYS), 0.0)


def _day_numbers(days: NDArray[np.int64]) -> Factors:
    """Return roughly the days since year 1 for numbers like 20240131: months count 31 days."""
    years = np.clip(days // 10_000, 1, 9999) - 1
    before = 365 * years + years // 4 - years // 100 + years // 400 + 1
    numbers: Factors = (before + 31 * (days // 100 % 100 - 1) + days % 100).astype(np.float64)
    return numbers


def static_summands(standings: Standings, number: int) -> list[tuple[str, float]]:
    """Return by name what each part adds to the factor of a page."""
    parts = static_parts(standings, [number])[:, 0].tolist()
    return list(zip(_PARTS, parts, strict=True))
