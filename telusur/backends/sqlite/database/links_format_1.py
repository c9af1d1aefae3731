"""Reads links of format 1: JSON that includes the ids."""

import json

from telusur.crawl.unpacking import unpack
from telusur.models import Link


def unpack_links_1(record: bytes) -> tuple[bytes, list[Link]]:
    """Return the targets' ids, joined, and the links."""
    rows = json.loads(unpack(record))
    targets = b"".join(bytes.fromhex(target) for target, *_ in rows)
    return targets, [_link(*rest) for _, *rest in rows]


def _link(url: str, anchor: str, around: str, rel: str, position: int) -> Link:
    """Make a link without tabs and line breaks, which separate today's records."""
    anchor, around, rel = (" ".join(text.split()) for text in (anchor, around, rel))
    return Link(url, anchor, around, rel, position)
