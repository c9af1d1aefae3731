"""Words by root: the texts choose between the ways a word can be read."""

import pytest

from telusur.language.roots import counter
from telusur.language.roots.counter import RootCounter


def roots_of(language, text):
    counted = RootCounter(language)
    counted.add(text)
    return {(each.root, each.kind): each for each in counted.roots()}


def test_english_nouns_and_verbs_are_told_apart_by_endings_and_by_the_word_before():
    roots = roots_of(
        "en",
        "The owl hunts. Owls hunted, and an owl will hunt; they hunt while hunting."
        " The hunt of the owl. The hunt was long. We studied the nests they made in the nest.",
    )
    assert roots["owl", "noun"].count == 4
    assert roots["hunt", "verb"].count >= 3
    assert ("study", "verb") in roots
    assert roots["nest", "noun"].forms == (("nest", 1), ("nests", 1))


@pytest.mark.parametrize(
    ("form", "root"),
    [
        ("making", "make"), ("stopped", "stop"), ("tried", "try"), ("obtained", "obtain"),
        ("considering", "consider"), ("used", "use"), ("buckling", "buckle"),
    ],
)  # fmt: skip
def test_english_verbs_without_their_ending(form, root):
    assert list(roots_of("en", form)) == [(root, "verb")]


def test_indonesian_roots_come_back_though_the_prefix_swallowed_their_first_letter():
    roots = roots_of(
        "id",
        "menulis ditulis tulisan penulis tulis. memukul dipukul pukulan pukul. menyapu disapu sapu."
        " mengirim dikirim kiriman kirim kirimannya",
    )
    assert roots["tulis", "verb"].forms[0][1] == 1
    assert {form for form, _ in roots["tulis", "noun"].forms} >= {"tulisan", "penulis"}
    for root in ("pukul", "sapu", "kirim"):
        assert (root, "verb") in roots


def test_turkish_endings_come_off_in_a_chain():
    roots = roots_of(
        "tr",
        "kitap kitaplar kitapları kitabın kitapta. geldi geliyor gelmek gelecek geldiler gelmedi."
        " Isparta'nın evleri, evlerimizde, evden",
    )
    assert roots["kitap", "noun"].count == 5
    assert roots["gelmek", "verb"].count == 6
    assert roots["ev", "noun"].count == 3
    assert ("ısparta", "noun") in roots


def test_other_languages_are_put_together_by_stem_and_not_told_apart():
    roots = roots_of("de", "Häuser Häusern Haus laufen läuft laufend")
    assert {kind for _, kind in roots} == {""}
    assert any(each.count == 3 for each in roots.values())


def test_stop_words_and_numbers_are_not_counted():
    assert roots_of("en", "the 42 of a 7") == {}


def test_only_so_many_words_are_kept_in_mind(monkeypatch):
    monkeypatch.setattr(counter, "MOST_FORMS", 100)
    many = RootCounter("en")
    for number in range(50):
        many.add("whale whale " + " ".join(f"word{number}x{i}" for i in range(20)))
    assert len(many._counts) <= 100
    assert many.roots()[0].root == "whale"
    assert many.roots()[0].count == 100
