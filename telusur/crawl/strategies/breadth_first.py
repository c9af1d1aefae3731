"""Breadth-first: URLs nearest to a start URL come first, in the order they were found."""

from collections.abc import Sequence

from telusur.crawl.strategies.contract import Again, Strategy, Visit
from telusur.models import Link


class BreadthFirst(Strategy):
    """Scores a link by its distance from the start, the nearest highest: score = -depth."""

    is_ordered = False
    again = Again.NEAREST
    start_score = 0.0

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return minus the depth for every link."""
        return [self.plain_score(page.depth + 1)] * len(links)

    def plain_score(self, depth: int) -> float:
        """Return minus the depth."""
        return -float(depth)
