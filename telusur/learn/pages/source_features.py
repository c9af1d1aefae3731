"""Features of the source system's network: tag path and CSS of a block, not its text."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from telusur.arrays import Floats
from telusur.extract.style.colours import Colour, parse_colour
from telusur.learn.pages.styles import PageStyles, pixels
from telusur.models import Block

# fmt: off
TAGS = (
    "a", "address", "article", "aside", "b", "blockquote", "body", "button", "caption", "center",
    "code", "dd", "details", "dialog", "div", "dl", "dt", "em", "fieldset", "figcaption", "figure",
    "font", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "html", "i",
    "label", "legend", "li", "main", "menu", "nav", "noscript", "ol", "option", "p", "pre",
    "search", "section", "small", "span", "strong", "summary", "table", "tbody", "td", "tfoot",
    "th", "thead", "time", "tr", "ul",
)
_CHOICES: dict[str, tuple[str, ...]] = {
    "display": ("block", "inline", "inline-block", "flex", "grid", "list-item", "table",
                "table-cell", "table-row", "none"),
    "position": ("static", "relative", "absolute", "fixed", "sticky"),
    "float": ("none", "left", "right"),
    "text-align": ("left", "center", "right", "justify"),
    "text-transform": ("none", "uppercase", "capitalize"),
    "white-space": ("normal", "nowrap", "pre"),
    "list-style-type": ("none", "disc", "decimal"),
    "overflow": ("visible", "hidden", "auto"),
    "cursor": ("auto", "pointer"),
    "font-style": ("normal", "italic"),
    "visibility": ("visible", "hidden"),
}
_LENGTHS = (
    "margin-top", "margin-bottom", "margin-left", "margin-right", "padding-top", "padding-bottom",
    "padding-left", "padding-right", "border-top-width", "border-bottom-width", "letter-spacing",
    "text-indent",
)
# fmt: on
_SAME = {
    "start": "left",
    "-webkit-left": "left",
    "end": "right",
    "-webkit-center": "center",
    "inline-flex": "flex",
    "inline-grid": "grid",
    "flow-root": "block",
    "oblique": "italic",
    "pre-wrap": "pre",
    "pre-line": "pre",
    "clip": "hidden",
    "scroll": "auto",
}  # fmt: skip
_PLACES = {tag: place for place, tag in enumerate(TAGS)}
_BLACK: Colour = (0, 0, 0)
_FARTHEST = 4.0  # one extreme number in a style sheet must not dominate the others

PATH_WIDTH = 2 * len(TAGS) + 2
CSS_WIDTH = sum(map(len, _CHOICES.values())) + len(_LENGTHS) + 14


def source_features(blocks: Sequence[Block], styles: PageStyles) -> Floats:
    """Return a row for each block: first PATH_WIDTH numbers for its tag path, then its CSS."""
    if not blocks:
        return np.zeros((0, PATH_WIDTH + CSS_WIDTH), np.float32)
    return np.stack(
        [np.concatenate((path_features(block.tag_path), css_features(styles.style_of(block))))
         for block in blocks]
    )  # fmt: skip


@lru_cache(maxsize=20_000)
def path_features(tag_path: str) -> Floats:
    """Return how often each tag is on the path, which is the last, the depth, and unknown tags."""
    row = np.zeros(PATH_WIDTH, np.float32)
    tags = tag_path.split("/")
    for tag in tags:
        row[_PLACES.get(tag, PATH_WIDTH - 1)] += 1
    if tags[-1] in _PLACES:
        row[len(TAGS) + _PLACES[tags[-1]]] = 1
    row[: len(TAGS)] = np.log2(1 + row[: len(TAGS)])
    row[-2] = len(tags) / 16
    return row


def css_features(css: Mapping[str, str]) -> Floats:
    """Return the look of a block as numbers, from computed or approximated styles."""
    row: list[float] = []
    for name, choices in _CHOICES.items():
        given = (css.get(name) or css.get(f"{name}-x", choices[0])).split(" ")[0]
        value = _SAME.get(given, given)
        row += [float(value == choice) for choice in choices]
    size = min(1000.0, pixels(css.get("font-size"), default=16.0)) or 1.0
    row += [min(2.0, pixels(css.get(name), size) / 40) for name in _LENGTHS]
    row += [np.log2(max(size, 1) / 16), _weight(css) / 400 - 1, _line_height(css, size)]
    row += _colours(css)
    row += [_number(css.get("opacity"), 1.0), min(2.0, pixels(css.get("width")) / 1000)]
    row.append(
        float("underline" in css.get("text-decoration", css.get("text-decoration-line", "")))
    )
    found: Floats = np.clip(np.array(row), -_FARTHEST, _FARTHEST).astype(np.float32)
    return found


def _colours(css: Mapping[str, str]) -> list[float]:
    """Return red, green, blue and colourfulness of the text, and what is behind it."""
    text = parse_colour(css.get("color", "")) or _BLACK
    behind = parse_colour(css.get("background-color", ""))
    row = [part / 255 for part in text] + [(max(text) - min(text)) / 255]
    if behind is None:
        return [*row, 0.0, 0.0, 0.0, 0.0]
    return [*row, 1.0, *(part / 255 for part in behind)]


def _weight(css: Mapping[str, str]) -> float:
    return _number(css.get("font-weight"), 400.0)


def _line_height(css: Mapping[str, str], size: float) -> float:
    value = css.get("line-height", "normal")
    ratio = _number(value, 0.0) or pixels(value, size, 0.0, relative_to=size) / size
    return ratio or 1.2


def _number(value: str | None, default: float) -> float:
    try:
        return min(1000.0, max(0.0, float(value or "")))
    except ValueError:
        return default
