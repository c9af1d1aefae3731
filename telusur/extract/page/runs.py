"""The lines of a page as runs of text: plain, strong, a link, ..."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, NamedTuple

from turbohtml import Element, Node, Text

from telusur.extract.page.dom import BLOCK_TAGS, MAX_NODES
from telusur.extract.page.resolve import resolve_url

STRONG, EMPHASIS, CODE = 1, 2, 4
_MARKS = {
    "strong": STRONG, "b": STRONG,
    "em": EMPHASIS, "i": EMPHASIS, "cite": EMPHASIS, "dfn": EMPHASIS,
    "code": CODE, "kbd": CODE, "samp": CODE, "tt": CODE, "var": CODE,
}  # fmt: skip
_VERBATIM_TAGS = frozenset(("pre", "listing", "xmp"))
_SPACES = re.compile(r"\s+")
_BREAK = "\x00"  # represents <br>, as in `layout`: the page has no NULs of its own


class TextRun(NamedTuple):
    """A piece of a line: text, its marks, and where it links to; or an image and its alt text."""

    text: str
    marks: int = 0
    href: str = ""
    image: str = ""


@dataclass(slots=True, eq=False)
class RunLine:
    """A line of a page: the text directly inside one block element, up to the next boundary.

    `container` is the number of that element among the block elements of the page, from 1 on.
    `place` is what the caller's `enter` returned for the elements around it.
    """

    container: int
    place: Any
    is_verbatim: bool
    runs: list[TextRun] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return the text as it is shown."""
        return "".join([run.text for run in self.runs if not run.image])


class _Spot(NamedTuple):
    """The position of a text."""

    container: int
    place: Any
    marks: int = 0
    href: str = ""
    is_verbatim: bool = False


# Gets a block element, its tag and the place around it; returns the place within it.
Enter = Callable[[Element, str, Any], Any]


def read_lines(
    root: Node, base: str, enter: Enter, *, place: Any = None, with_images: bool = False
) -> Iterator[RunLine]:
    """Yield the lines below `root` in reading order, split where `layout.walk` splits them.

    One pass in document order, however deep the page is nested. With images, a line may have no
    text.
    """
    spots: dict[Any, _Spot] = {root: _Spot(0, place)}
    line: RunLine | None = None
    containers = 0
    for node in islice(root.descendants, MAX_NODES):
        spot = spots.get(node.parent)
        run: TextRun | None = None
        if spot is None:
            continue
        if isinstance(node, Text):
            run = TextRun(node.data, spot.marks, spot.href)
        elif isinstance(node, Element):
            spot = spots[node] = _enter(node, spot, base, enter)
            if node.tag in BLOCK_TAGS:
                yield from _finish(line)
                line = None
                containers += 1
                spot = spots[node] = spot._replace(container=containers)
            elif node.tag == "br":
                run = TextRun(_BREAK, spot.marks, spot.href)
            elif node.tag == "img" and with_images:
                run = _image(node, spot, base)
        if run is None:
            continue
        is_blank = not run.image and (run.text == _BREAK or run.text.isspace())
        if not is_blank and (line is None or line.container != spot.container):
            yield from _finish(line)
            line = RunLine(spot.container, spot.place, spot.is_verbatim)
        if line is not None:
            line.runs.append(run)
    yield from _finish(line)


def _enter(element: Element, spot: _Spot, base: str, enter: Enter) -> _Spot:
    tag = element.tag
    if tag in BLOCK_TAGS:
        is_verbatim = spot.is_verbatim or tag in _VERBATIM_TAGS
        place = enter(element, tag, spot.place)
        return spot._replace(place=place, is_verbatim=is_verbatim)
    if tag == "a":
        return spot._replace(href=resolve_url(base, element.attr("href") or "") or "")
    mark = _MARKS.get(tag, 0)
    return spot._replace(marks=spot.marks | mark) if mark & ~spot.marks else spot


def _image(element: Element, spot: _Spot, base: str) -> TextRun | None:
    source = element.attr("src") or element.attr("data-src") or ""
    address = resolve_url(base, source)
    alt = " ".join((element.attr("alt") or "").split())
    return TextRun(alt, 0, spot.href, address) if address else None


def _finish(line: RunLine | None) -> Iterator[RunLine]:
    """Yield the line with its white space as it is shown, unless there is nothing in it."""
    if line is not None:
        line.runs = _verbatim(line.runs) if line.is_verbatim else _collapse(line.runs)
        if line.runs:
            yield line


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
