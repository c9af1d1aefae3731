"""The look of a block without a browser: default styles, the page's rules, the style attribute.

The result has the form of a browser's computed style, as far as it can be known: external style
sheets are not fetched.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

import tinycss2
from tinycss2.ast import Declaration, Node, QualifiedRule

from telusur.extract.style.colours import parse_colour
from telusur.learn.pages.default_styles import DEFAULT_STYLES, INHERITED
from telusur.learn.pages.selectors import (
    ElementPlace,
    Rule,
    Style,
    key_of,
    path_of,
    read_rule,
    rule_fits,
)
from telusur.models import Block

_STYLE_ELEMENT = re.compile(r"<style\b([^>]*)>(.*?)(?:</style|$)", re.DOTALL | re.IGNORECASE)
_LENGTH = re.compile(r"(-?\d*\.?\d+)(px|pt|em|rem|ex|ch|%|vw|vh)?$")
_FONT_SIZE = re.compile(r"(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%))")
_UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "rem": 16.0, "vw": 12.8, "vh": 7.2}
_NAMED_SIZES = {
    "xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24,
    "xx-large": 32,
}  # fmt: skip
_SIDES = ("top", "right", "bottom", "left")
_SIDES_OF_BOX = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}
_MOST_RULES = 4000
_MAX_SHEET_LENGTH = 50_000
_REMEMBERED_SHEETS = 64
_LARGEST_FONT = 1000.0


class PageStyles:
    """The styles of one page; `style_of` returns the look of a block."""

    def __init__(self, html: str = "") -> None:
        self._rules: dict[str, list[Rule]] = defaultdict(list)
        self._number = 0
        self._known: dict[tuple[ElementPlace, ...], Style] = {}
        for attributes, text in _STYLE_ELEMENT.findall(html):
            if "print" not in attributes.lower():
                self._read_sheet(text)

    def style_of(self, block: Block) -> Style:
        """Return the browser's computed style if there is one, otherwise an approximation."""
        if block.css is not None:
            return block.css
        path = path_of(block)
        style = self._computed(path)
        if not block.style:
            return style
        parent = self._computed(path[:-1])
        return _resolve(style | _long_hands(_declarations(block.style[:2000])), parent)

    def _computed(self, path: tuple[ElementPlace, ...]) -> Style:
        """Return the style of the last element of a path; cached, since elements share paths."""
        if not path:
            return {"font-size": "16px", "color": "rgb(0, 0, 0)"}
        found = self._known.get(path)
        if found is None:
            parent = self._computed(path[:-1])
            style = {name: parent[name] for name in INHERITED if name in parent}
            style |= DEFAULT_STYLES.get(path[-1].tag, {"display": "inline"})
            for rule in sorted(self._matching(path), key=lambda rule: rule.rank):
                style |= rule.style
            found = self._known[path] = _resolve(style, parent)
        return found

    def _matching(self, path: tuple[ElementPlace, ...]) -> Iterable[Rule]:
        place = path[-1]
        keys = [f"#{place.element_id}", *(f".{name}" for name in place.classes), place.tag, "*"]
        return [rule for key in keys for rule in self._rules.get(key, ()) if rule_fits(rule, path)]

    def _read_sheet(self, text: str) -> None:
        """Read the rules that apply to every screen; rules within `@media` are skipped."""
        for selectors, style in _rules_of(text[:_MAX_SHEET_LENGTH]):
            for selector in selectors:
                self._number += 1
                if self._number <= _MOST_RULES:
                    rule = read_rule(selector, style, self._number)
                    if rule is not None:
                        self._rules[key_of(rule.parts[0])].append(rule)


@lru_cache(_REMEMBERED_SHEETS)
def _rules_of(sheet: str) -> list[tuple[list[str], Style]]:
    """Return the selectors and declarations of a sheet; the pages of a site share theirs."""
    rules = []
    for node in tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True):
        if isinstance(node, QualifiedRule) and (style := _long_hands(_declarations(node.content))):
            rules.append((_selectors_of(node.prelude), style))
    return rules


def _selectors_of(prelude: Sequence[Node]) -> list[str]:
    """Return the parts between commas; functions may contain commas of their own."""
    parts: list[list[Node]] = [[]]
    for node in prelude:
        if node == ",":
            parts.append([])
        else:
            parts[-1].append(node)
    return [_text_of(part) for part in parts]


def _declarations(body: str | Sequence[Node]) -> Style:
    """Return declarations in lower case, the last of each name."""
    nodes = tinycss2.parse_blocks_contents(body, skip_comments=True, skip_whitespace=True)
    return {
        node.lower_name: text.lower()
        for node in nodes
        if isinstance(node, Declaration) and (text := _text_of(node.value))
    }


def _text_of(nodes: Sequence[Node]) -> str:
    """Return nodes as text; empty if brackets are nested too deeply."""
    try:
        text: str = tinycss2.serialize(nodes)
    except RecursionError:
        return ""
    return text.strip()


def _long_hands(style: Style) -> Style:
    """Return declarations with `margin`, `padding`, `background` and `font` written out."""
    found = dict(style)
    for name in ("margin", "padding"):
        values = found.pop(name, "").split()
        for side, at in zip(_SIDES, _SIDES_OF_BOX.get(len(values), ()), strict=False):
            found.setdefault(f"{name}-{side}", values[at])
    if background := found.pop("background", ""):
        colours = [word for word in background.split() if parse_colour(word) is not None]
        found.setdefault("background-color", colours[0] if colours else "transparent")
    if font := found.pop("font", ""):
        if size := _FONT_SIZE.search(font):
            found.setdefault("font-size", size[1])
        found.setdefault("font-weight", "700" if "bold" in font else "400")
        found.setdefault("font-style", "italic" if "italic" in font else "normal")
    return {name: value for name, value in found.items() if "var(" not in value}


def _resolve(style: Style, parent: Style) -> Style:
    """Return the style with sizes in pixels and weights as numbers."""
    above = pixels(parent.get("font-size"), 16.0, 16.0)
    size = min(_LARGEST_FONT, pixels(style.get("font-size"), above, above, relative_to=above))
    style["font-size"] = f"{size:g}px"
    weight = style.get("font-weight", "400")
    style["font-weight"] = {"bold": "700", "bolder": "700", "normal": "400"}.get(weight, weight)
    for name, value in style.items():
        if name.startswith(("margin-", "padding-")) or name in ("width", "text-indent"):
            style[name] = f"{pixels(value, size):g}px"
    return style


def pixels(
    value: str | None, font_size: float = 16.0, default: float = 0.0, relative_to: float = 0.0
) -> float:
    """Return a length in pixels; percentages are relative to `relative_to`."""
    value = (value or "").strip()
    if value in _NAMED_SIZES:
        return float(_NAMED_SIZES[value])
    match = _LENGTH.match(value)
    if match is None:
        return default
    number, unit = float(match[1]), match[2] or ""
    if unit == "%":
        return number * relative_to / 100
    if unit in ("em", "ex", "ch"):
        return number * font_size * (1.0 if unit == "em" else 0.5)
    return number * _UNITS[unit]
