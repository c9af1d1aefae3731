"""A page as its elements and texts in order, each element with the range of what is in it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

from turbohtml import Element, Text

from telusur.extract.page.dom import MAX_NODES
from telusur.extract.threads.signs import is_beside, tells_time
from telusur.extract.writing.line_numbers import NO_LINE, number_lines

# Characters of a line that is more than a name, a date or a button.
_LONG = 25

if TYPE_CHECKING:
    from telusur.extract.document import PageReading


class Extent(NamedTuple):
    """Some elements that follow each other, with all that is in them: from, up to."""

    start: int
    end: int


@dataclass(slots=True)
class PageOutline:
    """The elements of a page in document order, and the texts that lie between them."""

    elements: list[Element] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    # Behind the last element within each.
    ends: list[int] = field(default_factory=list)
    # How many texts are before each, and before its end.
    first_texts: list[int] = field(default_factory=list)
    text_ends: list[int] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    # For each text: the element that directly holds it, and its line in the layout.
    owners: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    # The lines whose white space is kept.
    verbatim: set[int] = field(default_factory=set)
    # The texts that are no part of a post, like signatures.
    beside: set[int] = field(default_factory=set)
    # The texts before which a row is broken.
    breaks: set[int] = field(default_factory=set)
    # How many characters of content, and of other text, are before each text.
    content: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)

    def texts_in(self, extent: "Extent") -> range:
        """Return the numbers of the texts within an extent."""
        last, end = extent.start, self.ends[extent.start]
        while end < extent.end:
            last, end = end, self.ends[end]
        stop = self.text_ends[last]
        if end > extent.end:  # it is cut off where an answer within it begins
            stop = min(stop, self.first_texts[extent.end])
        return range(self.first_texts[extent.start], stop)

    def extent_of(self, element: int) -> "Extent":
        """Return what an element contains, itself included."""
        return Extent(element, self.ends[element])

    def content_in(self, extent: "Extent") -> int:
        """Return how many characters of content are within an extent."""
        texts = self.texts_in(extent)
        return self.content[texts.stop] - self.content[texts.start]

    def others_in(self, extent: "Extent") -> int:
        """Return how many characters of other text are within an extent."""
        texts = self.texts_in(extent)
        return self.others[texts.stop] - self.others[texts.start]

    def text_of(self, element: int) -> str:
        """Return the text within an element, without line breaks."""
        texts = self.texts_in(self.extent_of(element))
        return " ".join("".join(self.texts[texts.start : texts.stop]).split())

    def around(self, element: int) -> Iterator[int]:
        """Walk from an element outwards."""
        while element >= 0:
            yield element
            element = self.parents[element]


def read_outline(reading: "PageReading", *, by_form: bool = False) -> PageOutline:
    """Return the outline of a page that was read, and whose tree has not changed since.

    Content is what is labelled so; or, by its form, every longer line that is not a link.
    """
    outline = PageOutline()
    numbers = number_lines(reading.tree)
    known: dict[object, int] = {}
    for at, node in enumerate(islice(reading.tree.descendants, MAX_NODES)):
        parent = known.get(node.parent, -1)
        if isinstance(node, Element):
            known[node] = len(outline.elements)
            outline.elements.append(node)
            outline.parents.append(parent)
            outline.first_texts.append(len(outline.texts))
            if node.tag == "br":
                outline.breaks.add(len(outline.texts))
        elif isinstance(node, Text) and numbers.texts[at] != NO_LINE:
            outline.texts.append(node.data)
            outline.owners.append(parent)
            outline.lines.append(numbers.texts[at])
    _close(outline)
    outline.verbatim = set(reading.layout.verbatim.nonzero()[0].tolist())
    is_content = _look_like_content(reading) if by_form else _are_content(reading)
    outline.beside = _beside(outline)
    sizes = [
        (len(text.strip()), is_content[line] and number not in outline.beside)
        for number, (text, line) in enumerate(zip(outline.texts, outline.lines, strict=True))
    ]
    outline.content = list(accumulate((s if c else 0 for s, c in sizes), initial=0))
    outline.others = list(accumulate((0 if c else s for s, c in sizes), initial=0))
    return outline


def _close(outline: PageOutline) -> None:
    """Fill in where the elements end."""
    count = len(outline.elements)
    outline.ends = list(range(1, count + 1))
    outline.text_ends = list(outline.first_texts)
    for number, owner in enumerate(outline.owners):
        if owner >= 0:
            outline.text_ends[owner] = number + 1
    for element in range(count - 1, 0, -1):
        parent = outline.parents[element]
        if parent >= 0:
            outline.ends[parent] = max(outline.ends[parent], outline.ends[element])
            outline.text_ends[parent] = max(outline.text_ends[parent], outline.text_ends[element])


def _beside(outline: PageOutline) -> set[int]:
    found: set[int] = set()
    element = 0
    while element < len(outline.elements):
        if is_beside(outline.elements[element]):
            found.update(outline.texts_in(outline.extent_of(element)))
            element = outline.ends[element]
        else:
            element += 1
    return found


def _are_content(reading: "PageReading") -> list[bool]:
    labels = [label == "content" for label in reading.labels]
    return labels + [False] * (len(reading.layout.texts) - len(labels))


def _look_like_content(reading: "PageReading") -> list[bool]:
    layout = reading.layout
    return [
        linked < len(text) / 2
        and not tells_time(text)
        and (len(text) >= _LONG or tag in ("p", "blockquote"))
        for text, linked, tag in zip(
            layout.texts, layout.linked.tolist(), layout.line_tags(), strict=True
        )
    ]
