"""Shark-Search: scores the words in and around a link, and the relevance its page inherited.

M. Hersovici, M. Jacovi, Y. S. Maarek, D. Pelleg, M. Shtalhaim, S. Ur: The shark-search algorithm.
An application: tailored Web site mapping. WWW7, 1998. With sim the cosine of 1 + ln of term
frequencies:

    inherited    = delta * sim(page)         if sim(page) > 0, else delta * inherited(page)
    anchor       = sim(link's text)
    context      = 1 if anchor > 0 else sim(text around the link)
    neighbourhood = beta * anchor + (1 - beta) * context
    score        = gamma * inherited + (1 - gamma) * neighbourhood

delta 0.5, beta 0.8, gamma 0.5; what they change is in docs/decisions/0033-classics.md. The same
formulas are in G. Pant, P. Srinivasan, F. Menczer: Crawling the Web. Web Dynamics, 2004. If several
links lead to a URL, the best counts.
"""

import struct
from array import array
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from telusur.crawl.strategies.contract import Strategy, Visit
from telusur.crawl.strategies.link_words import likenesses, page_likeness
from telusur.crawl.topic import PageText
from telusur.models import Link

_NUMBER = struct.Struct("<d")


class SharkSight(NamedTuple):
    """The similarity to the topic of a page, and of the neighbourhood of each of its links."""

    page: float
    neighbourhoods: "array[float]"


class SharkSearch(Strategy):
    """Scores a link by its neighbourhood and by what it inherits."""

    needs_topic = True
    keeps_notes = True
    parameters: ClassVar[Mapping[str, float]] = {"delta": 0.5, "beta": 0.8, "gamma": 0.5}

    def look(self, page: PageText, links: Sequence[Link]) -> SharkSight:
        """Compare the page and the text in and around its links with the topic."""
        language = page.document.language
        wanted = self.topic.weights(language)
        beta = self.tuned["beta"]
        anchors = likenesses([link.anchor for link in links], wanted, language)
        arounds = likenesses(
            ["" if anchors[at] else link.around for at, link in enumerate(links)], wanted, language
        )
        found = array(
            "d",
            (
                beta * anchor + (1.0 - beta) * (1.0 if anchor else around)
                for anchor, around in zip(anchors, arounds, strict=True)
            ),
        )
        return SharkSight(page_likeness(page, self.topic), found)

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return the potential score of each link."""
        gamma = self.tuned["gamma"]
        inherited = gamma * self._inherited(page)
        if page.sight is None:
            return [inherited] * len(links)
        return [inherited + (1.0 - gamma) * near for near in page.sight.neighbourhoods]

    def notes(self, links: Sequence[Link], page: Visit) -> list[bytes]:
        """Note what the links inherit."""
        return [_NUMBER.pack(self._inherited(page))] * len(links)

    def _inherited(self, page: Visit) -> float:
        own = page.sight.page if page.sight is not None else 0.0
        if own > 0.0:
            return self.tuned["delta"] * float(own)
        before = float(_NUMBER.unpack(page.note)[0]) if page.note else 0.0
        return self.tuned["delta"] * before
