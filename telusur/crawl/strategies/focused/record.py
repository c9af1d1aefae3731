"""A page that `focused` remembers, as bytes, to resume after a stop or a kill."""

import struct

import numpy as np
from isal import isal_zlib

from telusur.crawl.strategies.focused.memory import SeenPage
from telusur.crawl.strategies.focused.sight import unpack_sight
from telusur.crawl.unpacking import unpack

_HEAD = struct.Struct("<QdII")


def pack_page(page: SeenPage) -> bytes:
    """Return everything known about a page except the guess, which is recomputed."""
    evidence = page.evidence.tobytes() if page.evidence is not None else b""
    sight = page.sight.pack()
    head = _HEAD.pack(page.number, page.label, len(evidence), len(sight))
    data = b"".join([head, page.url_id, evidence, sight, page.targets])
    return isal_zlib.compress(data, 1)


def unpack_page(record: bytes) -> SeenPage:
    """Return the page of a record."""
    data = unpack(record)
    number, label, evidence_size, sight_size = _HEAD.unpack_from(data)
    parts = []
    at = _HEAD.size
    for size in (16, evidence_size, sight_size):
        parts.append(data[at : at + size])
        at += size
    url_id, evidence, sight = parts
    known = np.frombuffer(evidence, np.float32) if evidence else None
    return SeenPage(number, url_id, unpack_sight(sight), data[at:], label, known)
