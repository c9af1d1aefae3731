import re
from html import escape

import pytest
import turbohtml

from telusur.extract.document import read_page
from telusur.extract.writing.sanitize import MAX_DEPTH, Stored, read_sheets, write_harmless

URL = "http://e.example/dir/page"
PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


def written(html, **more):
    reading = read_page(html, URL)
    pieces = write_harmless(reading.tree, reading.base, **more)
    return "".join(piece.tag or escape(piece.text) for piece in pieces)


@pytest.mark.parametrize(
    "html",
    [
        "<script>harm()</script><p>x",
        "<p onclick=harm() onmouseover='harm()'>x",
        "<a href='javascript:harm()'>x</a>",
        "<a href=' java\nscript:harm()'>x</a>",
        "<a href='data:text/html,<script>harm()</script>'>x</a>",
        "<svg onload=harm()><script>harm()</script><a xlink:href='javascript:harm()'></a></svg>x",
        "<math><mtext><table><mglyph><style><img src=x onerror=harm()></style></math>x",
        "<noscript><p title='</noscript><img src=x onerror=harm()>'></p></noscript>x",
        "<template><img src=x onerror=harm()></template>x",
        "<iframe srcdoc='<script>harm()</script>'></iframe><object data=x></object><embed src=x>x",
        "<form action=http://e.example/x><button formaction='javascript:harm()'>x</button></form>",
        "<meta http-equiv=refresh content='0;url=javascript:harm()'><base href='javascript:'>x",
        "<p style='background:url(javascript:harm())'>x",
        "<img src=x onerror=harm() srcset='y 2x'>x",
        "<img src='data:image/svg+xml;base64,PHN2Zz4='>x",
        "<video src=x onerror=harm()><source onerror=harm()></video>x",
        "<textarea></textarea><img src=x onerror=harm()>x",
        "<a id=x name=y target=_top ping=http://e.example/ href=/z>x</a>",
        "<link rel=stylesheet href=http://e.example/x.css><p>x",
        "<xmp><img src=x onerror=harm()></xmp>x",
        "<plaintext><img src=x onerror=harm()>x",
        "<select><option><img src=x onerror=harm()>x</select>x",
        "<p title='\"><img src=x onerror=harm()>'>x",
        "<input autofocus onfocus=harm() value='\"><script>harm()</script>'>x",
    ],
)
def test_what_is_written_holds_nothing_that_acts(html):
    out = written(f"<body>{html}")
    tree = turbohtml.parse(out)
    tags = {element.tag for element in tree.iter_elements()}
    bad = {"script", "svg", "math", "iframe", "object", "embed", "form", "input", "button", "meta",
           "base", "link", "style", "template", "video", "select", "textarea"}  # fmt: skip
    assert not tags & bad
    for element in tree.iter_elements():
        assert not [name for name in element.attrs if name.startswith("on")]
        assert set(element.attrs) <= {"href", "rel", "target", "style", "title", "id", "class",
                                      "alt", "src"}  # fmt: skip
        assert (element.attr("href") or "http:").startswith(("http:", "https:", "#"))
        assert element.attr("src") is None
    assert "x" in tree.select_one("body").text


def test_the_layout_stays():
    out = written(
        '<body class="home" bgcolor=#eee><div id=main style="color:red;position:fixed">'
        '<h1 class=big>Tea</h1><p>Green <b>tea</b> and <a href="../x?a=1&b=2">more</a>'
        "<table border=1><tr><td colspan=2 align=right>1</table><form>ask <input placeholder=q>"
    )
    for part in (
        '<body class="home" bgcolor="#eee">', '<div id="main" style="color:red; position:static">',
        '<h1 class="big">Tea</h1>', "Green <b>tea</b> and ",
        '<a href="http://e.example/x?a=1&amp;b=2" rel="noreferrer noopener nofollow">more</a>',
        '<table border="1">', '<td colspan="2" align="right">1</td>',
        '<span class="telusur-field">q</span>',
    ):  # fmt: skip
        assert part in out


def test_links_within_the_page_stay_in_it():
    assert '<a href="#part-2" target="_self">' in written('<a href="#part-2">x</a>')


def test_pictures_come_from_the_page_or_the_archive_only():
    stored = Stored(picture_of={"http://e.example/dir/a.gif": PIXEL}.get)
    out = written(f'<img src=a.gif alt=A><img src=b.gif alt=B><img src="{PIXEL}">x', stored=stored)
    assert out.count(f'src="{PIXEL}"') == 2
    assert '<img alt="B">' in out
    lying = Stored(picture_of=lambda url: "https://e.example/track.gif")
    assert "src=" not in written("<img src=a.gif>x", stored=lying)


def test_sheets_come_from_the_page_and_the_archive():
    html = (
        "<style media=print>p{color:red}</style><link rel=stylesheet href=/look.css>"
        "<style>p{background:url(x)}</style><svg><style>p{color:blue}</style></svg>"
    )
    stored = Stored(sheet_of={"http://e.example/look.css": "p{margin:1px}</style>"}.get)
    out = read_sheets(html, URL, stored)
    assert out.split("\n") == [
        '<style media="print">p{color:red}</style>',
        "<style>p{margin:1px}</style>",
        "<style>p{background:none}</style>",
    ]
    assert "margin" not in read_sheets(html, URL)


def test_blocks_say_what_they_are():
    html = "<h1>Tea</h1><div>loose <i>words</i><p>Green</p>end</div>"
    out = written(html, labels=["title", "other", "content", "date"])
    assert '<h1 data-block="0" data-label="title">Tea</h1>' in out
    assert '<p data-block="2" data-label="content">Green</p>' in out
    assert '<span data-block="1" data-label="other">loose </span>' in out
    assert '<i><span data-block="1" data-label="other">words</span></i>' in out
    assert "data-" not in written("<p data-label=title data-x=1>x")


def test_deep_nesting_keeps_the_text():
    out = written("<div>" * 5000 + "deep")
    assert "deep" in out
    assert out.count("<div>") < MAX_DEPTH
    assert len(re.findall("<div>", out)) == len(re.findall("</div>", out))
