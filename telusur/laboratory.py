"""Compares strategies: one crawl after the other with the same start and budget."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType

from telusur.collection import Collection, open_collection
from telusur.crawl.relevance import Bar
from telusur.crawl.strategies.by_name import find_strategy
from telusur.errors import UsageError
from telusur.pipeline.plan.plan import make_plan
from telusur.reports.strategies.harvest import HarvestCourse
from telusur.reports.strategies.judge import (
    COMPARISON,
    Comparison,
    Judge,
    compare_topic,
    directory_names,
    read_truth,
    settings_for,
)
from telusur.settings import CrawlSettings

Tell = Callable[[str], None]


def compare_strategies(
    start_urls: Sequence[str],
    strategies: Sequence[str],
    topics: Sequence[str],
    settings: CrawlSettings,
    *,
    starts: Mapping[str, Sequence[str]] = MappingProxyType({}),
    truth: Path | None = None,
    directory: Path | None = None,
    tell: Tell = lambda _: None,
) -> Comparison:
    """Crawl once for each strategy and topic, and return the results.

    A topic may have start URLs of its own, in `starts`; the others start at `start_urls`. With a
    `directory`, the crawls and the comparison as JSON are kept there, and the same comparison
    resumes where it stopped.
    """
    if len(set(strategies)) < len(strategies) or len(set(topics)) < len(topics):
        raise UsageError("A strategy or topic is named twice; name each once.")
    begin = {topic: tuple(starts.get(topic) or start_urls) for topic in topics}
    _check(begin, strategies, settings)
    names = directory_names(strategies, topics)
    bar = Bar(settings.relevant, settings.relevant_share)
    courses = []
    with _place(directory) as place:
        for topic in topics:
            kept = {strategy: place / names[strategy, topic] for strategy in strategies}
            for strategy, target in kept.items():
                own = settings_for(settings, strategy, topic)
                tell(f"{strategy}: {topic}" if topic else strategy)
                with open_collection(target) as collection:
                    collection.run_crawl(begin[topic], own)
            judge = Judge(topic, bar, read_truth(truth) if truth else None)
            courses += _judge(topic, kept, settings, judge)
        comparison = Comparison(
            tuple(dict.fromkeys(url for topic in topics for url in begin[topic])),
            settings.pages or 0, tuple(topics), tuple(strategies),
            truth.name if truth else "words", tuple(courses),
        )  # fmt: skip
        (place / COMPARISON).write_text(comparison.to_json(), encoding="utf-8")
    return comparison


def _check(
    begin: Mapping[str, Sequence[str]], strategies: Sequence[str], settings: CrawlSettings
) -> None:
    """Check everything before the first crawl, not after an hour."""
    if not strategies:
        raise UsageError("Name the strategies to compare: --strategies breadth-first,shark-search.")
    if not any(begin):
        raise UsageError("Name a topic, which decides the relevant pages: --topic WORDS.")
    if not all(begin.values()):
        raise UsageError("Name at least one start URL.")
    for strategy in strategies:
        if not strategy.endswith(".py"):
            find_strategy(strategy)
        for topic, start_urls in begin.items():
            make_plan(start_urls, settings_for(settings, strategy, topic))


@contextmanager
def _place(directory: Path | None) -> Iterator[Path]:
    """Give the user's directory, or a temporary one."""
    if directory is None:
        with tempfile.TemporaryDirectory(prefix="telusur-compare-") as name:
            yield Path(name)
        return
    directory.mkdir(parents=True, exist_ok=True)
    yield directory


def _judge(
    topic: str, kept: dict[str, Path], settings: CrawlSettings, judge: Judge
) -> list[HarvestCourse]:
    opened = {name: open_collection(path, create=False) for name, path in kept.items()}
    archive = open_collection(settings.replay, create=False) if settings.replay else None
    try:
        walks = {name: partial(Collection.pages, each) for name, each in opened.items()}
        everything = archive.pages if archive else None
        return compare_topic(topic, walks, everything, judge, settings.pages or 0)
    finally:
        for each in (*opened.values(), *([archive] if archive else [])):
            each.close()
