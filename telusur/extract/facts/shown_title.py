"""Finds the part of a page's title that the page itself shows, on pages without headings."""

import re
from html import escape
from typing import NamedTuple

from telusur.extract.facts.headlines import is_no_title
from telusur.extract.facts.site_names import split_title

_MAX_PARTS = 8
_MAX_PLACES = 20
_LEAST = 4  # characters
_LEAST_SHARE = 0.2
# A text in a link belongs to a menu, and one in the head is what we look for.
_OTHER_TAG = re.compile(r"<(?:a|title|option|script|style|textarea)\b[^<>]*>\s*$", re.IGNORECASE)
_UNSEEN = re.compile(r"<(?:title|option|script|style|textarea)\b[^<>]*>\s*$", re.IGNORECASE)
_TAG_LENGTH = 300


class Shown(NamedTuple):
    """A text that the page shows, and where it begins in the page as it is written down."""

    text: str
    start: int


def find_shown(written: str, title: str, keys: frozenset[str]) -> Shown | None:
    """Return the longest part of a title that is a text of its own in the page, or None.

    "Find jobs - Lighthouse keeper - Coast Herald" has the part "Lighthouse keeper", which pages
    without headings show in bold type or in a table. A part may consist of several: some titles
    have a dash. `written` is the page, written down.
    """
    parts = split_title(title)
    if len(parts) > _MAX_PARTS:
        return None
    count = len(parts)
    runs = [
        _cut(title, parts, first, end)
        for first in range(count)
        for end in range(first + 1, count + 1)
    ]
    for part in sorted(runs, key=len, reverse=True):
        if len(part) < max(_LEAST, len(title) * _LEAST_SHARE):
            continue
        if not is_no_title(part, keys) and (start := find_text(written, part)) >= 0:
            return Shown(part, start)
    return None


def _cut(title: str, parts: list[str], first: int, end: int) -> str:
    """Return the text from one part of a title to another, with the separators between them."""
    start = place = 0
    for number, part in enumerate(parts[:end]):
        place = title.index(part, place)
        start = place if number == first else start
        place += len(part)
    return title[start:place]


def find_text(written: str, text: str, *, with_links: bool = False) -> int:
    """Return where an element of the page has this text and nothing else, or -1.

    Links count only if asked for: a menu may name this page, too.
    """
    text = escape(text, quote=False)
    others = _UNSEEN if with_links else _OTHER_TAG
    end = 0
    for _ in range(_MAX_PLACES):
        start = written.find(text, end)
        if start < 0:
            return -1
        end = start + len(text)
        before = written[max(0, start - _TAG_LENGTH) : start].rstrip()
        after = written[end : end + 20].lstrip()
        if before.endswith(">") and after.startswith("<") and not others.search(before):
            return start
    return -1
