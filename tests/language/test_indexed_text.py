import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from telusur.language import indexed_text
from telusur.language.characters import UNRULY
from telusur.language.exact import join_both
from telusur.language.indexed_text import IndexedText, make_token_table, native, read_text
from telusur.language.token_table import SCATTER, pack_tokens

WORDS = st.sampled_from(
    [
        "The",
        "cats'",
        "running,",
        "İstanbul",
        "IŞIK",
        "ışık",
        "naïve",
        "café",
        "ﬁne",
        "don’t",
        "e-mail",
        "½",
        "日本語",
        "日",
        "한국어를",
        "\u1100\u1161\u11a8",  # three parts that normalising makes one of
        "가\u11a8",
        "カタカナ",
        "ｶﾞ",
        "か\u3099",
        "AI時代のAPI2",
        "日\u0301本",
        "\U00020000\U00020001",
        "ไทย",
        "हिन्दी",
        "𝒳",
        "C++",
        "á",
        "́x",
        "x\xady",
        "soft\xadhyphen",
        "_under_",
        "3.14",
        "Straße",
        "ΟΔΟΣ",
        "👍🏽",
    ]
)
TEXTS = st.lists(st.one_of(WORDS, st.text(max_size=8)), max_size=30).map(" ".join)


def in_python(text: str, language: str) -> IndexedText:
    terms, exact = join_both(text, language)
    return IndexedText(terms, exact, pack_tokens(text, language, terms))


def test_the_compiled_part_was_built():
    assert native is not None, "no compiler? Telusur works without, but its tests want both ways"


@example("a" * 300, "en")
@example("a" + " " * 255 + "b" + " " * 600 + "c", "en")
@given(TEXTS, st.sampled_from(["en", "tr", "id", "de", "", "zh"]))
def test_compiled_or_not_a_text_is_read_the_same(text, language):
    one, other = read_text(text, language), in_python(text, language)
    assert (one.terms.split(), one.exact.split()) == (other.terms.split(), other.exact.split())
    assert one.tokens == other.tokens


def test_more_words_than_are_remembered():
    words = native.Analysis(
        None, lambda word: (word, word), None, bytes([0, 1] * 500), SCATTER, False, 3
    )
    text = "\x01 \x03 \x05 \x07 \x09 \x01"
    for _ in range(3):
        assert words.analyse(text)[0].split(" ") == text.split(" ")


def test_words_met_again_are_remembered_longest():
    asked = []
    words = native.Analysis(
        None,
        lambda word: asked.append(word) or (word, word * 2),
        None,
        bytes([0, 1] * 500),
        SCATTER,
        False,
        4,
    )
    often = "\x01 \x01"
    for rare in range(3, 99, 2):
        stems, exact, _ = words.analyse(f"{often} {chr(rare)}")
        assert stems == f"{often} {chr(rare)}"
        assert exact == f"\x01\x01 \x01\x01 {chr(rare) * 2}"
    assert asked.count("\x01") == 1


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Languages: English, 日本語 and ½ of an ﬁne naïve " + "x" * 300 + " more", "en"),
        ("我们正在用Python写一个搜索引擎，它支持各种语言。" * 100, "zh"),
        ("검색 엔진은 모든 언어를 지원합니다. " * 100, "ko"),
        ("検索エンジンはあらゆる言語に対応しています" * 100, "ja"),
    ],
)
def test_words_of_several_terms_do_not_send_the_text_to_python(text, language, monkeypatch):
    expected = in_python(text, language)
    monkeypatch.delattr(indexed_text, "join_both")
    one = read_text(text, language)
    assert (one.terms.split(), one.exact.split()) == (
        expected.terms.split(),
        expected.exact.split(),
    )
    assert one.tokens == expected.tokens


@pytest.mark.parametrize(
    "located", [None, ([], None), ([1], ["a"]), ([("a", 2, 1)], ["a"]), ([("a", -1, 1)], ["a"])]
)
def test_what_are_no_places_of_terms_is_refused(located):
    words = native.Analysis(
        None, None, lambda word: located, bytes([0, UNRULY] * 500), SCATTER, False, 3
    )
    with pytest.raises((TypeError, ValueError)):
        words.analyse("\x01")


def test_terms_without_as_many_exact_forms_are_left_to_python():
    words = native.Analysis(
        None, None, lambda word: ([], ["a"]), bytes([0, UNRULY] * 500), SCATTER, False, 3
    )
    assert words.analyse("\x01") is None


@pytest.mark.parametrize("made", [("a",), None, ("a", "b", "c"), (1, 2)])
def test_what_is_no_form_of_a_word_is_refused(made):
    words = native.Analysis(None, lambda word: made, None, bytes([0, 1] * 500), SCATTER, False, 3)
    with pytest.raises(TypeError):
        words.analyse("\x01")


def test_what_fails_in_python_fails_as_it_did():
    def fail(word):
        raise KeyError(word)

    with pytest.raises(KeyError, match="c"):
        native.Analysis(None, fail, None, bytes([0, 1] * 500), SCATTER, False, 3).analyse("c")
    assert indexed_text.read_text("", "en") == ("", "", "")


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("A cat sat on the mat. " * 30, "en", False),
        ("“A cat” – the naïve one – sat on the mat. " * 30, "", False),
        ("Úvodní slovo o kočce, která seděla na rohožce. " * 30, "cs", False),
        # Prefixes are cut here, so that any word may be the one sought.
        ("Kucing itu duduk di atas tikar. " * 30, "id", True),
        ("Kedi paspasın üstüne oturdu. " * 30, "tr", True),
        ("Кошка сидела на коврике. " * 30, "ru", True),
        ("猫はマットの上に座っていた。" * 30, "ja", True),
        ("", "en", False),
    ],
)
def test_a_table_is_made_only_for_texts_in_which_every_word_would_be_looked_up(
    text, language, expected
):
    found, whole = read_text(text, language, with_table=False), read_text(text, language)
    assert (found.terms, found.exact) == (whole.terms, whole.exact)
    assert found.tokens == (whole.tokens if expected else "")
    assert make_token_table(text, language) == whole.tokens


def test_a_word_is_asked_to_be_a_stop_word_only_when_that_matters():
    asked = []
    words = native.Analysis(
        None,
        None,
        lambda word: ([(word, 0, len(word))], [word]),
        bytes([0, 1] * 500),
        SCATTER,
        True,
        9,
        lambda word: asked.append(word) or word == "a",
    )
    assert words.analyse("a c e")[0] == "a c e"
    assert asked == []
    for _ in range(2):
        hashes, lengths = words.hash_texts(["a c e a"], 9)
        assert (len(hashes), lengths) == (8, (2).to_bytes(4, "little"))
    assert asked == ["a", "c", "e"]
