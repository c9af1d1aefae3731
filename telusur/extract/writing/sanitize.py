"""Sanitises a page but keeps its look: only known elements and attributes are written.

The browser does not get the page with bad parts removed, but new markup written from the parsed
tree: plain HTML elements, no raw text, every value escaped. So a second parser cannot read anything
differently from the first.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from turbohtml import Document as Tree
from turbohtml import Element, Namespace, Node, Text

from telusur.extract.page.dom import MAX_NODES, TagIndex, parse_html
from telusur.extract.page.links import find_base
from telusur.extract.page.resolve import resolve_url
from telusur.extract.writing.escaping import escape
from telusur.extract.writing.line_numbers import NO_LINE, number_lines
from telusur.extract.writing.sanitize_css import MAX_SHEETS_LENGTH, harmless_sheet, harmless_style

# Deeper tags are left out, but not their texts: browsers nest no deeper than 512.
MAX_DEPTH = 300
# How many images and sheets of a page are looked up in the archive.
MAX_LOOKED_UP = 500

# fmt: off
_ELEMENTS = frozenset((
    "a", "abbr", "acronym", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote",
    "body", "br", "caption", "center", "cite", "code", "col", "colgroup", "dd", "del", "details",
    "dfn", "dir", "div", "dl", "dt", "em", "fieldset", "figcaption", "figure", "font", "footer",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "html", "i", "img", "ins", "kbd",
    "label", "legend", "li", "main", "mark", "menu", "nav", "nobr", "ol", "p", "pre", "q", "rp",
    "rt", "ruby", "s", "samp", "search", "section", "small", "span", "strike", "strong", "sub",
    "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul",
    "var", "wbr",
))
_SHOWN_AS = {"form": "div", "dialog": "div", "button": "span", "listing": "pre", "xmp": "pre",
             "plaintext": "pre"}
_VOID = frozenset(("br", "col", "hr", "img", "input", "wbr"))
_DROPPED = frozenset((
    "script", "style", "template", "head", "title", "iframe", "frame", "frameset", "noframes",
    "object", "embed", "applet", "portal", "video", "audio", "canvas", "select", "datalist",
    "textarea", "noembed", "svg", "link", "meta", "base",
))
_ANY = {"class", "id", "lang", "dir", "title"}
_CELL = {"colspan", "rowspan", "align", "valign", "width", "height", "bgcolor"}
_ATTRIBUTES: dict[str, set[str]] = {
    "body": {"bgcolor", "text"}, "col": {"span", "width"}, "colgroup": {"span", "width"},
    "details": {"open"}, "div": {"align"}, "font": {"color", "size", "face"},
    "h1": {"align"}, "h2": {"align"}, "h3": {"align"}, "hr": {"width", "size", "align"},
    "img": {"alt", "width", "height", "align", "border"}, "li": {"value"},
    "ol": {"start", "type", "reversed"}, "p": {"align"}, "ul": {"type"},
    "table": {"border", "cellpadding", "cellspacing", "width", "align", "bgcolor"},
    "td": _CELL, "th": _CELL, "time": {"datetime"}, "tr": {"align", "valign", "bgcolor"},
}
# fmt: on
_VALUE = {
    "dir": re.compile(r"ltr|rtl|auto", re.IGNORECASE),
    "lang": re.compile(r"[A-Za-z0-9-]{1,35}"),
    "colspan": re.compile(r"\d{1,3}"),
    "rowspan": re.compile(r"\d{1,3}"),
    "span": re.compile(r"\d{1,3}"),
}
_MAX_VALUE = 1000
_WRITTEN_FIELDS = frozenset(("", "text", "search", "email", "url", "tel", "number", "password"))
_BUTTONS = frozenset(("submit", "button", "reset"))
_MEDIA = re.compile(r"[\w\s(),:.-]{1,200}")
_DATA_PICTURE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]{1,200000}")

# Takes an absolute URL; returns what is stored there, if it has the right type.
FindText = Callable[[str], str | None]


def _nothing(url: str) -> None:
    return None


@dataclass(slots=True, frozen=True)
class Stored:
    """Access to the stored parts of a page: a sheet as text, an image as a data URL."""

    sheet_of: FindText = _nothing
    picture_of: FindText = _nothing


class SafePiece(NamedTuple):
    """A finished tag, or a text that is not escaped yet."""

    tag: str = ""
    text: str = ""
    # Words before and after it are not side by side.
    is_edge: bool = False


def read_sheets(html: str, url: str, stored: Stored | None = None) -> str:
    """Return the sanitised style elements of a page, its own and stored ones."""
    stored = stored or Stored()
    tree = parse_html(html)
    base = find_base(TagIndex(tree), url)
    rest = MAX_SHEETS_LENGTH
    written = []
    for element in islice(tree.select("style,link[rel~=stylesheet][href]"), MAX_LOOKED_UP):
        if element.namespace is not Namespace.HTML or rest <= 0:
            continue
        if element.tag == "style":
            text = element.text
        else:
            target = resolve_url(base, element.attr("href") or "")
            text = (stored.sheet_of(target) if target else None) or ""
        sheet = harmless_sheet(text[:rest])
        rest -= len(sheet)
        media = element.attr("media") or ""
        if sheet and (not media or _MEDIA.fullmatch(media)):
            about = f' media="{escape(media)}"' if media else ""
            written.append(f"<style{about}>{sheet}</style>")
    return "\n".join(written)


def write_harmless(
    tree: Tree, base: str, *, labels: Sequence[str] | None = None, stored: Stored | None = None
) -> Iterator[SafePiece]:
    """Yield a page as harmless tags and texts, from its html element on.

    `tree` is the visible part of a page, as `read_page` leaves it. With `labels`, one per line,
    each line has its number in `data-block` and its label in `data-label`.
    """
    writer = _Writer(base, labels, stored or Stored())
    lines = number_lines(tree) if labels is not None else None
    is_open: list[tuple[Node, str, bool]] = [(tree, "", False)]
    for at, node in enumerate(islice(tree.descendants, MAX_NODES)):
        while len(is_open) > 1 and is_open[-1][0] is not node.parent:
            yield from _close(is_open.pop())
        is_dropped = is_open[-1][2]
        if isinstance(node, Text):
            if not is_dropped:
                yield from writer.text(node.data, NO_LINE if lines is None else lines.texts[at])
        elif isinstance(node, Element):
            is_dropped = is_dropped or node.tag in _DROPPED
            name = "" if is_dropped or len(is_open) > MAX_DEPTH else _name_of(node)
            if name:
                line = lines.elements[at] if lines is not None else NO_LINE
                yield from writer.start(node, name, line)
            is_open.append((node, name if name not in _VOID else "", is_dropped))
        else:  # a comment, a doctype, the contents of a template
            is_open.append((node, "", True))
    while is_open:
        yield from _close(is_open.pop())


def _close(ended: tuple[Node, str, bool]) -> Iterator[SafePiece]:
    if ended[1]:
        yield SafePiece(f"</{ended[1]}>", is_edge=ended[1] not in _INLINE)


_INLINE = frozenset(("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del",
                     "dfn", "em", "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "q",
                     "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
                     "u", "var", "wbr"))  # fmt: skip


def _name_of(element: Element) -> str:
    """Return the tag to write for an element; empty for an unknown one, whose text is kept."""
    if element.namespace is not Namespace.HTML:
        return ""
    tag = element.tag
    if tag == "input":
        return "input"
    return _SHOWN_AS.get(tag) or (tag if tag in _ELEMENTS else "")


class _Writer:
    """Writes tags; keeps track of the open span of a line and of the number of lookups."""

    def __init__(self, base: str, labels: Sequence[str] | None, stored: Stored) -> None:
        self._base = base
        self._labels = labels or ()
        self._stored = stored
        self._looked_up = 0
        # Lines that are elements with their own attributes.
        self._own: set[int] = set()

    def text(self, data: str, line: int) -> Iterator[SafePiece]:
        """Yield a text, in a span if its line is not an element."""
        if line == NO_LINE or line in self._own or line >= len(self._labels):
            yield SafePiece(text=data)
            return
        yield SafePiece(f"<span{self._about(line)}>")
        yield SafePiece(text=data)
        yield SafePiece("</span>")

    def start(self, element: Element, name: str, line: int) -> Iterator[SafePiece]:
        """Yield the start of an element."""
        if name == "input":
            yield from _field(element)
            return
        about = ""
        if line != NO_LINE and line < len(self._labels) and name not in ("html", "body"):
            about = self._about(line)
            self._own.add(line)
        attributes = "".join(self._attributes(element, name))
        yield SafePiece(f"<{name}{attributes}{about}>", is_edge=name not in _INLINE)

    def _about(self, line: int) -> str:
        return f' data-block="{line}" data-label="{escape(self._labels[line])}"'

    def _attributes(self, element: Element, name: str) -> Iterator[str]:
        allowed = _ATTRIBUTES.get(name, set())
        for each in element.attrs:
            value = element.attr(each) or ""
            if each == "style":
                if style := harmless_style(value[:_MAX_VALUE]):
                    yield f' style="{escape(style)}"'
            elif (each in _ANY or each in allowed) and _is_fit(each, value):
                yield f' {each}="{escape(value)}"'
        if name == "a":
            yield from self._link(element.attr("href"))
        elif name == "img":
            yield from self._picture(element)

    def _link(self, reference: str | None) -> Iterator[str]:
        reference = (reference or "").strip()
        if re.fullmatch(r"#[\w.:-]{1,200}", reference):
            yield f' href="{escape(reference)}" target="_self"'
        elif (target := resolve_url(self._base, reference)) is not None:
            yield f' href="{escape(target)}" rel="noreferrer noopener nofollow"'

    def _picture(self, element: Element) -> Iterator[str]:
        source = (element.attr("src") or element.attr("data-src") or "").strip()
        if _DATA_PICTURE.fullmatch(source):
            yield f' src="{"".join(source.split())}"'
            return
        target = resolve_url(self._base, source)
        if target is None or self._looked_up >= MAX_LOOKED_UP:
            return
        self._looked_up += 1
        if (data := self._stored.picture_of(target)) is not None and _DATA_PICTURE.match(data):
            yield f' src="{escape(data)}"'


def _is_fit(name: str, value: str) -> bool:
    if name in ("id", "class") and "telusur" in value:  # ours
        return False
    pattern = _VALUE.get(name)
    return len(value) <= _MAX_VALUE and (pattern is None or bool(pattern.fullmatch(value)))


def _field(element: Element) -> Iterator[SafePiece]:
    """Yield a placeholder for a form field, which cannot be filled in."""
    kind = (element.attr("type") or "").lower()
    if kind in _BUTTONS:
        yield SafePiece('<span class="telusur-button">')
        yield SafePiece(text=(element.attr("value") or "")[:_MAX_VALUE])
        yield SafePiece("</span>")
    elif kind in _WRITTEN_FIELDS:
        shown = element.attr("value") or element.attr("placeholder") or ""
        yield SafePiece('<span class="telusur-field">')
        yield SafePiece(text="" if kind == "password" else shown[:100])
        yield SafePiece("</span>")
