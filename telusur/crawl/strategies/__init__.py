"""Strategies: small classes that decide a link's score; the frontier hands out the best first."""

from collections.abc import Callable
from inspect import getdoc, getmodule

from telusur.crawl.strategies.best_first import BestFirst
from telusur.crawl.strategies.breadth_first import BreadthFirst
from telusur.crawl.strategies.contract import Strategy
from telusur.crawl.strategies.depth_first import DepthFirst
from telusur.errors import UsageError

STRATEGIES: dict[str, Callable[[str], Strategy]] = {
    "breadth-first": BreadthFirst,
    "depth-first": DepthFirst,
    "best-first": BestFirst,
}


def make_strategy(name: str, topic: str) -> Strategy:
    """Return the strategy of this name, set up for the topic."""
    if name not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        raise UsageError(f"--strategy: there is no {name!r}; choose one of {known}.")
    return STRATEGIES[name](topic)


def describe_strategy(name: str) -> str:
    """Return in one sentence what a strategy does: the first line of its module."""
    told = (getdoc(getmodule(STRATEGIES[name])) or "").partition("\n")[0]
    words = told.partition(": ")[2] or told
    return words[:1].upper() + words[1:]


__all__ = ["STRATEGIES", "Strategy", "describe_strategy", "make_strategy"]
