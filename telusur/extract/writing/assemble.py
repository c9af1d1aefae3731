"""The content of a page as a clean structure: headings, paragraphs, lists, tables, code, quotes.

Nothing else of the page is included, so it is harmless: no classes, styles, scripts or handlers,
and links only to http and https.
"""

from collections.abc import Container
from dataclasses import dataclass

from turbohtml import Element, Node

from telusur.extract.page.runs import STRONG, ImageFilter, RunLine, TextRun, read_lines
from telusur.extract.writing.code import drop_line_numbers, language_of
from telusur.extract.writing.footnotes import link_notes
from telusur.extract.writing.pictures import CAPTION_CLASSES, FIGURE_CLASSES
from telusur.extract.writing.structure import HEADINGS, Leaf, LineGroup
from telusur.extract.writing.tables import Grid, span, take_layout_apart

# The deepest nesting of groups; deeper parts go into the last one. So functions over a structure
# may be recursive.
MAX_DEPTH = 24

_GROUPS = {
    "ul": "ul", "menu": "ul", "dir": "ul", "ol": "ol", "li": "li",
    "dl": "dl", "dt": "dt", "dd": "dd", "blockquote": "blockquote", "figure": "figure",
    "table": "table", "tr": "tr", "td": "td", "th": "th",
}  # fmt: skip
_LEAVES = frozenset((*HEADINGS, "pre", "figcaption", "caption"))
_LISTS = ("ul", "ol")
# The kinds allowed directly in a group; anything else is wrapped in the first.
_INSIDE = {
    "ul": ("li",), "ol": ("li",), "dl": ("dd", "dt"),
    "table": ("tr", "caption"), "tr": ("td", "th"),
}  # fmt: skip


@dataclass(slots=True, eq=False)
class _Place:
    """An element that becomes a group or leaf as soon as it has content."""

    kind: str
    around: "_Place | None" = None
    depth: int = 0
    language: str = ""
    # What a group made of it looks like.
    column: int = 0
    columns: int = 1
    rows: int = 1
    number: int = 0
    # For a table, and for the rows in it.
    grid: Grid | None = None
    # For an ordered list: the number of the next item.
    next_number: int = 1
    group: LineGroup | None = None
    leaf: Leaf | None = None


def assemble(
    tree: Node,
    base: str,
    content: Container[tuple[int, str]] | None,
    images: ImageFilter | None = None,
) -> LineGroup:
    """Return the content as a body; `content` are the lines that belong to it, None for all.

    A line is known by the number of the block element that holds it, and by its text. `images`
    tells which images belong to it. An image brings its caption.

    1. Walk over the page in reading order, noting for each line the lists, tables and quotes around
    it. 2. Put the lines of the content into groups made on the way. 3. Unwrap layout tables, drop
    line numbers of code, and link footnotes. Linear in the size of the page.
    """
    body = LineGroup("body")
    top = _Place("body", group=body)
    seen: set[str] = set()
    for line in read_lines(tree, base, _enter, place=top, images=images):
        has_images = _drop_seen(line, seen)
        if content is None or (line.container, line.text) in content:
            _put(line)
        elif has_images:
            _put_images(line)
        elif line.place.kind == "figcaption" and _has_image(line.place.around):
            _put(line)
    take_layout_apart(body)
    drop_line_numbers(body)
    link_notes(body)
    return body


def _drop_seen(line: RunLine, seen: set[str]) -> bool:
    """Keep each image once; tell whether the line has any."""
    found = [run.image for run in line.runs if run.image]
    if not found:
        return False
    runs = []
    for run in line.runs:
        if run.image not in seen:
            runs.append(run)
        if run.image:
            seen.add(run.image)
    line.runs = runs
    return any(run.image for run in runs)


def _put_images(line: RunLine) -> None:
    """Put only the images of a line; what else a figure says on it is their caption."""
    words = [run for run in line.runs if not run.image]
    line.runs = [run for run in line.runs if run.image]
    place: _Place = line.place
    _put(line)
    if place.kind == "figure" and words:
        line.place, line.runs = _Place("figcaption", place, place.depth), words
        _put(line)


