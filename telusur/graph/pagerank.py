"""PageRank: how often a reader who follows links at random would come to each page.

Memory is a few numbers a page, whatever the number of links: edges are read in pieces, which may
lie in a file.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

DAMPING = 0.85
"""How often the reader follows a link; otherwise any page comes next."""
TOLERANCE = 1e-4
"""As a share of the whole: what is still moving when it ends."""
MOST_ROUNDS = 50
PIECE = 1_000_000

Numbers = NDArray[np.uint32]
Ranks = NDArray[np.float64]


def pagerank(
    sources: Numbers,
    targets: Numbers,
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
    sources: Numbers,
    targets: Numbers,
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


def count_edges(ends: Numbers, count: int) -> NDArray[np.int64]:
    """Return how many edges begin (or end) at each page."""
    total = np.zeros(count, np.int64)
    for start in range(0, len(ends), PIECE):
        total += np.bincount(ends[start : start + PIECE], minlength=count)
    return total


def _passed_on(sources: Numbers, targets: Numbers, share: Ranks) -> Ranks:
    """Return what each page gets of the shares of those that link to it."""
    total = np.zeros(len(share))
    for start in range(0, len(sources), PIECE):
        piece = slice(start, start + PIECE)
        total += np.bincount(targets[piece], weights=share[sources[piece]], minlength=len(share))
    return total
