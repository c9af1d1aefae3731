"""What `focused` takes from a page: hashed terms of the page and of its links, and the topic's.

It is made beside the parsers, sent to the owner, and kept there for as long as the page counts.
"""

import math
import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.focused_form import FORM, forms_of
from telusur.crawl.strategies.focused_kinship import Kinship
from telusur.crawl.strategies.focused_terms import (
    BUCKETS,
    Ints,
    bucket_of,
    buckets_of,
    count_terms,
    first_terms,
    link_text,
)
from telusur.crawl.topic import PageText
from telusur.models import Link

MOST_TERMS = 250
"""Of the terms of a page, so many of the most frequent are kept."""
MOST_IN_ANCHOR = 8
MOST_AROUND = 24
_LEAD_TERMS = 150
_HALF = 1.5
"""So many mentions of a word of the topic count half of what very many would."""
_HEAD = struct.Struct("<d4I")

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
    order: Ints
    """Where each link stood among those that were given: here they stand as on the page."""
    kin: Floats
    """How near each link's text is to the topic in meaning."""
    form: Floats
    """How each link's text is written: a row for each, see `FORM`."""

    def pack(self) -> bytes:
        """Return it as bytes, to be sent or saved."""
        sizes = map(len, (self.terms, self.anchors, self.arounds, self.named))
        head = _HEAD.pack(self.asked, *sizes)
        arrays = [part.tobytes() for part in self if not isinstance(part, float)]
        return b"".join([head, *arrays])

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return unpack_sight, (self.pack(),)


def unpack_sight(data: bytes) -> Sight:
    """Return what was packed; anything may follow it."""
    asked, terms, anchors, arounds, links = _HEAD.unpack_from(data)
    at = _HEAD.size
    arrays: list[Any] = []
    for size, kind in (
        (terms, np.int32), (terms, np.float32), (anchors, np.int32), (links, np.int32),
        (arounds, np.int32), (links, np.int32), (links, np.float32), (links, np.int32),
        (links, np.float32), (len(FORM) * links, np.float32),
    ):  # fmt: skip
        arrays.append(np.frombuffer(data, kind, size, at))
        at += 4 * size
    arrays[-1] = arrays[-1].reshape(links, len(FORM))
    return Sight(arrays[0], arrays[1], asked, *arrays[2:])


def look_at(
    page: PageText,
    links: Sequence[Link],
    wanted: Mapping[str, float],
    kinship: Kinship | None = None,
) -> Sight:
    """Turn a page and its links into numbers."""
    language = page.document.language
    order = np.argsort(np.array([link.position for link in links], np.int32), kind="stable")
    links = [links[place] for place in order.tolist()]
    texts = [link_text(link) for link in links]
    anchors, in_anchors = first_terms(texts, language, MOST_IN_ANCHOR)
    arounds, in_arounds = first_terms([link.around for link in links], language, MOST_AROUND)
    terms, weights = _frequent(buckets_of(page.hashes))
    is_wanted = _table_of(tuple(wanted))
    named = _named(is_wanted[anchors], in_anchors, is_wanted[arounds], in_arounds)
    asked = _asked(page, wanted)
    return Sight(
        terms, weights, asked, anchors, in_anchors, arounds, in_arounds, named,
        order.astype(np.int32), (kinship or Kinship(None, "")).of(texts, language),
        forms_of([link.anchor for link in links]),
    )  # fmt: skip


def _frequent(numbers: Ints) -> tuple[Ints, Floats]:
    """Return the most frequent terms, the first among equals, and how much each counts."""
    terms, counts = count_terms(numbers)
    best = np.argsort(-counts, kind="stable")[:MOST_TERMS]
    return terms[best], np.asarray(1.0 + np.log(counts[best]), np.float32)


def _asked(page: PageText, wanted: Mapping[str, float]) -> float:
    """Return how much a page is about the topic's words: about 1 where it is likely to be.

    0.5 times the share of the words it has, each counted by how often it stands there,
    + their density, + 1.2 times their share of the title, + 0.4 times their place in its beginning.
    """
    total = sum(wanted.values())
    if not total:
        return 0.0
    found = page.mentions(wanted)
    title = page.title_size  # the terms of a page begin with those of its title
    weights, mentions = np.array([*wanted.values()]), np.count_nonzero(found, axis=1)
    covered = (weights * mentions / (mentions + _HALF)).sum() / total
    density = 20.0 * mentions.sum() / (len(page.hashes) + 50)
    in_title = len(set(page.hashes[:title].tolist()))
    titled = np.count_nonzero(found[:, :title].any(axis=1)) / math.sqrt(max(1, in_title))
    lead = np.count_nonzero(found[:, title : title + _LEAD_TERMS], axis=1)
    early = np.minimum(lead, 3).sum() / 3
    return float(0.5 * covered + min(density, 2.0) + 1.2 * titled + 0.4 * min(early, 2.0))


@lru_cache(maxsize=16)
def _table_of(wanted: tuple[str, ...]) -> NDArray[np.bool_]:
    """Return whether each number is that of a term that is asked for."""
    table = np.zeros(BUCKETS, np.bool_)
    table[[bucket_of(term) for term in wanted]] = True
    return table


def _named(
    in_anchor: NDArray[np.bool_], anchors: Ints, in_around: NDArray[np.bool_], arounds: Ints
) -> Floats:
    """Return how much each link names the topic: by its own text, or a little by what is around.

    Given are for each term whether it is asked for, and how many terms belong to each link.
    """
    links = np.arange(len(anchors))
    own = np.bincount(np.repeat(links, anchors)[in_anchor], minlength=len(links))
    near = np.bincount(np.repeat(links, arounds)[in_around], minlength=len(links))
    named = own / np.sqrt(np.maximum(1, anchors)) + np.where(near > 0, 0.3, 0.0)
    return np.asarray(named, np.float32)
