"""PageRank: the URL with the highest rank in the pages fetched so far comes first.

The metric IR'(p) of J. Cho, H. Garcia-Molina, L. Page: Efficient crawling through URL ordering.
WWW7, 1998: PageRank (damping 0.85) of all known URLs by the links of the fetched pages, computed
again whenever these have grown by a tenth. Until then a new URL gets an equal part of its page's
rank.
"""

from collections.abc import Sequence

from telusur.arrays import Unsigned32
from telusur.crawl.strategies.contract import Again, Prospects, Strategy, Visit
from telusur.crawl.strategies.link_graph import Ranks, rank_waiting
from telusur.graph.pagerank import DAMPING, pagerank
from telusur.models import Link

TOLERANCE = 1e-3


class Pagerank(Strategy):
    """Scores waiting URLs by PageRank from time to time; in between by what their pages pass on."""

    again = Again.KEEP
    rescore_growth = 0.1

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return what the page's rank passes on to every link."""
        rank = min(page.score, 1.0)
        return [DAMPING * rank / len(links)] * len(links) if len(links) else []

    def rescore(self, prospects: Prospects) -> None:
        """Compute PageRank again."""
        rank_waiting(prospects, _ranks)


def _ranks(sources: Unsigned32, targets: Unsigned32, count: int) -> Ranks:
    return pagerank(sources, targets, count, tolerance=TOLERANCE)
