"""The lines of a page as blocks: each with its place, its look, and the containers around it."""

from dataclasses import dataclass

from turbohtml import Element, Node

from telusur.extract.dom import Line
from telusur.models import Block

_MAX_DEPTH = 200


@dataclass(slots=True, eq=False)
class Container:
    """An element that holds blocks; `words` are its class names and id in lower case.

    `mass` is for the labeller: the characters of running text inside, however deep.
    """

    tag: str
    words: str
    path: str
    depth: int
    parent: "Container | None"
    mass: int = 0


@dataclass(slots=True, eq=False)
class PlacedBlock:
    """A block and the element that directly holds its text."""

    block: Block
    container: Container
    line: Line


def make_blocks(lines: list[Line]) -> list[PlacedBlock]:
    """Return a block for each line that has text, in reading order."""
    containers: dict[Node, Container] = {}
    placed = []
    for line in lines:
        if not (text := line.text):
            continue
        element = line.element
        container = containers.get(element) or _container_of(element, containers)
        block = Block(text=text, tag_path=container.path)
        if isinstance(element, Element):
            block.element_id = element.attr("id") or ""
            block.classes = element.attr("class") or ""
        if line.linked:
            block.link_density = min(1.0, line.linked / len(text))
        placed.append(PlacedBlock(block, container, line))
    return placed


def _container_of(node: Node, known: dict[Node, Container]) -> Container:
    """Return the container of an element, making those of its ancestors on the way."""
    missing: list[Node] = []
    current: Node | None = node
    while current is not None and current not in known:
        missing.append(current)
        current = current.parent
    container = known[current] if current is not None else None
    for element in reversed(missing):
        container = _make_container(element, container)
        known[element] = container
    assert container is not None
    return container


def _make_container(node: Node, parent: Container | None) -> Container:
    if not isinstance(node, Element):
        return Container("", "", "", 0, parent)
    words = f"{node.attr('class') or ''} {node.attr('id') or ''}"
    depth = parent.depth + 1 if parent is not None else 0
    path = f"{parent.path}/{node.tag}" if parent is not None and parent.path else node.tag
    if depth > _MAX_DEPTH and parent is not None:
        path = parent.path
    return Container(node.tag, words.strip().lower(), path, depth, parent)
