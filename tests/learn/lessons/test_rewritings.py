from dataclasses import replace

import numpy as np
import pytest

from telusur.extract.content.blocks import Blocks
from telusur.extract.content.element_names import senses_of_name
from telusur.extract.document import open_page
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.layout import read_layout
from telusur.learn.lessons.examples import make_examples
from telusur.learn.lessons.old_markup import Habits, in_old_markup
from telusur.learn.lessons.other_language import in_other_language, is_latin
from telusur.learn.lessons.rewritings import make_rewritings
from telusur.learn.pages.dataset import LabelledPage

PARAGRAPHS = [
    f"Keeper number {n} climbed {n} stairs of the tower and lit the lamp." for n in range(6)
]
MENU = "<nav class=menu><ul><li><a href=/a>Boats</a><li><a href=/b>Lamps</a></ul></nav>"
STORY = "".join(f"<p>{each}</p>" for each in PARAGRAPHS)
HTML = (
    f"<title>Tower</title><body>{MENU}<main id=m><h1>Tower</h1><article class=story>{STORY}"
    "<h2>Lamps</h2><p>They are many.</p></article></main><footer><p>© 1999</p></footer>"
)
OLD = Habits(
    breaks_text=True, breaks_lists=True, has_bold_headings=True, is_nameless=True, tables=1.0
)
PLAIN = replace(OLD, breaks_text=False, breaks_lists=False, is_nameless=False, tables=0.0)


def layout_of(html=HTML):
    return read_layout(open_page(html).tree)


def written(habits, kinds=None):
    layout = layout_of()
    chance = np.random.default_rng(0)
    page = in_old_markup(layout, habits, kinds or [0] * len(layout.texts), chance)
    return page, list(Blocks(page.layout, [""] * len(page.layout.texts)))


def test_paragraphs_and_items_become_rows_of_one_text():
    page, blocks = written(OLD)
    assert [block.text for block in blocks] == [
        "Boats\nLamps", "Tower", "\n".join([*PARAGRAPHS, "Lamps", "They are many."]), "© 1999",
    ]  # fmt: skip
    assert page.line_of.tolist() == [0, 0, 1, *[2] * 8, 3]
    assert blocks[0].link_density == pytest.approx(10 / 11)


def test_lines_of_different_kinds_stay_apart():
    kinds = [0, 1, -1, 0, 0, 0, 1, 1, -1, 0, 0, 0]
    page, _ = written(OLD, kinds)
    assert page.line_of.tolist() == [0, 1, 2, 3, 3, 3, 4, 4, 5, 6, 6, 7]


def test_sections_are_cells_of_tables_and_have_no_names():
    _, blocks = written(OLD)
    assert blocks[2].tag_path.endswith("table/tbody/tr/td/table/tbody/tr/td")
    assert not {"nav", "main", "article", "footer"} & set(blocks[2].tag_path.split("/"))
    assert {block.classes + block.element_id for block in blocks} == {""}


def test_headings_are_bold_paragraphs():
    page, blocks = written(PLAIN)
    at = [block.text for block in blocks].index("Lamps", 2)
    assert blocks[at].tag_path.endswith("div/div/p")
    assert page.layout.marks[at] == " b"
    assert "div.story" in blocks[at].selectors


def test_a_page_in_old_markup_is_the_page_that_a_browser_would_read():
    page, _ = written(replace(OLD, tables=0.0))
    rows = "<br>".join([*PARAGRAPHS, "Lamps", "They are many."])
    same = layout_of(
        "<title>Tower</title><body><div><ul><a href=/a>Boats</a><br><a href=/b>Lamps</a></ul></div>"
        f"<div><p><b>Tower</b></p><div>{rows}</div></div><div><p>© 1999</p></div>"
    )
    assert page.layout.texts == same.texts
    assert page.layout.linked.tolist() == same.linked.tolist()
    assert page.layout.marks == same.marks
    assert [block.tag_path for block in Blocks(page.layout, [""] * 4)] == [
        block.tag_path for block in Blocks(same, [""] * 4)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_another_language_has_no_latin_letter_and_the_same_agreement(seed):
    layout = layout_of()
    new, metadata = in_other_language(layout, Metadata(title="Tower"), np.random.default_rng(seed))
    assert not any(sign.isascii() and sign.isalpha() for text in new.texts for sign in text)
    assert metadata.title == new.texts[2] != "Tower"
    assert new.texts[0] != new.texts[1] == new.texts[9]
    assert (new.linked <= [len(text) for text in new.texts]).all()
    assert (new.linked[:2] == [len(text) for text in new.texts[:2]]).all()
    assert not is_latin(new)
    assert is_latin(layout)


def test_names_keep_their_senses_in_other_words():
    layout = layout_of()
    new, _ = in_other_language(layout, Metadata(), np.random.default_rng(1))
    menu = next(names for names in new.names if names[0] == "nav")
    assert menu[1] != "menu"
    assert senses_of_name(menu[1]) & senses_of_name("menu")


def examples():
    pages = [
        LabelledPage(
            id=str(n), site=f"{n}.example", html=HTML, page_type="article",
            text="\n".join([*PARAGRAPHS, "They are many."]),
        )
        for n in range(20)
    ]  # fmt: skip
    return list(make_examples(pages))


def test_rewritten_examples_keep_the_truth_about_their_lines():
    pages = examples()
    made = make_rewritings(pages, 0, old_markup=1.0, other_languages=1.0)
    assert len(made) == 20
    assert len({len(each.shares) for each in made}) > 1
    for each in made:
        assert len(each.shares) == len(each.facts) == len(each.known) == len(each.features.lines)
        words = float((each.shares * each.features.words).sum())
        assert words > 0.4 * float((pages[0].shares * pages[0].features.words).sum())
        assert each.loudness < 1


def test_as_many_are_made_as_asked_for_and_always_the_same():
    pages = examples()
    assert make_rewritings(pages, 0, old_markup=0.0, other_languages=0.0) == []
    one, other = (make_rewritings(pages, 3, old_markup=0.5, other_languages=0) for _ in range(2))
    assert 3 < len(one) < 17
    for left, right in zip(one, other, strict=True):
        np.testing.assert_array_equal(left.features.lines, right.features.lines)
