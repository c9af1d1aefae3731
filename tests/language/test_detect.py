from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telusur.language.detect import (
    SECOND_LOOK_CHARACTERS,
    detect_language,
    detect_language_with_confidence,
)

SENTENCES = {
    "en": "The library keeps a copy of every page it has fetched, so that you can read it later.",
    "id": "Perpustakaan menyimpan salinan setiap halaman yang diambil agar dapat dibaca nanti.",
    "tr": "Kütüphane, daha sonra okunabilmesi için aldığı her sayfanın bir kopyasını saklar.",
    "de": "Die Bibliothek bewahrt eine Kopie jeder Seite auf, damit man sie später lesen kann.",
    "fr": "La bibliothèque garde une copie de chaque page pour que l'on puisse la lire plus tard.",
    "ja": "図書館は後で読めるように、取得したすべてのページのコピーを保管します。",
    "ar": "تحتفظ المكتبة بنسخة من كل صفحة حتى تتمكن من قراءتها لاحقا.",
    "ru": "Библиотека хранит копию каждой полученной страницы, чтобы её можно было читать позже.",
}


@pytest.mark.parametrize(("language", "sentence"), SENTENCES.items())
def test_a_sentence_is_enough_to_tell_its_language(language, sentence):
    assert detect_language(sentence) == language


@pytest.mark.parametrize("text", ["", "   ", "42", "404 - 2024/05/06", "!!!", "ok", "\ud800\udfff"])
def test_what_has_no_words_has_no_language(text):
    assert detect_language_with_confidence(text) == ("", 0.0)


@pytest.mark.parametrize("text", ["Home About Contact", "Python tutorial"])
def test_too_little_text_is_not_guessed(text):
    language, confidence = detect_language_with_confidence(text)
    assert language == ""
    assert confidence < 0.5


def test_a_doubtful_beginning_is_read_further():
    menu = "Home | News | Sport | Kontakt | Login | " * 8
    assert detect_language(menu + SENTENCES["de"] * 10) == "de"


def test_only_the_beginning_of_a_long_text_is_read():
    long_text = SENTENCES["en"] * 20
    assert len(long_text) > SECOND_LOOK_CHARACTERS
    assert detect_language_with_confidence(long_text) == detect_language_with_confidence(
        long_text + SENTENCES["ru"] * 100
    )


def test_threads_share_the_model():
    texts = list(SENTENCES.values()) * 5
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(detect_language, texts)) == list(SENTENCES) * 5


@given(st.text())
@settings(deadline=None, max_examples=50)
def test_any_text_has_an_answer(text):
    language, confidence = detect_language_with_confidence(text)
    assert language == "" or (len(language) == 2 and confidence >= 0.5)
