"""CSS clips that hide an element completely."""

import re

_SHAPE = re.compile(r"(rect|inset|circle|ellipse|polygon)\(([^()]*)\)")
_LENGTH = re.compile(r"(-?[\d.]{1,20})(px|em|rem|pt|%)?")
_PIXELS_OF = {"em": 16.0, "rem": 16.0, "pt": 4 / 3}
_WHOLE = 100


def leaves_nothing(clip: str) -> bool:
    """Tell whether a `clip` or `clip-path`, in lower case, shows one pixel at most."""
    match = _SHAPE.match(clip)
    if match is None:
        return False
    shape, inside = match.groups()
    if shape == "polygon":
        return len({tuple(point.split()) for point in inside.split(",")}) < 3
    # Both commas and spaces separate lengths; position and rounding follow.
    words = re.split(r" at | round ", f"{inside} ")[0].replace(",", " ").split()
    lengths = [_length(word) for word in words]
    if not lengths or None in lengths:
        return False
    sizes = [size for size in lengths if size is not None]
    if shape == "rect":
        return len(sizes) == 4 and _is_thin([size for size, _ in sizes])
    if shape == "inset":
        return all(unit == "%" or size == 0 for size, unit in sizes) and _meets(sizes)
    return any(size <= 0 for size, _ in sizes)


def _is_thin(sides: list[float]) -> bool:
    """Tell whether top, right, bottom and left leave a line, or less."""
    top, right, bottom, left = sides
    return right - left <= 1 or bottom - top <= 1


def _meets(sizes: list[tuple[float, str]]) -> bool:
    """Tell whether the cuts from two opposite sides meet."""
    sides = [size for size, _ in sizes][:4]
    top, right, *rest = sides if len(sides) > 1 else sides * 2
    bottom = rest[0] if rest else top
    left = rest[1] if len(rest) > 1 else right
    return top + bottom >= _WHOLE or left + right >= _WHOLE


def _length(word: str) -> tuple[float, str] | None:
    match = _LENGTH.fullmatch(word)
    try:
        number = float(match[1]) if match else None
    except ValueError:
        number = None
    if match is None or number is None:
        return None
    unit = match[2] or ""
    return number * _PIXELS_OF.get(unit, 1.0), unit
