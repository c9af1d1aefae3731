"""Judges crawls of several strategies with the same start and budget."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from telusur.crawl.relevance import Bar, Gauge, Measure, measure
from telusur.crawl.topic import PageText, Topic
from telusur.crawl.urls.identity import normalize_url
from telusur.errors import UsageError
from telusur.models import Document
from telusur.reports.strategies.harvest import Fetched, HarvestCourse, add_up, follow, mean
from telusur.settings import CrawlSettings

OK = range(200, 300)
FORMAT = 1
# The file with the results, in the directory of the crawls.
COMPARISON = "comparison.json"

Record = Mapping[str, Any]


@dataclass(slots=True, frozen=True)
class Comparison:
    """The results: one per strategy and topic."""

    start_urls: tuple[str, ...]
    pages: int
    topics: tuple[str, ...]
    strategies: tuple[str, ...]
    # "words", or the name of the file with the relevant URLs.
    judged_by: str
    courses: tuple[HarvestCourse, ...]

    def of_topic(self, topic: str) -> list[HarvestCourse]:
        """Return the results of one topic."""
        return [course for course in self.courses if course.topic == topic]

    def mean_harvests(self) -> list[float]:
        """Return the mean harvest rate of each strategy over its topics."""
        return [
            mean([course.harvest for course in self.courses if course.strategy == strategy])
            for strategy in self.strategies
        ]

    def to_json(self) -> str:
        """Return the comparison as JSON."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False)


def read_comparison(text: str) -> Comparison:
    """Read a comparison from JSON."""
    record = json.loads(text)
    if record.pop("format", None) != FORMAT:
        raise UsageError("Another version wrote this comparison; run it again.")
    for course in record["courses"]:
        for name in ("curve", "recall_at", "languages"):
            course[name] = tuple(map(tuple, course[name]))
    courses = tuple(HarvestCourse(**course) for course in record.pop("courses"))
    lists = {name: tuple(value) for name, value in record.items() if isinstance(value, list)}
    return Comparison(**{**record, **lists}, courses=courses)


def average(comparison: Comparison) -> list[HarvestCourse]:
    """Return one result per strategy: the counts of its topics added up, page by page."""
    if len(comparison.topics) == 1:
        return list(comparison.courses)
    return [
        add_up([course for course in comparison.courses if course.strategy == strategy])
        for strategy in comparison.strategies
    ]


def languages_of(courses: Sequence[HarvestCourse], most: int) -> list[tuple[str, list[int]]]:
    """Return pages by language, one number per result, most frequent languages first.

    Languages beyond `most` are added up as "others".
    """
    counts = [dict(course.languages) for course in courses]
    totals = Counter[str]()
    for one in counts:
        totals.update(one)
    named = sorted(totals, key=lambda code: (-totals[code], code))
    rows = [(code, [one.get(code, 0) for one in counts]) for code in named[:most]]
    if len(named) > most:
        rows.append(("others", [sum(one.get(code, 0) for code in named[most:]) for one in counts]))
    return rows


class Judge:
    """Decides which pages are relevant, in the same way for all strategies.

    A page is relevant if its score reaches a threshold, or if its URL is on the user's list.
    """

    def __init__(self, topic: str, bar: Bar, truth: frozenset[str] | None) -> None:
        self._topic = Topic(topic)
        self._bar = bar
        self._truth = truth
        self._measures: dict[str, Measure] = {}

    def see(self, record: Record) -> None:
        """Add a page; the rarity of words is measured over all added pages."""
        if self._truth is None and record["url"] not in self._measures:
            names = ("url", "title", "text", "language")
            document = Document(**{name: record[name] for name in names})
            self._measures[record["url"]] = measure(PageText(document), self._topic)

    def relevant(self) -> frozenset[str]:
        """Return the relevant pages among those added, or on the list."""
        if self._truth is not None:
            return self._truth
        gauge = Gauge()
        for found in self._measures.values():
            # Judged only for learning.
            gauge.judge(found)
        scores = {url: gauge.judge(found) for url, found in self._measures.items()}
        return self._bar.choose(scores)

    def is_listed(self, url: str, relevant: frozenset[str]) -> bool:
        """Tell whether a URL is on the list, in any spelling."""
        return url in relevant or normalize_url(url) in relevant


def compare_topic(
    topic: str,
    crawls: Mapping[str, Callable[[], Iterable[Record]]],
    everything: Callable[[], Iterable[Record]] | None,
    judge: Judge,
    budget: int,
) -> list[HarvestCourse]:
    """Return the result of each strategy, from its pages in fetch order.

    Recall is measured against `everything`, an iterable of all pages; without it, against the
    relevant pages that any strategy found.
    """
    for walk in (*crawls.values(), *([everything] if everything else [])):
        for record in filter(_is_page, walk()):
            judge.see(record)
    relevant = judge.relevant()
    courses = []
    for strategy, walk in crawls.items():
        fetched = [
            Fetched(row["url"], row["language"], judge.is_listed(row["url"], relevant))
            for row in filter(_is_page, walk())
        ]
        courses.append(follow(strategy, topic, fetched, relevant, budget))
    return courses


def _is_page(record: Record) -> bool:
    """Tell whether a fetch returned a page, not an error or redirect."""
    return record["status"] in OK and record["state"] == "done"


def settings_for(settings: CrawlSettings, strategy: str, topic: str) -> CrawlSettings:
    """Return the settings of one strategy's crawl; the index is not needed.

    With an archive, requests are made one at a time, so that the order is always the same.
    """
    if settings.pages is None:
        raise UsageError("Set the budget of each crawl: add --pages N.")
    connections = settings.connections if settings.replay is None else 1
    return replace(settings, strategy=strategy, topic=topic, index=False, connections=connections)


def read_truth(path: Path) -> frozenset[str]:
    """Read the URLs of relevant pages, one per line; normalized URLs match too."""
    keys = map(normalize_url, _lines_of(path, "--truth"))
    return frozenset(key for key in keys if key is not None)


def read_topics(path: Path) -> dict[str, tuple[str, ...]]:
    """Read topics, one per line, with optional start URLs of their own after a bar."""
    topics: dict[str, tuple[str, ...]] = {}
    for line in _lines_of(path, "--topics-from"):
        words, _, urls = line.partition("|")
        if not words.strip() or words.strip() in topics:
            raise UsageError(
                f"--topics-from: {path.name}: {line[:60]!r} has no topic, or one listed before; "
                "write WORDS | URL URL."
            )
        topics[words.strip()] = tuple(urls.split())
    return topics


def _lines_of(path: Path, flag: str) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{flag}: {path} cannot be read: {error}.") from None
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def directory_names(strategies: Sequence[str], topics: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return the collection's name for each strategy and topic."""
    names = {}
    for number, topic in enumerate(topics, 1):
        for strategy in strategies:
            names[strategy, topic] = f"{number}-{Path(strategy).stem}"
    return names
