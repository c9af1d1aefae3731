"""Depth-first, the link-focused robot: follow each trail to its end before the next."""

from telusur.crawl.strategies.breadth_first import BreadthFirst


class DepthFirst(BreadthFirst):
    """Scores a link by its distance from the start, the farthest highest: score = depth."""

    is_ordered = True  # otherwise a host gets many links of a page before the first is parsed

    def plain_score(self, depth: int) -> float:
        """Return the depth."""
        return float(depth)
