"""Fish-Search: links of relevant pages first, and trails that bring nothing end after a few steps.

P. De Bra, R. Post: Information retrieval in the World-Wide Web, making client-based searching
feasible. Computer Networks and ISDN Systems 27(2), 1994; as it is commonly restated:

    page relevant:    the first 1.5 * width links score 1, the others 0; they may go `depth` on
    page irrelevant:  the first width links score 0.5, the others 0; they may go one step less

"First" is the order on the page, for known and new links alike. If several links lead to a URL, the
best score and the longest trail count. At the end of a trail the original follows no link; here
such links come last.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from telusur.crawl.strategies.contract import Again, Scored, Strategy, Visit
from telusur.crawl.strategies.link_words import page_likeness
from telusur.crawl.topic import PageText
from telusur.models import Link

ALPHA = 1.5
RELEVANT_SCORE, OTHER_SCORE, REST_SCORE, LAST_SCORE = 1.0, 0.5, 0.0, -1.0


class FishSight(NamedTuple):
    """The similarity of a page to the topic, and for each link whether it is among the first."""

    likeness: float
    first: bytes


class FishSearch(Strategy):
    """Scores a link by whether its page is relevant, and by its place among the page's links."""

    needs_topic = True
    keeps_notes = True
    again = Again.ASK
    # Links taken from a page, steps without a relevant page, the minimum cosine of a relevant page.
    parameters: ClassVar[Mapping[str, float]] = {"width": 10.0, "depth": 3.0, "relevant": 0.1}

    def look(self, page: PageText, links: Sequence[Link]) -> FishSight:
        """Compare the page with the topic, and find the first links on it."""
        likeness = page_likeness(page, self.topic)
        width = int(self.tuned["width"] * (ALPHA if self._is_enough(likeness) else 1.0))
        by_place = sorted(range(len(links)), key=lambda at: links[at].position)
        first = set(by_place[:width])
        return FishSight(likeness, bytes(at in first for at in range(len(links))))

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return 1 or 0.5 for the first links, 0 for the rest, less when the trail ends."""
        if not self._steps_left(page):
            return [LAST_SCORE] * len(links)
        if page.sight is None:
            return [REST_SCORE] * len(links)
        best = RELEVANT_SCORE if self._is_relevant(page) else OTHER_SCORE
        return [best if is_first else REST_SCORE for is_first in page.sight.first]

    def notes(self, links: Sequence[Link], page: Visit) -> list[bytes]:
        """Note how many steps a trail may still go."""
        full = int(self.tuned["depth"])
        left = full if self._is_relevant(page) else max(0, self._steps_left(page) - 1)
        return [bytes([left])] * len(links)

    def merge(self, pairs: Sequence[tuple[Scored, Scored]]) -> list[Scored]:
        """Take the better of both scores, and the longer of both trails."""
        return [Scored(max(a.score, b.score), max(a.note, b.note)) for a, b in pairs]

    def _is_relevant(self, page: Visit) -> bool:
        return page.sight is not None and self._is_enough(page.sight.likeness)

    def _is_enough(self, likeness: float) -> bool:
        return likeness >= self.tuned["relevant"]

    def _steps_left(self, page: Visit) -> int:
        return page.note[0] if page.note else int(self.tuned["depth"])
