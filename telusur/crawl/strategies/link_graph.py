"""The web as fetched so far, in arrays, for strategies that rank waiting URLs by all links."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import Prospects, WaitingUrl, numbers_of

MOST_LINKS = 10_000_000

Numbers = NDArray[np.uint32]
Ranks = NDArray[np.float64]
Hashes = NDArray[np.uint64]
Ranked = tuple[NDArray[np.int64], Ranks]
"""Rows of waiting URLs, and their ranks."""
_LEAST_PUT = 500


def rank_waiting(prospects: Prospects, ranks_of: Callable[[Numbers, Numbers, int], Ranks]) -> None:
    """Give waiting URLs the ranks that `ranks_of(sources, targets, count)` finds for them.

    Those that were the best, and those that are now: before it is called again, with every tenth
    more pages, no others are reached. Memory is bounded: of a larger web, the links of some pages
    are taken, without regard to what they are.
    """
    pieces = []
    for piece in prospects.edges():
        pieces.append(piece)
        if sum(len(ends) for ends, _ in pieces) >= MOST_LINKS:
            break
    if not pieces:
        return
    sources = np.concatenate([piece[0] for piece in pieces])
    targets = np.concatenate([piece[1] for piece in pieces])
    del pieces
    known = np.unique(np.concatenate([np.unique(sources), np.unique(targets)]))
    from_, to = (np.searchsorted(known, ends).astype(np.uint32) for ends in (sources, targets))
    del sources, targets
    pages = len(np.unique(from_))
    ranks = ranks_of(from_, to, len(known))
    most = max(_LEAST_PUT, pages // 2)
    first = _ranked(prospects.best(most), known, ranks)
    best: Ranked = (np.zeros(0, np.int64), np.zeros(0))
    for batch in prospects.walk():
        found = _ranked(batch, known, ranks)
        best = _best_of(
            np.concatenate([best[0], found[0]]), np.concatenate([best[1], found[1]]), most
        )
    for rows, scores in (first, best):
        prospects.put_scores(rows.tolist(), scores.tolist())


def _ranked(urls: Sequence[WaitingUrl], known: Hashes, ranks: Ranks) -> Ranked:
    """Return the rows and ranks of those of the URLs that a page links to."""
    numbers = numbers_of(b"".join(url.url_id for url in urls))
    places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    is_linked = known[places] == numbers  # a start URL may not be
    return np.array([url.row for url in urls], np.int64)[is_linked], ranks[places[is_linked]]


def _best_of(rows: NDArray[np.int64], ranks: Ranks, most: int) -> Ranked:
    """Return so many with the best ranks, and all that are as good as the last of them."""
    if len(ranks) <= most:
        return rows, ranks
    is_best = ranks >= np.partition(ranks, -most)[-most]
    return rows[is_best], ranks[is_best]
