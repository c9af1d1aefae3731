"""A page that `focused` remembers, as bytes: what it goes on from after a stop or a kill."""

import struct
from typing import Any

import numpy as np
from isal import isal_zlib

from telusur.crawl.strategies.focused_pages import SeenPage
from telusur.crawl.strategies.focused_sight import Sight

_HEAD = struct.Struct("<Qdd7I")
_KINDS = (np.int32, np.float32, np.int32, np.int32, np.int32, np.int32, np.float32)


def pack_page(page: SeenPage) -> bytes:
    """Return everything that is known of a page but the guess, which is made anew."""
    sight = page.sight
    evidence = page.evidence if page.evidence is not None else np.zeros(0)
    arrays = (
        sight.terms, sight.weights, sight.anchors, sight.anchor_lengths, sight.arounds,
        sight.around_lengths, evidence.astype(np.float32),
    )  # fmt: skip
    head = _HEAD.pack(page.number, sight.asked, page.label, *map(len, arrays))
    body = [page.url_id, page.targets, sight.named.tobytes()]
    return isal_zlib.compress(b"".join([head, *(a.tobytes() for a in arrays), *body]), 1)


def unpack_page(record: bytes) -> SeenPage:
    """Return the page of a record."""
    data = isal_zlib.decompress(record)
    number, asked, label, *lengths = _HEAD.unpack_from(data)
    arrays: list[Any] = []
    at = _HEAD.size
    for length, kind in zip(lengths, _KINDS, strict=True):
        arrays.append(np.frombuffer(data, kind, length, at))
        at += 4 * length
    terms, weights, anchors, anchor_lengths, arounds, around_lengths, evidence = arrays
    links = len(anchor_lengths)
    url_id, targets = data[at : at + 16], data[at + 16 : at + 16 + 16 * links]
    named = np.frombuffer(data, np.float32, links, at + 16 + 16 * links)
    sight = Sight(terms, weights, asked, anchors, anchor_lengths, arounds, around_lengths, named)
    return SeenPage(number, url_id, sight, targets, label, evidence if len(evidence) else None)
