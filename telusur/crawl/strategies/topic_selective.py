"""Topic-selective: only links with a word of the topic in their text or address are followed.

The others are skipped, with that as their reason; a later link to the same page with the right
words adds it after all. The order is breadth-first.
"""

from collections.abc import Sequence

from telusur.crawl.strategies.contract import Again, Strategy, Visit
from telusur.crawl.strategies.link_words import which_are_about
from telusur.crawl.topic import PageText
from telusur.models import Link

REASON = "neither its address nor its text has a word of the topic"


class TopicSelective(Strategy):
    """Refuses links without one of the words; the others are fetched breadth-first."""

    needs_topic = True
    is_ordered = False
    judges_links = True
    again = Again.NEAREST
    start_score = 0.0

    def refuse(self, page: PageText, links: Sequence[Link]) -> list[str]:
        """Return the reason for each link without one of the words."""
        language = page.document.language
        about = which_are_about(links, self.topic.weights(language), language)
        return ["" if is_about else REASON for is_about in about]

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return minus the depth for every link."""
        return [self.plain_score(page.depth + 1)] * len(links)

    def plain_score(self, depth: int) -> float:
        """Return minus the depth."""
        return -float(depth)
