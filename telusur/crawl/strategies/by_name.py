"""The strategies that come with Telusur, by name."""

from inspect import getdoc, getmodule

from telusur.crawl.strategies.best_first import BestFirst
from telusur.crawl.strategies.breadth_first import BreadthFirst
from telusur.crawl.strategies.contract import Setup, Strategy
from telusur.crawl.strategies.depth_first import DepthFirst
from telusur.crawl.strategies.fish_search import FishSearch
from telusur.crawl.strategies.focused.strategy import Focused
from telusur.crawl.strategies.hits import Hits
from telusur.crawl.strategies.hot_queue import HotQueue
from telusur.crawl.strategies.in_links import InLinks
from telusur.crawl.strategies.opic import Opic
from telusur.crawl.strategies.pagerank import Pagerank
from telusur.crawl.strategies.shark_search import SharkSearch
from telusur.crawl.strategies.site_balanced import SiteBalanced
from telusur.crawl.strategies.topic_focused import TopicFocused
from telusur.crawl.strategies.topic_selective import TopicSelective
from telusur.errors import UsageError

STRATEGIES: dict[str, type[Strategy]] = {
    kind.name(): kind
    for kind in (
        BreadthFirst, DepthFirst, BestFirst, FishSearch, SharkSearch, HotQueue, TopicSelective,
        TopicFocused, Focused, InLinks, Opic, Pagerank, Hits, SiteBalanced,
    )
}  # fmt: skip

WITHOUT_TOPIC, WITH_TOPIC = "breadth-first", "focused"


def default_strategy(*, has_topic: bool) -> str:
    """Return the name of the default strategy."""
    return WITH_TOPIC if has_topic else WITHOUT_TOPIC


def find_strategy(name: str) -> type[Strategy]:
    """Return the strategy of this name, or raise one clear sentence."""
    if name not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        raise UsageError(
            f"--strategy: there is no {name!r}; choose one of {known}, or name your own "
            "Python file, "
            "./mine.py."
        )
    return STRATEGIES[name]


def make_strategy(kind: type[Strategy], setup: Setup) -> Strategy:
    """Set a strategy up; its parameters are checked."""
    for name, _ in setup.parameters:
        if name not in kind.parameters:
            known = ", ".join(kind.parameters) or "nothing"
            raise UsageError(
                f"--tune: {kind.name()} has no parameter {name!r}; it has {known} to tune."
            )
    return kind(setup)


def describe_strategy(name: str) -> str:
    """Return in one sentence what a strategy does: the first line of its module."""
    told = (getdoc(getmodule(STRATEGIES[name])) or "").partition("\n")[0]
    words = told.partition(": ")[2] or told
    return words[:1].upper() + words[1:]
