"""The word lists of a collection, as a user sets them."""

import json

import pytest

import telusur as library


@pytest.fixture
def collection(tmp_path):
    texts = ["A car for sale.", "An automobile on the road.", "The home page."]
    with library.open(tmp_path / "c") as opened:
        opened.add(
            library.Document(url=f"https://a.example/{n}", text=text, language="en")
            for n, text in enumerate(texts)
        )
    return "c"


def found(telusur, words):
    ran = telusur("search", words, "--in", "c", "--json")
    return sorted(hit["url"][-1] for hit in json.loads(ran.out)["hits"])


def test_without_lists_ours_count(telusur, collection):
    ran = telusur("words", "--in", collection)
    assert ran.code == 0
    assert ran.out == "stop words: built-in\ncommon words: none\nsynonyms: none\n"


def test_synonyms_count_from_the_next_search_on(telusur, collection, tmp_path):
    assert found(telusur, "cars") == ["0"]
    (tmp_path / "mine.txt").write_text("car, automobile\n")
    ran = telusur("words", "--in", collection, "--synonyms", "mine.txt", "--json")
    assert json.loads(ran.out) == {"type": "words", "stop_words": {}, "common": 0, "synonyms": 2}
    assert found(telusur, "cars") == ["0", "1"]
    telusur("words", "--in", collection, "--synonyms", "")
    assert found(telusur, "cars") == ["0"]


def test_stop_words_and_common_words(telusur, collection, tmp_path):
    (tmp_path / "en.txt").write_text("home # ours are no longer left out\n")
    (tmp_path / "common.txt").write_text("page\n")
    assert found(telusur, "home road") == ["1", "2"]
    ran = telusur("words", "--in", collection, "--stop-words", "en=en.txt")
    assert ran.out.startswith("stop words, en: 1\nstop words, other languages: built-in\n")
    assert found(telusur, "home road") == ["1"]
    assert found(telusur, "the page") == ["1", "2"]
    telusur("words", "--in", collection, "--common", "common.txt")
    assert found(telusur, "sale page") == ["0"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--synonyms", "none.txt"), "none.txt: cannot be read"),
        (("--synonyms", "bad.txt"), "bad.txt, line 2"),
        (("--stop-words", "en"), "is not LANGUAGE=FILE"),
        (("--stop-words", "../x=bad.txt"), "is not a language code"),
        (("--common", "empty.txt"), "this file has no words"),
        (("--common", "latin.txt"), "this is not UTF-8"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(telusur, collection, tmp_path, arguments, reason):
    (tmp_path / "bad.txt").write_text("a, b\nalone\n")
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "latin.txt").write_bytes("schön".encode("latin-1"))
    ran = telusur("words", "--in", collection, *arguments)
    assert ran.code == 2
    assert reason in ran.err
    assert telusur("words", "--in", collection).out.endswith("synonyms: none\n")


def test_a_search_says_what_may_have_been_meant(telusur, collection):
    ran = telusur("search", "automobil sael", "--in", collection)
    assert "Did you mean: automobil sale" in ran.err
    ran = telusur("search", "xyzzy (", "--in", collection)
    assert ran.code == 1
    assert "Nothing found for xyzzy (, understood as xyzzy, in 3 documents" in ran.err


def test_suggestions_of_a_collection(collection, tmp_path):
    with library.open(tmp_path / collection) as opened:
        assert [one.text for one in opened.suggest("auto")] == ["automobile"]
