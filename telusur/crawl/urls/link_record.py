"""The links of a page as one compressed record: one row per link, in reading order."""

from collections.abc import Sequence

from isal import isal_zlib

from telusur.models import Link


def pack_links(links: Sequence[Link]) -> bytes:
    """Return the record; no field holds a tab or a line break, since white space is collapsed."""
    rows = [f"{url}\t{anchor}\t{around}\t{rel}\t{at}" for url, anchor, around, rel, at, _ in links]
    return isal_zlib.compress("\n".join(rows).encode("utf-8", "replace"), 1)


def unpack_links(record: bytes) -> list[Link]:
    """Return the links of a record; their page is not repeated in it."""
    text = isal_zlib.decompress(record).decode()
    return [
        Link(url, anchor, around, rel, int(at))
        for url, anchor, around, rel, at in (row.split("\t") for row in text.split("\n") if row)
    ]
