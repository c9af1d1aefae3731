import numpy as np
import pytest

from telusur.extract.content.second_look import fill_holes
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout

PROSE = "The keeper climbed the stairs of the tower every evening to light the lamp number {}."


def page(*parts):
    return read_layout(parse_html("".join(part.format(n) for n, part in enumerate(parts))))


def filled(layout, chosen, likely):
    words = np.array([len(text.split()) for text in layout.texts], np.float32)
    return fill_holes(
        np.array(chosen, np.int64), np.array(likely, np.float32), words, layout
    ).tolist()


@pytest.fixture
def story():
    return page("<div>", *[f"<p>{PROSE}</p>"] * 4, "</div>")


def test_a_doubtful_paragraph_between_others_is_part_of_the_text(story):
    assert filled(story, [0, 1, 3], [0.9, 0.9, 0.3, 0.9]) == [0, 1, 2, 3]


def test_so_is_one_right_before_or_behind_them(story):
    assert filled(story, [1, 2], [0.3, 0.9, 0.9, 0.3]) == [0, 1, 2, 3]


def test_but_none_farther_away(story):
    assert filled(story, [0, 1], [0.9, 0.9, 0.3, 0.3]) == [0, 1, 2]


def test_an_unlikely_paragraph_stays_out(story):
    assert filled(story, [0, 1, 3], [0.9, 0.9, 0.02, 0.9]) == [0, 1, 3]


def test_it_stays_out_where_most_paragraphs_are(story):
    assert filled(story, [0], [0.9, 0.3, 0.3, 0.3]) == [0]


def test_paragraphs_with_other_names_are_another_kind():
    layout = page(f"<div><p>{PROSE}</p>", f"<p class=ad>{PROSE}</p>", f"<p>{PROSE}</p></div>")
    assert filled(layout, [0, 2], [0.9, 0.3, 0.9]) == [0, 2]


def test_lines_of_an_element_that_is_no_paragraph_belong_together():
    layout = page(f"<div>{PROSE}<hr>", f"{PROSE}<hr>", f"{PROSE}</div>", f"<div>{PROSE}</div>")
    assert filled(layout, [0, 1], [0.9, 0.9, 0.3, 0.3]) == [0, 1, 2]


def test_links_and_short_lines_are_no_paragraphs():
    layout = page(
        f"<p>{PROSE}</p>", f"<p><a href=/a>{PROSE}</a></p>", "<p>Short</p>", f"<p>{PROSE}</p>"
    )
    assert filled(layout, [0, 3], [0.9, 0.3, 0.3, 0.9]) == [0, 3]


def test_where_nothing_was_chosen_nothing_is_added(story):
    assert filled(story, [], [0.3] * 4) == []
