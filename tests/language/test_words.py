import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.language.words import find_words, is_continuous, locate_words, split_scripts


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("snake_case, kebab-case & don't", ["snake", "case", "kebab", "case", "don", "t"]),
        ("Größe, İstanbul'da", ["Größe", "İstanbul", "da"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("cafe\u0301 noir", ["cafe\u0301", "noir"]),
        ("Dampf\u00adschiff می\u200cخواهم", ["Dampf\u00adschiff", "می\u200cخواهم"]),
        ("東京タワー、2024年", ["東京タワー", "2024年"]),
        ("🙂 … —", []),
        ("", []),
    ],
)
def test_words_of_many_scripts(text, words):
    assert find_words(text) == words


@given(st.text())
def test_offsets_point_at_the_words(text):
    located = list(locate_words(text))
    assert [word for word, _, _ in located] == find_words(text)
    assert all(text[start:end] == word for word, start, end in located)


def test_scripts_without_spaces_are_told_apart():
    assert is_continuous("東京")
    assert is_continuous("ไทย")
    assert not is_continuous("Größe")
    assert list(split_scripts("iPhone用ケース")) == [("iPhone", 0), ("用ケース", 6)]
