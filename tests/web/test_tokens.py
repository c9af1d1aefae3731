"""The colours are readable: WCAG 2 contrast AA, in light and in dark."""

import re

import pytest

from telusur.web.frame.render import STATIC_FOLDER

CSS = (STATIC_FOLDER / "css" / "tokens.css").read_text()
LIGHT, _, DARK = CSS.partition("@media (prefers-color-scheme: dark)")
TEXT_ON = [
    ("ink", "paper"), ("ink", "surface"), ("ink", "surface-sunk"), ("ink", "accent-soft"),
    ("ink-quiet", "paper"), ("ink-quiet", "surface"), ("ink-quiet", "surface-sunk"),
    ("link", "paper"), ("link", "surface"), ("link", "accent-soft"), ("link-visited", "paper"),
    ("accent-ink", "accent"), ("mark-ink", "mark"), ("accent", "paper"),
]  # fmt: skip
SHAPES_ON = [("line-strong", "surface"), ("accent", "surface"), ("state-done", "surface"),
             ("state-failed", "surface"), ("state-skipped", "surface")]  # fmt: skip


def colours(css):
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", css))


def luminance(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("css", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), TEXT_ON)
def test_text_is_readable(css, front, back):
    known = colours(css)
    assert contrast(known[front], known[back]) >= 4.5


@pytest.mark.parametrize("css", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), SHAPES_ON)
def test_shapes_are_visible(css, front, back):
    known = colours(css)
    assert contrast(known[front], known[back]) >= 3


def test_only_the_tokens_and_the_printer_name_colours():
    for sheet in (STATIC_FOLDER / "css").glob("*.css"):
        if sheet.stem not in ("tokens", "print"):
            assert not re.search(r"#[0-9a-f]{3,8}\b|rgb|hsl", sheet.read_text()), sheet
