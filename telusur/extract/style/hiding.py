"""Whether a style hides a text, and how."""

import re
from collections.abc import Callable
from functools import lru_cache

from telusur.extract.style.clips import leaves_nothing
from telusur.extract.style.colours import is_faint
from telusur.extract.style.declarations import Style, read_declarations
from telusur.extract.style.lengths import SCREEN_HEIGHT, pixels

_FAR = 900.0  # pixels to the left or above; nobody can scroll there
_FAR_RIGHT = 5000.0  # one can scroll there, and nobody does
_SMALLEST_FONT = 2.0
_FONT = 16.0  # what a percentage of a font size is taken of
# What a style must contain in order to hide; it expects lower case.
SUSPICIOUS = re.compile(
    r"display\s*:\s*none|visib\w*\s*:\s*(?:hidden|collapse)|"
    r"(?:opacity|zoom|size|width|height)\s*:\s*\+?0*\.?[0-2](?:\D|$)|opacity\(|"
    r"(?:opacity|size)\s*:\s*\+?0*\.\d|opacity\s*:[^;]*e-|size\s*:\s*[\d.]+%|"
    r"font\s*:[^;]*[\s:/]\+?0*\.?[0-2](?:[a-z%/.]|\s)|clip(?:-path)?\s*:|"
    r"-\d{3}|-[\d.]+(?:%|e|r|v|i|c|p[ct])|[\s:]\d{4}|scale|matrix|rotate[xy]|calc\(|"
    r"(?:display|visibility|opacity|size|indent|clip-path|left|top)\s*:[^;]*var\("
)
_ARGUMENT = re.compile(r"([a-z0-9]+)\(([^()]*)\)")
_OPACITY = re.compile(r"opacity\(\s*([\d.]{1,20})(%?)\s*\)")


class Hiding:
    """The ways in which a style hides a text: bits of a number."""

    BOX = 1
    VISIBILITY = 2
    OPACITY = 4
    FONT = 8
    INDENT = 16
    CLIP = 32
    SIZE = 64
    PLACE = 128
    MOVED = 256


#: The properties that decide about each way.
PROPERTIES_OF = {
    Hiding.BOX: ("display", "content-visibility"),
    Hiding.VISIBILITY: ("visibility",),
    Hiding.OPACITY: ("opacity", "filter", "transform", "transition", "animation"),
    Hiding.FONT: ("font-size",),
    Hiding.INDENT: ("text-indent", "white-space"),
    Hiding.CLIP: ("clip", "clip-path", "position", "transform", "transition", "animation"),
    Hiding.SIZE: (
        "overflow-x", "overflow-y", "width", "height", "max-width", "max-height", "min-width",
        "min-height", "padding-top", "padding-bottom", "zoom",
    ),
    Hiding.PLACE: ("position", "top", "right", "bottom", "left", "margin-top", "margin-left"),
    Hiding.MOVED: ("transform", "scale", "translate", "transition", "animation"),
}  # fmt: skip
#: Ways that take effect on all inside, until an element inside sets this property again.
INHERITED = {
    Hiding.VISIBILITY: "visibility", Hiding.FONT: "font-size", Hiding.INDENT: "text-indent",
}  # fmt: skip
#: Ways that pages use to keep a text for screen readers.
FOR_SCREEN_READERS = Hiding.CLIP | Hiding.SIZE | Hiding.PLACE
EVERY_WAY = sum(PROPERTIES_OF)


def ways_of(style: Style, among: int = EVERY_WAY) -> int:
    """Return all ways, of those given, in which these declarations hide a text; 0 for none."""
    found = 0
    for way, hides in _TESTS.items():
        if way & among and hides(style):
            found |= way
    return found


def relevant_to(style: Style) -> int:
    """Return the ways of hiding about which these declarations have a say."""
    return sum(way for way, names in PROPERTIES_OF.items() if not style.keys().isdisjoint(names))


@lru_cache(maxsize=8192)
def threats_of(written: str) -> int:
    """Return the ways in which declarations may hide, completed by what other rules may set."""
    if SUSPICIOUS.search(written.lower()) is None:
        return 0
    declared = read_declarations(written)
    style = declared.usual | declared.important
    by_variable = [name for name, value in style.items() if "var(" in value]
    if by_variable:
        return relevant_to(dict.fromkeys(by_variable, ""))
    whole = {"position": "absolute", "overflow-x": "hidden", "overflow-y": "hidden"} | style
    for name in ("position", "overflow-x", "overflow-y"):
        if whole[name] in ("static", "visible", "initial", "relative"):
            whole[name] = "absolute" if name == "position" else "hidden"
    return ways_of(whole)


def is_for_screen_readers(style: Style) -> bool:
    """Tell whether a style is the recipe by which pages write for screen readers: a cut-off pixel.

    position: absolute, a box of one pixel, overflow: hidden, and a clip or a margin of -1px.
    """
    get = style.get
    is_pixel = all(pixels(get(side)) == 1 for side in ("width", "height"))
    is_cut = get("overflow-x") == "hidden" == get("overflow-y")
    is_away = _is_clipped(style) or pixels(get("margin-left")) == -1
    return get("position") == "absolute" and is_pixel and is_cut and is_away


