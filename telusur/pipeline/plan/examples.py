"""Example pages of a topic given by URL: from the collection, or fetched once."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from telusur.errors import UsageError
from telusur.extract.document import extract_document
from telusur.models import Document
from telusur.pipeline.one_page import get_page
from telusur.pipeline.plan.plan import Plan
from telusur.pipeline.plan.topic_source import example_of
from telusur.settings import CrawlSettings


def with_marks(plan: Plan, marks: Sequence[tuple[bytes, bool]]) -> Plan:
    """Return the plan with the user's marks; a file of labels overrides them."""
    topic = plan.strategy.setup.topic
    labels = tuple({**dict(marks), **dict(topic.labels)}.items())
    setup = replace(plan.strategy.setup, topic=replace(topic, labels=labels))
    return replace(plan, strategy=plan.strategy.with_setup(setup))


def with_examples(plan: Plan, find: Callable[[str], Document | None]) -> Plan:
    """Return the plan with the texts of its examples; `find` reads the collection."""
    topic = plan.strategy.setup.topic
    examples = tuple(
        example_of(find(one.url) or _fetch(one.url, plan.settings)) if one.url else one
        for one in topic.examples
    )
    setup = replace(plan.strategy.setup, topic=replace(topic, examples=examples))
    return replace(plan, strategy=plan.strategy.with_setup(setup))


def _fetch(url: str, settings: CrawlSettings) -> Document:
    page = get_page(url, settings)
    if page.reason:
        raise UsageError(f"--like: {url}: {page.reason}")
    return extract_document(page.body, page.url, content_type=page.content_type)
