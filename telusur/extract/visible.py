"""What a person sees of a page; everything else is taken out of the tree and never indexed."""

import re

from turbohtml import Document as Tree
from turbohtml import Element, Node, PlainText, SelectorSyntaxError, Text

from telusur.extract.css import (
    MAX_SELECTORS,
    Colour,
    Sheet,
    background_of,
    parse_colour,
    parse_declarations,
    parse_sheet,
    sets_background,
    style_hides,
)

_NEVER_SHOWN = [
    *("script", "style", "template", "noscript", "noembed", "noframes", "head", "iframe", "object"),
    *("embed", "video", "audio", "canvas", "svg", "select", "datalist", "textarea"),
]
_TABLE_PARTS = ["table", "thead", "tbody", "tfoot", "tr", "td", "th"]
_HARD_SPACES = re.compile("\xa0[\xa0 ]*")
_PLAIN = PlainText(bullet="", table_cell_separator=" ")
_WHITE: Colour = (255, 255, 255)
_HARDLY_ANY_TEXT = 200
_MUCH_TEXT = 400


def hide_invisible(tree: Tree) -> list[Element]:
    """Take out what is not shown and return the elements taken out, still whole, in order.

    1. Elements that never show text. 2. Inline styles. 3. The page's own style sheets, by tag,
    class and id. 4. Text in the colour of what is behind it.
    """
    sheet = _read_sheets(tree)
    hidden = list(tree.iter_elements(_NEVER_SHOWN))
    hidden += tree.select("[hidden]")
    hidden += _hidden_inline(tree)
    if sheet is not None:
        hidden += _hidden_by_sheet(tree, sheet)
    hidden += _hidden_by_colour(tree, sheet or Sheet())
    hidden = [element for element in hidden if element.tag not in ("html", "body")]
    for element in hidden:
        if element.parent is not None:
            element.extract()
    return _without_needed_noscript(tree, hidden)


def _without_needed_noscript(tree: Tree, hidden: list[Element]) -> list[Element]:
    """Put noscript elements back into a page that shows hardly anything without them."""
    kept = [each for each in hidden if each.tag == "noscript" and len(each.text) >= _MUCH_TEXT]
    body = tree.select_one("body") if kept else None
    if body is None or len(" ".join(body.text.split())) >= _HARDLY_ANY_TEXT:
        return hidden
    for element in kept:
        body.append(element)
    return [element for element in hidden if element not in kept]


def visible_text(tree: Tree) -> str:
    """Return all text of a tree that has lost what nobody sees: a row for each line shown.

    The tree is changed: lists are no longer numbered, tables no longer padded to columns.
    """
    for element in tree.select("ol"):
        element.tag = "ul"
    _flatten_tables(tree)
    text = tree.to_text(_PLAIN).replace("\xad", "")
    if "\xa0" in text:
        text = _HARD_SPACES.sub("\xa0", text).replace(" \xa0", " ").replace("\xa0", " ")
    trim = str.strip if tree.select_one("pre") is None else str.rstrip
    return "\n".join(row for row in map(trim, text.split("\n")) if row)


def _flatten_tables(tree: Tree) -> None:
    """Make rows of tables ordinary lines, and cells words in them."""
    for element in list(tree.iter_elements(_TABLE_PARTS)):
        if element.tag in ("td", "th"):
            element.insert_after(Text(" "))
            element.tag = "span"
        else:
            element.tag = "div"


def _read_sheets(tree: Tree) -> Sheet | None:
    """Return the rules of all `<style>` elements, later ones winning."""
    merged: Sheet | None = None
    for element in tree.select("style"):
        media = (element.attr("media") or "").lower()
        if "print" in media:
            continue
        sheet = parse_sheet(element.text)
        if merged is None:
            merged = Sheet()
        if len(merged.hidden) + len(merged.colours) + len(merged.backgrounds) > MAX_SELECTORS:
            break
        merged.hidden |= sheet.hidden
        merged.shown |= sheet.shown
        merged.colours |= sheet.colours
        merged.backgrounds |= sheet.backgrounds
    return merged


def _hidden_inline(tree: Tree) -> list[Element]:
    return [
        element
        for element in tree.select("[style]")
        if style_hides((element.attr("style") or "")[:2000])
        and element.attr("data-w-id") is None  # a site builder's mark for what a script fades in
    ]


def _hidden_by_sheet(tree: Tree, sheet: Sheet) -> list[Element]:
    """Return what the sheets hide and no other rule shows again.

    When that is nearly the whole text, a script will show it: then nothing is hidden.
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


def _hidden_by_colour(tree: Tree, sheet: Sheet) -> list[Element]:
    """Return the elements whose text has the colour of the nearest background that is known.

    A page without foreign style sheets is white where nothing else is said.
    """
    has_foreign_style = tree.select_one("link[rel~=stylesheet]") is not None
    canvas = None if has_foreign_style else _WHITE
    known = {canvas, *sheet.backgrounds.values()}
    coloured: dict[Element, Colour] = {}
    for selector, colour in sheet.colours.items():
        if colour in known:
            coloured.update(dict.fromkeys(_select(tree, [selector]), colour))
    for element in tree.select("font[color],[style*=color i]"):
        declared = parse_declarations((element.attr("style") or "")[:2000]).get("color")
        found = parse_colour(declared or element.attr("color") or "")
        if found is not None:
            coloured[element] = found
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
    """Return whether an element puts something behind its text, and its colour if that is plain."""
    style = parse_declarations((element.attr("style") or "")[:2000])
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
