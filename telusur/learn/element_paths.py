"""The selectors of a page's blocks, and their style attributes, where extraction left them out."""

from collections.abc import Sequence

from turbohtml import Element, Node

from telusur.extract.dom import TagIndex, parse_html, walk
from telusur.extract.visible import hide_invisible
from telusur.models import Block


def add_selectors(blocks: Sequence[Block], html: str) -> None:
    """Write the `selectors` and the `style` of blocks that were extracted from this page.

    Extraction has no use for them and saves the time. The page is walked once more, which gives
    the same lines in the same order; blocks of which this is not true stay as they are.
    """
    tree = parse_html(html.replace("\x00", ""))
    hide_invisible(tree, TagIndex(tree))
    lines = [line for line in walk(tree) if line.text]
    if [line.text for line in lines] != [block.text for block in blocks]:
        return
    known: dict[Node, str] = {}
    for block, line in zip(blocks, lines, strict=True):
        block.selectors = _selectors_of(line.element, known)
        if isinstance(line.element, Element):
            block.style = line.element.attr("style") or ""


def _selectors_of(node: Node, known: dict[Node, str]) -> str:
    """Return the path to a node, from what is known of its ancestors."""
    missing: list[Element] = []
    current: Node | None = node
    while isinstance(current, Element) and current not in known:
        missing.append(current)
        current = current.parent
    path = known[current] if isinstance(current, Element) else ""
    for element in reversed(missing):
        path = f"{path} > {_selector_of(element)}" if path else _selector_of(element)
        known[element] = path
    return path


def _selector_of(element: Element) -> str:
    element_id = (element.attr("id") or "").strip()
    names = (element.attr("class") or "").split()
    mark = f"#{element_id}" if element_id and " " not in element_id else ""
    return f"{element.tag}{mark}{''.join(f'.{name}' for name in names)}"
