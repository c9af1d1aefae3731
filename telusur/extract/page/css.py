"""Reads style declarations that decide whether a text is visible."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from telusur.extract.page.clips import leaves_nothing

T = TypeVar("T")
Declarations = dict[str, str]
Colour = tuple[int, int, int]

MAX_SHEET_LENGTH = 50_000  # of all sheets of a page; rules that hide text are near the beginning
MAX_SELECTORS = 400  # each costs a search of the whole page
_SIMPLE_SELECTOR = re.compile(r"(?:[a-z][a-z0-9-]*)?(?:[.#][a-z_-][\w-]*)*", re.IGNORECASE)
_PLAIN_SELECTOR = re.compile(r"[\w\s.#>+~-]+")
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_PART = re.compile(r"([^{}]*)([{}])")
_TELLING = re.compile(
    r"display|visib|opacity|color|backg|clip|indent|font|left|top|margin|height|width"
)
# These patterns expect lower case.
_SUSPICIOUS = re.compile(r"none|hidden|collapse|-\d|:\s*\.?0|:\s*1px|clip|backg")
_SHOWING = re.compile(r"display|visibility|opacity")
_COLOURS = re.compile(r"(?<![\w-])(color|background(?:-color)?)\s*:\s*([^;{}]+)")
_PIXELS = re.compile(r"(-?[\d.]+)(px|em|rem|pt|vw|vh|%)?$")
_UNITS = {"em": 16.0, "rem": 16.0, "vw": 10.0, "vh": 10.0}
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})$")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$")
_NAMED_COLOURS: dict[str, Colour] = {
    "white": (255, 255, 255), "black": (0, 0, 0), "red": (255, 0, 0), "lime": (0, 255, 0),
    "blue": (0, 0, 255), "yellow": (255, 255, 0), "silver": (192, 192, 192),
    "gray": (128, 128, 128), "grey": (128, 128, 128), "green": (0, 128, 0), "navy": (0, 0, 128),
    "maroon": (128, 0, 0),
    "purple": (128, 0, 128), "teal": (0, 128, 128), "olive": (128, 128, 0),
    "orange": (255, 165, 0),
    "snow": (255, 250, 250), "ivory": (255, 255, 240), "whitesmoke": (245, 245, 245),
    "lightgray": (211, 211, 211), "lightgrey": (211, 211, 211), "aqua": (0, 255, 255),
    "cyan": (0, 255, 255), "fuchsia": (255, 0, 255), "magenta": (255, 0, 255),
}  # fmt: skip


@dataclass(slots=True)
class Sheet:
    """The rules of a page's own style sheets that hide, show or colour text, by selector."""

    hidden: dict[str, None] = field(default_factory=dict)
    shown: dict[str, None] = field(default_factory=dict)
    colours: dict[str, Colour] = field(default_factory=dict)
    backgrounds: dict[str, Colour] = field(default_factory=dict)


@lru_cache(maxsize=4096)
def parse_declarations(style: str) -> Declarations:
    """Return the declarations of a style attribute or rule, in lower case; not to be changed."""
    found: Declarations = {}
    for declaration in style.lower().split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


@lru_cache(maxsize=4096)
def style_hides(style: str) -> bool:
    """Tell whether a style attribute hides its element; cached, since few differ."""
    return _SUSPICIOUS.search(style.lower()) is not None and hides(parse_declarations(style))


def hides(style: Declarations) -> bool:
    """Tell whether these declarations alone hide a text."""
    get = style.get
    if get("display") == "none" or get("visibility") in ("hidden", "collapse"):
        return True
    if _is_zero(get("opacity")) and not _is_animated(style):
        return True
    if _is_zero(get("font-size")) or _pixels(get("text-indent")) <= -900:
        return True
    if "color" in style and parse_colour(style["color"]) == background_of(style) != None:  # noqa: E711
        return True
    return _is_clipped(style) or _is_off_screen(style)


def _is_animated(style: Declarations) -> bool:
    """Tell whether a script will fade this in, as some site builders do with whole pages."""
    return any(
        name in style for name in ("transform", "-webkit-transform", "transition", "animation")
    )


