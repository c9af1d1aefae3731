import pytest

from telusur.extract.page.dom import parse_html
from telusur.extract.writing.assemble import assemble
from telusur.extract.writing.footnotes import MOST_NOTES
from telusur.extract.writing.markdown import markdown_of
from telusur.extract.writing.structure import LineGroup


def assembled(html: str) -> LineGroup:
    return assemble(parse_html(html), "http://coast.example/a/", None)


@pytest.mark.parametrize(
    "mark",
    [
        "<sup><a href=#n>1</a></sup>", "<a href=#n><sup>1</sup></a>", "<a href=#n>[1]</a>",
        "<sup>[<a href=#n>1</a>]</sup>", "<a href='http://coast.example/a/#n'>[1]</a>",
        "<sup><a href=#n>*</a></sup>",
    ],
)  # fmt: skip
def test_a_mark_and_its_note_belong_together(mark):
    html = f"<p>Words{mark}.</p><p>More.</p><ol><li id=n>The note. <a href=#r>↩</a></ol>"
    assert markdown_of(assembled(html)) == "Words[^1].\n\nMore.\n\n[^1]: The note."


@pytest.mark.parametrize(
    "html",
    [
        "<p>See <a href=#part>the second part</a>.</p><p id=part>It is here.</p>",
        "<p>Chapter <a href=#c>2</a>.</p><p id=c>It is here.</p>",
        "<p>Words<sup><a href=#h>1</a></sup></p><h2 id=h>Notes</h2>",
        "<p id=up>Words</p><p><sup><a href=#up>1</a></sup> more</p>",
        "<p>Words<sup><a href=#gone>1</a></sup></p>",
    ],
)
def test_other_links_within_the_page_are_no_footnotes(html):
    body = assembled(html)
    assert not any(run.target for leaf in body.leaves() for run in leaf.runs)
    assert "[^" not in markdown_of(body)


def test_two_notes_with_one_sign_get_marks_of_their_own():
    html = "<p>a<sup><a href=#x>*</a></sup> b<sup><a href=#y>*</a></sup><p id=x>X<p id=y>Y"
    assert markdown_of(assembled(html)) == "a[^1] b[^2]\n\n[^1]: X\n\n[^2]: Y"


def test_a_note_within_a_quote_is_a_note():
    html = "<blockquote><p>a<sup><a href=#x>1</a></sup><p id=x>1. X</blockquote>"
    assert markdown_of(assembled(html)) == "> a[^1]\n\n[^1]: X"


def test_many_notes_cost_no_more_than_a_limit():
    many = MOST_NOTES + 50
    marks = "".join(f"<sup><a href=#n{n}>*</a></sup>x" for n in range(many))
    notes = "".join(f"<p id=n{n}>y" for n in range(many))
    body = assembled(f"<p>{marks}</p>{notes}")
    assert sum(bool(leaf.note) for leaf in body.leaves()) == MOST_NOTES
