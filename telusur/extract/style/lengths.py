"""Lengths of CSS in pixels, as far as they decide whether a text is on the screen."""

import math
import re
from functools import lru_cache

# A screen as most readers have it; the exact size does not matter.
SCREEN_WIDTH, SCREEN_HEIGHT = 1280.0, 800.0
_PIXELS_OF = {
    "": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945,
    "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "lh": 20.0, "rlh": 20.0,
    "vw": SCREEN_WIDTH / 100, "vh": SCREEN_HEIGHT / 100, "vmin": SCREEN_HEIGHT / 100,
    "vmax": SCREEN_WIDTH / 100, "vi": SCREEN_WIDTH / 100, "vb": SCREEN_HEIGHT / 100,
    "svw": SCREEN_WIDTH / 100, "lvw": SCREEN_WIDTH / 100, "dvw": SCREEN_WIDTH / 100,
    "svh": SCREEN_HEIGHT / 100, "lvh": SCREEN_HEIGHT / 100, "dvh": SCREEN_HEIGHT / 100,
}  # fmt: skip
_LENGTH = re.compile(r"([+-]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:e[+-]?\d{1,2})?)([a-z]{0,5}|%)")
_CALC = re.compile(r"calc\(([^()]*)\)")
_TERM = re.compile(r"(^|\s[+-]\s)\s*([^\s]+)")


@lru_cache(maxsize=4096)
def pixels(value: str | None, whole: float = SCREEN_WIDTH) -> float | None:
    """Return a length in pixels; a percentage as its share of the whole. None: it is no length."""
    if not value:
        return None
    if match := _CALC.fullmatch(value):
        return _sum(match[1], whole)
    match = _LENGTH.fullmatch(value)
    if match is None:
        return None
    unit = whole / 100 if match[2] == "%" else _PIXELS_OF.get(match[2])
    if unit is None:
        return None
    length = float(match[1]) * unit
    return length if math.isfinite(length) else None


def _sum(inside: str, whole: float) -> float | None:
    """Return a sum of lengths; other calculations are not followed."""
    total = 0.0
    end = 0
    inside = inside.strip()
    for term in _TERM.finditer(inside):
        length = pixels(term[2], whole) if "(" not in term[2] else None
        if length is None or term.start() != end:
            return None
        total += -length if "-" in term[1] else length
        end = term.end()
    return total if end and end == len(inside) else None
