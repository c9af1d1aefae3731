"""The content of a page as a clean structure: headings, paragraphs, lists, tables, code, quotes.

Nothing else of the page is included, so it is harmless: no classes, styles, scripts or handlers,
and links only to http and https.
"""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field

from turbohtml import Document as Tree
from turbohtml import Element

from telusur.extract.page.runs import STRONG, RunLine, TextRun, read_lines

# The deepest nesting of groups; deeper parts go into the last one. So functions over a structure
# may be recursive.
MAX_DEPTH = 24

MAX_SPAN = 20
_GROUPS = {
    "ul": "ul", "menu": "ul", "dir": "ul", "ol": "ol", "li": "li",
    "dl": "dl", "dt": "dt", "dd": "dd", "blockquote": "blockquote",
    "table": "table", "tr": "tr", "td": "td", "th": "th",
}  # fmt: skip
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LEAVES = frozenset((*HEADINGS, "pre", "figcaption", "caption"))
_LISTS = ("ul", "ol")
# The kinds allowed directly in a group; anything else is wrapped in the first.
_INSIDE = {
    "ul": ("li",), "ol": ("li",), "dl": ("dd", "dt"),
    "table": ("tr", "caption"), "tr": ("td", "th"),
}  # fmt: skip
_LANGUAGE = re.compile(r"(?:^|\s)lang(?:uage)?-([A-Za-z0-9+#.-]{1,20})(?:\s|$)")


@dataclass(slots=True, eq=False)
class Leaf:
    """A paragraph (`p`), heading, caption or `pre`, and the runs of text in it."""

    kind: str
    runs: list[TextRun]
    # For a `pre`: the programming language, if the page names it.
    language: str = ""

    @property
    def text(self) -> str:
        """Return the text of it."""
        return "".join([run.text for run in self.runs])


@dataclass(slots=True, eq=False)
class LineGroup:
    """The body, a list, item, quote, table, row or cell, and the parts in it."""

    kind: str
    parts: list["LineGroup | Leaf"] = field(default_factory=list)
    # For a cell: its column, counted from 0.
    column: int = 0

    def leaves(self) -> Iterator[Leaf]:
        """Walk over the paragraphs and headings in reading order."""
        for part in self.parts:
            if isinstance(part, Leaf):
                yield part
            else:
                yield from part.leaves()


@dataclass(slots=True, eq=False)
class _Place:
    """An element that becomes a group or leaf as soon as it has content."""

    kind: str
    around: "_Place | None" = None
    depth: int = 0
    column: int = 0
    width: int = 0
    language: str = ""
    group: LineGroup | None = None
    leaf: Leaf | None = None


def assemble(tree: Tree, base: str, content: Set[tuple[int, str]] | None) -> LineGroup:
    """Return the content as a body; `content` are the lines that belong to it, None for all.

    A line is known by the number of the block element that holds it, and by its text.

    1. Walk over the page in reading order, noting for each line the lists, tables and quotes around
    it. 2. Put the lines of the content into groups made on the way. 3. Unwrap layout tables. Linear
    in the size of the page.
    """
    body = LineGroup("body")
    top = _Place("body", group=body)
    for line in read_lines(tree, base, _enter, place=top):
        if content is None or (line.container, line.text) in content:
            _put(line)
    _take_layout_apart(body)
    return body


def _enter(element: Element, tag: str, place: _Place) -> _Place:
    """Return the place within a block element."""
    is_leaf = place.kind in _LEAVES
    kind = _GROUPS.get(tag)
    around = place.around if is_leaf and place.around is not None else place
    if kind is None:
        leaf = "pre" if tag in ("listing", "xmp") else tag
        if leaf in _LEAVES:
            return _Place(leaf, around, around.depth, language=_language_of(element, leaf))
        return around if tag == "p" else place  # a paragraph in a heading: it was never closed
    if around.depth >= MAX_DEPTH:
        return around
    inner = _Place(kind, around, around.depth + 1)
    if kind in ("td", "th"):
        inner.column = around.width
        around.width += _span_of(element)
    return inner


