import re

import pytest

from telusur.extract.harmless_css import harmless_sheet, harmless_style

ANYTHING_BAD = re.compile(
    r"\burl\s*\(|@import|expression\s*\(|</?style|javascript:|position\s*:\s*(fixed|sticky)|\\|"
    r"behavior\s*:|-moz-binding\s*:|image-set\s*\(",
    re.IGNORECASE,
)


@pytest.mark.parametrize(
    "sheet",
    [
        "body{background:url(http://e.example/x.png)}",
        "body{background:URL( 'http://e.example/x.png' )}",
        'a{background:url("http://e.example/a)b")}',
        "a{background:u\\72l(http://e.example/)}",
        "a{background:\\75\\72\\6c(http://e.example/)}",
        "a{background:u/**/rl(x);background:ur/*x*/l(y)}",
        "@import url(http://e.example/x.css);a{b:c}",
        "@import 'http://e.example/x.css';a{b:c}",
        "@\\69mport 'x';",
        "@im/**/port 'x';",
        "a{width:expression(alert(1))}",
        "a{behavior:url(x.htc);-moz-binding:url(x)}",
        "</style><script>alert(1)</script>",
        "a{position:fixed;inset:0}b{position : STICKY}",
        "a{background:image-set('x.png' 1x)}",
        "a{background:javascript:alert(1)}",
        "@font-face{src:url(x)}",
        "a{background:url(x",
        "/* url(x",
        "a{b:url(url(x))}",
        "@im@import;port 'x';uurl(x)rl(y)",
    ],
)
def test_nothing_loads_runs_or_covers(sheet):
    assert not ANYTHING_BAD.search(harmless_sheet(sheet)), harmless_sheet(sheet)
    assert not ANYTHING_BAD.search(harmless_style(sheet)), harmless_style(sheet)
    assert "<" not in harmless_sheet(sheet)


def test_what_colours_and_places_stays():
    sheet = "@media (min-width:40em){.a > b::before{content:'x';color:#123;margin:0 -1px}}"
    assert harmless_sheet(sheet) == sheet
    assert harmless_style("color: red; float: left") == "color: red; float: left"


def test_a_style_cannot_leave_its_element():
    assert "{" not in harmless_style("color:red}*{display:none")


def test_it_takes_linear_time():
    for piece in ("url(", "/*", "@import ", "\\", "position:", "url('", "<"):
        harmless_sheet(piece * 50_000)
