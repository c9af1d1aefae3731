"""The tree of a page: parse it, and walk it once for its lines of text."""

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import turbohtml
from turbohtml import Document as Tree
from turbohtml import Element, Node, Text

MAX_CHARACTERS = 4_000_000  # Googlebot reads 2 MB of a page
MAX_TAGS = 105_000  # beyond this a page costs more memory than it can be worth
MAX_NODES = 250_000  # about a second of walking; the rest of such a page is not read

# fmt: off
BLOCK_TAGS = frozenset((
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
    "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "html", "legend",
    "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp",
))
# fmt: on
_CELL_TAGS = frozenset(("td", "th"))
_VERBATIM_TAGS = frozenset(("pre", "listing", "xmp"))
_EMBEDDED_FILE = re.compile(r"data:[\w/+.;=-]{0,100},[^\"'<>\s]{1000,}")
_TELLING_TAGS = frozenset(("time", "button", "label", "strong", "b", "code", "small"))
_STATING_TAGS = frozenset(("a", "span", "time"))
_MAX_MARKS = 100
_USED: list[str] = []
_BREAK = "\x00"  # stands for <br> within a line; NULs of the page itself are gone by now


@dataclass(slots=True, eq=False)
class Line:
    """The text directly inside one block element, up to the next block boundary.

    `container` is the number of that element among the containers of the page; `linked` counts the
    characters that belong to links; `marks` are the names of elements within the line.
    """

    element: Node
    container: int
    is_cell: bool
    is_verbatim: bool
    pieces: list[str]
    linked: int = 0
    text: str = ""
    marks: str = ""

    @property
    def style(self) -> str:
        """Return the style attribute of the element."""
        element = self.element
        return element.attr("style") or "" if isinstance(element, Element) else ""


@dataclass(slots=True)
class Layout:
    """A page as its lines, and the block elements around them, both in document order.

    Of container number n, `elements[n]` is the element, `parents[n]` the number of the one around
    it (-1 for none), and `starts[n]` the number of lines before it.
    """

    lines: list[Line] = field(default_factory=list)
    elements: list[Node] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    names: dict[int, tuple[str, str, str, str]] = field(default_factory=dict)
    """Of containers that have lines: tag, class, id, and role or itemprop, as written."""


class TagIndex(dict[str, list[Element]]):
    """The elements of a tree by tag, in document order, each tag looked up once.

    The parser keeps an index of tags: asking for one costs nothing where there is none.
    """

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self._tree = tree

    def find_all(self, *tags: str) -> None:
        """Look these up before the tree is changed, which costs the index."""
        for tag in tags:
            _ = self[tag]

    def __missing__(self, tag: str) -> list[Element]:
        found = self[tag] = self._tree.select(tag)
        return found


# Where a text stands: its container, whether it is in a link, in a cell, in <pre>; inline marks.
_Place = tuple[int, bool, bool, bool, str]


def parse_html(text: str) -> Tree:
    """Parse any text as HTML; linear in its length, however it is nested (see docs/decisions)."""
    text = cut_page(text)
    if not text[:1000].lstrip().startswith(("<", "\ufeff")):
        text = f"<body>{text}"  # implied anyway; without it, each character would cost 20 bytes
    return turbohtml.parse(text, positions=False)


def cut_page(text: str) -> str:
    """Return as much of a page as is read; large files within it do not count and are left out."""
    if len(text) > MAX_CHARACTERS:
        text = _EMBEDDED_FILE.sub("data:,", text)[:MAX_CHARACTERS]
    if len(text) < 3 * MAX_TAGS or text.count("<") <= MAX_TAGS:  # a tag is three characters long
        return text
    first_too_many = next(islice(re.finditer("<", text), MAX_TAGS, None))
    return text[: first_too_many.start()]


def walk(root: Node) -> Layout:
    """Return the lines of text below `root` in reading order, and the elements around them.

    Going down in document order, a line ends where a block element begins, and where a text belongs
    to another block element than the text before it; so no notice of closing tags is needed.
    """
    layout = Layout(elements=[root], parents=[-1], starts=[0])
    lines, elements = layout.lines, layout.elements
    places: dict[Any, _Place] = {root: (0, False, False, False, "")}
    line: Line | None = None
    for node in islice(root.descendants, MAX_NODES):
        kind = type(node)
        if kind is Text:
            data: str = node.data  # type: ignore[attr-defined]
            if not (data.isspace() or is_nothing(data)):
                place = places[node.parent]
                if line is None or line.container != place[0]:
                    line = Line(elements[place[0]], place[0], place[2], place[3], [])
                    lines.append(line)
                _add_text(line, data, place)
            elif line is not None:
                line.pieces.append(data)
        elif kind is Element:
            tag: str = node.tag  # type: ignore[attr-defined]
            place = places[node.parent]
            if tag in BLOCK_TAGS:
                is_verbatim = place[3] or tag in _VERBATIM_TAGS
                layout.parents.append(place[0])
                layout.starts.append(len(lines))
                place = (len(elements), place[1], tag in _CELL_TAGS, is_verbatim, "")
                elements.append(node)
                line = None
            elif tag != "br":
                place = _inline_place(node, tag, place)
            elif line is not None:
                line.pieces.append(_BREAK)
            places[node] = place
    for line in lines:
        line.text = _show(line)
        line.pieces = _USED  # a large page has many
    return layout


def is_nothing(data: str) -> bool:
    """Tell whether a text is made of soft hyphens and white space, which show nothing."""
    return "\xad" in data and not data.replace("\xad", "").strip()


def _add_text(line: Line, data: str, place: _Place) -> None:
    line.pieces.append(data)
    if place[1]:
        line.linked += len(data)
    if place[4] and len(line.marks) < _MAX_MARKS:
        line.marks += place[4]


def _inline_place(node: Any, tag: str, place: _Place) -> _Place:
    """Return the place within an inline element: in a link or not, with its names as marks."""
    is_linked = place[1] or tag == "a"
    if len(place[4]) >= _MAX_MARKS:
        return place[0], is_linked, place[2], place[3], place[4]
    names = node.attr("class")
    if not names and tag in _STATING_TAGS:
        names = node.attr("itemprop") or node.attr("rel")
    if not names and is_linked == place[1] and tag not in _TELLING_TAGS:
        return place
    marks = f"{place[4]} {tag} {names[:_MAX_MARKS]}" if names else f"{place[4]} {tag}"
    return place[0], is_linked, place[2], place[3], marks


def _show(line: Line) -> str:
    """Return the text as it is shown: white space collapsed, except in `<pre>`."""
    joined = "".join(line.pieces)
    if "\xad" in joined:  # a soft hyphen would split a word for the index
        joined = joined.replace("\xad", "")
    if line.is_verbatim:
        return joined.replace(_BREAK, "\n").strip("\n").rstrip()
    if _BREAK in joined:
        rows = (" ".join(row.split()) for row in joined.split(_BREAK))
        return "\n".join(row for row in rows if row)
    return " ".join(joined.split())


def join_lines(lines: list[Line]) -> str:
    """Return the text of some lines: one a row, the cells of a table row beside each other."""
    rows: list[list[str]] = []
    previous: Line | None = None
    for line in lines:
        if not line.text:
            continue
        if line.is_cell and previous is not None and _is_same_row(previous, line):
            rows[-1].append(line.text)
        else:
            rows.append([line.text])
        previous = line
    return "\n".join(map(" ".join, rows))


def _is_same_row(one: Line, other: Line) -> bool:
    return one.is_cell and one.element.parent is other.element.parent
