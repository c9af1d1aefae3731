"""Makes strategy and topic from the settings: words, labels, example pages."""

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from telusur.crawl.relevance import Bar
from telusur.crawl.strategies import Setup
from telusur.crawl.strategies.by_name import default_strategy
from telusur.crawl.topic import Topic, TopicExample, read_labels
from telusur.crawl.urls.identity import check_userinfo, parse_url
from telusur.encoders.by_name import find_vectors
from telusur.errors import UsageError
from telusur.extract.document import extract_document
from telusur.models import Document
from telusur.pipeline.plan.own_file import read_own
from telusur.pipeline.plan.strategy_source import StrategySource, read_source
from telusur.settings import CrawlSettings


def plan_strategy(settings: CrawlSettings) -> StrategySource:
    """Make the strategy and topic of the settings; errors are one sentence.

    Examples given as `--like URL` have no text until they are fetched.
    """
    labels: tuple[tuple[bytes, bool], ...] = ()
    if settings.labels is not None:
        path, text = read_own(settings.labels, "--labels")
        labels = read_labels(text.splitlines(), Path(path).name)
    examples = tuple(_example(page) for page in settings.like)
    topic = Topic(settings.topic, examples, labels)
    name = settings.strategy or default_strategy(has_topic=bool(topic))
    vectors = find_vectors() if topic else None
    setup = Setup(topic, settings.seed, _parameters(settings.tune), vectors)
    source = read_source(name, setup)
    return replace(source, bar=Bar(settings.relevant, settings.relevant_share))


def _example(page: str) -> TopicExample:
    if "://" in page:
        check_userinfo(page)
    url = parse_url(page)
    if url is not None and url.startswith(("http:", "https:")):
        return TopicExample("", "", url=url)
    path, text = read_own(page, "--like")
    if path.endswith((".html", ".htm", ".xhtml")):
        return example_of(extract_document(text, ""))
    title, _, rest = text.partition("\n")
    return TopicExample(title.strip(), rest)


def example_of(document: Document) -> TopicExample:
    """Return a page as an example of the topic."""
    return TopicExample(document.title, document.text, document.language)


def _parameters(texts: Iterable[str]) -> tuple[tuple[str, float], ...]:
    parameters = {}
    for text in texts:
        name, _, number = text.partition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not name.strip() or not math.isfinite(value):
            raise UsageError(f"--tune: {text!r} is not NAME=NUMBER; write it as width=5.")
        parameters[name.strip()] = value
    return tuple(parameters.items())
