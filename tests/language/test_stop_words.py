import pytest

from telusur.language.analysis import Analyser
from telusur.language.stop_words import (
    languages_with_stop_words,
    load_stop_words,
    stop_words_of,
)


@pytest.mark.parametrize(
    ("language", "stop_word", "content"),
    [
        ("en", "the", "library"),
        ("id", "yang", "perpustakaan"),
        ("tr", "için", "kütüphane"),
        ("de", "und", "bibliothek"),
        ("es", "pero", "biblioteca"),
        ("fr", "avec", "bibliothèque"),
        ("it", "perché", "biblioteca"),
        ("pt", "não", "biblioteca"),
        ("nl", "zijn", "bibliotheek"),
    ],
)
def test_each_list_has_common_words_only(language, stop_word, content):
    assert language in languages_with_stop_words()
    assert stop_word in stop_words_of(language)
    assert content not in stop_words_of(language)


@pytest.mark.parametrize("language", ["", "xx", "../en", "en/../de"])
def test_a_language_without_a_list_has_no_stop_words(language):
    assert stop_words_of(language) == frozenset()


def test_a_list_of_the_user_takes_the_place_of_ours(tmp_path):
    path = tmp_path / "en.txt"
    path.write_text("# mine\nTelusur  don't # and a remark\n", encoding="utf-8")
    words = load_stop_words(path)
    assert words == {"telusur", "don", "t"}
    analyser = Analyser("en", words)
    assert analyser.join_without_stop_words("the Telusur crawler").split() == ["the", "crawler"]


def test_the_language_of_a_list_decides_on_lower_case(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("ILIK", encoding="utf-8")
    assert load_stop_words(path, "tr") == {"ılık"}
