"""Topic-focused: finds the topic of a site itself, from frequent words in its link texts.

A word counts when it is in at least `threshold` of the link texts seen on a site, and in at most
half of them: words that are everywhere are navigation. score = how many such words a link text has;
the topic of a site becomes clearer with every page.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from telusur.crawl.strategies.contract import Setup, Strategy, Visit
from telusur.crawl.topic import PageText
from telusur.language.analysis import terms
from telusur.models import Link

MOST_SITES = 1000
# Per site; when there are more, the rarest are forgotten.
MOST_WORDS = 2000
TOO_COMMON = 0.5
# The key for the number of link texts counted, instead of a word.
_ALL = ""


class TopicFocused(Strategy):
    """Scores a link by the words of its site's own topic."""

    parameters: ClassVar[Mapping[str, float]] = {"threshold": 0.02}

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._sites: dict[str, Counter[str]] = {}
        self._changed: set[str] = set()
        self._gone: set[str] = set()

    def look(self, page: PageText, links: Sequence[Link]) -> list[str]:
        """Return the terms of each link's text, with spaces between."""
        language = page.document.language
        return [_terms_of(link.anchor, language) for link in links]

    def learn(self, page: Visit) -> None:
        """Count the words of the page's links."""
        counts = self._sites.setdefault(page.site, Counter())
        counts.update(" ".join(page.sight or ()).split())
        counts[_ALL] += len(page.sight or ())
        if len(counts) > MOST_WORDS:
            frequent = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
            self._sites[page.site] = Counter(dict(frequent[: MOST_WORDS // 2]))
        if len(self._sites) > MOST_SITES:
            smallest = min(self._sites, key=lambda site: (self._sites[site][_ALL], site))
            if smallest != page.site:
                del self._sites[smallest]
                self._gone.add(smallest)
                self._changed.discard(smallest)
        self._changed.add(page.site)
        self._gone.discard(page.site)

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return how many words of the site's topic each link has."""
        counts = self._sites.get(page.site, Counter())
        least, most = self._bounds(counts)
        return [
            float(sum(least <= counts[word] <= most for word in words.split()))
            for words in page.sight or ()
        ]

    def words_of(self, site: str) -> set[str]:
        """Return the words that are the topic of a site so far."""
        counts = self._sites.get(site, Counter())
        least, most = self._bounds(counts)
        return {word for word, n in counts.items() if word and least <= n <= most}

    def _bounds(self, counts: Counter[str]) -> tuple[float, float]:
        """Return the minimum and maximum number of link texts with a word of the topic."""
        return max(2.0, self.tuned["threshold"] * counts[_ALL]), TOO_COMMON * counts[_ALL]

    def save(self) -> Mapping[str, bytes]:
        """Return the counts of the sites that changed."""
        parts = {
            site: json.dumps(self._sites[site], sort_keys=True).encode() for site in self._changed
        }
        self._changed.clear()
        parts.update(dict.fromkeys(self._gone, b"{}"))
        self._gone.clear()
        return parts

    def restore(self, parts: Mapping[str, bytes]) -> None:
        """Continue from the saved counts of all sites."""
        read = {site: Counter(json.loads(counts)) for site, counts in parts.items()}
        self._sites = {site: counts for site, counts in read.items() if counts}


@lru_cache(maxsize=20_000)
def _terms_of(text: str, language: str) -> str:
    """Return each term of a text once, with spaces between: many links have the same text."""
    return " ".join(dict.fromkeys(terms(text, language)))
