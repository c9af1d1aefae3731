"""Where a crawl's strategy comes from: the room of strategies, a file, or an installed package."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

from telusur.crawl.relevance import Bar
from telusur.crawl.strategies import STRATEGIES, Setup, Strategy, find_strategy, make_strategy
from telusur.errors import TelusurError, UsageError
from telusur.run.own_file import OwnFile, describe_error, read_own, run_own

MODULE = "telusur_strategy"
GROUP = "telusur.strategies"
"""The group of entry points by which an installed package offers strategies."""
T = TypeVar("T")


@dataclass(slots=True, frozen=True)
class StrategySource:
    """A strategy as every process of a crawl can make it."""

    name: str
    setup: Setup = field(default_factory=Setup)
    file: OwnFile | None = None
    bar: Bar = field(default_factory=Bar)
    """From where on a page is about the topic."""

    def make(self) -> Strategy:
        """Return a new one, that has learned nothing."""
        return self.guard(lambda: make_strategy(self._kind(), self.setup))

    def with_setup(self, setup: Setup) -> "StrategySource":
        """Return the same strategy, set up otherwise."""
        return replace(self, setup=setup)

    def _kind(self) -> type[Strategy]:
        return find_installed(self.name) if self.file is None else load_kind(self.file)

    def guard(self, call: Callable[[], T]) -> T:
        """Call code of the strategy; what goes wrong in a user's own is told in one sentence."""
        try:
            return call()
        except TelusurError:
            raise
        except Exception as error:
            if self.file is None:
                raise
            complaint = describe_error(error, self.file).rstrip(".")
            raise UsageError(f"--strategy: {self.file.name} failed, {complaint}.") from error


def read_source(given: str, setup: Setup) -> StrategySource:
    """Return the strategy of a name, or of a file: what ends in .py or has a slash in it."""
    if not (given.endswith(".py") or "/" in given):
        return StrategySource(given, setup)
    file = OwnFile(*read_own(given, "--strategy"), "--strategy")
    return StrategySource(given, setup, file)


def find_installed(name: str) -> type[Strategy]:
    """Return a strategy of ours, or of a package that offers it by an entry point."""
    if name not in STRATEGIES:
        from importlib.metadata import entry_points  # with half of the standard library

        for entry in entry_points(group=GROUP):
            if entry.name == name:
                return _checked([entry.load()], f"entry point {name}")
    return find_strategy(name)


@cache
def load_kind(file: OwnFile) -> type[Strategy]:
    """Run the file once in a process and return the strategy that it defines."""
    module = run_own(file, MODULE)
    defined = [one for one in vars(module).values() if getattr(one, "__module__", "") == MODULE]
    return _checked(defined, file.name)


def _checked(found: Sequence[Any], where: str) -> type[Strategy]:
    kinds = [one for one in found if inspect.isclass(one) and issubclass(one, Strategy)]
    parents = {parent for kind in kinds for parent in kind.__mro__[1:]}
    last = [kind for kind in kinds if kind not in parents]
    if len(last) != 1:
        names = ", ".join(kind.__name__ for kind in last) or "none"
        raise UsageError(
            f"--strategy: {where} must define one class that inherits from "
            f"telusur.crawl.strategies.Strategy; it has {names}."
        )
    if last[0].score is Strategy.score:
        raise UsageError(f"--strategy: {where}: {last[0].__name__} lacks score(links, page).")
    kind: type[Strategy] = last[0]
    return kind
