"""What `focused` takes from a page: hashed terms of the page, of its links, and of the topic.

It is made in the parser processes, sent to the owner, and kept there while the page counts.
"""

import math
import struct
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats, Ints32
from telusur.crawl.strategies.focused.form import FORM, forms_of
from telusur.crawl.strategies.focused.kinship import Kinship
from telusur.crawl.strategies.focused.terms import (
    BUCKETS,
    bucket_of,
    buckets_of,
    count_terms,
    first_terms,
    link_text,
)
from telusur.crawl.topic import PageText
from telusur.models import Link

# How many of the most frequent terms of a page are kept.
MOST_TERMS = 250
MOST_IN_ANCHOR = 8
MOST_AROUND = 24
_LEAD_TERMS = 150
# This many mentions of a word of the topic count half as much as infinitely many.
_HALF = 1.5
_HEAD = struct.Struct("<d4I")


class Sight(NamedTuple):
    """A page and its links as numbers."""

    terms: Ints32
    # 1 + log of the frequency of each term on the page.
    weights: Floats
    # How strongly the page itself matches the topic's words.
    asked: float
    # The terms of all link texts, concatenated.
    anchors: Ints32
    anchor_lengths: Ints32
    arounds: Ints32
    around_lengths: Ints32
    # How much each link names the topic's words.
    named: Floats
    # The original index of each link; here links are in the order of the page.
    order: Ints32
    # How similar each link text is to the topic in meaning.
    kin: Floats
    # The form of each link text: one row each, see `FORM`.
    form: Floats

    def pack(self) -> bytes:
        """Return it as bytes, to be sent or saved."""
        sizes = map(len, (self.terms, self.anchors, self.arounds, self.named))
        head = _HEAD.pack(self.asked, *sizes)
        arrays = [part.tobytes() for part in self if not isinstance(part, float)]
        return b"".join([head, *arrays])

    def __reduce__(self) -> tuple[Any, tuple[bytes]]:
        return unpack_sight, (self.pack(),)


def unpack_sight(data: bytes) -> Sight:
    """Return a packed sight; other data may follow it."""
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


def _frequent(numbers: Ints32) -> tuple[Ints32, Floats]:
    """Return the most frequent terms, the first among equals, and how much each counts."""
    terms, counts = count_terms(numbers)
    best = np.argsort(-counts, kind="stable")[:MOST_TERMS]
    return terms[best], np.asarray(1.0 + np.log(counts[best]), np.float32)


def _asked(page: PageText, wanted: Mapping[str, float]) -> float:
    """Return how strongly a page matches the topic's words: about 1 if it is likely relevant.

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
    """Return for each number whether it is a wanted term."""
    table = np.zeros(BUCKETS, np.bool_)
    table[[bucket_of(term) for term in wanted]] = True
    return table


def _named(
    in_anchor: NDArray[np.bool_], anchors: Ints32, in_around: NDArray[np.bool_], arounds: Ints32
) -> Floats:
    """Return how much each link names the topic: by its own text, or a little by the text around.

    The input is for each term whether it is wanted, and how many terms belong to each link.
    """
    links = np.arange(len(anchors))
    own = np.bincount(np.repeat(links, anchors)[in_anchor], minlength=len(links))
    near = np.bincount(np.repeat(links, arounds)[in_around], minlength=len(links))
    named = own / np.sqrt(np.maximum(1, anchors)) + np.where(near > 0, 0.3, 0.0)
    return np.asarray(named, np.float32)