def _span_of(cell: Element) -> int:
    span = cell.attr("colspan") or "1"
    return min(max(1, int(span)), MAX_SPAN) if span.isdecimal() and len(span) < 5 else 1


def _language_of(element: Element, kind: str) -> str:
    if kind != "pre":
        return ""
    first = next(iter(element.children), None)  # <pre><code class="language-c">
    names = (each.attr("class") for each in (element, first) if isinstance(each, Element))
    found = (_LANGUAGE.search(name) for name in names if name)
    return next((match[1].lower() for match in found if match), "")


def _put(line: RunLine) -> None:
    """Add a line to its leaf or group."""
    place: _Place = line.place
    kind = "pre" if line.is_verbatim else place.kind if place.kind in _LEAVES else "p"
    around = place.around if place.kind in _LEAVES and place.around is not None else place
    group = _inside(_group_of(around), kind)
    if kind == "caption" and group.kind != "table":
        kind = "p"
    leaf = place.leaf
    if leaf is not None and group.parts and group.parts[-1] is leaf:
        leaf.runs += [TextRun("\n" if kind == "pre" else " "), *line.runs]
        return
    runs = [run._replace(marks=run.marks & ~STRONG) for run in line.runs]
    leaf = Leaf(kind, runs if kind in HEADINGS else line.runs, place.language)
    group.parts.append(leaf)
    if place.kind == kind:
        place.leaf = leaf


def _group_of(place: _Place) -> LineGroup:
    """Return the group of a place, making it and those around it where they do not exist yet."""
    missing = []
    while place.group is None and place.around is not None:
        missing.append(place)
        place = place.around
    group = place.group
    assert group is not None
    for each in reversed(missing):
        group = _inside(group, each.kind)
        each.group = LineGroup(each.kind, column=each.column)
        group.parts.append(each.group)
        group = each.group
    return group


def _inside(group: LineGroup, kind: str) -> LineGroup:
    """Return a group that may contain this kind: a list only has items, a row only cells."""
    if kind == "li" and group.kind not in _LISTS:
        return _last_or_new(group, "ul")
    while kind not in (allowed := _INSIDE.get(group.kind, (kind,))):
        may_join = group.kind in _LISTS and kind in _LISTS
        group = _last_or_new(group, allowed[0], may_join=may_join)
    return group


def _last_or_new(group: LineGroup, kind: str, *, may_join: bool = True) -> LineGroup:
    last = group.parts[-1] if group.parts else None
    if may_join and isinstance(last, LineGroup) and last.kind == kind:
        return last
    new = LineGroup(kind)
    group.parts.append(new)
    return new


def _take_layout_apart(group: LineGroup) -> None:
    """Replace a layout table by the contents of its cells."""
    parts: list[LineGroup | Leaf] = []
    for part in group.parts:
        is_layout = isinstance(part, LineGroup) and part.kind == "table" and _is_layout(part)
        if isinstance(part, LineGroup):
            _take_layout_apart(part)
        parts += _contents(part) if is_layout else [part]
    group.parts = parts


def _rows(table: LineGroup) -> list[LineGroup]:
    return [row for row in table.parts if isinstance(row, LineGroup)]


def _cells(row: LineGroup) -> list[LineGroup]:
    return [cell for cell in row.parts if isinstance(cell, LineGroup)]


def _is_layout(table: LineGroup) -> bool:
    """Tell whether a table has a single column, or parts that no data cell has."""
    rows = [_cells(row) for row in _rows(table)]
    if max(map(len, rows), default=0) < 2:
        return True
    return any(_is_no_cell(part) for row in rows for cell in row for part in cell.parts)


def _is_no_cell(part: LineGroup | Leaf) -> bool:
    return part.kind in ("table", "blockquote", "pre", *HEADINGS)


def _contents(table: LineGroup | Leaf) -> list[LineGroup | Leaf]:
    assert isinstance(table, LineGroup)
    captions: list[LineGroup | Leaf] = [
        Leaf("p", part.runs) for part in table.parts if isinstance(part, Leaf)
    ]
    return captions + [part for row in _rows(table) for cell in _cells(row) for part in cell.parts]
