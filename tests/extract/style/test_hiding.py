import pytest

from telusur.extract.style.declarations import read_declarations
from telusur.extract.style.hiding import is_for_screen_readers, threats_of, ways_of


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
    ],
)
def test_hiding_styles(style):
    assert ways_of(_read(style))
    assert threats_of(style)


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
    assert not ways_of(_read(style))


@pytest.mark.parametrize(
    "style",
    [
        "position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden",
        "position:absolute!important;width:1px;height:1px;overflow:hidden;clip:rect(1px,1px,1px,1px)",
    ],
)
def test_the_recipe_for_screen_readers(style):
    assert is_for_screen_readers(_read(style))
    assert not is_for_screen_readers(_read(style.replace("width:1px", "width:0")))


def test_no_style_that_hides_passes_the_first_look():
    assert not threats_of("margin:0;padding:0;border:0;list-style:none;overflow:hidden")
    assert threats_of("left:-999px")  # together with a position
    assert threats_of("display:var(--x)")


def test_numbers_beyond_all_bounds():
    assert not ways_of(_read("left:-1px;position:absolute;opacity:1e999"))
    assert not ways_of(_read("transform:scale(" + "9" * 400 + ")"))


def _read(style: str) -> dict[str, str]:
    declared = read_declarations(style)
    return declared.usual | declared.important
