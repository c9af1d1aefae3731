import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telusur.extract.document import read_page
from telusur.extract.page.dom import parse_html
from telusur.extract.page.runs import (
    CODE,
    EMPHASIS,
    STRONG,
    ImageFilter,
    TextRun,
    any_image,
    read_lines,
)

BASE = "http://coast.example/a/"
MARKUP = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<b>", "</b>", "<i>", "<a href=x>", "</a>", "<br>", "<pre>", "</pre>", " ",
         "\n", "ebb", "flood\xad", "\xa0", "<td>", "<table>", "</table>", "<li>", "<ul>", "</ul>",
         "<div>", "</div>", "<code>", "<!-- c -->", "<img src=x alt=y>", "\x1f", "<h1>"]
    ),
    max_size=40,
).map("".join)  # fmt: skip


def lines_of(html: str, **options: ImageFilter) -> list[list[TextRun]]:
    read = read_lines(parse_html(html), BASE, lambda element, tag, place: None, **options)
    return [line.runs for line in read]


def test_runs_differ_in_marks_and_links():
    [runs] = lines_of("<p>a <b>b <i>c</i></b> <kbd>d</kbd> <a href=x>e</a></p>")
    assert runs == [
        TextRun("a "),
        TextRun("b ", STRONG),
        TextRun("c", STRONG | EMPHASIS),
        TextRun(" "),
        TextRun("d", CODE),
        TextRun(" "),
        TextRun("e", 0, "http://coast.example/a/x"),
    ]


def test_marks_reach_over_block_elements():
    assert lines_of("<b>x<div>y</div></b>") == [[TextRun("x", STRONG)], [TextRun("y", STRONG)]]


def test_links_within_the_page_name_their_target():
    [[inner], [also]] = lines_of(
        '<p><a href="#top">words</a></p><p><a href="/a/#top">words</a></p>'
    )
    assert (inner.href, inner.target) == ("", "top")
    assert (also.href, also.target) == (BASE, "top")


@pytest.mark.parametrize("href", ["javascript:x", "mailto:a@b.example", "#", "data:,x", ""])
def test_only_web_pages_are_linked(href):
    assert lines_of(f'<a href="{href}">words</a>') == [[TextRun("words")]]


def test_breaks_are_rows_and_never_stand_at_the_ends():
    assert lines_of("<p><br> a <br><br> b <br> </p>") == [[TextRun("a\nb")]]


def test_preformatted_text_is_one_run_as_it_stands():
    assert lines_of("<pre>\n  a <b>b</b>\n\n c  \n</pre>") == [[TextRun("  a b\n\n c")]]


def test_images_are_runs_only_when_asked_for():
    html = "<p><a href=/y><img src=x.png alt=' a  mill '></a></p><p><img src='data:,x'>t</p>"
    picture = TextRun("a mill", 0, "http://coast.example/y", "http://coast.example/a/x.png")
    assert lines_of(html, images=any_image) == [[picture], [TextRun("t")]]
    assert lines_of(html) == [[TextRun("t")]]


@settings(deadline=None)
@given(MARKUP)
def test_lines_and_their_texts_are_those_of_the_blocks(html):
    reading = read_page(html, BASE)
    lines = read_lines(reading.tree, BASE, lambda element, tag, place: None)
    assert [line.text for line in lines] == [block.text for block in reading.document.blocks]
