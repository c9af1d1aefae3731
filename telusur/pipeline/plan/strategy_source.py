"""Where a strategy comes from: built in, a file, or an installed package."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from telusur.crawl.relevance import Bar
from telusur.crawl.strategies import Setup, Strategy
from telusur.crawl.strategies.by_name import STRATEGIES, find_strategy, make_strategy
from telusur.errors import TelusurError, UsageError
from telusur.pipeline.plan.own_file import OwnFile, describe_error, read_own, run_own
from telusur.settings.row import is_own_file

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

MODULE = "telusur_strategy"
# The entry points of packages that offer strategies.
GROUP = "telusur.strategies"
T = TypeVar("T")


@dataclass(slots=True, frozen=True)
class StrategySource:
    """A strategy in a form that every process of a crawl can make."""

    name: str
    setup: Setup = field(default_factory=Setup)
    file: OwnFile | None = None
    # The topic score from which a page is relevant.
    bar: Bar = field(default_factory=Bar)

    def make(self) -> Strategy:
        """Return a new strategy that has learned nothing."""
        return self.guard(lambda: make_strategy(self._kind(), self.setup))

    def with_setup(self, setup: Setup) -> "StrategySource":
        """Return the same strategy with another set-up."""
        return replace(self, setup=setup)

    def _kind(self) -> type[Strategy]:
        return find_installed(self.name) if self.file is None else load_kind(self.file)

    def guard(self, call: Callable[[], T]) -> T:
        """Call code of the strategy; an error in the user's file becomes one sentence."""
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
    """Return the strategy with a name, or in a file if the name ends in .py."""
    if not is_own_file(given):
        return StrategySource(given, setup)
    file = OwnFile(*read_own(given, "--strategy"), "--strategy")
    return StrategySource(given, setup, file)


def is_installed(name: str) -> bool:
    """Tell whether a strategy is built in or offered by a package; a file is neither."""
    if "/" in name or name.endswith(".py"):
        return False
    return name in STRATEGIES or any(entry.name == name for entry in _offered())


def _offered() -> "Iterable[EntryPoint]":
    # Imported late: it loads half of the standard library.
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def find_installed(name: str) -> type[Strategy]:
    """Return a built-in strategy, or one that a package offers."""
    if name not in STRATEGIES:
        for entry in _offered():
            if entry.name == name:
                return _checked([entry.load()], f"entry point {name}")
    return find_strategy(name)


@cache
def load_kind(file: OwnFile) -> type[Strategy]:
    """Run the file once per process and return the strategy it defines."""
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
