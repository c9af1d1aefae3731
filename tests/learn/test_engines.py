from dataclasses import replace

import numpy as np
import pytest

from telusur.errors import UsageError
from telusur.learn.engines import ENGINES, NetworkEngine, PerSiteEngine, examples_of, get_engine
from telusur.learn.pages.source_features import CSS_WIDTH
from telusur.learn.pages.source_pages import LABELS, prepare_page
from telusur.learn.scores import Scores
from tests.learn.made_up_sites import made_up_page, made_up_pages


@pytest.fixture(scope="module")
def pages():
    return [prepare_page(page) for page in made_up_pages(sites=4, pages=3)]


@pytest.fixture(scope="module")
def unseen():
    """A page of the first site that no engine learns from."""
    return prepare_page(made_up_page("site0.example", 7))


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_labels_a_page_of_a_site_it_knows(name, pages, unseen):
    engine = get_engine(name).make()
    engine.fit(pages)
    found = engine.label(unseen)
    assert set(found) <= set(LABELS)
    scores = Scores(get_engine(name).labels)
    scores.add(unseen.truth, found, unseen.words)
    assert scores.blocks["content"].f1 > 0.75, list(zip(unseen.truth, found, strict=True))


@pytest.mark.parametrize("name", [name for name, one in ENGINES.items() if one.needs_site])
def test_engines_of_a_site_learn_from_no_other(name, pages, unseen):
    alone, among = get_engine(name).make(), get_engine(name).make()
    alone.fit([page for page in pages if page.site == unseen.site])
    among.fit(pages)
    assert alone.label(unseen) == among.label(unseen)
    with pytest.raises(UsageError, match=r"new\.example: there is no page of this site"):
        alone.label(prepare_page(made_up_page("new.example", 1)))


def test_binary_engines_know_content_and_nothing_else(pages, unseen):
    engine = get_engine("network-binary").make()
    engine.fit(pages)
    assert set(engine.label(unseen)) == {"content", "other"}


def test_css_engines_do_not_see_the_path(pages, unseen):
    engine = get_engine("network-css").make()
    engine.fit(pages)
    before = engine.label(unseen)
    changed = replace(unseen, rows=unseen.rows.copy())
    changed.rows[:, :-CSS_WIDTH] = 9
    assert engine.label(changed) == before
    changed.rows[:] = 0
    assert engine.label(changed) != before


def test_equal_rows_with_a_label_become_one_of_more_weight(pages):
    x, y, weight = examples_of(pages[:1], LABELS, slice(None))
    assert weight.sum() == len(pages[0].blocks)
    assert weight[y == LABELS.index("content")].tolist() == [4.0]
    assert len(x) == len(y) < len(pages[0].blocks)
    both = examples_of(pages[:2], LABELS, slice(0, 3))
    assert both.x.shape == (len(x) + len(examples_of(pages[1:2], LABELS, slice(None)).x), 3)
    assert np.array_equal(both.x[: len(x)], x[:, :3])


def test_an_unknown_name_is_told():
    with pytest.raises(UsageError, match="'magic' is not one of clusters, network"):
        get_engine("magic")


def test_an_engine_may_be_made_by_hand(pages, unseen):
    engine = PerSiteEngine(lambda: NetworkEngine(labels=("other", "title")))
    engine.fit(pages)
    assert engine.label(unseen).count("title") == 1
