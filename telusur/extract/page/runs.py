"""The lines of a page as runs of text: plain, strong, a link, ..."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, NamedTuple

from turbohtml import Element, Node, Text

from telusur.extract.page.dom import BLOCK_TAGS, MAX_NODES
from telusur.extract.page.resolve import resolve_url

STRONG, EMPHASIS, CODE, DELETED, LOWER, UPPER = 1, 2, 4, 8, 16, 32
_MARKS = {
    "strong": STRONG, "b": STRONG,
    "em": EMPHASIS, "i": EMPHASIS, "cite": EMPHASIS, "dfn": EMPHASIS,
    "code": CODE, "kbd": CODE, "samp": CODE, "tt": CODE, "var": CODE,
    "del": DELETED, "s": DELETED, "strike": DELETED, "sub": LOWER, "sup": UPPER,
}  # fmt: skip
_VERBATIM_TAGS = frozenset(("pre", "listing", "xmp"))
_SPACES = re.compile(r"\s+")
# Where pages that load their images late keep the address.
_LATE_SOURCES = ("data-src", "data-lazy-src", "data-original")
_BREAK = "\x00"  # represents <br>, as in `layout`: the page has no NULs of its own


class TextRun(NamedTuple):
    """A piece of a line: text, its marks, and where it links to; or an image and its alt text."""

    text: str
    marks: int = 0
    href: str = ""
    image: str = ""
    # The name of the place on the same page that it links to.
    target: str = ""
    # The `math` element that the text is of.
    formula: Element | None = None


@dataclass(slots=True, eq=False)
class RunLine:
    """A line of a page: the text directly inside one block element, up to the next boundary.

    `container` is the number of that element among the block elements of the page, from 1 on.
    `place` is what the caller's `enter` returned for the elements around it.
    """

    container: int
    place: Any
    is_verbatim: bool
    # The ids of the elements that begin here or lie within.
    names: list[str]
    # For a line of a `<pre>`: how many empty rows stand before it.
    gap: int = 0
    runs: list[TextRun] = field(default_factory=list)
    # The text as it is shown.
    text: str = ""


class _Spot(NamedTuple):
    """The position of a text."""

    container: int
    place: Any
    marks: int = 0
    href: str = ""
    target: str = ""
    formula: Element | None = None
    is_verbatim: bool = False

    def run(self, text: str, image: str = "") -> TextRun:
        """Return a piece of a line that stands here."""
        return TextRun(text, self.marks, self.href, image, self.target, self.formula)


# Gets a block element, its tag and the place around it; returns the place within it.
Enter = Callable[[Element, str, Any], Any]
# Gets an image and the number of its container; tells whether the image is wanted.
ImageFilter = Callable[[Element, int], bool]


def any_image(image: Element, container: int) -> bool:
    """Want every image."""
    return True


def read_lines(
    root: Node, base: str, enter: Enter, *, place: Any = None, images: ImageFilter | None = None
) -> Iterator[RunLine]:
    """Yield the lines below `root` in reading order, split where `layout.walk` splits them.

    One pass in document order, however deep the page is nested. With images, a line may have no
    text.
    """
    reader = _Reader(base, enter, images)
    spots: dict[Any, _Spot] = {root: _Spot(0, place)}
    for node in islice(root.descendants, MAX_NODES):
        spot = spots.get(node.parent)
        if spot is None:
            continue
        run: TextRun | None = None
        if isinstance(node, Text):
            run = spot.run(node.data)
        elif isinstance(node, Element):
            yield from reader.leave(node)
            spots[node], run = reader.enter(node, spot)
        if run is not None:
            yield from reader.add(run, spot)
    yield from reader.finish()


class _Reader:
    """The line that is being read, and what was met on the way to it."""

    def __init__(self, base: str, enter: Enter, images: ImageFilter | None) -> None:
        self._base = base
        self._page = base.partition("#")[0]
        self._enter = enter
        self._images = images
        self._line: RunLine | None = None
        self._containers = 0
        self._names: list[str] = []
        self._gap = 0

    def leave(self, element: Element) -> Iterator[RunLine]:
        """Yield the line that ends where a block element begins."""
        if element.tag in BLOCK_TAGS:
            yield from self.finish()

    def enter(self, element: Element, spot: _Spot) -> tuple[_Spot, TextRun | None]:
        """Return the spot within an element, and what the element itself puts on the line."""
        tag = element.tag
        name = element.attr("id") or (element.attr("name") if tag == "a" else None)
        if name:
            self._names.append(name)
        if tag in BLOCK_TAGS:
            self._containers += 1
            is_verbatim = spot.is_verbatim or tag in _VERBATIM_TAGS
            self._gap *= is_verbatim
            place = self._enter(element, tag, spot.place)
            return spot._replace(
                container=self._containers, place=place, formula=None, is_verbatim=is_verbatim
            ), None
        if tag == "br":
            return spot, TextRun(_BREAK, spot.marks, spot.href)
        if tag == "a":
            return self._follow(element, spot), None
        if tag == "img":
            is_wanted = self._images is not None and self._images(element, spot.container)
            return spot, _image(element, spot, self._base) if is_wanted else None
        if tag == "math":
            return spot if spot.formula else spot._replace(formula=element), None
        mark = _MARKS.get(tag, 0)
        return spot._replace(marks=spot.marks | mark) if mark & ~spot.marks else spot, None

    def _follow(self, link: Element, spot: _Spot) -> _Spot:
        """Return the spot within a link to a page, or to a place on this one."""
        written = link.attr("href") or ""
        href = resolve_url(self._base, written) or ""
        before, _, target = written.strip().partition("#")
        is_here = bool(target) and (not before or href == self._page)
        return spot._replace(href=href, target=target if is_here else "")

    def add(self, run: TextRun, spot: _Spot) -> Iterator[RunLine]:
        """Add to the line; yield the line before it, if this is the first of a new one."""
        is_blank = not run.image and (run.text == _BREAK or run.text.isspace())
        if not is_blank and (self._line is None or self._line.container != spot.container):
            yield from self.finish()
            self._line = RunLine(
                spot.container, spot.place, spot.is_verbatim, self._names, self._gap
            )
            self._names, self._gap = [], 0
        if self._line is not None:
            self._line.runs.append(run)
            if self._names:
                self._line.names += self._names
                self._names = []
        elif spot.is_verbatim and spot.container == self._containers:
            self._gap += 1  # a row of its own, but empty

    def finish(self) -> Iterator[RunLine]:
        """Yield the line with its white space as it is shown, unless there is nothing in it."""
        line, self._line = self._line, None
        if line is None:
            return
        runs = line.runs
        line.runs = _verbatim(runs) if line.is_verbatim else _collapse(runs)
        if not line.runs:
            return
        shown = line.runs
        if not line.is_verbatim and any(run.image for run in shown):
            shown = _collapse([run for run in runs if not run.image])
        line.text = "".join([run.text for run in shown if not run.image])
        yield line


def _image(element: Element, spot: _Spot, base: str) -> TextRun | None:
    late = next(filter(None, map(element.attr, _LATE_SOURCES)), "")
    address = resolve_url(base, late or element.attr("src") or "")
    alt = " ".join((element.attr("alt") or "").split())
    return TextRun(alt, 0, spot.href, address) if address else None


def _verbatim(runs: list[TextRun]) -> list[TextRun]:
    """Return the text of a `<pre>` as one run, without marks and links."""
    text = "".join([run.text for run in runs if not run.image])
    text = text.replace("\xad", "").replace(_BREAK, "\n").strip("\n").rstrip()
    return [TextRun(text)] if text else []


def _collapse(runs: list[TextRun]) -> list[TextRun]:
    """Collapse white space across runs, then join runs with equal marks."""
    found: list[TextRun] = []
    for run in runs:
        text = run.text
        if not run.image:
            if text == _BREAK:
                _trim(found, " ")
                text = "" if _ends_with(found, "\n") else "\n"
            else:
                text = _SPACES.sub(" ", text.replace("\xad", ""))
            if text[:1].isspace() and (not found or _ends_with(found, " ", "\n")):
                text = text[1:]
        if text.isspace():  # a blank has no marks that its neighbour has not
            run = run._replace(marks=run.marks & found[-1].marks)  # noqa: PLW2901
        if text or run.image:
            found.append(run._replace(text=text))
    _trim(found, " ")
    _trim(found, "\n")
    merged = groupby(found, key=lambda run: run[1:])
    return [TextRun("".join([run.text for run in same]), *rest) for rest, same in merged]


def _ends_with(found: list[TextRun], *ends: str) -> bool:
    return bool(found) and not found[-1].image and found[-1].text.endswith(ends)


def _trim(found: list[TextRun], end: str) -> None:
    if _ends_with(found, end):
        rest = found[-1].text[:-1]
        found[-1:] = [found[-1]._replace(text=rest)] if rest else []
