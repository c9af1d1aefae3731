"""How the text of a link is written, and that a crawl learns which way its topic is."""

import math

import numpy as np
import pytest

from telusur.crawl.strategies.focused.features import FEATURES
from telusur.crawl.strategies.focused.form import FORM, forms_of
from telusur.crawl.strategies.focused.sight import look_at, unpack_sight
from telusur.crawl.strategies.focused.weights import LinkWeights
from telusur.crawl.topic import PageText
from telusur.models import Document, Link


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Battle of Hastings", (0.0, 0.5, math.log(3))),
        ("steam engine", (1.0, 0.0, math.log(2))),
        ("King Kong", (0.0, 1.0, math.log(2))),
        ("Axe", (0.0, 0.5, 0.0)),
        ("1066", (0.0, 0.5, 0.0)),
        ("", (0.0, 0.5, 0.0)),
        ("中国 历史", (0.0, 0.0, math.log(2))),
    ],
)
def test_a_text_is_written_as_a_name_or_not(text, form):
    assert forms_of([text])[0].tolist() == pytest.approx(form)


def test_no_links_have_no_form():
    assert forms_of([]).shape == (0, len(FORM))


def test_it_is_kept_with_the_page():
    links = [Link("http://a/1", "steam engine", position=1), Link("http://a/2", "Axe", position=0)]
    sight = look_at(PageText(Document(text="Engines.", language="en")), links, {})
    assert sight.form.tolist() == forms_of(["Axe", "steam engine"]).tolist()
    assert np.array_equal(unpack_sight(sight.pack()).form, sight.form)


def test_a_crawl_learns_how_good_links_are_written():
    """Beforehand it tells nothing, since topics differ; some pages later it does."""
    weights, small = LinkWeights(), FEATURES.index("small")
    urls = np.zeros((len(FEATURES), 2))
    urls[small] = 0.0, 1.0
    name, word = weights.score(urls)
    assert name == word
    known = np.zeros((40, len(FEATURES)))
    known[:20, small] = 1.0
    weights.fit(known, known[:, small].copy())
    name, word = weights.score(urls)
    assert word > 2 * name
