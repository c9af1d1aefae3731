"""In-links: the URL that most pages link to comes first.

score(url) = number of fetched pages that link to it: the metric IB(p) ("backlink count") of J. Cho,
H. Garcia-Molina, L. Page: Efficient crawling through URL ordering. WWW7, 1998.
"""

from collections.abc import Sequence

from telusur.crawl.strategies.contract import Again, Strategy, Visit
from telusur.models import Link


class InLinks(Strategy):
    """Adds one for each page that links to a URL."""

    again = Again.SUM
    start_score = 1e9

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return one for every link."""
        return [1.0] * len(links)

    def plain_score(self, depth: int) -> float:
        """Return one: at least one page links to it."""
        return 1.0
