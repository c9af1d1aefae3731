"""The comments that readers left on an article: in the part of the page that is named for them."""

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from telusur.extract.facts.publication_date import is_month_first
from telusur.extract.page.layout import Layout
from telusur.extract.threads.entries import PlacedPost, Reading, read_entries
from telusur.extract.threads.outline import Extent, PageOutline, read_outline
from telusur.extract.threads.shapes import find_members, find_signs
from telusur.extract.threads.stated import stated_comments
from telusur.models import Post

if TYPE_CHECKING:
    from telusur.extract.document import PageReading

_NAMES = (
    "comment",
    "kommentar",
    "komentar",
    "comentario",
    "disqus",
    "dsq-",
    "cmt",
    "repl",
    "yorum",
)
_NAMED = re.compile(
    "|".join((*_NAMES, "respond", "responses", "discussion", "pinglun")), re.IGNORECASE
)
# Names of a single comment: comment-123.
_SINGLE = re.compile(r"comment-?#", re.IGNORECASE)
# These say something about the whole page: that it may be commented.
_WHOLE = frozenset(("html", "body", "main", "head"))
_HEADINGS = ("h1", "title")


def may_have_comments(layout: Layout) -> bool:
    """Tell whether an element of a page is named for comments."""
    parts = [*[names[1] for names in layout.names], *[names[2] for names in layout.names]]
    written = "\0".join(parts).lower()
    return any(name in written for name in _NAMES)


def find_comments(reading: "PageReading", text: str) -> list[Post]:
    """Return the comments on a page that was read, and whose source is `text`."""
    shown = [entry.post for entry in find_comment_entries(reading)]
    stated = stated_comments(text, reading.base)
    return stated if len(stated) > len(shown) else shown


def find_comment_entries(reading: "PageReading") -> list[PlacedPost]:
    """Return the comments that a page shows, each with its place."""
    document = reading.document
    outline = read_outline(reading, by_form=True)
    parts = _parts_named_so(outline)
    members: list[Extent] = []
    if parts:
        signs = find_signs(outline)
        members = find_members(outline, signs, parts, named=_NAMED)
        members = members or find_members(outline, signs, parts, named=_SINGLE, unsigned=True)
    how = Reading(reading.base, is_month_first(document.language, document.url))
    return read_entries(outline, members, how)


def _parts_named_so(outline: PageOutline) -> list[Extent]:
    """Return the outermost elements that are named for comments and do not hold the article."""
    found: list[Extent] = []
    headlines = [0, *accumulate(node.tag in _HEADINGS for node in outline.elements)]
    element = 0
    while element < len(outline.elements):
        node = outline.elements[element]
        named = f"{node.attr('class') or ''} {node.attr('id') or ''} {node.attr('itemtype') or ''}"
        is_named = node.tag not in _WHOLE and _NAMED.search(named[:300])
        end = outline.ends[element]
        if is_named and headlines[end] == headlines[element]:
            found.append(Extent(element, end))
            element = end
        else:
            element += 1
    return found
