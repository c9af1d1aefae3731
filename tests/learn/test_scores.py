import pytest

from telusur.learn.scores import Scores, Tally, scores_table


def counted() -> Scores:
    scores = Scores()
    scores.add(
        ["title", "content", "content", "other", "author"],
        ["title", "content", "other", "content", "other"],
        [5, 30, 10, 2, 2],
    )
    scores.add(["content", "other"], ["content", "title"], [20, 3])
    return scores


def test_figures_of_an_example_counted_by_hand():
    scores = counted()
    assert scores.pages == 2
    assert scores.blocks["content"] == Tally(right=2, labelled=3, wanted=3)
    assert scores.words["content"] == Tally(right=50, labelled=52, wanted=60)
    assert scores.blocks["title"] == Tally(right=1, labelled=2, wanted=1)
    assert scores.blocks["author"] == Tally(right=0, labelled=0, wanted=1)
    assert scores.blocks["title"].precision == 0.5
    assert scores.blocks["title"].recall == 1
    assert scores.blocks["title"].f1 == pytest.approx(2 / 3)
    assert scores.words["content"].precision == pytest.approx(50 / 52)
    assert scores.words["content"].recall == pytest.approx(50 / 60)
    assert scores.blocks["author"].f1 == scores.blocks["author"].precision == 0


def test_f1_is_the_harmonic_mean():
    tally = Tally(right=3, labelled=4, wanted=10)
    expected = 2 * tally.precision * tally.recall / (tally.precision + tally.recall)
    assert tally.f1 == pytest.approx(expected)
    assert Tally().f1 == Tally().recall == 0


def test_the_table_has_a_row_for_each_label():
    lines = scores_table({"network": counted()}, "new sites").splitlines()
    assert lines[0].split() == [
        "new", "sites", "label", "blocks:", "P", "R", "F1", "words:", "P", "R", "F1",
    ]  # fmt: skip
    assert lines[2].split() == [
        "network",
        "content",
        "66.7",
        "66.7",
        "66.7",
        "96.2",
        "83.3",
        "89.3",
    ]
    assert lines[4].split()[0] == "author"
    assert len(lines) == 5


def test_the_record_has_the_same_figures():
    record = counted().as_record()
    assert record["title"]["blocks"] == {"precision": 0.5, "recall": 1.0, "f1": 0.6667}


def test_every_block_needs_a_label():
    with pytest.raises(ValueError, match="zip"):
        Scores().add(["content"], [], [1])
