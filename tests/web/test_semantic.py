"""Search by meaning in the workbench, with a model small enough to be written down."""

import pytest

import telusur as library
from telusur.encoders import by_name as encoders
from telusur.web.search import searching
from tests.pipeline.indexing.test_meaning import TinyEncoder


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(encoders.ENCODERS, "static", TinyEncoder)
    encoders.get_encoder.cache_clear()
    yield
    encoders.get_encoder.cache_clear()


@pytest.fixture
def workbench(tmp_path, show):
    with library.open(tmp_path / "c") as collection:
        collection.add(
            library.Document(url=f"https://a.example/{n}", text=text, language="en")
            for n, text in enumerate(("One car.", "An automobile.", "Some broth."))
        )
        yield show(collection)


def test_other_words_are_found_when_asked_for(tiny, workbench):
    by_words = workbench.get("/search.json?q=car").json
    assert (by_words["total"], by_words["semantic"], by_words["unread"]) == (1, "", 0)
    for wish in ("static", "true", "on"):
        by_meaning = workbench.get(f"/search.json?q=car&semantic={wish}").json
        assert (by_meaning["total"], by_meaning["semantic"]) == (2, "tiny")
    assert workbench.get("/search.json?q=car&semantic=false").json["total"] == 1


def test_further_pages_go_by_meaning_too(tiny, workbench):
    first = workbench.get("/search.json?q=car&semantic=static&limit=1").json
    assert "semantic=static" in first["next_url"]


def test_the_page_has_a_switch_where_a_model_is_installed(tiny, workbench):
    page = workbench.get("/search?q=car").text
    assert 'href="/search?q=car&amp;semantic=static"' in page
    page = workbench.get("/search?q=car&semantic=static").text
    assert 'href="/search?q=car&amp;semantic=false"' in page
    assert 'href="/search?q=stew&amp;semantic=static"' in workbench.get("/search?q=stew").text


def test_a_visitor_does_not_wait_for_all_to_be_read(tiny, workbench, monkeypatch):
    monkeypatch.setattr(searching, "READ_SECONDS", 0.0)
    answer = workbench.get("/search.json?q=car&semantic=static").json
    assert (answer["total"], answer["unread"]) == (1, 3)
    assert (
        "3 documents not in the semantic index yet"
        in workbench.get("/search?q=car&semantic=static").text
    )


def test_without_the_packages_there_is_a_sentence_and_no_switch(workbench, monkeypatch):
    monkeypatch.setattr(encoders, "_place_of", lambda package: None)
    encoders.get_encoder.cache_clear()
    answer = workbench.get("/search.json?q=car&semantic=static")
    assert answer.status == 400
    assert answer.json["error"] == (
        "The model 'static' is not installed; get it with `pip install wordllama tokenizers`."
    )
    assert "meaning" not in workbench.get("/search?q=car").text


def test_an_unknown_model_is_one_sentence(workbench):
    answer = workbench.get("/search.json?q=car&semantic=dense")
    assert answer.status == 400
    assert answer.json["error"] == (
        "semantic must be true, false or one of static, transformer, not 'dense'."
    )
