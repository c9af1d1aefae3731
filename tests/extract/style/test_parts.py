"""Style sheets are taken apart the same way compiled and in Python, whatever they are made of."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from telusur.extract.compiled import native
from telusur.extract.page.dom import parse_html
from telusur.extract.style.parts import (
    COLOUR,
    VARIABLES,
    Part,
    element_names,
    find_names,
    read_parts,
    take_apart,
)

PIECES = """{|}|;|,|.a|.b|#c|p|p.a|.a.b#c|.a#c|*|*.a| > |>| + | ~ |:hover|:not(.a)|[x]|\\2c |
    @media x|&|/*|*/|"|'|"}"|url(|url(a;b)|)|(|display:none|Color:RED|--x:1|var(--x)|top:0|
    @import "a.css"|.|#|..a|.9|-|_|日本|.日|é|\u0130|K| |\n|\t|\x1c|\xa0|\x00|opacity:0|
    font: 1px x|P>LI.a"""
MARKUP = """<p class="|<p id="|">|">|a|b| |&amp;|&quot;|&lt;|&nbsp;|&amp|\t|\n|\x0c|\xa0|é|日|=|=" |
    <i id=|<p class='"|'>| class="| id=""|<b id="" class="">"""


def _texts(pieces: str, most: int) -> st.SearchStrategy[str]:
    several = st.sampled_from(re.split(r"\|(?:\n {4})?", pieces))
    return st.lists(st.one_of(several, st.text(max_size=4)), max_size=most).map("".join)


def test_a_rule_says_what_its_body_is_about_and_how_its_elements_are_found():
    sheet = (
        "p > B.x, #y z {COLOR: red} .z{color:red} i{margin-left:auto !x} @media print{q{--x:1}}r"
    )
    parts, rest = take_apart(sheet, {".x", "#y"})
    first = parts[0]
    assert first[1] == "color: red"
    assert first[3] == COLOUR
    assert first[4] == [(".x", "p > B.x"), ("z", "#y z")]
    assert [part[4] for part in parts[1:]] == [[("i", "i")], None, [("q", "q")], None]
    assert parts[3][3] == VARIABLES
    assert parts[2][0].strip() == "@media print"
    assert rest == "r"


def test_an_import_before_a_rule_about_others_is_kept():
    parts, _ = take_apart('@import "a.css"; .absent { color: red }', set())
    assert '@import "a.css"' in parts[0][0]


@example("a{top:0")
@example("a{b{}c}d{/*")
@example("{;}")
@example(".a,.b{top:0}")
@example('a{content:"}"}b{top:0}')
@given(_texts(PIECES, 40))
def test_compiled_and_python_take_sheets_apart_alike(sheet):
    if native is None:
        pytest.fail("The compiled part is missing: run `make setup`.")
    for present in (None, set(), {".a"}, {".a", ".b", "#c"}):
        parts, rest = take_apart(sheet, present)
        also, rest_too = read_parts(sheet, present)
        assert [Part(*part) for part in parts] == also
        assert rest == rest_too


@example(' class="<b id="" class="">')
@given(_texts(MARKUP, 30))
def test_names_of_a_page_are_found(markup):
    written = parse_html(markup).html
    found = element_names(written)
    assert found == find_names(written)
    assert element_names(markup) == find_names(markup)
    for element in parse_html(markup).select("[class],[id]"):
        assert {f".{name}" for name in element.attrs.get("class") or []} <= found
        if element.attrs.get("id") is not None:
            assert f"#{element.attrs.get('id')}" in found
