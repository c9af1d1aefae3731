"""Marks words in markup, even words split by tags, like <b>w</b>ord."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape, unescape
from itertools import islice

from telusur.extract.writing.sanitize import SafePiece
from telusur.web.frame.text import clean

Ranges = Sequence[tuple[int, int]]
# Takes a text; returns the ranges to mark.
Find = Callable[[str], Ranges]

_TAG = re.compile(r"<(/?)([a-zA-Z0-9]+)([^>]*)>")
_ALT = re.compile(r'\balt="([^"]*)"')
# Which places a cell covers, and the numbers of items.
_PLACE = re.compile(r' (?:colspan|rowspan|start|value)="\d{1,7}"')
_HREF = re.compile(r'\bhref="(https?://[^"]*)"', re.IGNORECASE)
_INLINE = frozenset(("a", "b", "i", "em", "strong", "code", "sub", "sup", "u", "s", "del", "ins",
                     "mark", "small", "span", "q", "kbd", "samp", "var"))  # fmt: skip


def write_marked(pieces: Iterable[SafePiece], find: Find) -> str:
    """Return tags and texts as markup with words marked; block edges separate words."""
    cleaned = [SafePiece(clean(piece.tag), clean(piece.text), piece.is_edge) for piece in pieces]
    text = "".join("\n" if piece.is_edge else piece.text for piece in cleaned)
    ranges = list(find(text))
    out = []
    start = first = 0
    for piece in cleaned:
        end = start + (1 if piece.is_edge else len(piece.text))
        while first < len(ranges) and ranges[first][1] <= start:
            first += 1
        out.append(piece.tag or "".join(_marked(piece.text, start, ranges, first)))
        start = end
    return "".join(out)


def _marked(text: str, place: int, ranges: Ranges, first: int) -> Iterator[str]:
    at = 0
    for start, end in islice(ranges, first, None):
        if start >= place + len(text):
            break
        begin, stop = max(start - place, at), min(end - place, len(text))
        if begin < stop:
            yield escape(text[at:begin])
            yield f"<mark>{escape(text[begin:stop])}</mark>"
            at = stop
    yield escape(text[at:])


def mark_markup(markup: str, find: Find) -> str:
    """Return our own markup with words marked, and no attributes except web addresses."""
    return write_marked(_read_pieces(markup), find)


def _read_pieces(markup: str) -> Iterator[SafePiece]:
    at = 0
    for match in _TAG.finditer(markup):
        yield SafePiece(text=unescape(markup[at : match.start()]))
        if match[2].lower() == "img":
            yield SafePiece(text=unescape(alt[1]) if (alt := _ALT.search(match[3])) else "")
        else:
            yield SafePiece(_rewritten(match), is_edge=match[2].lower() not in _INLINE)
        at = match.end()
    yield SafePiece(text=unescape(markup[at:]))


def _rewritten(match: re.Match[str]) -> str:
    """Return a tag without attributes, except web addresses and places in tables and lists."""
    closing, name, attributes = match[1], match[2].lower(), match[3]
    if name == "a" and not closing and (href := _HREF.search(attributes)):
        return f'<a href="{href[1]}" rel="noreferrer noopener nofollow">'
    return f"<{closing}{name}{''.join(_PLACE.findall(attributes))}>"
