import pytest

from telusur.learn.pages.styles import PageStyles, pixels
from telusur.models import Block

SHEET = """<style media=screen>
/* a comment { */ .text p { font-size: 20px; margin: 1em 2em }
#main > p.lead { color: red } div p { color: blue } p { color: #00ff00 }
h1, .big { font: italic bold 40px/1.2 serif } p:hover { color: white }
@media print { p { display: none } } .later { padding: 1px 2px 3px }
.note { background: url(x.png) #eee; color: var(--ink) }
</style><style media=print>p { display: none }</style>"""
STYLES = PageStyles(SHEET)


def look(selectors: str, style: str = "") -> dict[str, str]:
    parts = selectors.split(" > ")
    tags = "/".join(part.split(".")[0].split("#")[0] for part in parts)
    classes = " ".join(parts[-1].split(".")[1:])
    return STYLES.style_of(
        Block("x", tag_path=tags, selectors=selectors, classes=classes, style=style)
    )


def test_a_page_without_rules_looks_as_browsers_show_it():
    styles = PageStyles("")
    heading = styles.style_of(Block("x", tag_path="html/body/h1"))
    assert (heading["display"], heading["font-size"], heading["font-weight"]) == (
        "block", "32px", "700",
    )  # fmt: skip
    assert heading["margin-top"] == "21.44px"
    assert styles.style_of(Block("x", tag_path="html/body/ul/li"))["list-style-type"] == "disc"
    assert styles.style_of(Block("x", tag_path="html/body/x-card"))["display"] == "inline"


def test_rules_reach_what_their_selectors_name():
    inside = look("html > body > div.text.wide > section > p")
    assert inside["font-size"] == "20px"
    assert (inside["margin-top"], inside["margin-left"]) == ("20px", "40px")
    assert look("html > body > p")["font-size"] == "16px"


def test_the_more_exact_rule_wins_then_the_later():
    assert look("html > body > div#main > p.lead")["color"] == "red"
    assert look("html > body > div#main > section > p.lead")["color"] == "blue"
    assert look("html > body > p.lead")["color"] == "#00ff00"


def test_what_is_inherited_goes_down_and_sizes_are_relative_to_the_parent():
    big = look("html > body > div.big > span")
    assert (big["font-size"], big["font-style"], big["font-weight"]) == ("40px", "italic", "700")
    assert look("html > body > div.big > h2")["font-size"] == "60px"
    assert "padding-left" not in look("html > body > div.later > div")


def test_short_hands_are_written_out():
    later = look("html > body > div.later")
    sides = [later[f"padding-{side}"] for side in ("top", "right", "bottom", "left")]
    assert sides == ["1px", "2px", "3px", "2px"]
    note = look("html > body > div.note")
    assert note["background-color"] == "#eee"
    assert note["color"] == "rgb(0, 0, 0)"


def test_rules_for_paper_and_for_a_moment_do_not_count():
    paragraph = look("html > body > p")
    assert (paragraph["display"], paragraph["color"]) == ("block", "#00ff00")


def test_the_style_attribute_wins_and_the_browser_knows_best():
    assert look("html > body > p", "color: navy; font-size: 2em")["font-size"] == "32px"
    assert look("html > body > p", "color: navy")["color"] == "navy"
    assert look("html > body > p")["color"] == "#00ff00"
    computed = {"display": "grid"}
    assert STYLES.style_of(Block("x", tag_path="html/p", css=computed)) is computed


def test_without_selectors_the_own_names_still_count():
    block = Block("x", tag_path="html/body/div", element_id="a", classes="big wide")
    assert STYLES.style_of(block)["font-size"] == "40px"


@pytest.mark.parametrize(
    ("value", "expected"),
    [("12px", 12), ("1.5em", 30), ("50%", 5), ("large", 18), ("12pt", 16), (".5rem", 8), ("0", 0),
     ("auto", -1), ("calc(1px + 2px)", -1), (None, -1)],
)  # fmt: skip
def test_lengths_in_pixels(value, expected):
    assert pixels(value, 20.0, -1.0, relative_to=10.0) == pytest.approx(expected)


@pytest.mark.parametrize(
    "sheet",
    [
        "{",
        "}}}{{",
        "p{color",
        "@media{",
        ">p{color:red}",
        "p>{a:b}",
        "p{color:" + "(" * 5000,
        "p" + "(" * 5000 + "{color:red}",
    ],
)
def test_broken_sheets_say_nothing(sheet):
    styles = PageStyles(f"<style>{sheet}")
    assert styles.style_of(Block("x", tag_path="html/body/p"))["color"] == "rgb(0, 0, 0)"
