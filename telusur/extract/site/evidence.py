"""What one page tells about its site: which text stands at which place, and how likely it is
content.

Texts and places are only kept as hashes, which are the same in every process.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from zlib import crc32

import numpy as np

from telusur.arrays import Floats, Ints, Unsigned64
from telusur.extract.content.element_names import Names
from telusur.extract.page.layout import Layout

# The facts whose place is learned, in the order of the columns of a record.
FACTS = ("title", "author", "date")
# A place is an element with its two nearest ancestors. More, and the pages of a template have
# different places; fewer, and menu and article share one.
_ANCESTORS = 2
# Longer and shorter lines are at different places: in old pages everything is a table cell.
_LONG_LINE = 12
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
# Numbers in class names and ids count elements or name the page.
_DIGITS = b"0123456789"
_SURE = 1e-4


def _nowhere() -> Ints:
    return np.full(len(FACTS), -1, np.int64)


@dataclass(slots=True)
class PageEvidence:
    """The lines of a page as hashes, and what the network said about them."""

    # A hash of the page's address: no page counts twice.
    address: int
    # For each line, a hash of its text and its place together.
    texts: Unsigned64
    # The different places of the page.
    places: Unsigned64
    # For each line, the number of its place.
    place_of: Ints
    # For each line, how many words it has.
    words: Floats
    # For each line, the network's probability that it is content.
    likely: Floats
    # The numbers of the places of title, author and date, -1 for none.
    facts: Ints = field(default_factory=_nowhere)

    def certainties(self) -> Floats:
        """Return for each place the mean log-odds that it is content, long lines counting more."""
        weights = self.words + np.float32(0.5)
        sums = np.bincount(self.place_of, weights * log_odds(self.likely), len(self.places))
        means = sums / np.bincount(self.place_of, weights, len(self.places))
        return means.astype(np.float32)


def gather_evidence(layout: Layout, likely: Floats, words: Floats, url: str = "") -> PageEvidence:
    """Return the evidence of a page that has at least one line."""
    of_lines = _places_of(layout) + (words > _LONG_LINE)
    places, place_of = np.unique(of_lines, return_inverse=True)
    texts = _mix(_hashes_of(layout.texts) + of_lines * _MULTIPLIER)
    return PageEvidence(address_of(url), texts, places, place_of, words, likely)


def address_of(url: str) -> int:
    """Return the hash by which a page is recognised."""
    return crc32(url.encode("utf-8", "replace"))


def log_odds(likely: Floats) -> Floats:
    """Return probabilities as log-odds, none of them infinite."""
    bounded = np.minimum(np.maximum(likely, _SURE), 1 - _SURE)
    odds: Floats = np.log(bounded / (1 - bounded))
    return odds


def _hashes_of(texts: list[str]) -> Unsigned64:
    """Return a hash of each text. Its digits count: prices and numbers are what pages are about."""
    joined = "\0".join(texts).encode("utf-8", "replace")
    return np.fromiter(map(crc32, joined.split(b"\0")), np.uint64, len(texts))


def _places_of(layout: Layout) -> Unsigned64:
    """Return a hash of the place of each line."""
    names = np.fromiter(map(_hash_of_names, layout.names), np.uint64, len(layout.names))
    own = names[layout.names_of]
    above = np.maximum(layout.parents, 0)
    around = layout.containers
    places: Unsigned64 = own[around]
    for _ in range(_ANCESTORS):
        around = above[around]
        places = _mix(places * _MULTIPLIER + own[around])
    return places


def _mix(keys: Unsigned64) -> Unsigned64:
    """Spread the bits of hashes that were multiplied and added."""
    mixed: Unsigned64 = (keys ^ (keys >> _SHIFT)) * _MULTIPLIER
    return mixed


@lru_cache(maxsize=20_000)
def _hash_of_names(names: Names) -> int:
    return crc32(" ".join(names).encode("utf-8", "replace").translate(None, _DIGITS))
