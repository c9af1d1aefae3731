"""PageRank: how often a reader who follows links at random would come to each page.

It needs a few numbers per page in memory, whatever the number of links: edges are read in pieces,
which may be in a file.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Unsigned32

# The probability that the reader follows a link; otherwise any page comes next.
DAMPING = 0.85
# It ends when less than this share of the total rank still moves.
TOLERANCE = 1e-4
MOST_ROUNDS = 50
PIECE = 1_000_000

Ranks = NDArray[np.float64]


def pagerank(
    sources: Unsigned32,
    targets: Unsigned32,
    count: int,
    *,
    damping: float = DAMPING,
    tolerance: float = TOLERANCE,
) -> Ranks:
    """Return the rank of each of `count` pages; all together are 1.

    Edge n leads from page `sources[n]` to page `targets[n]`. Several edges between two pages count
    as often. A page without links leads to any page.
    """
    rounds = pagerank_rounds(sources, targets, count, damping=damping, tolerance=tolerance)
    ranks = np.zeros(0)
    for ranks in rounds:  # noqa: B007 - the last one is wanted
        pass
    return ranks


def pagerank_rounds(
    sources: Unsigned32,
    targets: Unsigned32,
    count: int,
    *,
    damping: float = DAMPING,
    tolerance: float = TOLERANCE,
) -> Iterator[Ranks]:
    """Yield the ranks after each round, so that a caller may pause between two of them."""
    if count == 0:
        return
    degrees = count_edges(sources, count)
    ranks = np.full(count, 1.0 / count)
    for _ in range(MOST_ROUNDS):
        share = np.divide(ranks, degrees, out=np.zeros(count), where=degrees > 0)
        lost = ranks[degrees == 0].sum()
        fresh = _passed_on(sources, targets, share)
        fresh = damping * (fresh + lost / count) + (1.0 - damping) / count
        moved = np.abs(fresh - ranks).sum()
        ranks = fresh
        yield ranks
        if moved < tolerance:
            return


def count_edges(ends: Unsigned32, count: int) -> NDArray[np.int64]:
    """Return how many edges begin (or end) at each page."""
    total = np.zeros(count, np.int64)
    for start in range(0, len(ends), PIECE):
        total += np.bincount(ends[start : start + PIECE], minlength=count)
    return total


def _passed_on(sources: Unsigned32, targets: Unsigned32, share: Ranks) -> Ranks:
    """Return what each page gets of the shares of those that link to it."""
    total = np.zeros(len(share))
    for start in range(0, len(sources), PIECE):
        piece = slice(start, start + PIECE)
        total += np.bincount(targets[piece], weights=share[sources[piece]], minlength=len(share))
    return total
