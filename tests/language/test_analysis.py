import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.language.analysis import (
    CACHED_WORDS,
    LONGEST_TERM,
    get_analyser,
    is_stop_word,
    joined_terms,
    kept_letters,
    terms,
    tokens,
)

LANGUAGES = st.sampled_from(["en", "tr", "id", "de", "ja", ""])


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "The cats are running", ["cat", "run"]),
        ("id", "Mereka mempermainkan permainan itu", ["main", "main"]),
        ("de", "Die Häuser der Straße", ["haus", "strass"]),
        ("tr", "Kitaplar ve İSTANBUL'da ışıklar", ["kitap", "istanbul", "ışık"]),
        ("ja", "検索エンジン", ["検索", "索エ", "エン", "ンジ", "ジン"]),
        ("ja", "猫", ["猫"]),
        ("zh", "Python编程", ["python", "编程"]),
        ("", "The cats", ["cat"]),
        ("xx", "The cats", ["the", "cats"]),
    ],
)
def test_terms_by_language(language, text, expected):
    assert terms(text, language) == expected


def test_the_same_word_in_any_form_is_one_term():
    assert len(set(terms("Café CAFÉ cafe\u0301 ｃａｆé", "fr"))) == 1
    assert len(set(terms("Straße STRASSE strasse", "de"))) == 1


def test_tokens_know_where_they_stand():
    text = "The cats sat"
    found = tokens(text, "en")
    assert [(token.term, token.position) for token in found] == [("cat", 1), ("sat", 2)]
    assert [text[token.start : token.end] for token in found] == ["cats", "sat"]


def test_pairs_of_characters_know_where_they_stand():
    text = "新しいiPhone用"
    found = [(token.term, text[token.start : token.end]) for token in tokens(text, "ja")]
    assert found == [("新し", "新し"), ("しい", "しい"), ("iphone", "iPhone"), ("用", "用")]


def test_stop_words_are_kept_when_asked():
    assert terms("The cats", "en", keep_stop_words=True) == ["the", "cat"]
    assert joined_terms("The cats", "en") == "the cat"
    assert is_stop_word("THE", "en")
    assert not is_stop_word("cats", "en")


def test_a_very_long_word_is_cut_the_same_in_document_and_query():
    word = "x" * 1000
    assert terms(word, "xx") == ["x" * LONGEST_TERM]


def test_the_memory_of_words_is_bounded():
    analyser = get_analyser("xx")
    analyser.join_all(" ".join(f"w{number}" for number in range(CACHED_WORDS + 10)))
    assert 0 < len(analyser._all) <= CACHED_WORDS
    assert len(analyser._all._older) <= CACHED_WORDS


@given(st.text(), LANGUAGES)
def test_terms_and_tokens_tell_the_same_story(text, language):
    assert [token.term for token in tokens(text, language)] == terms(text, language)
    every = tokens(text, language, keep_stop_words=True)
    assert " ".join(token.term for token in every) == " ".join(joined_terms(text, language).split())
    assert [token.position for token in every] == list(range(len(every)))
    assert all(0 <= token.start < token.end <= len(text) for token in every)


@given(st.text(), LANGUAGES)
def test_a_term_never_holds_a_space(text, language):
    assert all(term and term.split() == [term] for term in terms(text, language))


STEMMED = (
    "ar", "hy", "eu", "ca", "cs", "da", "nl", "en", "eo", "et", "fi", "fr", "de", "el", "hi", "hu",
    "id", "ga", "it", "lt", "ne", "nb", "no", "fa", "pl", "pt", "ro", "ru", "sr", "es", "sv", "ta",
    "tr", "yi", "xx", "",
)  # fmt: skip
ENDINGS = (
    "s", "es", "ed", "ing", "ies", "y", "ly", "e", "en", "er", "ern", "ung", "ado", "a", "o", "i",
    "ant", "ment", "ene", "ista", "ksi", "na", "ach",
)  # fmt: skip


@given(
    st.lists(st.text("abcdefghijklmnopqrstuvwxyz019", min_size=1, max_size=9), min_size=20),
    st.sampled_from(ENDINGS),
    st.sampled_from(STEMMED),
)
def test_a_stem_begins_as_its_word_does_where_snippets_rely_on_it(words, ending, language):
    kept = kept_letters(language)
    stem_of = get_analyser(language).stem_of
    for word in (*words, *(word + ending for word in words)):
        stem = stem_of(word)
        assert stem[:1] == word[:1] or not kept
        # A stem of one letter is looked for behind every second letter.
        assert kept < 2 or len(stem) == 1 or stem[1] == word[1] or word[1] == "y"


def test_what_is_known_about_beginnings_of_words():
    assert [kept_letters(code) for code in ("en", "", "xx", "de", "id", "nl", "tr", "ar")] == [
        2, 2, 2, 1, 0, 0, 0, 0,
    ]  # fmt: skip
