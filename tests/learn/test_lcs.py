from hypothesis import given
from hypothesis import strategies as st

from telusur.learn.lcs import lcs_length, likeness, share_in, words_of

WORDS = st.lists(st.sampled_from("abcde"), max_size=40)


def by_the_table(one: list[str], other: list[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, candidate in enumerate(other, 1):
            above = row[place]
            row[place] = before + 1 if word == candidate else max(above, row[place - 1])
            before = above
    return row[-1]


@given(WORDS, WORDS)
def test_agrees_with_the_usual_table(one, other):
    assert lcs_length(one, other) == by_the_table(one, other)


@given(WORDS, WORDS, WORDS)
def test_laws(one, other, more):
    length = lcs_length(one, other)
    assert length == lcs_length(other, one)
    assert length == lcs_length(one[::-1], other[::-1])
    assert lcs_length(one, one) == len(one)
    assert length <= min(len(one), len(other))
    assert length <= lcs_length(one + more, other) <= length + len(more)


@given(WORDS, WORDS)
def test_shares_are_shares(one, other):
    assert 0 <= likeness(one, other) <= share_in(one, other) <= 1


def test_words_are_compared_in_small_letters():
    title = words_of("Ferry strike called off")
    assert share_in(title, words_of("FERRY strike: talks go on, then it is called off.")) == 1
    assert likeness(title, words_of("Ferry strike called off | Island News")) == 4 / 6
    assert likeness([], title) == share_in([], title) == 0
