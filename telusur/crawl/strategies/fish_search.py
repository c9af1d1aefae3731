"""Fish-Search: links of relevant pages first, and trails that bring nothing end after a few steps.

P. De Bra, R. Post: Information retrieval in the World-Wide Web, making client-based searching
feasible. Computer Networks and ISDN Systems 27(2), 1994; as restated by Hersovici et al. 1998:

    page relevant:    the first 1.5 * width links score 1, the others 0; they may go `depth` on
    page irrelevant:  the first width links score 0.5, the others 0; they may go one step less

Where a trail has no steps left the original follows no link; here such links come last.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from telusur.crawl.strategies.contract import Again, Scored, Strategy, Visit
from telusur.crawl.strategies.link_words import page_likeness
from telusur.crawl.topic import PageText
from telusur.models import Link

ALPHA = 1.5
RELEVANT_SCORE, OTHER_SCORE, REST_SCORE, LAST_SCORE = 1.0, 0.5, 0.0, -1.0


class FishSearch(Strategy):
    """Scores a link by whether its page is relevant, and by its place among the page's links."""

    needs_topic = True
    keeps_notes = True
    again = Again.ASK
    parameters: ClassVar[Mapping[str, float]] = {"width": 10.0, "depth": 3.0, "relevant": 0.1}
    """Links taken of a page, steps without a relevant page, the least cosine of a relevant one."""

    def look(self, page: PageText, links: Sequence[Link]) -> float:
        """Return the similarity of the page and the topic."""
        return page_likeness(page, self.topic)

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return 1 or 0.5 for the first links, 0 for the rest, less when the trail ends."""
        if not self._steps_left(page):
            return [LAST_SCORE] * len(links)
        is_relevant = self._is_relevant(page)
        width = int(self.tuned["width"] * (ALPHA if is_relevant else 1.0))
        first = RELEVANT_SCORE if is_relevant else OTHER_SCORE
        rest = max(0, len(links) - width)
        return [first] * min(width, len(links)) + [REST_SCORE] * rest

    def notes(self, links: Sequence[Link], page: Visit) -> list[bytes]:
        """Note how many steps a trail may still go."""
        full = int(self.tuned["depth"])
        left = full if self._is_relevant(page) else max(0, self._steps_left(page) - 1)
        return [bytes([left])] * len(links)

    def merge(self, pairs: Sequence[tuple[Scored, Scored]]) -> list[Scored]:
        """Take the better of both scores, and the longer of both trails."""
        return [Scored(max(a.score, b.score), max(a.note, b.note)) for a, b in pairs]

    def _is_relevant(self, page: Visit) -> bool:
        return (page.sight or 0.0) >= self.tuned["relevant"]

    def _steps_left(self, page: Visit) -> int:
        return page.note[0] if page.note else int(self.tuned["depth"])
