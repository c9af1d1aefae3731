"""Colours in every notation of CSS, and whether a text can be told from what is behind it."""

import math
import re
from collections.abc import Callable, Iterable
from functools import lru_cache

Colour = tuple[int, int, int]
#: A colour and how opaque it is, 0 to 1.
Paint = tuple[Colour, float]

# Below this contrast (WCAG 2) nobody reads a text; #eee on white has 1.16. Colours of the same
# brightness and another hue are easily told apart, so the channels must be near each other too.
_LEAST_CONTRAST = 1.2
_LEAST_DIFFERENCE = 40
_FAINT = 0.05

_HEX = re.compile(r"#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_FUNCTION = re.compile(r"(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(([^()]*)\)")
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?)(%|deg|grad|rad|turn)?")
_TURNS = {"deg": 1.0, "": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}

# fmt: off
_NAMED = {
    "aliceblue": 0xF0F8FF, "antiquewhite": 0xFAEBD7, "aqua": 0x00FFFF, "aquamarine": 0x7FFFD4,
    "azure": 0xF0FFFF, "beige": 0xF5F5DC, "bisque": 0xFFE4C4, "black": 0x000000,
    "blanchedalmond": 0xFFEBCD, "blue": 0x0000FF, "blueviolet": 0x8A2BE2, "brown": 0xA52A2A,
    "burlywood": 0xDEB887, "cadetblue": 0x5F9EA0, "canvas": 0xFFFFFF, "canvastext": 0x000000,
    "chartreuse": 0x7FFF00, "chocolate": 0xD2691E, "coral": 0xFF7F50, "cornflowerblue": 0x6495ED,
    "cornsilk": 0xFFF8DC, "crimson": 0xDC143C, "cyan": 0x00FFFF, "darkblue": 0x00008B,
    "darkcyan": 0x008B8B, "darkgoldenrod": 0xB8860B, "darkgray": 0xA9A9A9, "darkgreen": 0x006400,
    "darkgrey": 0xA9A9A9, "darkkhaki": 0xBDB76B, "darkmagenta": 0x8B008B,
    "darkolivegreen": 0x556B2F, "darkorange": 0xFF8C00, "darkorchid": 0x9932CC, "darkred": 0x8B0000,
    "darksalmon": 0xE9967A, "darkseagreen": 0x8FBC8F, "darkslateblue": 0x483D8B,
    "darkslategray": 0x2F4F4F, "darkslategrey": 0x2F4F4F, "darkturquoise": 0x00CED1,
    "darkviolet": 0x9400D3, "deeppink": 0xFF1493, "deepskyblue": 0x00BFFF, "dimgray": 0x696969,
    "dimgrey": 0x696969, "dodgerblue": 0x1E90FF, "firebrick": 0xB22222, "floralwhite": 0xFFFAF0,
    "forestgreen": 0x228B22, "fuchsia": 0xFF00FF, "gainsboro": 0xDCDCDC, "ghostwhite": 0xF8F8FF,
    "gold": 0xFFD700, "goldenrod": 0xDAA520, "gray": 0x808080, "green": 0x008000,
    "greenyellow": 0xADFF2F, "grey": 0x808080, "honeydew": 0xF0FFF0, "hotpink": 0xFF69B4,
    "indianred": 0xCD5C5C, "indigo": 0x4B0082, "ivory": 0xFFFFF0, "khaki": 0xF0E68C,
    "lavender": 0xE6E6FA, "lavenderblush": 0xFFF0F5, "lawngreen": 0x7CFC00,
    "lemonchiffon": 0xFFFACD, "lightblue": 0xADD8E6, "lightcoral": 0xF08080, "lightcyan": 0xE0FFFF,
    "lightgoldenrodyellow": 0xFAFAD2, "lightgray": 0xD3D3D3, "lightgreen": 0x90EE90,
    "lightgrey": 0xD3D3D3, "lightpink": 0xFFB6C1, "lightsalmon": 0xFFA07A,
    "lightseagreen": 0x20B2AA, "lightskyblue": 0x87CEFA, "lightslategray": 0x778899,
    "lightslategrey": 0x778899, "lightsteelblue": 0xB0C4DE, "lightyellow": 0xFFFFE0,
    "lime": 0x00FF00, "limegreen": 0x32CD32, "linen": 0xFAF0E6, "magenta": 0xFF00FF,
    "maroon": 0x800000, "mediumaquamarine": 0x66CDAA, "mediumblue": 0x0000CD,
    "mediumorchid": 0xBA55D3, "mediumpurple": 0x9370DB, "mediumseagreen": 0x3CB371,
    "mediumslateblue": 0x7B68EE, "mediumspringgreen": 0x00FA9A, "mediumturquoise": 0x48D1CC,
    "mediumvioletred": 0xC71585, "midnightblue": 0x191970, "mintcream": 0xF5FFFA,
    "mistyrose": 0xFFE4E1, "moccasin": 0xFFE4B5, "navajowhite": 0xFFDEAD, "navy": 0x000080,
    "oldlace": 0xFDF5E6, "olive": 0x808000, "olivedrab": 0x6B8E23, "orange": 0xFFA500,
    "orangered": 0xFF4500, "orchid": 0xDA70D6, "palegoldenrod": 0xEEE8AA, "palegreen": 0x98FB98,
    "paleturquoise": 0xAFEEEE, "palevioletred": 0xDB7093, "papayawhip": 0xFFEFD5,
    "peachpuff": 0xFFDAB9, "peru": 0xCD853F, "pink": 0xFFC0CB, "plum": 0xDDA0DD,
    "powderblue": 0xB0E0E6, "purple": 0x800080, "rebeccapurple": 0x663399, "red": 0xFF0000,
    "rosybrown": 0xBC8F8F, "royalblue": 0x4169E1, "saddlebrown": 0x8B4513, "salmon": 0xFA8072,
    "sandybrown": 0xF4A460, "seagreen": 0x2E8B57, "seashell": 0xFFF5EE, "sienna": 0xA0522D,
    "silver": 0xC0C0C0, "skyblue": 0x87CEEB, "slateblue": 0x6A5ACD, "slategray": 0x708090,
    "slategrey": 0x708090, "snow": 0xFFFAFA, "springgreen": 0x00FF7F, "steelblue": 0x4682B4,
    "tan": 0xD2B48C, "teal": 0x008080, "thistle": 0xD8BFD8, "tomato": 0xFF6347,
    "turquoise": 0x40E0D0, "violet": 0xEE82EE, "wheat": 0xF5DEB3, "white": 0xFFFFFF,
    "whitesmoke": 0xF5F5F5, "yellow": 0xFFFF00, "yellowgreen": 0x9ACD32,
}
# fmt: on


def parse_colour(value: str) -> Colour | None:
    """Return red, green and blue of an opaque colour; None for others and for what is none."""
    paint = parse_paint(value)
    return paint[0] if paint is not None and paint[1] == 1 else None


@lru_cache(maxsize=4096)
def parse_paint(value: str) -> Paint | None:
    """Return a colour with its opacity; None for what is no colour by itself."""
    value = value.strip().lower()
    if (named := _NAMED.get(value)) is not None:
        return ((named >> 16, named >> 8 & 255, named & 255), 1.0)
    if value == "transparent":
        return ((0, 0, 0), 0.0)
    if match := _HEX.fullmatch(value):
        digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
        red, green, blue, *rest = bytes.fromhex(digits)
        return ((red, green, blue), rest[0] / 255 if rest else 1.0)
    if match := _FUNCTION.fullmatch(value):
        return _parse_function(match[1], match[2])
    return None


def is_faint(opacity: float) -> bool:
    """Tell whether nobody sees what has this opacity."""
    return opacity <= _FAINT


@lru_cache(maxsize=4096)
def is_lost(text: Paint, background: Colour) -> bool:
    """Tell whether a text of this colour cannot be told from the background."""
    (red, green, blue), opacity = text
    seen = tuple(
        opacity * own + (1 - opacity) * behind
        for own, behind in zip((red, green, blue), background, strict=True)
    )
    if max(abs(own - behind) for own, behind in zip(seen, background, strict=True)) > (
        _LEAST_DIFFERENCE
    ):
        return False
    lighter, darker = sorted((_luminance(seen), _luminance(background)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05) < _LEAST_CONTRAST


def is_like_any(paint: Paint, backgrounds: Iterable[Colour]) -> bool:
    """Tell whether a text of this colour cannot be told from one of these backgrounds."""
    (red, green, blue), opacity = paint
    if is_faint(opacity):
        return True
    for each in backgrounds:
        if opacity == 1 and (
            abs(red - each[0]) > _LEAST_DIFFERENCE
            or abs(green - each[1]) > _LEAST_DIFFERENCE
            or abs(blue - each[2]) > _LEAST_DIFFERENCE
        ):
            continue  # surely not
        if is_lost(paint, each):
            return True
    return False


def blend(behind: Colour | None, over: list[Paint]) -> Colour | None:
    """Return the colour of a background below half transparent ones."""
    for colour, opacity in reversed(over):
        if behind is None:
            return None
        red, green, blue = (
            round(opacity * own + (1 - opacity) * below)
            for own, below in zip(colour, behind, strict=True)
        )
        behind = (red, green, blue)
    return behind


def _luminance(colour: tuple[float, ...]) -> float:
    """Return the relative luminance of WCAG 2."""
    linear = [
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _parse_function(name: str, inside: str) -> Paint | None:
    words = inside.replace(",", " ").replace("/", " ").split()
    if name == "color":
        if not words or words.pop(0) not in ("srgb", "display-p3"):
            return None
        name = "color"
    parts = [_NUMBER.fullmatch("0" if word == "none" else word) for word in words]
    if len(parts) not in (3, 4) or None in parts:
        return None
    numbers = [(float(part[1]), part[2] or "") for part in parts if part is not None]
    opacity = _share(*numbers[3]) if len(numbers) == 4 else 1.0
    if not all(math.isfinite(number) for number, _ in numbers):
        return None
    red, green, blue = _SPACES[name.rstrip("a") if name in ("rgba", "hsla") else name](
        *(_Part(*number) for number in numbers[:3])
    )
    return ((_byte(red), _byte(green), _byte(blue)), min(max(opacity, 0.0), 1.0))


class _Part(tuple[float, str]):
    """A number of a colour and its unit."""

    __slots__ = ()

    def __new__(cls, number: float, unit: str) -> "_Part":
        return super().__new__(cls, (number, unit))

    def of(self, whole: float) -> float:
        """Return the number; a percentage as its share of the whole."""
        number, unit = self
        return number * whole / 100 if unit == "%" else number

    @property
    def degrees(self) -> float:
        """Return the number as an angle."""
        number, unit = self
        return number * _TURNS.get(unit, 1.0) % 360


def _share(number: float, unit: str) -> float:
    return number / 100 if unit == "%" else number


def _byte(share: float) -> int:
    return round(255 * min(max(share, 0.0), 1.0))


Shares = tuple[float, float, float]


def _from_rgb(red: _Part, green: _Part, blue: _Part) -> Shares:
    return red.of(255) / 255, green.of(255) / 255, blue.of(255) / 255


def _from_srgb(red: _Part, green: _Part, blue: _Part) -> Shares:
    return red.of(1), green.of(1), blue.of(1)


def _from_hsl(hue: _Part, saturation: _Part, lightness: _Part) -> Shares:
    light, much = lightness[0] / 100, saturation[0] / 100
    spread = much * min(light, 1 - light)

    def part(offset: int) -> float:
        at = (offset + hue.degrees / 30) % 12
        return light - spread * max(-1.0, min(at - 3, 9 - at, 1.0))

    return part(0), part(8), part(4)


def _from_hwb(hue: _Part, whiteness: _Part, blackness: _Part) -> Shares:
    white, black = whiteness[0] / 100, blackness[0] / 100
    if white + black >= 1:
        grey = white / (white + black)
        return grey, grey, grey
    red, green, blue = _from_hsl(hue, _Part(100, "%"), _Part(50, "%"))
    keep = 1 - white - black
    return red * keep + white, green * keep + white, blue * keep + white


def _from_lab(lightness: _Part, a: _Part, b: _Part) -> Shares:
    return _lab(lightness.of(100), a.of(125), b.of(125))


def _from_lch(lightness: _Part, chroma: _Part, hue: _Part) -> Shares:
    angle, much = math.radians(hue.degrees), chroma.of(150)
    return _lab(lightness.of(100), much * math.cos(angle), much * math.sin(angle))


def _from_oklab(lightness: _Part, a: _Part, b: _Part) -> Shares:
    return _oklab(lightness.of(1), a.of(0.4), b.of(0.4))


def _from_oklch(lightness: _Part, chroma: _Part, hue: _Part) -> Shares:
    angle, much = math.radians(hue.degrees), chroma.of(0.4)
    return _oklab(lightness.of(1), much * math.cos(angle), much * math.sin(angle))


def _lab(light: float, a: float, b: float) -> Shares:
    """Convert CIE Lab under D50 (CSS Color 4, section 9.3) to sRGB."""
    middle = (light + 16) / 116
    x, y, z = (
        part**3 if part**3 > 216 / 24389 else (116 * part - 16) * 27 / 24389
        for part in (middle + a / 500, middle, middle - b / 200)
    )
    x, z = x * 0.96422, z * 0.82521
    return _gamma(
        3.1341359 * x - 1.6173863 * y - 0.4906619 * z,
        -0.9787955 * x + 1.9162543 * y + 0.0334427 * z,
        0.0719554 * x - 0.2289768 * y + 1.4053860 * z,
    )


def _oklab(light: float, a: float, b: float) -> Shares:
    """Convert Oklab (CSS Color 4, section 9.3) to sRGB."""
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return _gamma(
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )


def _gamma(*linear: float) -> Shares:
    red, green, blue = (
        12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055 for part in linear
    )
    return red, green, blue


_SPACES: dict[str, Callable[[_Part, _Part, _Part], Shares]] = {
    "rgb": _from_rgb, "hsl": _from_hsl, "hwb": _from_hwb, "lab": _from_lab, "lch": _from_lch,
    "oklab": _from_oklab, "oklch": _from_oklch, "color": _from_srgb,
}  # fmt: skip
