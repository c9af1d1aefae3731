import re

import pytest

from telusur.errors import UsageError
from telusur.search.columns import (
    EXCERPT_CHARACTERS,
    ColumnRequest,
    find_pattern,
    find_plain,
    match_columns,
)


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ("tide", "High Tides", "Tide"),
        ("STRASSE", "Die Straße da", "Straße"),
        ("straße", "DIE STRASSE", "STRASSE"),
        ("istanbul", "Eski İstanbul şehri", "İstanbul"),
        ("ΣΊΣΥΦΟΣ", "ο σίσυφος", "σίσυφος"),
        ("café", "un cafe\u0301 noir", "café"),
        ("a.c", "abc", None),
        ("ﬁn", "ﬁnal", "ﬁn"),
    ],
)
def test_words_are_found_in_any_case_and_form(words, text, found):
    (match,) = match_columns([("title", text)], find_plain(words)) or (None,)
    assert (match and match.excerpt[slice(*match.mark)]) == found


def test_each_column_gives_its_first_match():
    columns = [("title", "owl, owl"), ("text", "no bird"), ("url", "http://a.example/owl")]
    matches = match_columns(columns, find_plain("owl"))
    assert [(match.column, match.mark[0]) for match in matches] == [("title", 0), ("url", 17)]


def test_a_pattern_that_fits_nothing_at_all_is_no_match():
    assert match_columns([("text", "bbb")], find_pattern(re.compile("a*"))) == ()
    (match,) = match_columns([("text", "bab")], find_pattern(re.compile("a*")))
    assert match.mark == (1, 2)


def test_an_excerpt_is_short_and_cut_between_words():
    text = "word " * 1000 + "needle" + " word" * 1000
    (match,) = match_columns([("text", text)], find_plain("needle"))
    assert match.excerpt[slice(*match.mark)] == "needle"
    assert len(match.excerpt) <= EXCERPT_CHARACTERS
    assert set(match.excerpt.split()) == {"word", "needle"}
    (long,) = match_columns([("text", "x" * 5000)], find_pattern(re.compile("x+")))
    assert len(long.excerpt) == EXCERPT_CHARACTERS


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (ColumnRequest("a", ("titel",)), "column 'titel' is not known; try url, title, "),
        (ColumnRequest("a", ()), "No column given"),
        (ColumnRequest(" ", ("title",)), "The text to find must have"),
        (ColumnRequest("a", ("title",), page=0), "page 0"),
        (ColumnRequest("a", ("title",), limit=1001), "limit 1001"),
    ],
)
def test_what_cannot_be_asked_is_told(request_, reason):
    with pytest.raises(UsageError, match=reason):
        request_.check()
