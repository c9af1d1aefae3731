"""Hot queue: links with a word of the topic in their text or address come first.

J. Cho, H. Garcia-Molina, L. Page: Efficient crawling through URL ordering. WWW7, 1998, has two
queues: a URL is in the hot one when its anchor or its address has the word. score = 1 if hot, else
0; within a queue what was found first comes first.
"""

from collections.abc import Sequence

from telusur.crawl.strategies.contract import Strategy, Visit
from telusur.crawl.strategies.link_words import which_are_about
from telusur.crawl.topic import PageText
from telusur.models import Link


class HotQueue(Strategy):
    """Scores a link by whether it has one of the words."""

    needs_topic = True

    def look(self, page: PageText, links: Sequence[Link]) -> bytes:
        """Return a byte for each link: 1 if it is hot."""
        language = page.document.language
        return which_are_about(links, self.topic.weights(language), language)

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return 1 for a hot link, 0 for another."""
        return [float(hot) for hot in page.sight or bytes(len(links))]
