"""What pages are worth before any query: by links, depth and date, as a factor on the score."""

from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from telusur.index.standing import UNKNOWN_DEPTH, Standings
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


def static_factors(standings: Standings, numbers: Sequence[int]) -> Factors:
    """Return the factor of each page; 1 for one of which nothing is known."""
    if not len(standings.table):
        return np.ones(len(numbers))
    factors: Factors = 1.0 + static_parts(standings, numbers).sum(axis=0)
    return factors


def static_parts(standings: Standings, numbers: Sequence[int]) -> Factors:
    """Return what rank, links, depth and date add to the factor: a row each, a column a page."""
    found = standings.look_up(np.array(numbers, np.uint64))
    rank = found["rank"].astype(np.float64)
    links = found["links"].astype(np.float64)
    depth = np.where(found["depth"] == UNKNOWN_DEPTH, np.inf, found["depth"])
    return np.stack(
        (
            RANK_WEIGHT * rank / (rank + RANK_HALF),
            LINKS_WEIGHT * links / (links + LINKS_HALF),
            DEPTH_WEIGHT / (1.0 + depth),
            FRESHNESS_WEIGHT * freshness(found["day"], standings.newest),
        )
    )


def freshness(days: NDArray[np.uint32], newest: int) -> Factors:
    """Return 1 for the newest day and half for each half-life before it; 0 for no date."""
    if not newest:
        return np.zeros(len(days))
    age = _day_number(newest) - np.array([_day_number(day) for day in days.tolist()], np.float64)
    return np.where(days > 0, 0.5 ** (np.maximum(age, 0.0) / FRESHNESS_HALF_DAYS), 0.0)


def _day_number(day: int) -> int:
    """Return the days since the year 1 of a number like 20240131, nearly: months count 31 days."""
    year, month, of_month = day // 10_000, day // 100 % 100, day % 100
    return date(max(1, min(year, 9999)), 1, 1).toordinal() + 31 * (month - 1) + of_month


def static_summands(standings: Standings, number: int) -> list[tuple[str, float]]:
    """Return by name what the factor of a page has beyond 1."""
    parts = static_parts(standings, [number])[:, 0].tolist()
    return list(zip(_PARTS, parts, strict=True))
