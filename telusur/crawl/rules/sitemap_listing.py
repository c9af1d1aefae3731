"""The URLs of a sitemap, judged and packed, on their way from a parser to the frontier."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from isal import isal_zlib

from telusur.crawl.rules.discovery import FoundLink

# How deep sitemaps may be nested.
MOST_LEVELS = 3
# How many sitemaps of a site are read.
MOST_FILES = 200
# The depth of a page listed in a sitemap: as if a start page linked to it.
DEPTH = 1
AT_ONCE = 1000
_USUAL_PRIORITY = 0.5
# So small that a priority only breaks ties.
_PRIORITY_WEIGHT = 0.001


class Listed(NamedTuple):
    """A URL of a sitemap, judged like a link, and what the sitemap says about it."""

    found: FoundLink
    lastmod: float | None = None
    changefreq: str = ""
    priority: float | None = None


def lead_of(priority: float | None) -> float:
    """Return how much a priority adds to the score of a URL."""
    return 0.0 if priority is None else _PRIORITY_WEIGHT * (priority - _USUAL_PRIORITY)


@dataclass(slots=True)
class Listing:
    """The URLs of one sitemap, packed, and the sitemaps that it names."""

    # How many entries it has, as far as it was read.
    named: int = 0
    packs: list[bytes] = field(default_factory=list)
    parts: list[FoundLink] = field(default_factory=list)
    # Which part was ignored, and why.
    note: str = ""

    def pack(self, listed: Sequence[Listed]) -> None:
        """Add URLs, at most `AT_ONCE`."""
        if listed:
            self.packs.append(isal_zlib.compress(pickle.dumps(listed), 1))

    def unpacked(self) -> Iterator[list[Listed]]:
        """Yield the URLs, a bounded number at a time."""
        for pack in self.packs:
            yield pickle.loads(isal_zlib.decompress(pack))  # noqa: S301 - of our own parser
