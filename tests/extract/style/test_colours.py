import pytest

from telusur.extract.style.colours import is_lost, parse_colour, parse_paint

WHITE = (255, 255, 255)


@pytest.mark.parametrize(
    "text",
    [
        "white", "#fff", "#FFFFFF", "#ffff", "#ffffffff", "rgb(255, 255, 255)", "rgba(255 255 255)",
        "rgb(100% 100% 100%)", "rgb(255 255 255 / 100%)", "hsl(0 0% 100%)", "hsla(120,50%,100%,1)",
        "hwb(90 100% 0%)", "hwb(90deg 80% 0% / 1)".replace("80%", "100%"), "lab(100 0 0)",
        "lch(100% 0 none)", "oklab(100% 0 0)", "oklch(1 0 .5turn)", "color(srgb 1 1 1)", "Canvas",
    ],
)  # fmt: skip
def test_ways_to_write_white(text):
    assert parse_colour(text) == WHITE


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("hsl(120deg 100% 25%)", (0, 128, 0)),
        ("hsl(-240 100% 25%)", (0, 128, 0)),
        ("hwb(0 50% 50%)", (128, 128, 128)),
        ("hwb(240 0% 0%)", (0, 0, 255)),
        ("oklch(0.628 0.2577 29.23)", (255, 0, 0)),
        ("lab(54.29 80.8 69.9)", (255, 0, 0)),
        ("rebeccapurple", (102, 51, 153)),
    ],
)
def test_colours_that_are_known(text, colour):
    found = parse_colour(text)
    assert found is not None
    assert all(abs(a - b) <= 2 for a, b in zip(found, colour, strict=True))


@pytest.mark.parametrize(
    "text", ["", "inherit", "#ff", "#fffff", "rgba(0,0,0,0.5)", "var(--x)", "transparent",
             "rgb(1,2)",
             "color(xyz 1 1 1)", "rgb(1e999 0 0)", "hsl(0 0 0 0 0)", "rgb(a b c)"]
)  # fmt: skip
def test_no_plain_colour(text):
    assert parse_colour(text) is None


def test_opacity():
    assert parse_paint("rgb(0 0 0 / 50%)") == ((0, 0, 0), 0.5)
    assert parse_paint("transparent") == ((0, 0, 0), 0.0)
    assert parse_paint("#0000") == ((0, 0, 0), 0.0)


@pytest.mark.parametrize(
    ("text", "background", "lost"),
    [
        ("#fff", "#fff", True),
        ("#fefefe", "#fff", True),
        ("#eee", "#fff", True),
        ("#ddd", "#fff", False),
        ("#999", "#fff", False),
        ("#111", "#000", True),
        ("#333", "#000", False),
        ("rgba(0,0,0,.04)", "#fff", True),
        ("rgba(0,0,0,.6)", "#fff", False),
        # The same brightness, and easily told apart.
        ("#7f7fff", "#8c8c8c", False),
    ],
)
def test_who_reads_this(text, background, lost):
    paint, behind = parse_paint(text), parse_colour(background)
    assert paint is not None
    assert behind is not None
    assert is_lost(paint, behind) is lost
