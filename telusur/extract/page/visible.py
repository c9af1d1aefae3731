"""The visible part of a page; everything else is removed from the tree and never indexed."""

import re
from collections.abc import Collection, Iterable
from functools import cached_property

from turbohtml import Document as Tree
from turbohtml import Element, PlainText, Text

from telusur.extract.page.dom import TagIndex
from telusur.extract.page.hidden_elements import (
    HiddenElements,
    outermost,
    ways_inline,
)
from telusur.extract.page.lost_colours import LostColours
from telusur.extract.style.cascade import Cascade
from telusur.extract.style.colours import Colour
from telusur.extract.style.media import Applies, media_applies
from telusur.extract.style.named_elements import NamedElements
from telusur.extract.style.page_sheets import GivenSheets, Sheets, in_order, named_sheets
from telusur.extract.style.sheet import Sheet, on_some_screens, read_sheet

_NEVER_SHOWN = (
    *("script", "style", "template", "noscript", "noembed", "noframes", "head", "iframe", "object"),
    *("embed", "video", "audio", "canvas", "svg", "select", "datalist", "textarea", "progress"),
    *("meter",),
)
_CELL_TAGS = ("td", "th")
_TABLE_TAGS = ("table", "thead", "tbody", "tfoot", "tr")
_HARD_SPACES = re.compile("\xa0[\xa0 ]*")
_PLAIN = PlainText(bullet="", table_cell_separator=" ")
_WHITE: Colour = (255, 255, 255)
_MOST = 0.6
_MANY_PARTS = 5
_HARDLY_ANY_TEXT = 200
_MUCH_TEXT = 400
_NEARLY_ALL = 0.8
_HALF = 0.5
# Of all `<style>` elements of a page; rules that hide text are near the beginning.
_MAX_OWN_LENGTH = 50_000


def hide_invisible(
    tree: Tree, tags: TagIndex, base: str = "", sheets: Sheets | None = None
) -> list[Element]:
    """Remove invisible elements and return them, still whole, in order.

    0. Move streamed parts to the place where a script would put them. 1. Elements that never show
    text. 2. What inline styles and the sheets of the page hide. 3. Text in nearly the colour of its
    background. Panels that open at a click count as visible, and so does text for screen readers.

    `sheets` are the linked style sheets by URL; without them only the page's own count. Raises
    `SheetsMissing` if some should be looked for.
    """
    named = named_sheets(tags["link"], base) if tags["link"] else {}
    elements = NamedElements(tree, tags.written, tags.may_have)
    own = _own_sheets(tags["style"], elements) if tags["style"] else []
    found, is_whole = in_order(named, own, base, GivenSheets({}) if sheets is None else sheets)
    _place_streamed_parts(tree, tags)
    hidden = [element for tag in _NEVER_SHOWN for element in tags[tag]]
    hidden += [each for each in tags["dialog"] if each.attr("open") is None]
    styled = tags.select("[hidden],[style]", "hidden", "style") + tags["font"]
    if styled or found:
        styles = Cascade(elements, found)
        hiding = HiddenElements(styles)
        whole = _Whole(tree, hidden)
        ways = _hidden_by_style(tree, styles, hiding, styled, whole)
        lost = LostColours(tree, styles, styled, _WHITE if is_whole else None)
        hidden = [*hidden, *_take_out(hiding, ways, lost, whole)]
    for element in hidden:
        if element.parent is not None and element.tag not in ("html", "body"):
            element.extract()
    return _without_needed_noscript(tree, hidden)


class _Whole:
    """The text of a page without some elements: scripts are most of many pages."""

    def __init__(self, tree: Tree, without: Iterable[Element]) -> None:
        self._tree = tree
        self._without = without

    @cached_property
    def _length(self) -> int:
        if self._tree.root is None:
            return 0
        inside = sum(len(element.text) for element in outermost(self._without))
        return len(self._tree.root.text) - inside

    def share(self, elements: Collection[Element]) -> float:
        """Return the share of this text that some elements have; 0 if there is hardly any."""
        if not elements or self._length < _MUCH_TEXT:
            return 0.0
        return sum(len(element.text) for element in outermost(elements)) / self._length


def _hidden_by_style(
    tree: Tree, styles: Cascade, elements: HiddenElements, styled: list[Element], whole: _Whole
) -> dict[Element, int]:
    """Return the elements that styles hide, and how, except most of the page: a script shows that.

    If sheets hide nearly the whole text, or most paragraphs, what they hide counts as visible.
    """
    inline = {element: possible for element in styled if (possible := ways_inline(element))}
    ways = elements.among(inline)
    ways = {element: ways[element] for element in _without_the_page(tree, list(ways))}
    if styles.is_empty:
        return ways
    suspects = styles.suspects()
    by_sheet = elements.among({each: suspects[each] for each in suspects if each not in ways})
    if whole.share(by_sheet) > _NEARLY_ALL or _has_the_story(tree, by_sheet):
        return ways
    return ways | {each: by_sheet[each] for each in _without_the_page(tree, list(by_sheet))}


