import pytest

from telusur.extract.page.css import MAX_SELECTORS, parse_colour, parse_sheet, style_hides


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "DISPLAY : NONE !important",
        "visibility:collapse",
        "opacity:0.0",
        "font-size:0px",
        "text-indent:-999em",
        "position:fixed;top:-2000px",
        "margin-left:-9999px",
        "height:0;overflow:hidden",
        "position:absolute;clip-path:inset(50%)",
        "position:absolute;clip:rect(0 0 0 0)",
        "position:absolute;clip:rect(0,0,0,0)",
        "position:fixed;clip:rect(1px, 1px, 1px, 1px)",
        "position:absolute;clip:rect(0px 1px 1px 0px)",
        "clip-path:inset(50%)",
        "clip-path:inset(0 100% 0 0)",
        "clip-path:inset(60% 0 40%)",
        "-webkit-clip-path:inset(100% round 4px)",
        "clip-path:circle(0)",
        "clip-path:circle(0px at 50% 50%)",
        "clip-path:ellipse(0 0)",
        "clip-path:polygon(0 0, 0 0, 0 0, 0 0)",
        "color:red;background-color:#f00",
        "color:#FFF;background:white",
    ],
)
def test_hiding_styles(style):
    assert style_hides(style)


@pytest.mark.parametrize(
    "style",
    [
        "",
        "display:block",
        "opacity:0.5",
        "opacity:0;transform:translateY(20px)",
        "font-size:10px",
        "position:absolute;left:-20px",
        "height:0",
        "overflow:hidden;width:100%",
        "color:red;background:blue",
        "color:inherit;background:inherit",
        "background:url(none.png)",
        ":;::none",
        "margin-left:-20px",
        "clip:rect(0 0 0 0)",
        "position:absolute;clip:rect(0 90px 90px 0)",
        "position:absolute;clip:rect(auto auto auto auto)",
        "clip-path:none",
        "clip-path:inset(10% round 8px)",
        "clip-path:inset(60px)",
        "clip-path:inset(100%);transition:clip-path 1s",
        "clip-path:circle(50%)",
        "clip-path:polygon(0 0, 100% 0, 100% 90%)",
        "clip-path:url(#wave)",
        "clip-path:circle()",
        "clip-path:inset(.)",
    ],
)
def test_styles_that_show(style):
    assert not style_hides(style)


@pytest.mark.parametrize(
    "text", ["white", "#fff", "#FFFFFF", "rgb(255, 255, 255)", "rgba(255 255 255)"]
)
def test_ways_to_write_white(text):
    assert parse_colour(text) == (255, 255, 255)


@pytest.mark.parametrize(
    "text", ["", "inherit", "#ff", "rgba(0,0,0,0.5)", "var(--x)", "transparent"]
)
def test_no_plain_colour(text):
    assert parse_colour(text) is None


def test_sheet_sorts_rules_by_what_they_do():
    sheet = parse_sheet(
        "@import 'x.css'; .a, p#b { display:none } .c .d { display:none } a:hover { display:none }"
        "@media screen { .e { display:none } .a { display:block } }"
        ".f { color:#fff; background:#000 }"
    )
    assert list(sheet.hidden) == [".a", "p#b"]
    assert list(sheet.shown) == [".a"]
    assert sheet.colours == {".f": (255, 255, 255)}
    assert sheet.backgrounds == {".f": (0, 0, 0)}


@pytest.mark.parametrize("text", ["}}}{{{", "a{", "/*", "@media{", "{}{}", "a{display:none", ";;;"])
def test_broken_sheets_hide_nothing(text):
    assert not parse_sheet(text).hidden


def test_selectors_are_bounded():
    text = "".join(f".a{number}{{display:none}}" for number in range(2 * MAX_SELECTORS))
    assert len(parse_sheet(text).hidden) == MAX_SELECTORS


def test_a_sheet_that_never_closes_takes_no_longer_than_one_that_does():
    assert parse_sheet(".a{display:none}.b{src:" + "x" * 49_000).hidden == {".a": None}
    assert parse_sheet("x" * 50_000).hidden == {}
