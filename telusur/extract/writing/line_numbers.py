"""Which line of a page each of its texts belongs to, node by node, as `layout.walk` counts them."""

from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from turbohtml import Document as Tree
from turbohtml import Element, Text

from telusur.extract.page.dom import BLOCK_TAGS, MAX_NODES
from telusur.extract.page.layout import is_nothing

NO_LINE = -1


@dataclass(slots=True)
class LineNumbers:
    """The nodes of a tree in document order: the line of each text, or of an element that is one.

    An element is a line when it contains exactly that line.
    """

    texts: list[int] = field(default_factory=list)
    elements: list[int] = field(default_factory=list)


def number_lines(tree: Tree) -> LineNumbers:
    """Return the lines of a tree that has not changed since its layout was read."""
    numbers = LineNumbers()
    containers: dict[Any, int] = {tree: 0}
    lines_in: list[list[int]] = [[]]
    nodes_of: list[int] = [NO_LINE]
    has_inner = [True]  # the page itself is never a line
    count, current = 0, NO_LINE
    for at, node in enumerate(islice(tree.descendants, MAX_NODES)):
        numbers.texts.append(NO_LINE)
        numbers.elements.append(NO_LINE)
        around = containers.get(node.parent, 0)
        if isinstance(node, Element):
            containers[node] = around
            if node.tag in BLOCK_TAGS:
                has_inner[around] = True
                containers[node] = len(nodes_of)
                nodes_of.append(at)
                lines_in.append([])
                has_inner.append(False)
                current = NO_LINE
        elif isinstance(node, Text) and not (node.data.isspace() or is_nothing(node.data)):
            if current != around:
                lines_in[around].append(count)
                current, count = around, count + 1
            numbers.texts[at] = count - 1
    for node_at, lines, is_around in zip(nodes_of, lines_in, has_inner, strict=True):
        if len(lines) == 1 and not is_around:
            numbers.elements[node_at] = lines[0]
    return numbers