def _take_out(
    elements: HiddenElements, ways: dict[Element, int], lost: LostColours, whole: _Whole
) -> list[Element]:
    """Remove what is hidden by style or colour, and return it."""
    colours = lost.find()
    if whole.share(colours) > _HALF:
        colours = {}
    removed: list[Element] = []
    for element in outermost([*ways, *(each for each in colours if each not in ways)]):
        if element in ways:
            removed += elements.take_out(element, ways[element])
        elif element.tag not in ("html", "body"):
            removed += elements.take_out_lost(element, lost, colours)
    return removed


def _without_needed_noscript(tree: Tree, hidden: list[Element]) -> list[Element]:
    """Put noscript elements back into a page that shows hardly anything without them."""
    kept = [each for each in hidden if each.tag == "noscript" and len(each.text) >= _MUCH_TEXT]
    body = tree.select_one("body") if kept else None
    if body is None:
        return hidden
    shown = len(" ".join(body.text.split()))
    if shown >= _HARDLY_ANY_TEXT and shown > 0.3 * max(len(each.text) for each in kept):
        return hidden
    for element in kept:
        body.append(element)
    return [element for element in hidden if element not in kept]


def visible_text(tree: Tree, tags: TagIndex) -> str:
    """Return all text of a tree without its invisible elements, one row per visible line.

    It changes the tree: lists lose their numbers, and tables their column padding.
    """
    tags.find_all("a[href]", "area", "frame", "ol", "pre", *_TABLE_TAGS, *_CELL_TAGS)
    for element in tags["ol"]:
        element.tag = "ul"
    _flatten_tables(tags)
    text = tree.to_text(_PLAIN)
    if "\xad" in text:
        text = text.replace("\xad", "")
    if "\xa0" in text:
        text = _HARD_SPACES.sub("\xa0", text).replace(" \xa0", " ").replace("\xa0", " ")
    trim = str.rstrip if tags["pre"] else str.strip
    return "\n".join(filter(None, map(trim, text.split("\n"))))


def _flatten_tables(tags: TagIndex) -> None:
    """Make rows of tables ordinary lines, and cells words in them."""
    for tag in _TABLE_TAGS:
        for element in tags[tag]:
            element.tag = "div"
    for tag in _CELL_TAGS:
        for element in tags[tag]:
            element.insert_after(Text(" "))
            element.tag = "span"


def _has_the_story(tree: Tree, elements: Collection[Element]) -> bool:
    """Tell whether these have most of the paragraphs: a script shows them when fonts have come."""
    if not elements:
        return False
    paragraphs = {each: len(each.text) for each in tree.select("p,h1")}
    whole = sum(paragraphs.values())
    if whole < _MUCH_TEXT:
        return False
    hidden = sum(
        paragraphs.get(each, 0) or sum(len(inner.text) for inner in each.select("p,h1"))
        for each in outermost(elements)
    )
    return hidden > _HALF * whole


def _own_sheets(styles: Iterable[Element], elements: NamedElements) -> list[Sheet]:
    """Return the sheets of the `<style>` elements."""
    found = []
    budget = _MAX_OWN_LENGTH
    for element in styles:
        applies = media_applies(element.attr("media") or "")
        if applies is Applies.NEVER or budget <= 0:
            continue
        text = element.text[:budget]
        budget -= len(text)
        sheet = read_sheet(text, elements.names)
        found.append(sheet if applies is Applies.ALWAYS else on_some_screens(sheet))
    return found


def _place_streamed_parts(tree: Tree, tags: TagIndex) -> None:
    """Put parts that a framework streams at the end of the page where its script would put them.

    React sends `<template id="B:1">` or `P:1` as a placeholder, and later `<div hidden id="S:1">`.
    """
    if not tags["template"]:
        return
    places = {element.attr("id"): element for element in tags["template"]}
    for part in tree.select('div[hidden][id^="S:"]'):
        number = (part.attr("id") or "")[2:]
        place = places.get(f"B:{number}") or places.get(f"P:{number}")
        if place is not None and place.parent is not None:
            del part.attrs["hidden"]
            place.replace_with(part.extract())


def _without_the_page(tree: Tree, hidden: list[Element]) -> list[Element]:
    """Return the hidden elements, except one with most of the page: a script will show that."""
    largest = max(hidden, key=lambda element: len(element.text), default=None)
    if largest is None or len(largest.text) < _MUCH_TEXT:
        return hidden
    body = tree.select_one("body")
    whole = len(body.to_text()) if body is not None else 0
    is_the_page = len(largest.to_text()) > _MOST * whole
    if is_the_page and len(largest.select("p,h1,h2,h3,li,tr")) >= _MANY_PARTS:
        return [element for element in hidden if element is not largest]
    return hidden
