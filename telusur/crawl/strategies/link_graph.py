"""The link graph fetched so far, in arrays, for strategies that rank waiting URLs by links."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Unsigned32, each_once
from telusur.crawl.strategies.contract import Prospects, numbers_of

MOST_LINKS = 10_000_000

Ranks = NDArray[np.float64]
Hashes = NDArray[np.uint64]
# Rows of waiting URLs, and their ranks.
Ranked = tuple[NDArray[np.int64], Ranks]
_LEAST_PUT = 500


def rank_waiting(
    prospects: Prospects, ranks_of: Callable[[Unsigned32, Unsigned32, int], Ranks]
) -> None:
    """Give waiting URLs the ranks that `ranks_of(sources, targets, count)` finds for them.

    Only the previous best and the current best get new ranks: no others are reached before the next
    call, after a tenth more pages. Memory is bounded: from a larger graph, the links of an
    arbitrary part of the pages are used.
    """
    sources, targets = _edges(prospects)
    if not len(sources):
        return
    is_first = np.append(True, sources[1:] != sources[:-1])  # links are grouped by page
    pages = sources[is_first]
    known = each_once(np.concatenate([pages, each_once(targets.copy())]))
    from_ = np.searchsorted(known, pages).astype(np.uint32)[np.cumsum(is_first) - 1]
    to = np.searchsorted(known, targets).astype(np.uint32)
    del sources, targets
    ranks = ranks_of(from_, to, len(known))
    most = max(_LEAST_PUT, len(pages) // 2)
    on_top = prospects.best(most)
    ids = b"".join(url.url_id for url in on_top)
    best: Ranked = (np.zeros(0, np.int64), np.zeros(0))
    for rows, url_ids in prospects.walk_ids():
        best = _best_of(best, _ranked(rows, url_ids, known, ranks), most)
    for found in (_ranked([url.row for url in on_top], ids, known, ranks), best):
        prospects.put_scores(found[0].tolist(), found[1].tolist())


def _edges(prospects: Prospects) -> tuple[Hashes, Hashes]:
    """Return the known links, from and to, up to the limit."""
    pieces = [(np.zeros(0, np.uint64), np.zeros(0, np.uint64))]
    for piece in prospects.edges():
        pieces.append(piece)
        if sum(len(ends) for ends, _ in pieces) >= MOST_LINKS:
            break
    sources, targets = zip(*pieces, strict=True)
    return np.concatenate(sources), np.concatenate(targets)


def _ranked(rows: Sequence[int], url_ids: bytes, known: Hashes, ranks: Ranks) -> Ranked:
    """Return the rows and ranks of those of the URLs that a page links to."""
    numbers = numbers_of(url_ids)
    places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    is_linked = known[places] == numbers  # a start URL may have no links to it
    return np.array(rows, np.int64)[is_linked], ranks[places[is_linked]]


def _best_of(some: Ranked, more: Ranked, most: int) -> Ranked:
    """Return the `most` with the best ranks, and all that tie with the last of them."""
    rows, ranks = np.concatenate([some[0], more[0]]), np.concatenate([some[1], more[1]])
    if len(ranks) <= most:
        return rows, ranks
    is_best = ranks >= np.partition(ranks, -most)[-most]
    return rows[is_best], ranks[is_best]
