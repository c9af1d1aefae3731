"""The short texts around a headline, where pages name author and date."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import turbohtml
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
_MARK = "shown-title"
_MOMENT_TAGS = frozenset(("time", "relative-time", "time-ago", "abbr"))
HAS_YEAR = re.compile(r"(?:19|20)\d\d|\d[./-]\d\d?[./-]\d\d")


class NearbyText(NamedTuple):
    """A text near the headline, and what the elements around it are."""

    text: str
    # Counts texts from the headline on, negative before it.
    distance: int
    # The number of its element.
    element: int
    # Classes, properties and relations of the element and those around it, in lower case.
    names: str
    # The classes of the element.
    classes: str
    # Where the element leads.
    link: str
    # The number of the heading around it, or -1.
    heading: int
    # The machine-readable date of the element, whatever it shows ("yesterday").
    moment: str
    # The text may contain a date.
    has_year: bool
    # It may be a name, by its length and its first letter.
    is_short: bool


@dataclass(slots=True)
class Nearby:
    """The texts after a headline and those before it, nearest first."""

    after: list[NearbyText] = field(default_factory=list)
    before: list[NearbyText] = field(default_factory=list)


def read_nearby(written: str, headline: Element, number: int) -> Nearby:
    """Return the texts around a headline; `number` is its place among those with its tag.

    `written` is its page, written down.
    """
    if (found := _read_natively(written, headline.tag, number, is_inside=False)) is not None:
        return found
    numbers: dict[Element, int] = {}
    after = _pieces(_first(headline.following, _NODES_AFTER), 1, numbers)
    return Nearby(after, _pieces(_first(headline.preceding, _NODES_BEFORE), -1, numbers))


def read_around(written: str, start: int) -> Nearby:
    """Return the texts around the one that begins here in the page, written down."""
    end = written.find("<", start)
    marked = f"{written[:start]}<{_MARK}>{written[start:end]}</{_MARK}>{written[end:]}"
    if (found := _read_natively(marked, _MARK, 0, is_inside=False)) is not None:
        return found
    mark = turbohtml.parse(marked).select_one(_MARK)
    return Nearby() if mark is None else read_nearby(marked, mark, 0)


def read_opening(written: str, container: Element) -> Nearby:
    """Return the first texts of the first element with this tag, for a page without a headline."""
    if (found := _read_natively(written, container.tag, 0, is_inside=True)) is not None:
        return found
    return Nearby(_pieces(_first(container.descendants, _NODES_AFTER), 1, {}))


def _read_natively(written: str, tag: str, number: int, *, is_inside: bool) -> Nearby | None:
    """Return the texts by the compiled part, if there is one and it can read them."""
    found = None if native is None else native.nearby(written, tag, number, NearbyText, is_inside)
    return None if found is None else Nearby(*found)


def _first(nodes: Iterable[Node], most: int) -> Iterator[Node]:
    """Yield the first nodes; adjacent texts count once, as in the serialised page."""
    count = 0
    previous: Node | None = None
    for node in nodes:
        is_joined = type(node) is type(previous) is Text and node.parent == previous.parent
        count += not is_joined
        if count > most:
            return
        yield node
        previous = node


def _pieces(nodes: Iterable[Node], step: int, numbers: dict[Element, int]) -> list[NearbyText]:
    found: list[NearbyText] = []
    long_texts = 0
    for parent, data in _texts(nodes, step):
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


def _texts(nodes: Iterable[Node], step: int) -> Iterator[tuple[Element, str]]:
    """Yield possibly visible texts, each with its element; adjacent texts are joined."""
    parent: Element | None = None
    parts: list[str] = []
    for node in nodes:
        around = node.parent if type(node) is Text else None
        if parent is not None:
            if around == parent:
                parts.append(node.data)  # type: ignore[attr-defined]
                continue
            yield parent, "".join(parts[::step])
            parent = None
        # Checked before the text is read: that of a script can be long.
        if type(around) is Element and around.tag not in _UNSEEN:
            parent, parts = around, [node.data]  # type: ignore[attr-defined]
    if parent is not None:
        yield parent, "".join(parts[::step])


def _piece(text: str, distance: int, element: Element, numbers: dict[Element, int]) -> NearbyText:
    heading = _heading_around(element)
    is_short = len(text) <= _MAX_BYLINE and text.count(" ") <= _MAX_SPACES
    return NearbyText(
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
