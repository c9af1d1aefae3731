"""What a strategy must offer."""

from collections.abc import Sequence
from typing import Protocol

from telusur.models import Document, Link


class Strategy(Protocol):
    """Scores the links of one page; a higher score is fetched earlier."""

    def score(self, links: Sequence[Link], document: Document, depth: int) -> list[float]:
        """Return a score for each link; `depth` is that of the links."""
