import pytest

from telusur.language.reading_time import CHARACTERS_A_MINUTE, WORDS_A_MINUTE, reading_minutes


@pytest.mark.parametrize(
    ("words", "minutes"),
    [(1, 1), (WORDS_A_MINUTE, 1), (WORDS_A_MINUTE + 1, 2), (10 * WORDS_A_MINUTE, 10)],
)
def test_minutes_come_from_words_and_are_rounded_up(words, minutes):
    assert reading_minutes(" ".join(["word"] * words), "en") == minutes
    assert reading_minutes("\n".join(["word"] * words)) == minutes


def test_no_text_takes_no_time():
    assert reading_minutes("") == 0


@pytest.mark.parametrize("language", CHARACTERS_A_MINUTE)
def test_a_language_without_blanks_is_counted_by_characters(language):
    speed = CHARACTERS_A_MINUTE[language]
    assert reading_minutes("字" * 3 * speed, language) == 3
    assert reading_minutes("字" * (3 * speed + 1), language) == 4
    assert reading_minutes("字" * 3 * speed, "en") == 1
    assert reading_minutes(("字" * speed + "\n") * 3, language) == 3, "line ends are not read"
