"""Where a crawl's strategy comes from: the room of strategies, or a file of the user's own."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from telusur.crawl.strategies import (
    Setup,
    Strategy,
    default_strategy,
    find_strategy,
    make_strategy,
)
from telusur.crawl.topic import Topic, read_labels
from telusur.errors import UsageError
from telusur.settings import CrawlSettings


@dataclass(slots=True, frozen=True)
class StrategySource:
    """A strategy as every process of a crawl can make it."""

    name: str
    setup: Setup = field(default_factory=Setup)

    def make(self) -> Strategy:
        """Return a new one, that has learned nothing."""
        return make_strategy(find_strategy(self.name), self.setup)


@cache
def shared_strategy(source: StrategySource) -> Strategy:
    """Return the one of this process that only looks."""
    return source.make()


def plan_strategy(settings: CrawlSettings) -> StrategySource:
    """Read what the settings say about strategy and topic; one clear sentence for what is wrong."""
    topic = Topic(settings.topic, labels=_labels(settings.labels))
    name = settings.strategy or default_strategy(has_topic=bool(topic))
    return StrategySource(name, Setup(topic, settings.seed, _parameters(settings.tune)))


def _labels(path: str | None) -> tuple[tuple[bytes, bool], ...]:
    if path is None:
        return ()
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"--labels: {path} cannot be read: {reason}.") from None
    return read_labels(text.splitlines(), path)


def _parameters(texts: Iterable[str]) -> tuple[tuple[str, float], ...]:
    parameters = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            parameters[name.strip()] = float(number)
        except ValueError:
            parameters[name.strip()] = math.nan
        if not name.strip() or not math.isfinite(parameters[name.strip()]):
            raise UsageError(f"--tune: {text!r} is not NAME=NUMBER; write it as width=5.")
    return tuple(parameters.items())
