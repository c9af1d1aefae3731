from dataclasses import replace

import numpy as np
import pytest

from telusur.extract.content.features import measure_page
from telusur.extract.document import open_page
from telusur.extract.page.layout import read_layout
from telusur.learn.lessons.examples import make_examples
from telusur.learn.lessons.variants import make_variants
from telusur.learn.pages.dataset import LabelledPage

PARAGRAPHS = [
    f"Keeper number {n} climbed {n} stairs of the tower and lit the lamp." for n in range(30)
]
MENU = "<ul class=menu><li><a href=/a>Boats of the bay</a><li><a href=/b>Lamps of the bay</a></ul>"


def page(number, **fields):
    text = "".join(f"<p class=story>{each}</p>" for each in PARAGRAPHS)
    said = "<div class=comment id=c1><p>What a tower, I would like to live in it.</p></div>"
    return LabelledPage(
        id=str(number), site=f"{number}.example", text="\n".join(PARAGRAPHS),
        html=f"<title>Tower</title><h1>Tower</h1>{MENU}<main>{text}</main>{said}",
        **{"page_type": "article", **fields},
    )  # fmt: skip


@pytest.fixture(scope="module")
def examples():
    return list(make_examples(map(page, range(40))))


def test_some_articles_are_cut_short_and_keep_everything_around_them(examples):
    variants = [each for each in make_variants(examples, 0) if len(each.shares) < 30]
    assert 10 < len(variants) < 30
    for each in variants:
        left = each.features.words[each.shares > 0.5]
        assert 1 <= len(left) < 12
        assert 20 < left.sum() < 180
        # The rest is still there: the title, two rows of the menu and a comment.
        assert (each.shares < 0.5).sum() == 4
        assert len(each.known) == len(each.facts) == len(each.features.lines) == len(each.shares)


def test_a_page_that_is_cut_short_has_the_features_of_such_a_page(examples):
    cut = next(
        each for each in make_variants(examples, 0)
        if len(each.shares) < 30 and any(names[1] for names in each.features.names)
    )  # fmt: skip
    left = int((cut.shares > 0.5).sum())
    short = "".join(f"<p class=story>{each}</p>" for each in PARAGRAPHS[:left])
    html = page(0).html
    start, end = html.index("<p class=story>"), html.index("</main>")
    layout = read_layout(open_page(html[:start] + short + html[end:]).tree)
    metadata = examples[int(cut.id)].material[1]
    np.testing.assert_allclose(cut.features.lines, measure_page(layout, metadata).lines, atol=1e-6)


def test_some_pages_lose_all_names(examples):
    nameless = [each for each in make_variants(examples, 0)
                if all(not "".join(names[1:]) for names in each.features.names)]  # fmt: skip
    assert 3 < len(nameless) < 25
    assert any(names[0] == "li" for names in nameless[0].features.names)


@pytest.mark.parametrize("fields", [{"page_type": "forum"}, {"source": "listing"}])
def test_only_articles_are_cut_short(fields):
    examples = list(make_examples(page(n, **fields) for n in range(20)))
    assert all(len(each.shares) == len(examples[0].shares) for each in make_variants(examples, 0))


def test_a_short_article_is_not_cut():
    short = replace(page(1), html=f"{MENU}<p class=story>{PARAGRAPHS[0]}</p>", text=PARAGRAPHS[0])
    examples = list(make_examples([short] * 20))
    assert {len(each.shares) for each in make_variants(examples, 0)} == {3}


def test_the_same_seed_makes_the_same_variants(examples):
    one, other = make_variants(examples, 3), make_variants(examples, 3)
    assert [each.id for each in one] == [each.id for each in other]
    np.testing.assert_array_equal(one[0].features.lines, other[0].features.lines)
    assert [each.id for each in make_variants(examples, 4)] != [each.id for each in one]


def test_a_variant_counts_less_than_its_page(examples):
    assert all(each.loudness < 1 for each in make_variants(examples, 0))
