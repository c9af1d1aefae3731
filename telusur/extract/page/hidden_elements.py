"""The elements of a page that its styles hide, and what inside them is shown again."""

import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache

from turbohtml import Element, Node

from telusur.extract.page.lost_colours import LostColours
from telusur.extract.style.cascade import Cascade
from telusur.extract.style.declarations import MAX_STYLE_LENGTH
from telusur.extract.style.hiding import (
    EVERY_WAY,
    FOR_SCREEN_READERS,
    INHERITED,
    Hiding,
    is_for_screen_readers,
    threats_of,
    ways_of,
)

_PANEL_NAMES = re.compile(
    r"accordion|collaps|tab-?pan|tabbed|toggle-?(?:content|body)|faq|answer|expand|spoiler|panel\b|"
    r"read-?more|show-?more|truncat",
    re.IGNORECASE,
)
_SCREEN_READER_NAMES = re.compile(
    r"\bsr-?only|screen-?reader|visually-?hidden|hidden-?visually|assistive-?text|\ba11y|"
    r"accessib(?:le|ility)-?(?:text|hidden|hide)|\belement-invisible|\baudible",
    re.IGNORECASE,
)
_MOST_LOOKED_INTO = 3_000  # elements inside hidden ones; a hostile page may have any number


class HiddenElements:
    """Finds what the styles of one page hide; colours are judged apart."""

    def __init__(self, styles: Cascade) -> None:
        self._styles = styles
        self._looked_into = 0
        self._ways: dict[tuple[int, int], int] = {}

    def among(self, elements: Mapping[Element, int]) -> dict[Element, int]:
        """Return those elements that a reader cannot see, and the ways in which they are hidden.

        They come with the ways that are possible. Panels that open at a click count as visible, and
        so does text for screen readers.
        """
        opened = self._styles.opened()
        found = {}
        for element, possible in elements.items():
            ways = self._ways_of(element, possible)
            if ways and element not in opened and not _opens(element):
                found[element] = ways
        return found

    def _ways_of(self, element: Element, possible: int) -> int:
        style = self._styles.of(element, possible)
        ways = self._ways.get((id(style), possible))  # many elements share a style
        if ways is None:
            ways = self._ways[id(style), possible] = ways_of(style, possible)
        if not ways or element.tag in ("html", "body"):
            return 0
        if element.attr("data-w-id") is not None:
            return 0  # a site builder fades that in
        if self._styles.is_limited and not ways_of(
            self._styles.of(element, ways, on_some_screens=True), ways
        ):
            return 0
        if not ways & ~FOR_SCREEN_READERS and self._is_for_ears(element):
            return 0
        return ways

    def _is_for_ears(self, element: Element) -> bool:
        """Tell whether a text is hidden from the eye so that screen readers can read it."""
        names = f"{element.attr('class') or ''} {element.attr('id') or ''}"
        if _SCREEN_READER_NAMES.search(names):
            return True
        return is_for_screen_readers(self._styles.of(element, EVERY_WAY))

    def take_out(self, element: Element, ways: int) -> list[Element]:
        """Remove an element, except what is inside and shows itself again.

        Return what was removed, still whole.
        """
        name = INHERITED.get(ways)

        def is_shown(inner: Element) -> bool:
            style = self._styles.of(inner, ways)
            return name in style and not ways_of(style, ways)

        return self._take_out(element, is_shown if name is not None else None)

    def take_out_lost(
        self, element: Element, colours: LostColours, lost: Container[Element]
    ) -> list[Element]:
        """Remove an element with lost text, except what is inside and can be read."""
        return self._take_out(
            element, lambda inner: inner not in lost and colours.sets_colours(inner)
        )

    def _take_out(
        self, element: Element, is_shown: Callable[[Element], bool] | None
    ) -> list[Element]:
        shown = self._within(element, is_shown) if is_shown is not None else []
        if not shown:
            element.extract()
            return [element]
        kept: set[Node] = set(shown)
        for one in shown:
            node = one.parent
            while node is not None and node != element and node not in kept:
                kept.add(node)
                node = node.parent
        removed: list[Element] = []
        _strip(element, kept, set(shown), removed)
        return removed

    def _within(self, element: Element, is_shown: Callable[[Element], bool]) -> list[Element]:
        """Return the elements inside that are shown, as far as there is time to look."""
        shown: list[Element] = []
        for inner in element.select("*"):
            self._looked_into += 1
            if self._looked_into > _MOST_LOOKED_INTO:
                break
            if is_shown(inner):
                shown.append(inner)
        return shown


def ways_inline(element: Element) -> int:
    """Return the ways in which an element may hide itself: by `hidden`, or by its own style."""
    ways = Hiding.BOX if element.attr("hidden") is not None else 0
    written = element.attr("style")
    return ways | threats_of(written[:MAX_STYLE_LENGTH]) if written else ways


def outermost(elements: Iterable[Element]) -> list[Element]:
    """Return the elements that are in no other of them."""
    elements = list(elements)
    every: set[Node] = set(elements)
    outside: set[Node] = set()
    inside: set[Node] = set()
    found = []
    for element in elements:
        passed: list[Node] = []
        node = element.parent
        while not (node is None or node in every or node in inside or node in outside):
            passed.append(node)
            node = node.parent
        if node is None or node in outside:
            outside.update(passed)
            found.append(element)
        else:
            inside.update(passed)
    return found


def _opens(element: Element) -> bool:
    """Tell whether a hidden element is a panel that a reader opens: of an accordion, a tab."""
    if element.attr("role") == "tabpanel":
        return True
    return _is_of_panel(element.attr("class") or "") or _is_of_panel(element.attr("id") or "")


@lru_cache(maxsize=4096)
def _is_of_panel(names: str) -> bool:
    return _PANEL_NAMES.search(names) is not None


def _strip(element: Element, kept: set[Node], shown: set[Node], removed: list[Element]) -> None:
    """Remove the children of an element that are not kept; iterative, however deep it is."""
    open_elements = [element]
    while open_elements:
        for child in list(open_elements.pop().children):
            if child in shown:
                continue
            if child in kept and isinstance(child, Element):
                open_elements.append(child)
            else:
                child.extract()
                if isinstance(child, Element):
                    removed.append(child)
