import pytest

from telusur.crawl.strategies import STRATEGIES, make_strategy
from telusur.errors import UsageError
from telusur.models import Document, Link

LINKS = [Link("http://a/1"), Link("http://a/2")]


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_scores_every_link(name):
    strategy = make_strategy(name, "coffee")
    for links in ([], LINKS):
        scores = strategy.score(links, Document(text="coffee", language="en"), 3)
        assert [type(score) for score in scores] == [float] * len(links)


def test_breadth_first_prefers_what_is_near_and_depth_first_what_is_far():
    breadth, depth = make_strategy("breadth-first", ""), make_strategy("depth-first", "")
    near, far = (breadth.score(LINKS[:1], Document(), d)[0] for d in (1, 2))
    assert near > far
    near, far = (depth.score(LINKS[:1], Document(), d)[0] for d in (1, 2))
    assert near < far


def test_best_first_prefers_links_on_pages_about_the_topic():
    strategy = make_strategy("best-first", "roasted coffee beans")
    about = Document(title="Coffee", text="We roast coffee beans every day.", language="en")
    other = Document(title="Boats", text="The harbour is full of boats.", language="en")
    assert strategy.score(LINKS, about, 1)[0] > strategy.score(LINKS, other, 1)[0]


def test_an_unknown_strategy_is_named_with_the_known_ones():
    with pytest.raises(UsageError, match="there is no 'fastest'; choose one of breadth-first"):
        make_strategy("fastest", "")
    with pytest.raises(UsageError, match="--topic"):
        make_strategy("best-first", "  ")