def _has_image(place: _Place | None) -> bool:
    group = place.group if place is not None and place.kind == "figure" else None
    return group is not None and any(run.image for leaf in group.leaves() for run in leaf.runs)


def _enter(element: Element, tag: str, place: _Place) -> _Place:
    """Return the place within a block element."""
    is_leaf = place.kind in _LEAVES
    around = place.around if is_leaf and place.around is not None else place
    kind = _GROUPS.get(tag) or _named(element, tag, around)
    if kind is None:
        if around.kind == "table" and around.grid is not None and tag in ("thead", "tbody"):
            around.grid.is_head = tag == "thead"
        leaf = "pre" if tag in ("listing", "xmp") else tag
        if leaf in _LEAVES:
            language = language_of(element) if leaf == "pre" else ""
            return _Place(leaf, around, around.depth, language=language)
        return around if tag == "p" else place  # a paragraph in a heading: it was never closed
    if kind == "figcaption":
        return _Place(kind, around, around.depth)
    if around.depth >= MAX_DEPTH:
        return around
    inner = _Place(kind, around, around.depth + 1)
    _measure(element, inner, around)
    return inner


def _named(element: Element, tag: str, around: _Place) -> str | None:
    """Return what a class makes of an element: a figure or the caption of one."""
    if tag == "div" and around.kind != "figure":
        named = element.attr("class")
        return "figure" if named and FIGURE_CLASSES.search(named) else None
    if tag in ("div", "p") and around.kind == "figure":
        named = element.attr("class")
        return "figcaption" if named and CAPTION_CLASSES.search(named) else None
    return None


def _measure(element: Element, inner: _Place, around: _Place) -> None:
    """Note the number of an item, or the position of a row or cell."""
    kind = inner.kind
    if kind == "ol":
        inner.next_number = _number_of(element.attr("start"), 1)
    elif kind == "li" and around.kind == "ol":
        inner.number = _number_of(element.attr("value"), around.next_number)
        around.next_number = inner.number + 1
    elif kind == "table":
        inner.grid = Grid()
    elif kind == "tr" and around.grid is not None:
        inner.grid = around.grid
        inner.number = around.grid.begin_row()
    elif kind in ("td", "th") and around.grid is not None:
        inner.columns, inner.rows = span(element.attr("colspan")), span(element.attr("rowspan"))
        inner.column = around.grid.place(inner.columns, inner.rows)
        inner.kind = "th" if around.grid.is_head else kind


def _number_of(written: str | None, otherwise: int) -> int:
    written = (written or "").strip()
    if written.isascii() and written.isdecimal() and len(written) < 7:
        return int(written)
    return otherwise


def _put(line: RunLine) -> None:
    """Add a line to its leaf or group."""
    if not line.runs:
        return
    place: _Place = line.place
    kind = "pre" if line.is_verbatim else place.kind if place.kind in _LEAVES else "p"
    around = place.around if place.kind in _LEAVES and place.around is not None else place
    group = _inside(_group_of(around), kind)
    if kind == "caption" and group.kind != "table":
        kind = "p"
    leaf = place.leaf
    if leaf is not None and group.parts and group.parts[-1] is leaf:
        leaf.runs += [TextRun("\n" * (1 + line.gap) if kind == "pre" else " "), *line.runs]
        leaf.names += line.names
        return
    runs = [run._replace(marks=run.marks & ~STRONG) for run in line.runs]
    leaf = Leaf(kind, runs if kind in HEADINGS else line.runs, place.language, line.names)
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
        each.group = LineGroup(
            each.kind, column=each.column, columns=each.columns, rows=each.rows, number=each.number
        )
        group.parts.append(each.group)
        group = each.group
    return group


def _inside(group: LineGroup, kind: str) -> LineGroup:
    """Return a group that may contain this kind: a list only has items, a row only cells."""
    if kind == "li" and group.kind not in _LISTS:
        return _last_or_new(group, "ul")
    if kind == "figcaption" and group.kind != "figure":
        return _inside(_last_or_new(_inside(group, "figure"), "figure", may_join=False), kind)
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
