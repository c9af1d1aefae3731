import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.web.frame.text import (
    MAX_SNIPPET_CHARS,
    MAX_TEXT_CHARS,
    clean,
    clean_line,
    language_name,
    language_tag,
    mark_pieces,
    paragraphs,
    show_seconds,
)

MARKS = st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40)))


def test_clean_removes_what_turns_the_text_around():
    assert clean("invoice\u202efdp.exe\u2066x\u2069") == "invoicefdp.exex"


def test_clean_keeps_the_marks_that_arabic_and_hebrew_need():
    assert clean("a\u200fb\u200ec") == "a\u200fb\u200ec"


@given(st.text(st.characters(), max_size=40))
def test_clean_text_can_always_be_sent(text):
    assert clean(text + "\ud800\x00").encode()


def test_clean_line_is_one_line():
    assert clean_line("  a\n\tb \r c ") == "a b � c"


def test_clean_line_cuts_with_an_ellipsis():
    assert clean_line("x" * 100_000, 10) == "xxxxxxxxx…"


def test_marks_cut_the_snippet():
    pieces = mark_pieces("the tide clock", [(4, 8)])
    assert [tuple(piece) for piece in pieces] == [
        ("the ", False),
        ("tide", True),
        (" clock", False),
    ]


@given(st.text("ab c", max_size=30), MARKS)
def test_no_mark_loses_or_repeats_text(snippet, marks):
    assert "".join(piece.text for piece in mark_pieces(snippet, marks)) == snippet


def test_overlapping_marks_are_joined_at_the_seam():
    pieces = mark_pieces("abcdef", [(2, 5), (0, 3)])
    assert [piece.text for piece in pieces if piece.marked] == ["abc", "de"]


def test_a_snippet_ends():
    pieces = mark_pieces("x" * 100_000, [(0, 90_000)])
    assert [(len(piece.text), piece.marked) for piece in pieces] == [(MAX_SNIPPET_CHARS, True)]


def test_paragraphs_are_the_lines_that_say_something():
    assert list(paragraphs("\none\n\n  two \n")) == ["one", "two"]


def test_paragraphs_end_before_the_browser_suffers():
    assert sum(map(len, paragraphs("word\n" * MAX_TEXT_CHARS))) <= MAX_TEXT_CHARS


@pytest.mark.parametrize("tag", ["en", "pt-BR", "zh-Hant-TW", "fil"])
def test_language_tags(tag):
    assert language_tag(tag) == tag


@pytest.mark.parametrize("tag", ["", "e", 'en" onload="x', "english language", "en_US"])
def test_what_is_no_language_tag(tag):
    assert language_tag(tag) == ""


def test_language_names():
    assert [language_name(tag) for tag in ("id", "pt-BR", "qya", "?")] == [
        "Indonesian",
        "Portuguese",
        "qya",
        "",
    ]


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.00042, "0.4 ms"), (0.0271, "27 ms"), (1.34, "1.3 s")]
)
def test_seconds(seconds, shown):
    assert show_seconds(seconds) == shown
