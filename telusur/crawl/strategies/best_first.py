"""Best-first: links of the pages most similar to the topic come first.

score(link) = cos(1 + ln tf(page), topic), the highest of the pages that link there. Cho, Garcia-
Molina and Page 1998; as "naive best-first" in Menczer, Pant and Srinivasan, ACM TOIT 4(4), 2004.
"""

from collections.abc import Sequence

from telusur.crawl.strategies.contract import Strategy, Visit
from telusur.crawl.strategies.link_words import page_likeness
from telusur.crawl.topic import PageText
from telusur.models import Link


class BestFirst(Strategy):
    """Scores a link by the similarity of its page to the words of the topic."""

    needs_topic = True

    def look(self, page: PageText, links: Sequence[Link]) -> float:
        """Return the similarity of the page and the topic."""
        return page_likeness(page, self.topic)

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return the page's similarity for every link."""
        return [page.sight or 0.0] * len(links)
