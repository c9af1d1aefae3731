"""The links of a page as one compressed record: one row per link, in reading order."""

import re
from collections.abc import Iterable, Sequence

from isal import isal_zlib

from telusur.crawl.unpacking import unpack
from telusur.models import Link


def pack_links(links: Sequence[Link]) -> bytes:
    """Return the record; no field holds a tab or a line break, since white space is collapsed."""
    rows = [f"{url}\t{anchor}\t{around}\t{rel}\t{at}" for url, anchor, around, rel, at, _ in links]
    return isal_zlib.compress("\n".join(rows).encode("utf-8", "replace"), 1)


def unpack_links(record: bytes) -> list[Link]:
    """Return the links of a record; their page is not repeated in it."""
    return _read_rows(_text_of(record).split("\n"))


def find_links(record: bytes, pattern: re.Pattern[str]) -> list[Link]:
    """Return the links of a record whose row has a match: few of many in a fraction of the time."""
    text = _text_of(record)
    if not pattern.search(text):
        return []
    return _read_rows(filter(pattern.search, text.split("\n")))


def _text_of(record: bytes) -> str:
    return unpack(record).decode()


def _read_rows(rows: Iterable[str]) -> list[Link]:
    return [
        Link(url, anchor, around, rel, int(at))
        for url, anchor, around, rel, at in (row.split("\t") for row in rows if row)
    ]
