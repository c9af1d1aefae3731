import pytest

from telusur.index.contract import Candidate
from telusur.search.query.syntax import parse
from telusur.search.rank.meaning import (
    MOST_PASSAGES,
    PASSAGE_STEP,
    PASSAGE_WORDS,
    RANK_OFFSET,
    fuse,
    meant_words,
    split_passages,
)


def candidates(*numbers):
    return [Candidate(10.0 - place, number, 0, None) for place, number in enumerate(numbers)]


def test_a_short_text_is_one_passage_under_its_title():
    assert split_passages("Owls", "They hunt.") == ["Owls. They hunt."]
    assert split_passages(" ", "They hunt.") == ["They hunt."]
    assert split_passages("", "") == [""]


@pytest.mark.parametrize("count", [119, 120, 121, 220, 221, 1000])
def test_every_word_of_a_text_is_in_a_passage(count):
    passages = split_passages("T", " ".join(f"w{n}" for n in range(count)))
    assert {word for passage in passages for word in passage.split()[1:]} == {
        f"w{n}" for n in range(count)
    }
    assert all(len(passage.split()) <= PASSAGE_WORDS + 1 for passage in passages)
    assert len(passages) == max(1, -(-(count - PASSAGE_WORDS + PASSAGE_STEP) // PASSAGE_STEP))


def test_an_endless_text_has_a_bounded_number_of_passages():
    assert len(split_passages("", "word " * 100_000)) == MOST_PASSAGES


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("how owls hunt", "how owls hunt"),
        ('owls -mice site:a.example "at night" lang:en', "owls at night"),
        ("(owls OR bats) AND title:night after:2024", "owls bats night"),
        ("librar* colour~", "librar colour"),
        ("-owls site:a.example", ""),
    ],
)
def test_filters_and_what_is_excluded_are_not_meant(typed, meant):
    assert meant_words(parse(typed)) == meant


def test_what_both_rankings_have_comes_first_and_places_count_by_weight():
    fusion = fuse(candidates(1, 2, 3), candidates(4, 3), 0.5)
    assert [candidate.number for candidate in fusion.candidates] == [3, 1, 2, 4]
    best = fusion.candidates[0]
    assert best.score == pytest.approx(1 / (RANK_OFFSET + 3) + 0.5 / (RANK_OFFSET + 2))
    assert fusion.reasons[3].value == best.score
    assert [part.description.split(",")[0] for part in fusion.reasons[3].details] == [
        "place 3 by words (8.000)",
        "place 2 by meaning (9.000)",
    ]


def test_without_meaning_the_order_by_words_stays():
    fusion = fuse(candidates(5, 1, 3), [], 0.5)
    assert [candidate.number for candidate in fusion.candidates] == [5, 1, 3]
