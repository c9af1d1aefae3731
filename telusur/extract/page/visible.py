"""The visible part of a page; everything else is removed from the tree and never indexed."""

import re

from turbohtml import Document as Tree
from turbohtml import Element, Node, PlainText, SelectorSyntaxError, Text

from telusur.extract.page.css import (
    MAX_SELECTORS,
    MAX_SHEET_LENGTH,
    Colour,
    Sheet,
    background_of,
    parse_colour,
    parse_declarations,
    parse_sheet,
    sets_background,
    style_hides,
)
from telusur.extract.page.dom import TagIndex

_NEVER_SHOWN = (
    *("script", "style", "template", "noscript", "noembed", "noframes", "head", "iframe", "object"),
    *("embed", "video", "audio", "canvas", "svg", "select", "datalist", "textarea"),
)
_CELL_TAGS = ("td", "th")
_TABLE_TAGS = ("table", "thead", "tbody", "tfoot", "tr")
_HARD_SPACES = re.compile("\xa0[\xa0 ]*")
_PLAIN = PlainText(bullet="", table_cell_separator=" ")
_WHITE: Colour = (255, 255, 255)
_PANEL_NAMES = re.compile(
    r"accordion|collaps|tab-?pan|tabbed|toggle-?(?:content|body)|faq|answer|expand|spoiler|panel\b|"
    r"read-?more|show-?more|truncat",
    re.IGNORECASE,
)
_MOST = 0.6
_MANY_PARTS = 5
_HARDLY_ANY_TEXT = 200
_MUCH_TEXT = 400


def hide_invisible(tree: Tree, tags: TagIndex) -> list[Element]:
    """Remove invisible elements and return them, still whole, in order.

    0. Move streamed parts to the place where a script would put them. 1. Elements that never show
    text. 2. Inline styles. 3. The page's own style sheets, by tag, class and id. 4. Text in the
    colour of its background. Panels that open at a click count as visible.
    """
    _place_streamed_parts(tree, tags)
    sheet = _read_sheets(tags["style"]) if tags["style"] else None
    hidden = [element for tag in _NEVER_SHOWN for element in tags[tag]]
    styled = tags.select("[hidden],[style]", "hidden", "style") + tags["font"]
    if styled:
        inline = [each for each in styled if _is_hidden_inline(each) and not _opens(each)]
        hidden += _without_the_page(tree, inline)
    if sheet is not None:
        hidden += _hidden_by_sheet(tree, sheet)
    if styled or sheet is not None:
        has_foreign_style = bool(tags["link[rel~=stylesheet]"])
        canvas = None if has_foreign_style else _WHITE
        hidden += _hidden_by_colour(tree, sheet or Sheet(), styled, canvas)
    hidden = [element for element in hidden if element.tag not in ("html", "body")]
    for element in hidden:
        if element.parent is not None:
            element.extract()
    return _without_needed_noscript(tree, hidden)


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


def _read_sheets(styles: list[Element]) -> Sheet | None:
    """Return the rules of all `<style>` elements, later ones winning."""
    merged: Sheet | None = None
    budget = MAX_SHEET_LENGTH
    for element in styles:
        media = (element.attr("media") or "").lower()
        if "print" in media or budget <= 0:
            continue
        text = element.text[:budget]
        budget -= len(text)
        sheet = parse_sheet(text)
        if merged is None:
            merged = Sheet()
        if len(merged.hidden) + len(merged.colours) + len(merged.backgrounds) > MAX_SELECTORS:
            break
        merged.hidden |= sheet.hidden
        merged.shown |= sheet.shown
        merged.colours |= sheet.colours
        merged.backgrounds |= sheet.backgrounds
    return merged


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


def _is_hidden_inline(element: Element) -> bool:
    if element.attr("hidden") is not None:
        return True
    style = element.attr("style")
    if not style or element.attr("data-w-id") is not None:  # a site builder fades that in
        return False
    return style_hides(style[:2000])


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


