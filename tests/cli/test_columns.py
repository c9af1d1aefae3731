"""`telusur search --columns`, as a user types it."""

import json

import pytest

import telusur as library
from telusur.reports import column_search


@pytest.fixture
def collection(tmp_path):
    rows = [
        ("Tides", "How the sea moves", "The moon pulls the sea.", {}),
        ("Moons", "Of other planets", "Jupiter has 95 of them.", {"farbe": "grün"}),
        ("Slow", "", "a" * 60 + "!", {}),
    ]
    with library.open(tmp_path / "c") as opened:
        opened.add(
            library.Document(
                url=f"https://a.example/{n}", title=title, description=description,
                text=text, language="en", fields=fields, date="2024-05-01" if n else None,
            )
            for n, (title, description, text, fields) in enumerate(rows)
        )  # fmt: skip
    return "c"


def found(telusur, *arguments):
    ran = telusur("search", *arguments, "--in", "c", "--json")
    return [hit["url"][-1] for hit in json.loads(ran.out)["hits"]]


def test_only_the_columns_named_are_searched(telusur, collection):
    assert found(telusur, "MOON", "--columns", "title") == ["1"]
    assert found(telusur, "MOON", "--columns", "title,text") == ["0", "1"]
    assert found(telusur, "the sea", "--columns", "description, text") == ["0"]
    assert found(telusur, "GRÜN", "--columns", "fields") == ["1"]
    assert found(telusur, "2024-05", "--columns", "date") == ["1", "2"]
    assert found(telusur, "a.example/1", "--columns", "url,site") == ["1"]


def test_patterns(telusur, collection):
    assert found(telusur, r"\d\d of", "--columns", "text", "--regex") == ["1"]
    assert found(telusur, "^mo", "--columns", "title", "--regex") == []
    assert found(telusur, "(?i)^mo", "--columns", "title", "--regex") == ["1"]


def test_a_person_reads_where_it_fits(telusur, collection):
    ran = telusur("search", "sea", "--columns", "description,text", "--in", "c")
    assert ran.out.splitlines() == [
        " 1. Tides",
        "    https://a.example/0",
        "    description: How the sea moves",
        "    text: The moon pulls the sea.",
    ]
    assert ran.err.startswith("1 to 1 of 1, in ")
    assert ran.code == 0


def test_pages_of_hits(telusur, collection):
    words = ("e", "--columns", "url", "--limit", "2")
    assert found(telusur, *words) == ["0", "1"]
    assert found(telusur, *words, "--page", "2") == ["2"]
    past = telusur("search", *words, "--page", "3", "--in", "c")
    assert (past.code, past.err) == (1, "There are only 3 hits; page 3 is past the end.\n")


def test_nothing_found(telusur, collection):
    ran = telusur("search", "xyz", "--columns", "title", "--in", "c")
    assert (ran.code, ran.err) == (1, "Nothing found: 'xyz' is not in title of 3 documents.\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--columns", "titel"), "column 'titel' is not known"),
        (("--columns", ","), "No column given"),
        (("--columns", "title", "--regex"), "is not a regular expression"),
        (("--regex",), "--regex works only with --columns"),
    ],
)
def test_what_makes_no_sense_is_told_in_a_sentence(telusur, collection, arguments, reason):
    ran = telusur("search", "(", *arguments, "--in", "c")
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err


def test_a_pattern_that_never_ends_is_stopped(telusur, collection, monkeypatch):
    monkeypatch.setattr(column_search, "MATCH_SECONDS", 0.1)
    ran = telusur("search", "(a+)+$|moon", "--columns", "text", "--regex", "--in", "c")
    assert ran.out.startswith(" 1. Tides\n")
    assert "https://a.example/2: skipped: matching the pattern takes too long.\n" in ran.err
    monkeypatch.setattr(column_search, "MOST_TOO_LONG", 1)
    ran = telusur("search", "(a+)+$", "--columns", "text", "--regex", "--in", "c")
    assert ran.code == 2
    assert "takes longer than 0.1 s" in ran.err


def test_the_library_does_the_same(collection, tmp_path):
    with library.open(tmp_path / "c") as opened:
        results = opened.search_columns("moon", ["title", "text"], limit=1)
    assert (results.total, len(results.hits), results.hits[0].title) == (2, 1, "Tides")
