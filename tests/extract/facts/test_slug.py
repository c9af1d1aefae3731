import pytest

from telusur.extract.facts.slug import contradicts_slug, tells_slug, words_without_accents


@pytest.mark.parametrize(
    ("text", "url", "expected"),
    [
        ("Fog bells of the coast", "http://a.example/news/fog-bells-of-the-coast", True),
        (
            "Fog bells of the coast",
            "http://a.example/2024/05/fog_bells_of_the_coast.html?x=1",
            True,
        ),
        ("Darán bendición", "http://a.example/daran-bendicion-hoy", True),
        ("Туман на море", "http://a.example/%D1%82%D1%83%D0%BC%D0%B0%D0%BD-%D0%BD%D0%B0-12a", True),
        ("Coast Herald", "http://a.example/news/fog-bells-of-the-coast", False),
        ("Fog bells of the coast", "http://a.example/fog-bells-of-the-coast/index.html", True),
        ("Fog bells of the coast", "http://a.example/fog-bells-of-the-coast/parts", False),
        # Two words may be a section.
        ("Coast news", "http://a.example/coast-news/", False),
        ("Fog", "", False),
    ],
)
def test_whether_a_text_says_what_the_address_says(text, url, expected):
    assert tells_slug(text, url) is expected


def test_words_as_addresses_have_them():
    assert words_without_accents("Fußgänger, 2024!") == {"fussganger"}


def test_a_text_with_no_word_of_the_address():
    url = "http://a.example/fog-bells-of-the-coast"
    assert contradicts_slug("Sea talk", url)
    assert not contradicts_slug("Sea fog", url)
    assert not contradicts_slug("Sea talk", "http://a.example/news/17")
