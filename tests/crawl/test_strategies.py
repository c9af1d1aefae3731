import numpy as np
import pytest

from telusur.crawl.strategies import Setup, Visit
from telusur.crawl.strategies.by_name import STRATEGIES, find_strategy, make_strategy
from telusur.crawl.strategies.hits import authorities
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


ABOUT = Document(title="Coffee", text="We roast coffee beans every day.", language="en")
OTHER = Document(title="Boats", text="The harbour is full of boats.", language="en")


def test_shark_search_prefers_words_in_a_link_then_around_it_then_inherits():
    strategy = make("shark-search", "coffee beans")
    links = [Link("http://a/1", "our coffee"), Link("http://a/2", "here", "coffee is here"),
             Link("http://a/3", "boats")]  # fmt: skip
    scores = score(strategy, links, OTHER)
    assert scores[0] > scores[1] > scores[2] == 0.0
    assert min(score(strategy, links, ABOUT)) > 0.0


def test_shark_search_inherits_less_with_each_step():
    strategy = make("shark-search", "coffee")
    page = Visit("http://a/", 0, sight=strategy.look(PageText(ABOUT), LINKS))
    worth = []
    for _ in range(3):
        worth.append(strategy.score(LINKS, page)[0])
        note = strategy.notes(LINKS, page)[0]
        page = Visit("http://a/", 0, note=note, sight=strategy.look(PageText(OTHER), LINKS))
    assert worth[0] == pytest.approx(2 * worth[1]) == pytest.approx(4 * worth[2])


def test_fish_search_follows_a_trail_for_a_few_steps():
    strategy = make("fish-search", "coffee", width=1.0, depth=2.0)
    assert score(strategy, LINKS, ABOUT) == [1.0, 0.0]
    assert score(strategy, LINKS, OTHER) == [0.5, 0.0]
    assert score(strategy, LINKS, OTHER, note=b"\0") == [-1.0, -1.0]
    dull, good = (strategy.look(PageText(page), LINKS) for page in (OTHER, ABOUT))
    assert strategy.notes(LINKS, Visit("http://a/", 0, note=b"\2", sight=dull)) == [b"\1"] * 2
    assert strategy.notes(LINKS, Visit("http://a/", 0, note=b"\1", sight=good)) == [b"\2"] * 2


def test_fish_search_takes_the_links_that_stand_first_on_the_page():
    strategy = make("fish-search", "coffee", width=2.0)
    links = [Link(f"http://a/{n}", position=n) for n in (3, 1, 2)]  # known ones come last
    assert score(strategy, links, OTHER) == [0.0, 0.5, 0.5]


def test_opic_divides_what_a_page_has():
    assert score(make("opic"), LINKS, score=0.5) == [0.25, 0.25]


def test_hot_links_have_a_word_in_text_or_address():
    links = [Link("http://a/x", "Roasted coffees"), Link("http://a/coffee_pot.html", "this"),
             Link("http://coffee.test/", "this")]  # fmt: skip
    assert score(make("hot-queue", "coffee"), links, OTHER) == [1.0, 1.0, 0.0]
    refused = make("topic-selective", "coffee").refuse(PageText(OTHER), links)
    assert [bool(reason) for reason in refused] == [False, False, True]


def test_topic_focused_finds_the_words_of_a_site():
    strategy = make("topic-focused", threshold=0.1)
    links = [Link(f"http://a/{n}", f"{w} {n}") for n, w in enumerate(["owl nest"] * 3 + ["x"] * 5)]
    assert score(strategy, links, OTHER, site="a")[:4] == [2.0, 2.0, 2.0, 0.0]


def test_authorities_are_what_good_hubs_point_to():
    sources, targets = np.array([0, 0, 1, 1, 2]), np.array([3, 4, 3, 4, 5])
    found = authorities(sources, targets, 6)
    assert found[3] == found[4] > found[5]