def _opens(element: Element) -> bool:
    """Tell whether a hidden element is a panel that a reader opens: of an accordion, a tab."""
    names = f"{element.attr('class') or ''} {element.attr('id') or ''}"
    return element.attr("role") == "tabpanel" or bool(_PANEL_NAMES.search(names))


def _hidden_by_sheet(tree: Tree, sheet: Sheet) -> list[Element]:
    """Return the elements that the sheets hide and no other rule shows again.

    If that is nearly the whole text, a script will show it: then nothing is hidden.
    """
    found = _select(tree, list(sheet.hidden))
    if not found:
        return []
    shown = set(_select(tree, list(sheet.shown)))
    found = [element for element in found if element not in shown]
    root = tree.root
    if root is None or sum(len(element.text) for element in found) > 0.8 * len(root.text):
        return []
    return found


def _hidden_by_colour(
    tree: Tree, sheet: Sheet, styled: list[Element], canvas: Colour | None
) -> list[Element]:
    """Return the elements whose text has the colour of the nearest background that is known.

    Without external style sheets the default background of a page is white.
    """
    known = {canvas, *sheet.backgrounds.values()}
    coloured: dict[Element, Colour] = {}
    for selector, colour in sheet.colours.items():
        if colour in known:
            coloured.update(dict.fromkeys(_select(tree, [selector]), colour))
    for element in styled:
        style = (element.attr("style") or "")[:2000]
        declared = parse_declarations(style).get("color") if "color" in style.lower() else None
        named = element.attr("color") if element.tag == "font" else None
        found = parse_colour(declared or named or "")
        if found is not None:
            coloured[element] = found
    possible = known | _plain_backgrounds(tree, styled) if coloured else known
    coloured = {element: colour for element, colour in coloured.items() if colour in possible}
    if not coloured:
        return []
    backgrounds: dict[Element, Colour] = {}
    for selector, colour in sheet.backgrounds.items():
        backgrounds.update(dict.fromkeys(_select(tree, [selector]), colour))
    behind: dict[Node, Colour | None] = {}
    return [
        element
        for element, colour in coloured.items()
        if _background_behind(element, backgrounds, canvas, behind) == colour
    ]


def _plain_backgrounds(tree: Tree, styled: list[Element]) -> set[Colour | None]:
    """Return the backgrounds that single elements have by style or attribute."""
    elements = [*styled, *tree.select("[bgcolor]")]
    return {_own_background(element, {})[1] for element in elements}


def _background_behind(
    element: Element,
    backgrounds: dict[Element, Colour],
    canvas: Colour | None,
    behind: dict[Node, Colour | None],
) -> Colour | None:
    """Return the background of the nearest element that has one; None when it cannot be known."""
    passed: list[Node] = []
    node: Node | None = element
    found = canvas
    while isinstance(node, Element):
        if node in behind:
            found = behind[node]
            break
        passed.append(node)
        is_set, own = _own_background(node, backgrounds)
        if is_set:
            found = own
            break
        node = node.parent
    behind.update(dict.fromkeys(passed, found))
    return found


def _own_background(
    element: Element, backgrounds: dict[Element, Colour]
) -> tuple[bool, Colour | None]:
    """Return whether an element has a background, and its colour if it is plain."""
    written = (element.attr("style") or "")[:2000]
    if "backg" in written.lower():
        style = parse_declarations(written)
        if sets_background(style):
            return True, background_of(style)
    if (attribute := element.attr("bgcolor")) is not None:
        return True, parse_colour(attribute)
    if element.attr("background") is not None:
        return True, None
    return element in backgrounds, backgrounds.get(element)


def _select(tree: Tree, selectors: list[str]) -> list[Element]:
    """Return the elements that match any of the selectors, none when one of them is malformed."""
    if not selectors:
        return []
    try:
        return tree.select(",".join(selectors))
    except SelectorSyntaxError:
        return []
