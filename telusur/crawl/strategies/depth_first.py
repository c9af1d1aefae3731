"""Depth-first, the link-focused robot: follow each trail to its end before the next."""

from collections.abc import Sequence

from telusur.crawl.strategies.contract import Again, Strategy, Visit
from telusur.models import Link


class DepthFirst(Strategy):
    """Scores a link by its distance from the start, the farthest highest: score = depth."""

    is_ordered = False
    again = Again.NEAREST
    start_score = 0.0

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return the depth for every link."""
        return [self.plain_score(page.depth + 1)] * len(links)

    def plain_score(self, depth: int) -> float:
        """Return the depth."""
        return float(depth)
