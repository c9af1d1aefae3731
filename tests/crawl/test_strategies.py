import pytest

from telusur.crawl.strategies import STRATEGIES, Setup, Visit, find_strategy, make_strategy
from telusur.crawl.topic import PageText, Topic
from telusur.errors import UsageError
from telusur.models import Document, Link

LINKS = [Link("http://a/1"), Link("http://a/2")]


def make(name, topic="", **parameters):
    setup = Setup(Topic(topic), parameters=tuple(parameters.items()))
    return make_strategy(find_strategy(name), setup)


def score(strategy, links, document=None, depth=0, **more):
    """Score links as a crawl does: what the parsers' half saw goes to the owner's half."""
    document = document or Document()
    sight = strategy.look(PageText(document), links)
    visit = Visit("http://a/", depth, document=document, sight=sight, **more)
    strategy.learn(visit)
    return strategy.score(links, visit)


def test_breadth_first_prefers_what_is_near_and_depth_first_what_is_far():
    breadth, depth = make("breadth-first"), make("depth-first")
    near, far = (score(breadth, LINKS, depth=d)[0] for d in (1, 2))
    assert near > far
    near, far = (score(depth, LINKS, depth=d)[0] for d in (1, 2))
    assert near < far


def test_best_first_prefers_links_on_pages_about_the_topic():
    strategy = make("best-first", "roasted coffee beans")
    about = Document(title="Coffee", text="We roast coffee beans every day.", language="en")
    other = Document(title="Boats", text="The harbour is full of boats.", language="en")
    assert score(strategy, LINKS, about)[0] > score(strategy, LINKS, other)[0]


def test_an_unknown_strategy_is_named_with_the_known_ones():
    with pytest.raises(UsageError, match="there is no 'fastest'; choose one of breadth-first"):
        find_strategy("fastest")
    with pytest.raises(UsageError, match="--topic"):
        make("best-first", "  ")
    with pytest.raises(UsageError, match="breadth-first has no parameter 'width'"):
        make("breadth-first", width=3.0)
    assert STRATEGIES
