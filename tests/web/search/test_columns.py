"""Search in columns, as a page and as JSON."""

import json
import re
from urllib.parse import quote

import pytest

import telusur as library
from telusur.reports.column_child import search_in_child
from telusur.search.columns import ColumnRequest
from telusur.web.search import columns

ENDLESS = quote("(a+)+$|moon")


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    rows = [
        ("Tides", "How the sea moves", "The moon pulls the sea."),
        ("Moons <i>", "Of other planets", "Jupiter has 95 of them."),
        ("Slow", "", "a" * 60 + "!"),
    ]
    place = tmp_path_factory.mktemp("columns") / "c"
    with library.open(place) as opened:
        opened.add(
            library.Document(
                url=f"https://a.example/{n}", title=title, description=description, text=text,
                language="en",
            )
            for n, (title, description, text) in enumerate(rows)
        )  # fmt: skip
    return place


@pytest.fixture
def bench(directory, show):
    with library.open(directory, create=False) as collection:
        yield show(collection)


def found(bench, asked):
    return [hit["url"][-1] for hit in bench.get(f"/columns.json?{asked}").json["hits"]]


def test_words_and_patterns_in_the_columns_named(bench):
    assert found(bench, "plain=MOON") == ["1"]
    assert found(bench, "plain=moon&columns=title,text") == ["0", "1"]
    assert found(bench, "plain=moon&columns=title&columns=text") == ["0", "1"]
    assert found(bench, "columns=text&regex=%5Cd%5Cd+of") == ["1"]
    assert found(bench, "regex=mo") == ["0"]


def test_pages_of_documents_are_linked(bench):
    first = bench.get("/columns.json?columns=url&plain=e&limit=2").json
    assert (first["total"], first["is_complete"], len(first["hits"])) == (3, True, 2)
    following = first["next_url"].removeprefix(bench.url)
    assert following == "/columns.json?columns=url&plain=e&page=2&limit=2"
    second = bench.get(following).json
    assert ([hit["url"][-1] for hit in second["hits"]], second["next_url"]) == (["2"], None)


def test_a_pattern_that_never_ends_costs_its_document(bench):
    answer = bench.get(f"/columns.json?columns=text&regex={ENDLESS}").json
    assert [hit["url"][-1] for hit in answer["hits"]] == ["0"]
    assert answer["too_long"] == ["https://a.example/2"]


def test_a_process_of_its_own_answers_the_same(directory):
    request = ColumnRequest("(?i)moon", ("title", "text"), is_regex=True)
    with library.open(directory, create=False) as collection:
        here = collection.answer_columns(request)
    there = search_in_child(directory, request)
    assert (there.hits, there.total, there.columns) == (here.hits, here.total, here.columns)


def test_no_pattern_of_a_visitor_is_compiled_where_others_are_answered(bench, monkeypatch):
    """Some patterns of 2,000 characters take seconds to compile."""
    seen, compiling = [], re.compile

    def noting(text, *flags):
        seen.append(text)
        return compiling(text, *flags)

    monkeypatch.setattr(re, "compile", noting)
    for path in ("/columns.json", "/columns"):
        assert bench.get(f"{path}?columns=text&regex=m.%2Bn").status == 200
        assert bench.get(f"{path}?columns=text&regex=%28%28").status == 400
    assert not {"m.+n", "(("} & set(seen)


def test_when_time_is_up_what_was_found_is_told(bench, monkeypatch):
    monkeypatch.setattr(columns, "SEARCH_SECONDS", -1.0)
    answer = bench.get("/columns.json?columns=url&plain=e").json
    assert (answer["is_complete"], answer["total"]) == (False, 0)
    assert "did not read all documents" in bench.get("/columns?columns=url&plain=e").text


def test_others_wait_while_two_are_looking(bench, monkeypatch):
    monkeypatch.setattr(columns, "_running", columns.BoundedSemaphore(1))
    with columns._running:
        answer = bench.get("/columns.json?plain=x")
    assert (answer.status, answer.headers["retry-after"]) == (429, "2")
    assert bench.get("/columns.json?plain=x").status == 200


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("", "Nothing to search for"),
        ("plain=a&regex=b", "plain and regex are both given"),
        ("regex=%28", "is not a regular expression"),
        ("plain=a&columns=titel", "columns may have url, title, author"),
        ("plain=" + "x" * 2001, "plain is 2,001 characters long"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(bench, asked, sentence):
    answer = bench.get(f"/columns.json?{asked}")
    assert (answer.status, answer.json["ok"]) == (400, False)
    assert sentence in answer.json["error"]


def test_the_page_shows_the_form_and_what_fits(bench):
    empty = bench.get("/columns")
    assert empty.status == 200
    assert 'name="regex"' in empty.text
    page = bench.get("/columns?regex=M%5Bo%5D%2Bns&columns=title").text
    assert '<span class="tag">title</span> <bdi><mark>Moons</mark> &lt;i&gt;</bdi>' in page
    assert 'value="title" checked' in page
    assert 'value="text">' in page
    assert 'href="/columns.json?columns=title&amp;regex=M%5Bo%5D%2Bns"' in page
    assert "No document has" in bench.get("/columns?plain=zyx").text
    assert "There is no page 9" in bench.get("/columns?plain=Tides&page=9").text


def test_the_answer_is_plain_json(bench):
    answer = bench.get("/columns.json?plain=tides").json
    assert json.loads(json.dumps(answer))["hits"][0]["matches"] == [
        {"column": "title", "excerpt": "Tides", "mark": [0, 5]}
    ]