def _is_animated(style: Style) -> bool:
    """Tell whether a script will fade this in, as some site builders do with whole pages."""
    return any(
        style.get(name, "none") not in ("none", "")
        for name in ("transform", "transition", "animation")
    )


def _is_see_through(style: Style) -> bool:
    opacity = style.get("opacity")
    if opacity is not None and (share := pixels(opacity, 1.0)) is not None and is_faint(share):
        return not _is_animated(style)
    faded = _OPACITY.search(style.get("filter", ""))
    return faded is not None and is_faint(_number(faded[1]) / (100 if faded[2] else 1))


def _has_no_box(style: Style) -> bool:
    return style.get("display") == "none" or style.get("content-visibility") == "hidden"


def _is_invisible(style: Style) -> bool:
    return style.get("visibility") in ("hidden", "collapse")


def _is_tiny(style: Style) -> bool:
    size = pixels(style.get("font-size"), _FONT)
    return size is not None and size <= _SMALLEST_FONT


def _is_indented_away(style: Style) -> bool:
    return (pixels(style.get("text-indent")) or 0.0) <= -_FAR


def _is_clipped(style: Style) -> bool:
    if style.get("position") in ("absolute", "fixed") and leaves_nothing(style.get("clip", "")):
        return True
    path = style.get("clip-path", "")
    return bool(path) and leaves_nothing(path) and not _is_animated(style)


def _has_no_size(style: Style) -> bool:
    """Tell whether a box of a pixel or less cuts its text off; padding may enlarge the box."""
    if (zoom := pixels(style.get("zoom"), 1.0)) is not None and 0 < zoom < 0.1:
        return True
    for axis, side, least in (
        ("overflow-x", "width", "min-width"),
        ("overflow-y", "height", "min-height"),
    ):
        if style.get(axis) not in ("hidden", "clip", "scroll"):
            continue
        sizes = [pixels(style.get(name)) for name in (side, f"max-{side}")]
        if not any(size is not None and 0 <= size <= 1 for size in sizes):
            continue
        if (pixels(style.get(least)) or 0) > 1:
            continue
        padding = ("padding-top", "padding-bottom") if side == "height" else ()
        if not any((pixels(style.get(name)) or 0) > 1 for name in padding):
            return True
    return False


def _is_off_screen(style: Style) -> bool:
    if any((pixels(style.get(side)) or 0) <= -_FAR for side in ("margin-left", "margin-top")):
        return True
    if style.get("position") not in ("absolute", "fixed", "relative", "sticky"):
        return False
    for side in ("left", "right", "top", "bottom"):
        whole = SCREEN_HEIGHT if side in ("top", "bottom") else 1280.0
        place = pixels(style.get(side), whole) or 0
        if place <= -_FAR or (side in ("left", "bottom") and place >= _FAR_RIGHT):
            return True
    return False


def _is_moved_away(style: Style) -> bool:
    """Tell whether `transform`, `scale` or `translate` leaves nothing on the screen."""
    if _scales_to_nothing(style.get("scale", "").split()):
        return True
    if any((pixels(word) or 0) <= -_FAR for word in style.get("translate", "").split()):
        return True
    for name, inside in _ARGUMENT.findall(style.get("transform", "")):
        arguments = [word.strip() for word in inside.split(",")]
        if name.startswith("scale") and _scales_to_nothing(arguments):
            return not _has_transition(style)
        if name == "matrix" and _number(arguments[0]) == 0 == _number(arguments[-3:][0]):
            return True
        if name.startswith("translate") and any(
            (pixels(word, 0) or 0) <= -_FAR for word in arguments
        ):
            return True
        if name in ("rotatex", "rotatey") and arguments[0] in ("90deg", "-90deg", "270deg"):
            return not _has_transition(style)
    return False


def _has_transition(style: Style) -> bool:
    return any(style.get(name, "none") not in ("none", "") for name in ("transition", "animation"))


def _scales_to_nothing(numbers: list[str]) -> bool:
    return any(-0.01 <= _number(number) <= 0.01 for number in numbers if number)


def _number(word: str) -> float:
    """Return a number, 1 for what is none."""
    try:
        return float(word)
    except ValueError:
        return 1.0


_TESTS: dict[int, Callable[[Style], bool]] = {
    Hiding.BOX: _has_no_box,
    Hiding.VISIBILITY: _is_invisible,
    Hiding.OPACITY: _is_see_through,
    Hiding.FONT: _is_tiny,
    Hiding.INDENT: _is_indented_away,
    Hiding.CLIP: _is_clipped,
    Hiding.SIZE: _has_no_size,
    Hiding.PLACE: _is_off_screen,
    Hiding.MOVED: _is_moved_away,
}
