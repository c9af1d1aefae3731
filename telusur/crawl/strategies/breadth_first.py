"""Breadth-first: what is nearest to a start URL comes first, in the order it was found."""

from collections.abc import Sequence

from telusur.models import Document, Link


class BreadthFirst:
    """Scores a link by its distance from the start, the nearest highest."""

    def __init__(self, topic: str) -> None:
        """Take the topic and leave it aside: this strategy treats all topics alike."""

    def score(self, links: Sequence[Link], document: Document, depth: int) -> list[float]:
        """Return minus the depth for every link."""
        return [-float(depth)] * len(links)
