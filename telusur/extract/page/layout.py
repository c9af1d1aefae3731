"""A page as its lines of text and the block elements around them, found in one pass.

The pass is compiled (`telusur.extract._native`) and reads the page as serialised by the parser. If
Telusur was installed without a compiler, the same is done here over the nodes of the tree.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np
from turbohtml import Document as Tree
from turbohtml import Element, Text

from telusur.arrays import Ints32
from telusur.extract.compiled import native
from telusur.extract.content.element_names import Names
from telusur.extract.page.dom import BLOCK_TAGS, MAX_NODES

# Address and relation of a link, and its text; None if that needs a closer look.
Anchor = tuple[str, str, str | None]

# fmt: off
_VOID_TAGS = (
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
)
# In MathML and SVG these contain HTML again.
_DOMESTIC_TAGS = (
    "mi", "mo", "mn", "ms", "mtext", "annotation-xml", "foreignObject", "desc", "title",
)
# The text of a link with only these inside is the concatenation of its texts.
_PLAIN_TAGS = (
    "abbr", "acronym", "b", "bdi", "big", "cite", "code", "dfn", "em", "font", "i", "kbd", "mark",
    "samp", "small", "span", "strong", "tt", "u", "var",
)
_RAW_TAGS = ("script", "style", "xmp", "iframe", "noembed", "noframes")
# fmt: on
CELL_TAGS = ("td", "th")
_VERBATIM_TAGS = frozenset(("pre", "listing", "xmp"))
_TELLING_TAGS = frozenset(("time", "button", "label", "strong", "b", "code", "small"))
_STATING_TAGS = frozenset(("a", "span", "time"))
_MAX_MARKS = 100
_BREAK = "\x00"  # represents <br> within a line; NULs of the page itself are already removed


def _kinds_of_tags() -> dict[str, int]:
    """Return the kinds of each tag as bits, in the order of `native.h`."""
    kinds: dict[str, int] = {}
    for bit, tags in enumerate(
        (BLOCK_TAGS, _VERBATIM_TAGS, ("a",), _TELLING_TAGS, _STATING_TAGS, _VOID_TAGS, _RAW_TAGS,
         ("br",), ("math", "svg"), _DOMESTIC_TAGS, _PLAIN_TAGS)
    ):  # fmt: skip
        for tag in tags:
            kinds[tag] = kinds.get(tag, 0) | 1 << bit
    return kinds


if native is not None:
    native.set_tags(_kinds_of_tags())


def _none() -> Ints32:
    return np.zeros(0, np.int32)


@dataclass(slots=True)
class Layout:
    """The lines of a page and the block elements around them (containers), in document order.

    A line is the text directly inside one block element, up to the next block boundary. Container
    0 is the page itself.
    """

    texts: list[str] = field(default_factory=list)
    # For each line, the meaningful names of elements within it.
    marks: list[str] = field(default_factory=list)
    # For each line, the number of its innermost container.
    containers: Ints32 = field(default_factory=_none)
    # For each line, how many characters belong to links.
    linked: Ints32 = field(default_factory=_none)
    # For each line, whether its white space is kept.
    verbatim: Ints32 = field(default_factory=_none)
    # For each container, the number of its parent, -1 for none.
    parents: Ints32 = field(default_factory=_none)
    # For each container, the number of lines before it.
    starts: Ints32 = field(default_factory=_none)
    # For each container, the number of its names.
    names_of: Ints32 = field(default_factory=_none)
    # The different names of containers: tag, class, id, and role or itemprop, as written.
    names: list[Names] = field(default_factory=list)
    # The style attributes of containers that have one.
    styles: dict[int, str] = field(default_factory=dict)
    # The links with an address in reading order, if they were found on the way.
    anchors: list[Anchor] | None = None
    # The levels and texts of all headings, if they were found on the way.
    headings: list[tuple[int, str]] | None = None

    def first(self, count: int) -> "Layout":
        """Return the layout with only the first `count` lines."""
        return replace(
            self,
            texts=self.texts[:count],
            marks=self.marks[:count],
            containers=self.containers[:count],
            linked=self.linked[:count],
            verbatim=self.verbatim[:count],
        )

    def line_tags(self) -> list[str]:
        """Return for each line the tag of its container."""
        tags = [names[0] for names in self.names]
        return [tags[number] for number in self.names_of[self.containers].tolist()]


def read_layout(tree: Tree) -> Layout:
    """Return the lines of a page in reading order, and the elements around them."""
    found = None if native is None else native.scan(tree.html, MAX_NODES)
    if found is None:
        return walk(tree)
    arrays = [np.frombuffer(each, np.int32) for each in found[2:8]]
    return Layout(*found[:2], *arrays, *found[8:])


# The position of a text: its container, whether it is in a link, in <pre>; inline marks.
_Place = tuple[int, bool, bool, str]


def walk(tree: Tree) -> Layout:
    """Return the layout of a page without the compiled part.

    In document order, a line ends where a block element begins, and where a text belongs to another
    block element than the text before it; so closing tags need not be tracked.
    """
    lines: list[_Line] = []
    parents, starts, names_of = [-1], [0], [0]
    names: dict[Names, int] = {("", "", "", ""): 0}
    styles: dict[int, str] = {}
    places: dict[Any, _Place] = {tree: (0, False, False, "")}
    line: _Line | None = None
    for node, data in _whole_texts(islice(tree.descendants, MAX_NODES)):
        kind = type(node)
        if kind is Text:
            if not (data.isspace() or is_nothing(data)):
                place = places[node.parent]
                if line is None or line.container != place[0]:
                    line = _Line(place[0], place[2])
                    lines.append(line)
                line.add(data, place)
            elif line is not None:
                line.pieces.append(data)
        elif kind is Element:
            tag: str = node.tag
            place = places[node.parent]
            if tag in BLOCK_TAGS:
                parents.append(place[0])
                place = (len(starts), place[1], place[2] or tag in _VERBATIM_TAGS, "")
                if style := node.attr("style"):
                    styles[len(starts)] = style
                starts.append(len(lines))
                names_of.append(names.setdefault(_names_of(node), len(names)))
                line = None
            elif tag != "br":
                place = _inline_place(node, tag, place)
            elif line is not None:
                line.pieces.append(_BREAK)
            places[node] = place
    return Layout(
        [line.shown() for line in lines],
        [line.marks for line in lines],
        np.array([line.container for line in lines], np.int32),
        np.array([line.linked for line in lines], np.int32),
        np.array([line.is_verbatim for line in lines], np.int32),
        np.array(parents, np.int32),
        np.array(starts, np.int32),
        np.array(names_of, np.int32),
        list(names),
        styles,
    )


def _whole_texts(nodes: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    """Yield nodes with their text; join texts that became adjacent because elements were removed.

    The compiled part reads the serialised page, where such texts are one.
    """
    text, parts = None, [""]
    for node in nodes:
        is_text = type(node) is Text
        if is_text and text is not None and node.parent == text.parent:
            parts.append(node.data)
            continue
        if text is not None:
            yield text, "".join(parts)
        text, parts = (node, [node.data]) if is_text else (None, [""])
        if not is_text:
            yield node, ""
    if text is not None:
        yield text, "".join(parts)


@dataclass(slots=True, eq=False)
class _Line:
    container: int
    is_verbatim: bool
    pieces: list[str] = field(default_factory=list)
    linked: int = 0
    marks: str = ""

    def add(self, data: str, place: _Place) -> None:
        self.pieces.append(data)
        if place[1]:
            self.linked += len(data)
        if place[3] and len(self.marks) < _MAX_MARKS:
            self.marks += place[3]

    def shown(self) -> str:
        """Return the text as it is shown: white space collapsed, except in `<pre>`."""
        joined = "".join(self.pieces)
        if "\xad" in joined:  # a soft hyphen would split a word for the index
            joined = joined.replace("\xad", "")
        if self.is_verbatim:
            return joined.replace(_BREAK, "\n").strip("\n").rstrip()
        if _BREAK in joined:
            rows = (" ".join(row.split()) for row in joined.split(_BREAK))
            return "\n".join(row for row in rows if row)
        return " ".join(joined.split())


def is_nothing(data: str) -> bool:
    """Tell whether a text is made of soft hyphens and white space, which show nothing."""
    return "\xad" in data and not data.replace("\xad", "").strip()


def _names_of(element: Any) -> Names:
    attr = element.attr
    role = attr("role") or attr("itemprop") or ""
    return element.tag, attr("class") or "", attr("id") or "", role


def _inline_place(node: Any, tag: str, place: _Place) -> _Place:
    """Return the place within an inline element: in a link or not, with its names as marks."""
    is_linked = place[1] or tag == "a"
    if len(place[3]) >= _MAX_MARKS:
        return place[0], is_linked, place[2], place[3]
    names = node.attr("class")
    if not names and tag in _STATING_TAGS:
        names = node.attr("itemprop") or node.attr("rel")
    if not names and is_linked == place[1] and tag not in _TELLING_TAGS:
        return place
    marks = f"{place[3]} {tag} {names[:_MAX_MARKS]}" if names else f"{place[3]} {tag}"
    return place[0], is_linked, place[2], marks


def join_lines(layout: Layout, lines: Iterable[int] | None = None) -> str:
    """Return the text of some lines or all: one per row, the cells of a table row side by side.

    Cells are side by side if they are in the same table row.
    """
    texts = layout.texts
    numbers = range(len(texts)) if lines is None else lines
    is_cell = [names[0] in CELL_TAGS for names in layout.names]
    if True not in is_cell:
        return "\n".join(texts if lines is None else [texts[number] for number in numbers])
    rows_around = layout.parents[layout.containers].tolist()
    kinds = layout.names_of[layout.containers].tolist()
    rows: list[list[str]] = []
    previous = -1
    for number in numbers:
        row = rows_around[number] if is_cell[kinds[number]] else -1
        if row >= 0 and row == previous:
            rows[-1].append(texts[number])
        else:
            rows.append([texts[number]])
        previous = row
    return "\n".join(map(" ".join, rows))
