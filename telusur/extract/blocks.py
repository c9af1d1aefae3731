"""The lines of a page as blocks: each with its label, its place, and the elements around it."""

from dataclasses import dataclass

from turbohtml import Element, Node

from telusur.extract.dom import Layout
from telusur.models import Block

_MAX_DEPTH = 200
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MOST_CLASSES = 3


@dataclass(slots=True, eq=False)
class _Place:
    """Where an element stands: its path as tags and as selectors."""

    path: str
    selectors: str
    depth: int


def make_blocks(layout: Layout, labels: list[str]) -> list[Block]:
    """Return a block for each line, in reading order."""
    places: dict[int, _Place] = {}
    blocks = []
    heading = ""
    for line, label in zip(layout.lines, labels, strict=True):
        place = places.get(line.container) or _place_of(line.container, layout, places)
        block = Block(
            text=line.text,
            label=label,
            tag_path=place.path,
            link_density=min(1.0, line.linked / len(line.text)) if line.linked else 0.0,
            heading=heading,
            selectors=place.selectors,
        )
        element = line.element
        if isinstance(element, Element):
            attr = element.attr
            block.element_id = attr("id") or ""
            block.classes = attr("class") or ""
            block.style = attr("style") or ""
            if element.tag in _HEADINGS:
                heading = line.text
        blocks.append(block)
    return blocks


def _place_of(number: int, layout: Layout, known: dict[int, _Place]) -> _Place:
    """Return the place of a container, finding those of its ancestors on the way."""
    missing = []
    while number >= 0 and number not in known:
        missing.append(number)
        number = layout.parents[number]
    place = known[number] if number >= 0 else _Place("", "", 0)
    for inner in reversed(missing):
        place = known[inner] = _place_in(layout.elements[inner], place)
    return place


def _place_in(node: Node, around: _Place) -> _Place:
    if not isinstance(node, Element) or around.depth > _MAX_DEPTH:
        return around
    selector = _selector_of(node)
    if not around.path:
        return _Place(node.tag, selector, 1)
    return _Place(f"{around.path}/{node.tag}", f"{around.selectors} > {selector}", around.depth + 1)


def _selector_of(element: Element) -> str:
    """Return an element as a selector: tag, id and first classes."""
    selector = element.tag
    if identity := element.attr("id"):
        selector += f"#{identity}"
    for name in (element.attr("class") or "").split()[:_MOST_CLASSES]:
        selector += f".{name}"
    return selector
