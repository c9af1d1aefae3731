import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.language.normalise import normalise_word


@pytest.mark.parametrize(
    ("word", "language", "normal"),
    [
        ("ISPARTA", "tr", "ısparta"),
        ("İstanbul", "tr", "istanbul"),
        ("I\u0307zmir", "tr", "izmir"),
        ("ISPARTA", "en", "isparta"),
        ("İSTANBUL", "en", "istanbul"),
        ("STRASSE", "de", "strasse"),
        ("Straße", "de", "strasse"),
        ("Ｔｅｌｕｓｕｒ", "en", "telusur"),
        ("cafe\u0301", "fr", "café"),
        ("ﬁn", "en", "fin"),
        ("Dampf\u00adschiff", "de", "dampfschiff"),
        ("ΟΔΟΣ", "el", "οδοσ"),
    ],
)
def test_one_form_for_each_word(word, language, normal):
    assert normalise_word(word, language) == normal


@given(st.text(), st.sampled_from(["en", "tr", "de", ""]))
def test_a_normal_form_stays_as_it_is(word, language):
    once = normalise_word(word, language)
    again = normalise_word(once, "en" if language == "" else language)
    assert again == once
