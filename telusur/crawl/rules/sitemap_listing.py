"""What a sitemap names, judged and packed: on its way from a parser to the frontier."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from isal import isal_zlib

from telusur.crawl.discovery import FoundLink

MOST_LEVELS = 3
"""How many sitemaps may lead from one to the next."""
MOST_FILES = 200
"""How many sitemaps of a site are read."""
DEPTH = 1
"""How far from a start URL a page counts that a sitemap names: as if a start page linked there."""
AT_ONCE = 1000
_USUAL_PRIORITY = 0.5
_PRIORITY_WEIGHT = 0.001
"""So small that a priority decides between URLs that are equal otherwise, and never more."""


class Listed(NamedTuple):
    """A URL of a sitemap, judged like a link, and what the sitemap says about it."""

    found: FoundLink
    lastmod: float | None = None
    changefreq: str = ""
    priority: float | None = None


def lead_of(priority: float | None) -> float:
    """Return what a priority adds to the score of a URL."""
    return 0.0 if priority is None else _PRIORITY_WEIGHT * (priority - _USUAL_PRIORITY)


@dataclass(slots=True)
class Listing:
    """The URLs of one sitemap, packed, and the sitemaps that it names."""

    named: int = 0
    """How many entries it has, as far as it was read."""
    packs: list[bytes] = field(default_factory=list)
    parts: list[FoundLink] = field(default_factory=list)
    note: str = ""
    """What of it does not count, and why."""

    def pack(self, listed: Sequence[Listed]) -> None:
        """Add URLs, at most `AT_ONCE`."""
        if listed:
            self.packs.append(isal_zlib.compress(pickle.dumps(listed), 1))

    def unpacked(self) -> Iterator[list[Listed]]:
        """Yield the URLs, a bounded number at a time."""
        for pack in self.packs:
            yield pickle.loads(isal_zlib.decompress(pack))  # noqa: S301 - of our own parser
