"""Finds the part of a page's title that the page itself shows, on pages without headings."""

import re
from html import escape

from telusur.extract.facts.headlines import is_no_title
from telusur.extract.facts.site_names import split_title

_MAX_PARTS = 8
_MAX_PLACES = 20
_LEAST = 4  # characters
_LEAST_SHARE = 0.2
# A text in a link belongs to a menu, and one in the head is what we look for.
_OTHER_TAG = re.compile(r"<(?:a|title|option|script|style|textarea)\b[^<>]*>\s*$", re.IGNORECASE)
_TAG_LENGTH = 300


def find_shown(written: str, title: str, keys: frozenset[str]) -> str:
    """Return the longest part of a title that is a text of its own in the page, or nothing.

    "Find jobs - Lighthouse keeper - Coast Herald" has the part "Lighthouse keeper", which pages
    without headings show in bold type or in a table. A part may consist of several: some titles
    have a dash. `written` is the page, written down.
    """
    parts = split_title(title)
    if len(parts) > _MAX_PARTS:
        return ""
    count = len(parts)
    runs = [
        _cut(title, parts, first, end)
        for first in range(count)
        for end in range(first + 1, count + 1)
    ]
    for part in sorted(runs, key=len, reverse=True):
        if len(part) < max(_LEAST, len(title) * _LEAST_SHARE):
            continue
        if not is_no_title(part, keys) and _is_shown(written, part):
            return part
    return ""


def _cut(title: str, parts: list[str], first: int, end: int) -> str:
    """Return the text from one part of a title to another, with the separators between them."""
    start = place = 0
    for number, part in enumerate(parts[:end]):
        place = title.index(part, place)
        start = place if number == first else start
        place += len(part)
    return title[start:place]


def _is_shown(written: str, text: str) -> bool:
    """Tell whether an element of the page has this text and nothing else."""
    text = escape(text, quote=False)
    end = 0
    for _ in range(_MAX_PLACES):
        start = written.find(text, end)
        if start < 0:
            return False
        end = start + len(text)
        before = written[max(0, start - _TAG_LENGTH) : start].rstrip()
        after = written[end : end + 20].lstrip()
        if before.endswith(">") and after.startswith("<") and not _OTHER_TAG.search(before):
            return True
    return False
