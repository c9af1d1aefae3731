import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.language.analysis import joined_terms, tokens
from telusur.language.places import locate_terms
from telusur.language.token_table import (
    NO_TERM,
    hash_term,
    hash_terms,
    pack_tokens,
    unpack_tokens,
)

LANGUAGES = st.sampled_from(["en", "tr", "id", "de", "ja", "th", ""])
TEXTS = [
    "The cats, running.",
    "İSTANBUL'da IŞIK",
    "日本語の検索エンジンをPythonで作る。猫",
    "한국어 검색",
    "ภาษาไทยน้ำ",
    "cafe\u0301 Dampf\u00adschiff می\u200cخواهم ½ cup ❤️ 👩\u200d💻 go",
    "x" * 300 + " behind" + " " * 1000 + "far",
    "",
    "  .. ",
]


def rows_of(table):
    hashes, starts, ends = unpack_tokens(table)
    rows = zip(hashes.tolist(), starts.tolist(), ends.tolist(), strict=True)
    return [row for row in rows if row[0] != NO_TERM]


def expected(text, language):
    found = tokens(text, language, keep_stop_words=True)
    return [(hash_term(t.term), t.start, min(t.end, t.start + 127)) for t in found]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("language", ["en", "tr", "ja"])
def test_a_table_tells_what_the_analysis_tells(text, language):
    assert rows_of(pack_tokens(text, language)) == expected(text, language)


@given(st.text(max_size=300), LANGUAGES)
def test_any_text_has_a_table_that_fits(text, language):
    assert rows_of(pack_tokens(text, language)) == expected(text, language)


@given(
    st.text(st.sampled_from("a é\u0301\u00ad日本カ\u3099ｶﾞ½น้ำ각\u1100\u1161🙂\ufe0f."), max_size=40),
    LANGUAGES,
)
def test_scripts_may_be_mixed_in_any_way(text, language):
    assert rows_of(pack_tokens(text, language)) == expected(text, language)


def test_terms_that_the_caller_has_are_not_made_again():
    text = "Cats and dogs"
    joined = joined_terms(text, "en")
    assert pack_tokens(text, "en", joined) == pack_tokens(text, "en")


@given(st.text(max_size=80))
def test_the_hash_of_one_term_is_that_of_many(term):
    assert hash_term(term) == next(iter(hash_terms(term).tolist()), NO_TERM)


def test_six_bytes_a_word():
    assert len(pack_tokens("one two three", "en")) == 18


def test_most_texts_are_located_all_at_once():
    assert locate_terms(TEXTS[0]) is not None
    assert locate_terms(TEXTS[2]) is not None
    assert locate_terms("❤️ 👩\u200d💻 go") is not None
    assert locate_terms("½") is None


def test_hashes_do_not_depend_on_what_stands_around():
    assert hash_terms("cat dog").tolist() == [hash_term("cat"), hash_term("dog")]
    assert hash_terms(" cat   dog ").tolist() == hash_terms("cat dog").tolist()
    assert hash_term("") == NO_TERM


def test_hashes_never_change():
    """They are stored: another way to hash needs another format of the index."""
    hashes = [hash_term(term) for term in ("cat", "検索", "ışık")]
    assert hashes == [
        7632153,
        1011101814,
        1869572215,
    ]


def test_words_that_look_alike_have_hashes_of_their_own():
    terms = [f"{a}{b}{number}" for a in "abcdefgh" for b in "aeiou" for number in range(1000)]
    by_chance = len(terms) ** 2 / 2 / 2**28
    assert len(np.unique(hash_terms(" ".join(terms)))) > len(terms) - 2 * by_chance


def test_a_text_that_is_no_table_is_an_empty_one():
    assert rows_of("12345") == []
