import pytest
import turbohtml
from hypothesis import given, settings

from telusur.extract.writing.offline import offline_page
from tests.extract.test_hostile import NESTED
from tests.extract.writing.test_xml import HOSTILE_MARKUP

URL = "http://coast.example/a/page"
FILES = {"http://coast.example/a/mill": "mill.html"}


def saved(html: str) -> str:
    return offline_page(html, URL, FILES.get)


def body_of(html: str) -> str:
    return turbohtml.parse(saved(html)).select_one("body").inner_html


def test_links_to_saved_pages_lead_to_their_files_and_others_to_the_web():
    assert body_of("<a href=mill#wheel>A</a><a href=../b>B</a><a href='#c'>C</a>") == (
        '<a href="mill.html#wheel">A</a><a href="http://coast.example/b">B</a><a href="#c">C</a>'
    )


def test_the_base_of_the_page_counts_and_is_left_out():
    assert "mill.html" in saved("<base href=/a/x/y><a href=../mill>A</a>")
    assert "<base" not in saved("<base href=/a/x/y><a href=../mill>A</a>")


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<svg><script>alert(1)</script></svg>",
        "<p onclick=alert(1) ONLOAD=alert(1)>x",
        "<a href='javascript:alert(1)'>x</a>",
        "<a href=' jAvAsCrIpT:alert(1)'>x</a>",
        "<svg><a xlink:href='javascript:alert(1)'>x</a></svg>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<object data='javascript:alert(1)'></object>",
        "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>",
        "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
        "<template><img src=x onerror=alert(1)></template>",
        "<noscript><img src=x onerror=alert(1)></noscript>",
        "<img srcset='javascript:alert(1)' src='javascript:alert(1)'>",
    ],
)
def test_nothing_runs(html):
    assert "alert" not in saved(html)


def test_scripts_are_forbidden_before_anything_else_is_read():
    head = turbohtml.parse(saved("<title>T</title><meta charset=latin-1>")).select_one("head")
    first, second, *_ = head.children
    assert first.attr("charset") == "utf-8"
    assert "default-src 'none'" in second.attr("content")
    assert head.select_one('meta[name="telusur:url"]').attr("content") == URL


def test_pictures_and_styles_keep_their_place_on_the_web():
    html = "<link rel=stylesheet href=s.css><link rel=preload href=p><img data-src=i.png alt=x>"
    found = saved(html)
    assert 'href="http://coast.example/a/s.css"' in found
    assert 'src="http://coast.example/a/i.png"' in found
    assert "preload" not in found


@settings(deadline=None, max_examples=60)
@given(HOSTILE_MARKUP)
def test_any_page_can_be_saved(html):
    tree = turbohtml.parse(saved(html))
    assert not tree.select("script, iframe, object, base")
    assert not any(name.startswith("on") for each in tree.iter_elements() for name in each.attrs)


@pytest.mark.parametrize("name", ["divs", "forms", "svg"])
def test_deep_nesting(name):
    assert "bottom of the well" in saved(NESTED[name] + "<p>bottom of the well")
