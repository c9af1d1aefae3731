"""OPIC: every page passes its cash on to the pages it links to; the richest URL comes next.

S. Abiteboul, M. Preda, G. Cobena: Adaptive on-line page importance computation. WWW 2003 (the
greedy policy). A start URL has 1; a page that is fetched divides what it has equally among its
links:

    score(url) = sum over pages that link there of cash(page) / links(page)

A page is fetched once, so cash that comes later stays where it is; there is no virtual page.
"""

from collections.abc import Sequence

from telusur.crawl.strategies.contract import Again, Strategy, Visit
from telusur.models import Link


class Opic(Strategy):
    """Divides a page's score among its links."""

    again = Again.SUM

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return an equal part of the page's cash for every link."""
        return [page.score / len(links)] * len(links) if len(links) else []
