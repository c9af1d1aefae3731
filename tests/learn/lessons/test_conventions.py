"""Sets of pages that call different things content teach one model, which keeps to one of them."""

from dataclasses import replace

import numpy as np
import pytest

from telusur.extract.content.classifier import read_features
from telusur.extract.content.model import PAGE_TYPES, make_batch
from telusur.extract.content.network import NUMPY, run_network
from telusur.learn.lessons import conventions
from telusur.learn.lessons.examples import make_examples
from telusur.learn.training import _first_weights, find_vocabulary, train_model
from tests.learn.test_training import COURSE, made_up_page


def from_set(source, *, is_generous=False):
    """Sixteen pages of a set; a generous one calls everything content."""
    made = (replace(made_up_page(number), source=source) for number in range(16))
    for example in make_examples(made):
        shares = example.known if is_generous else example.shares
        yield replace(example, shares=shares, site=f"{source} {example.site}")


@pytest.mark.parametrize(
    ("generous", "is_told_apart"), [("listing", True), ("news_articles", False)]
)
def test_a_set_with_another_convention_does_not_change_the_models_own(generous, is_told_apart):
    sets = [*from_set("news_articles"), *from_set(generous, is_generous=True)]
    model = train_model(sets, replace(COURSE, epochs=40))
    (unseen,) = make_examples([made_up_page(99)])
    likely = read_features(model, unseen.features).scores[:, 0]
    others = (unseen.shares < 0.5) & (unseen.known > 0)
    assert likely[unseen.shares > 0.5].min() > 0.5
    assert (likely[others].max() < 0.5) == is_told_apart


@pytest.mark.parametrize(
    ("page_type", "told"),
    [("article", {"article": 0.75}), ("forum", {"thread": 0.75}), ("listing", {"any page": 0.5})],
)
def test_what_is_folded_in_gives_the_scores_of_the_network_that_is_told(page_type, told):
    rng = np.random.default_rng(0)
    examples = list(from_set("news_articles"))[:2]
    vocabulary = find_vocabulary(examples, 1)
    weights = _first_weights(COURSE, len(vocabulary.numbers) + 1, rng)
    conventions.add_rows(weights, rng)
    arrays = {name: value.array for name, value in weights.items()}
    batch = make_batch([each.features for each in examples], vocabulary)
    plain = batch.lines
    names = conventions._NAMES
    columns = np.array([[told.get(name, 0) for name in names]], np.float32)
    batch.lines = np.concatenate([plain, columns.repeat(len(plain), axis=0)], axis=1)
    wanted, _ = run_network(arrays, batch, NUMPY)
    conventions.fold_in(arrays)
    batch.lines = plain
    of_type = np.full(len(examples), PAGE_TYPES.index(page_type))
    found = run_network(arrays, batch, NUMPY, of_type)[0]
    np.testing.assert_allclose(found, wanted, atol=1e-5)
    if page_type == "article":
        np.testing.assert_array_equal(run_network(arrays, batch, NUMPY)[0], found)


def test_pages_of_unknown_sets_are_told_no_convention_and_others_mostly_theirs():
    columns = conventions.columns_of(["mine"] * 50 + ["listing"] * 50, np.random.default_rng(0))
    assert not columns[:50].any()
    assert 25 <= columns[50:].sum() < 50
