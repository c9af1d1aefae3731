"""The short texts around a headline, where pages name their author and their day."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from turbohtml import Element, Node, Text

from telusur.extract.compiled import native

_NODES_AFTER = 300
_NODES_BEFORE = 60
_MAX_PIECES = 40
_LONG_TEXT = 250  # a paragraph: the article has begun
_MAX_LONG_TEXTS = 3
_MAX_PIECE = 300
_MAX_BYLINE = 80
_MAX_SPACES = 9
_UNSEEN = frozenset(("script", "style", "noscript", "template", "svg", "title", "option", "button"))
_MAX_LEVELS = 4
_NAMING = ("class", "itemprop", "rel")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
_HEADING_LEVELS = 3
_MOMENT_TAGS = frozenset(("time", "relative-time", "time-ago", "abbr"))
HAS_YEAR = re.compile(r"(?:19|20)\d\d|\d[./-]\d\d?[./-]\d\d")


class Piece(NamedTuple):
    """A text near the headline, and what the elements around it are."""

    text: str
    distance: int
    """Counts texts from the headline on, negative before it."""
    element: int
    """The number of the element that it stands in."""
    names: str
    """Classes, properties and relations of the element and those around it, in lower case."""
    classes: str
    """The classes of the element."""
    link: str
    """Where the element leads."""
    heading: int
    """The number of the heading that it stands in, or -1."""
    moment: str
    """The day that the element states for machines, whatever it shows ("yesterday")."""
    has_year: bool
    """There may be a day in the text."""
    is_short: bool
    """It may be a name, by its length and its first letter."""


@dataclass(slots=True)
class Nearby:
    """The texts after a headline and those before it, nearest first."""

    after: list[Piece] = field(default_factory=list)
    before: list[Piece] = field(default_factory=list)


def read_nearby(written: str, headline: Element, number: int) -> Nearby:
    """Return the texts around a headline; `number` is its place among those with its tag.

    `written` is its page, written down.
    """
    if (found := _read_natively(written, headline.tag, number, is_inside=False)) is not None:
        return found
    numbers: dict[Element, int] = {}
    after = _pieces(islice(headline.following, _NODES_AFTER), 1, numbers)
    return Nearby(after, _pieces(islice(headline.preceding, _NODES_BEFORE), -1, numbers))


def read_opening(written: str, container: Element) -> Nearby:
    """Return the first texts of the first element with this tag, for a page without a headline."""
    if (found := _read_natively(written, container.tag, 0, is_inside=True)) is not None:
        return found
    return Nearby(_pieces(islice(container.descendants, _NODES_AFTER), 1, {}))


def _read_natively(written: str, tag: str, number: int, *, is_inside: bool) -> Nearby | None:
    """Return the texts by the compiled part, if there is one and it can read them."""
    found = None if native is None else native.nearby(written, tag, number, Piece, is_inside)
    return None if found is None else Nearby(*found)


def _pieces(nodes: Iterable[Node], step: int, numbers: dict[Element, int]) -> list[Piece]:
    found: list[Piece] = []
    long_texts = 0
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
        distance = step * (len(found) + 1)
        found.append(_piece(" ".join(data[:_MAX_PIECE].split()), distance, parent, numbers))
        if len(found) == _MAX_PIECES:
            break
    return found


def _piece(text: str, distance: int, element: Element, numbers: dict[Element, int]) -> Piece:
    heading = _heading_around(element)
    is_short = len(text) <= _MAX_BYLINE and text.count(" ") <= _MAX_SPACES
    return Piece(
        text,
        distance,
        numbers.setdefault(element, len(numbers)),
        names_around(element),
        element.attr("class") or "",
        _link_of(element),
        -1 if heading is None else numbers.setdefault(heading, len(numbers)),
        _moment_of(element),
        HAS_YEAR.search(text) is not None,
        is_short and text[:1].isalpha(),
    )


def _link_of(element: Element) -> str:
    parent = element.parent
    link = element if element.tag == "a" else parent
    return (link.attr("href") or "")[:300] if type(link) is Element and link.tag == "a" else ""


def _heading_around(element: Element) -> Element | None:
    """Return the heading that a text stands in, or None."""
    current: Node | None = element
    for _ in range(_HEADING_LEVELS):
        if type(current) is not Element:
            return None
        if current.tag in _HEADINGS:
            return current
        current = current.parent
    return None


def _moment_of(element: Element) -> str:
    if element.tag not in _MOMENT_TAGS:
        return ""
    return element.attr("datetime") or element.attr("title") or ""


def names_around(element: Element) -> str:
    """Return classes, properties and relations of an element and those around it, in lower case."""
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
