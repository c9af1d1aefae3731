"""What `focused` takes from a page: hashed terms of the page and of its links, and the topic's.

It is made beside the parsers, sent to the owner, and kept there for as long as the page counts.
"""

import math
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.topic import PageText
from telusur.language.analysis import terms
from telusur.models import Link

BUCKETS = 1 << 17
MOST_TERMS = 250
"""Of the terms of a page, so many of the most frequent are kept."""
MOST_IN_ANCHOR = 8
MOST_AROUND = 24
_LEAD_TERMS = 150
_HALF = 1.5
"""So many mentions of a word of the topic count half of what very many would."""
_MARK = "zqxzqjzq"
"""A word of no language, put between texts."""

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


class Sight(NamedTuple):
    """A page and its links as numbers."""

    terms: Ints
    weights: Floats
    """1 + log of how often each term stands on the page."""
    asked: float
    """How much the page is about the topic's words, by itself."""
    anchors: Ints
    """The terms of all links' texts, one after the other."""
    anchor_lengths: Ints
    arounds: Ints
    around_lengths: Ints
    named: Floats
    """How much each link names the topic's words."""


@lru_cache(maxsize=60_000)
def bucket_of(term: str) -> int:
    """Return the number a term is known by: the same on every machine."""
    return zlib.crc32(term.encode("utf-8", "replace")) % BUCKETS


def look_at(page: PageText, links: Sequence[Link], wanted: Mapping[str, float]) -> Sight:
    """Turn a page and its links into numbers."""
    counts = Counter(page.terms)
    kept = counts.most_common(MOST_TERMS)
    language = page.document.language
    anchors = _terms_of_each([link.anchor for link in links], language, MOST_IN_ANCHOR)
    arounds = _terms_of_each([link.around for link in links], language, MOST_AROUND)
    return Sight(
        np.fromiter((bucket_of(term) for term, _ in kept), np.int32, len(kept)),
        np.fromiter((1.0 + math.log(count) for _, count in kept), np.float32, len(kept)),
        _asked(page, counts, wanted),
        _numbers(anchors),
        _lengths(anchors),
        _numbers(arounds),
        _lengths(arounds),
        np.fromiter(map(_named, anchors, arounds, repeat(wanted)), np.float32, len(links)),
    )  # fmt: skip


def _asked(page: PageText, counts: Mapping[str, int], wanted: Mapping[str, float]) -> float:
    """Return how much a page is about the topic's words: about 1 where it is likely to be.

    0.5 times the share of the words it has, each counted by how often it stands there,
    + their density, + 1.2 times their share of the title, + 0.4 times their place in its beginning.
    """
    total = sum(wanted.values())
    if not total:
        return 0.0
    mentions = {term: counts.get(term, 0) for term in wanted}
    covered = sum(wanted[term] * n / (n + _HALF) for term, n in mentions.items()) / total
    density = 20.0 * sum(mentions.values()) / (len(page.terms) + 50)
    title = set(page.title_terms)
    titled = sum(term in title for term in wanted) / math.sqrt(max(1, len(title)))
    start = len(page.title_terms)  # the terms of a page begin with those of its title
    lead = Counter(page.terms[start : start + _LEAD_TERMS])
    early = sum(min(lead[term], 3) for term in wanted) / 3
    return 0.5 * covered + min(density, 2.0) + 1.2 * titled + 0.4 * min(early, 2.0)


def _named(anchor: Sequence[str], around: Sequence[str], wanted: Mapping[str, float]) -> float:
    """Return how much a link names the topic: by its own text, or a little by what is around."""
    own = sum(term in wanted for term in anchor) / math.sqrt(max(1, len(anchor)))
    return own + (0.3 if any(term in wanted for term in around) else 0.0)


def _terms_of_each(texts: Sequence[str], language: str, most: int) -> list[list[str]]:
    """Return the first terms of each text; together they are analysed several times faster."""
    (mark,) = terms(_MARK, language)
    together = " ".join(terms(f" {_MARK} ".join(texts), language))
    return [text.split()[:most] for text in together.split(mark)][: len(texts)]


def _numbers(texts: Sequence[Sequence[str]]) -> Ints:
    return np.fromiter((bucket_of(term) for term in chain.from_iterable(texts)), np.int32)


def _lengths(texts: Sequence[Sequence[str]]) -> Ints:
    return np.fromiter((len(text) for text in texts), np.int32, len(texts))
