"""The web as fetched so far, in arrays, for strategies that rank waiting URLs by all links."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import Prospects, numbers_of

MOST_LINKS = 10_000_000

Numbers = NDArray[np.uint32]
Ranks = NDArray[np.float64]


def rank_waiting(prospects: Prospects, ranks_of: Callable[[Numbers, Numbers, int], Ranks]) -> None:
    """Give each waiting URL the rank that `ranks_of(sources, targets, count)` finds for it.

    Memory is bounded: of a larger web, the links of some pages are taken, without regard to what
    they are.
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
    ranks = ranks_of(from_, to, len(known))
    for batch in prospects.walk():
        numbers = numbers_of(b"".join(url.url_id for url in batch))
        places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
        is_linked = known[places] == numbers  # a start URL may not be
        rows = np.array([url.row for url in batch])[is_linked]
        prospects.put_scores(rows.tolist(), ranks[places[is_linked]].tolist())
