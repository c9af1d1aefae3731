"""The short texts around a headline, where pages name their author and their day."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from turbohtml import Element, Node, Text

_NODES_AFTER = 300
_NODES_BEFORE = 60
_MAX_PIECES = 40
_LONG_TEXT = 250  # a paragraph: the article has begun
_MAX_LONG_TEXTS = 3
_MAX_PIECE = 300
_UNSEEN = frozenset(("script", "style", "noscript", "template", "svg", "title", "option", "button"))
_MAX_LEVELS = 4
_NAMING = ("class", "itemprop", "rel")


@dataclass(slots=True, eq=False)
class Piece:
    """A text near the headline, in its element; `distance` counts texts, negative before it."""

    text: str
    element: Element
    distance: int
    _names: str | None = field(default=None)

    @property
    def names(self) -> str:
        """Return classes, ids and roles of the element and those around it, in lower case."""
        if self._names is None:
            self._names = names_around(self.element)
        return self._names


def read_nearby(headline: Element) -> list[Piece]:
    """Return the texts after a headline and then those before it, nearest first."""
    after = _pieces(islice(headline.following, _NODES_AFTER), 1)
    before = _pieces(islice(headline.preceding, _NODES_BEFORE), -1)
    return after + before


def read_opening(container: Element) -> list[Piece]:
    """Return the first texts of an article that has no headline."""
    return _pieces(islice(container.descendants, _NODES_AFTER), 1)


def _pieces(nodes: Iterable[Node], step: int) -> list[Piece]:
    found: list[Piece] = []
    long_texts = 0
    distance = 0
    for node in nodes:
        if type(node) is not Text:
            continue
        parent = node.parent
        if type(parent) is not Element or parent.tag in _UNSEEN:
            continue  # before its text is asked for: a script's can be long
        data = node.data
        if data.isspace():
            continue
        if len(data) > _LONG_TEXT:
            long_texts += 1
            if long_texts == _MAX_LONG_TEXTS:
                break
        distance += step
        found.append(Piece(" ".join(data[:_MAX_PIECE].split()), parent, distance))
        if len(found) == _MAX_PIECES:
            break
    return found


def names_around(element: Element) -> str:
    """Return classes, ids and roles of an element and those around it, in lower case."""
    names: list[str] = []
    current: Node | None = element
    for _ in range(_MAX_LEVELS):
        if type(current) is not Element or current.tag in ("body", "main", "article", "html"):
            break
        for attribute in _NAMING:
            if value := current.attr(attribute):
                names.append(value)
        current = current.parent
    return " ".join(names)[:1000].lower()