def _is_clipped(style: Declarations) -> bool:
    if style.get("position") in ("absolute", "fixed") and leaves_nothing(style.get("clip", "")):
        return True
    path = style.get("clip-path") or style.get("-webkit-clip-path") or ""
    if path and leaves_nothing(path) and not _is_animated(style):
        return True
    if style.get("overflow") not in ("hidden", "clip"):
        return False
    return any(0 <= _pixels(style.get(side), -1) <= 1 for side in ("width", "height"))


def _is_off_screen(style: Declarations) -> bool:
    if _pixels(style.get("margin-left")) <= -900:
        return True
    if style.get("position") not in ("absolute", "fixed", "relative"):
        return False
    return any(_pixels(style.get(side)) <= -900 for side in ("left", "top", "right", "bottom"))


def _is_zero(value: str | None) -> bool:
    return value is not None and _pixels(value, 1) == 0


def _pixels(value: str | None, default: float = 0) -> float:
    match = _PIXELS.match(value) if value else None
    if match is None:
        return default
    try:
        return float(match[1]) * _UNITS.get(match[2] or "", 1)
    except ValueError:
        return default


@lru_cache(maxsize=4096)
def parse_colour(value: str) -> Colour | None:
    """Return red, green, blue of an opaque colour, or None."""
    value = value.strip().lower()
    if (named := _NAMED_COLOURS.get(value)) is not None:
        return named
    if match := _HEX.match(value):
        digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if match := _RGB.match(value):
        return int(match[1]), int(match[2]), int(match[3])
    return None


def background_of(style: Declarations) -> Colour | None:
    """Return the colour behind a text, if these declarations set a plain one."""
    value = style.get("background-color") or style.get("background") or ""
    return parse_colour(value) if value else None


def sets_background(style: Declarations) -> bool:
    """Tell whether these declarations set any background, even an image."""
    return any(name.startswith("background") for name in style)


@lru_cache(maxsize=64)
def parse_sheet(text: str) -> Sheet:
    """Read a `<style>` element; cached, since the pages of a site share theirs.

    Only selectors made of a tag, classes and an id can hide or colour. Rules within `@media` and
    the like can only show something again, never hide it: it is unknown on which screens they
    apply.
    """
    sheet = Sheet()
    conditions = 0
    selectors = ""
    text = _COMMENT.sub("", text[:MAX_SHEET_LENGTH])
    # Stop at the last brace: the rest would take quadratic time.
    for before, brace in _PART.findall(text[: text.rfind("}") + 1]):
        if brace == "{":
            selectors = before.rpartition(";")[2].strip()
            if selectors.startswith("@"):
                conditions += 1
                selectors = ""
        elif selectors:
            if _TELLING.search(before):
                _add_rule(sheet, selectors, before, conditions > 0)
            selectors = ""
        else:
            conditions = max(0, conditions - 1)
    return sheet


def _add_rule(sheet: Sheet, selectors: str, body: str, is_conditional: bool) -> None:
    body = body.lower()
    is_hiding = _SUSPICIOUS.search(body) is not None and hides(parse_declarations(body))
    if is_hiding and is_conditional:
        return
    shows = not is_hiding and _SHOWING.search(body) is not None
    colour = background = None
    if not (is_hiding or is_conditional) and ("color" in body or "backg" in body):
        colour, background = _find_colours(body)
    if not (is_hiding or shows or colour or background):
        return
    for selector in map(str.strip, selectors.split(",")):
        is_simple = selector and _SIMPLE_SELECTOR.fullmatch(selector)
        if is_hiding and is_simple:
            _remember(sheet.hidden, selector, None)
        if shows and _PLAIN_SELECTOR.fullmatch(selector):
            _remember(sheet.shown, selector, None)
        if colour and is_simple:
            _remember(sheet.colours, selector, colour)
        if background and is_simple:
            _remember(sheet.backgrounds, selector, background)


def _find_colours(body: str) -> tuple[Colour | None, Colour | None]:
    """Return the last colours that a rule sets for text and background, where they are plain."""
    last: dict[bool, str] = {}
    for name, value in _COLOURS.findall(body):
        last[name == "color"] = value
    return _plain_colour(last.get(True)), _plain_colour(last.get(False))


def _plain_colour(value: str | None) -> Colour | None:
    return parse_colour(value.replace("!important", "")) if value else None


def _remember(rules: dict[str, T], selector: str, value: T) -> None:
    if len(rules) < MAX_SELECTORS or selector in rules:
        rules[selector] = value
