import pytest

from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.truth import block_truth, gold_labels
from telusur.models import Block

TEXT = """The lamp of the lighthouse was lit again on Monday evening.
Price
12 crowns
The keeper counted eleven ships before midnight came around."""


def blocks_of(*texts, path="html/body/p"):
    return [Block(text, tag_path=path) for text in texts]


def page(**fields):
    return LabelledPage(id="1", html="", **{"text": TEXT, **fields})


def test_content_is_what_the_truth_has():
    blocks = blocks_of(
        "Home", "The lamp of the lighthouse was lit again on Monday evening.", "Read our letter",
        "The keeper counted eleven ships before midnight came around.",
    )  # fmt: skip
    assert gold_labels(blocks, page()) == ["other", "content", "other", "content"]


def test_a_block_that_says_more_has_a_share():
    (share,) = block_truth(
        blocks_of("eleven ships before midnight and five more words here"), page()
    ).shares
    assert share == pytest.approx(4 / 9)


def test_a_short_block_is_content_as_a_line_or_within_what_surrounds_it():
    labels = gold_labels(blocks_of("Price", "12", "crowns", "ships"), page())
    assert labels == ["content", "other", "other", "other"]
    blocks = blocks_of("The keeper counted", "eleven", "ships before midnight came", "eleven")
    assert gold_labels(blocks, page()) == ["content", "content", "content", "other"]


def test_of_repeated_texts_the_one_among_the_content_counts():
    lamp = "The lamp of the lighthouse was lit again on Monday evening."
    keeper = "The keeper counted eleven ships before midnight came around."
    far = blocks_of(*["nothing of the kind to be found here at all"] * 20)
    labels = gold_labels([*blocks_of(lamp), *far, *blocks_of(lamp, keeper)], page())
    assert [index for index, label in enumerate(labels) if label == "content"] == [21, 22]


def test_title_author_and_date_are_blocks_that_say_just_that():
    truth = page(title="Lamp lit!", author="Ana Bo, Cy Dee", date="2024-05-17")
    blocks = [
        *blocks_of("Lamp lit", path="html/body/a"), *blocks_of("LAMP LIT", path="html/body/h1"),
        *blocks_of("By Ana Bo and Cy Dee", "17 May 2024", "18 May 2024", "Ana"),
    ]  # fmt: skip
    labels = gold_labels(blocks, truth)
    assert labels == ["other", "title", "author", "date", "other", "other"]


def test_without_a_truth_nothing_is_content():
    assert gold_labels(blocks_of("The lamp of the lighthouse"), page(text=None)) == ["other"]
