"""HITS: the URL that the best hubs among the fetched pages point to comes first.

J. Kleinberg: Authoritative sources in a hyperlinked environment. JACM 46(5), 1999. On the web as
fetched so far, ten rounds, each divided by its length:

    authority(p) = sum of hub(q) over pages q that link to p
    hub(q)       = sum of authority(p) over pages p that q links to

The score is the authority, computed again whenever the fetched pages have grown by a tenth.
"""

from collections.abc import Sequence

import numpy as np

from telusur.arrays import Unsigned32
from telusur.crawl.strategies.contract import Again, Prospects, Strategy, Visit
from telusur.crawl.strategies.link_graph import Ranks, rank_waiting
from telusur.models import Link

ROUNDS = 10


class Hits(Strategy):
    """Scores waiting URLs by authority from time to time; new URLs come after known ones."""

    again = Again.KEEP
    rescore_growth = 0.1

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return 0 for every link: authority is computed later."""
        return [0.0] * len(links)

    def rescore(self, prospects: Prospects) -> None:
        """Compute hubs and authorities again."""
        rank_waiting(prospects, authorities)


def authorities(sources: Unsigned32, targets: Unsigned32, count: int) -> Ranks:
    """Return the authority of each page."""
    hubs: Ranks = np.ones(count)
    found: Ranks = np.zeros(count)
    for _ in range(ROUNDS):
        found = _passed_on(sources, targets, hubs)
        hubs = _passed_on(targets, sources, found)
    return found


def _passed_on(sources: Unsigned32, targets: Unsigned32, ranks: Ranks) -> Ranks:
    """Return the sum of ranks that comes to each page, all together of length 1."""
    total = np.bincount(targets, weights=ranks[sources], minlength=len(ranks)).astype(np.float64)
    return total / (float(np.linalg.norm(total)) or 1.0)
