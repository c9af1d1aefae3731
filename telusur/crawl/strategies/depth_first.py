"""Depth-first, the link-focused robot: follow each trail to its end before the next."""

from collections.abc import Sequence

from telusur.models import Document, Link


class DepthFirst:
    """Scores a link by its distance from the start, the farthest highest."""

    def __init__(self, topic: str) -> None:
        """Take the topic and leave it aside: this strategy treats all topics alike."""

    def score(self, links: Sequence[Link], document: Document, depth: int) -> list[float]:
        """Return the depth for every link."""
        return [float(depth)] * len(links)
