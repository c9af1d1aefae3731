"""Declarations of CSS that decide whether a text can be seen: read, and shorthands spelt out."""

import re
from functools import lru_cache
from typing import NamedTuple

from telusur.extract.style.colours import parse_paint

Style = dict[str, str]

MAX_STYLE_LENGTH = 2000  # of a style attribute; what hides a text stands near the beginning
_NAMES = frozenset((
    "display", "visibility", "opacity", "content-visibility", "filter", "zoom", "color",
    "-webkit-text-fill-color", "background-color", "background-image", "background-clip",
    "text-shadow", "font-size", "text-indent", "line-height", "position", "top", "right", "bottom",
    "left", "margin-top", "margin-left", "margin-right", "overflow", "overflow-x", "overflow-y",
    "width", "height", "max-width", "max-height", "min-width", "min-height", "padding-top",
    "padding-bottom", "clip", "clip-path", "transform", "scale", "translate", "transition",
    "animation", "white-space",
))  # fmt: skip
_OTHER_NAMES = {
    "-webkit-clip-path": "clip-path", "-webkit-transform": "transform",
    "-ms-transform": "transform", "-moz-transform": "transform",
    "-webkit-transition": "transition", "-webkit-filter": "filter",
    "-webkit-animation": "animation", "animation-name": "animation",
    "transition-property": "transition", "-webkit-background-clip": "background-clip",
    "-moz-opacity": "opacity", "margin-inline-start": "margin-left",
    "margin-block-start": "margin-top", "inset-inline-start": "left", "inset-inline-end": "right",
    "inset-block-start": "top", "inset-block-end": "bottom", "inline-size": "width",
    "block-size": "height", "max-inline-size": "max-width", "max-block-size": "max-height",
    "padding-block-start": "padding-top", "padding-block-end": "padding-bottom",
}  # fmt: skip
_SIDES = ("top", "right", "bottom", "left")
_SHORTHANDS = frozenset(("background", "font", "inset", "margin", "padding"))
# Which word of one to four stands for each side.
_SIDES_OF = {1: (0, 0, 0, 0), 2: (0, 1, 0, 1), 3: (0, 1, 2, 1), 4: (0, 1, 2, 3)}
_WORD = re.compile(r"(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+")
_FONT_SIZE = re.compile(r"(?:^|\s)([.\d][\w.%]*)(?:\s*/|\s)")
_IMAGE = re.compile(r"url\(|gradient\(|image|element\(|cross-fade\(|paint\(")
_DECLARATION = re.compile(r"\s*(--[\w-]{1,100}|-?[a-z][a-z-]{2,30})\s*:\s*([^;]*)")
_IMPORTANT = re.compile(r"\s*!\s*important\s*$")


class Declarations(NamedTuple):
    """The declarations of a rule or style attribute; both parts are not to be changed."""

    usual: Style
    important: Style


@lru_cache(maxsize=8192)
def read_declarations(text: str) -> Declarations:
    """Return the telling declarations, under their longhand names, and variables (`--x`)."""
    found = Declarations({}, {})
    for name, written in _DECLARATION.findall(_without_quotes(text.lower())):
        value = _IMPORTANT.sub("", written)
        style = found.usual if len(value) == len(written) else found.important
        value = value.strip()
        longhand = _OTHER_NAMES.get(name, name)
        if longhand in _NAMES:
            _put(style, longhand, value)
        elif name in _SHORTHANDS:
            style.update(_spelt_out(name, value))
        elif name.startswith("--"):
            style[name] = value
    return found


@lru_cache(maxsize=8192)
def backgrounds_in(body: str) -> tuple[str, ...]:
    """Return the background colours in the declarations of a rule, as written."""
    values = [part.get("background-color", "") for part in read_declarations(body)]
    return tuple(filter(None, values))


@lru_cache(maxsize=8192)
def colours_in(body: str) -> tuple[str, ...]:
    """Return the colours of text in the declarations of a rule, as written."""
    names = ("color", "-webkit-text-fill-color")
    values = [part.get(name, "") for part in read_declarations(body) for name in names]
    return tuple(filter(None, values))


def spell_out(style: Style) -> Style:
    """Return a style whose values got known only now: a shorthand with a variable."""
    for name in _SHORTHANDS & style.keys():
        style.update(_spelt_out(name, style.pop(name)))
    return style


def _put(style: Style, name: str, value: str) -> None:
    if name == "background-clip" and value != "text" and style.get(name) == "text":
        return  # the same with and without prefix
    if name == "overflow":
        style["overflow-x"], style["overflow-y"] = (value.split() * 2 or ["", ""])[:2]
        return
    style[name] = value


def _without_quotes(text: str) -> str:
    return re.sub(r"\"[^\"]*\"|'[^']*'", "", text) if '"' in text or "'" in text else text


def _spelt_out(name: str, value: str) -> Style:
    """Return the longhands of a shorthand, as far as they matter here."""
    if "var(" in value:
        return {name: value}
    words = _WORD.findall(value)
    if name == "background":
        return _background(value, words)
    if name == "font":
        size = _FONT_SIZE.search(value)
        return {"font-size": size[1]} if size else {}
    if len(words) not in _SIDES_OF:
        return {}
    prefix = "" if name == "inset" else f"{name}-"
    sides = zip(_SIDES, _SIDES_OF[len(words)], strict=True)
    return {f"{prefix}{side}": words[number] for side, number in sides}


def _background(value: str, words: list[str]) -> Style:
    """Return colour and image; a background without a colour is transparent."""
    colours = [word for word in words if parse_paint(word) is not None]
    others = {"inherit", "currentcolor", "initial", "unset", "revert"} & set(words)
    colour = colours[-1] if colours else (others.pop() if others else "transparent")
    style = {"background-color": colour, "background-image": "none"}
    if _IMAGE.search(value):
        style["background-image"] = "image"
    if "text" in words:
        style["background-clip"] = "text"
    return style
