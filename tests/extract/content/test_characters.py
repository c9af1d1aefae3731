import pytest

from telusur.extract.content.characters import Kind, count_kinds


def test_kinds_are_counted_text_by_text():
    (first, second), _ = count_kinds(["Ab 1, 2.", "日本語€ | ©"])
    assert first[Kind.UPPER] == first[Kind.LOWER] == first[Kind.END] == first[Kind.COMMA] == 1
    assert (first[Kind.DIGIT], first[Kind.SPACE]) == (2, 2)
    assert second[Kind.IDEOGRAPH] == 3
    assert second[Kind.MONEY] == second[Kind.BAR] == second[Kind.SIGN] == 1


@pytest.mark.parametrize("text", ["", "\U0001f600\U0010ffff", "\x00\n\t"])
def test_every_character_is_counted_once(text):
    ((row,), _) = count_kinds([text])
    assert row.sum() == len(text)


def test_of_a_long_text_the_beginning_stands_for_the_whole():
    ((row,), _) = count_kinds(["ab, " * 10_000])
    assert row.sum() == pytest.approx(40_000)
    assert row[Kind.COMMA] == pytest.approx(10_000)


def test_how_texts_end():
    _, endings = count_kinds(["End.", "Here:", "a\nb", "日本語。", "也："])
    assert endings.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]
