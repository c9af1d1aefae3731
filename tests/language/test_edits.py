import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.language.edits import edit_distance

WORDS = st.text("abc", max_size=6)


@pytest.mark.parametrize(
    ("word", "other", "edits"),
    [
        ("cat", "cat", 0),
        ("cat", "cats", 1),
        ("cat", "cut", 1),
        ("cat", "act", 1),
        ("receive", "recieve", 1),
        ("search", "serach", 1),
        ("kitten", "sitting", 3),
        ("", "ab", 2),
        ("cat", "elephant", 3),
    ],
)
def test_how_many_edits(word, other, edits):
    assert edit_distance(word, other, 2) == edits


@given(WORDS, WORDS)
def test_both_ways_are_as_long(word, other):
    assert edit_distance(word, other, 9) == edit_distance(other, word, 9)
    assert edit_distance(word, other, 1) == min(2, edit_distance(word, other, 9))
