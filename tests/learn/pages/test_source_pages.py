from dataclasses import replace

import numpy as np

from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.source_pages import prepare_page, prepare_pages
from telusur.models import Block, Bounds
from tests.learn.made_up_sites import made_up_page


def test_a_page_has_blocks_truth_meta_tags_and_features():
    labelled = made_up_page("a.example", 0)
    page = prepare_page(labelled)
    truth = dict(zip([block.text for block in page.blocks], page.truth, strict=True))
    assert truth[labelled.title] == "title"
    assert truth[f"By {labelled.author}"] == "author"
    assert [text for text, label in truth.items() if label == "content"] == labelled.text.split(
        "\n"
    )
    assert (page.title, page.author) == (labelled.title, labelled.author)
    assert page.description == labelled.text.split("\n")[0]
    assert page.words[page.truth.index("content")] == 30
    assert len(page.row_of) == len(page.blocks)


def test_blocks_that_look_the_same_share_a_row():
    page = prepare_page(made_up_page("a.example", 0))
    content = [
        row for row, label in zip(page.row_of, page.truth, strict=True) if label == "content"
    ]
    assert len(content) == 4
    assert len(set(content)) == 1
    assert len(page.rows) < len(page.blocks) / 2
    assert len(np.unique(page.rows, axis=0)) == len(page.rows)


def test_pages_that_tell_nothing_are_left_out():
    unknown = LabelledPage(id="1", html="<p>Some words", text=None)
    empty = LabelledPage(id="2", html="", text="Some words")
    good = LabelledPage(id="3", html="<p>Some words", text="Some words")
    assert [page.id for page in prepare_pages([unknown, empty, good])] == ["3"]


def test_dates_are_none_of_the_source_labels():
    html = "<h1>Tides</h1><p>2026-01-02</p><p>The moon pulls the sea, and it comes.</p>"
    page = LabelledPage(
        id="1", html=html, title="Tides", date="2026-01-02",
        text="The moon pulls the sea, and it comes.",
    )  # fmt: skip
    assert prepare_page(page).truth == ["title", "other", "content"]


DRAWN = [
    Block("Tides", tag_path="html/body/h1", css={"font-size": "40px"}, bounds=Bounds(0, 0, 9, 9)),
    Block("unseen", tag_path="html/body/p", css={"font-size": "16px"}, is_hidden=True),
    Block("The moon pulls the sea.", tag_path="html/body/p", css={"font-size": "20px"}),
]
TIDES = LabelledPage(
    id="1", html="<h1>Tides</h1><p>The moon pulls the sea.", title="Tides",
    text="The moon pulls the sea.",
)  # fmt: skip


def test_drawn_blocks_bring_their_own_look_and_only_what_is_seen_counts():
    page = prepare_page(TIDES, lambda page: DRAWN)
    plain = prepare_page(TIDES)
    assert [block.text for block in page.blocks] == [block.text for block in plain.blocks]
    assert page.truth == plain.truth == ["title", "content"]
    assert page.blocks[0].bounds == Bounds(0, 0, 9, 9)
    assert (page.rows[page.row_of] != plain.rows[plain.row_of]).any(axis=1).all()
    assert page.blocks[0].css is None, "its numbers are in the row"
    assert DRAWN[0].css is not None
    assert list(prepare_pages([TIDES], lambda page: [])) == []


def test_labels_that_a_person_gave_hold_for_drawn_blocks_too():
    labelled = replace(TIDES, labels=("other", "content"))
    assert prepare_page(labelled, lambda page: DRAWN).truth == ["other", "content"]
