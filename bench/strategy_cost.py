"""What a strategy's own part costs: CPU microseconds a link, beside the parsers and in the owner.

The class is driven over pages of the made-up web, without a crawl around it: `look`, then
`score_pages` and `rescore`.
"""

import time
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from bench.strategies_server import FiniteWeb
from telusur.crawl.in_flight import InFlightLimits
from telusur.crawl.strategies import Setup, Strategy, Visit
from telusur.crawl.strategies.by_name import find_strategy, make_strategy
from telusur.crawl.strategies.contract import WaitingUrl
from telusur.crawl.topic import PageText, Topic
from telusur.encoders.by_name import find_vectors
from telusur.extract.document import extract_document
from telusur.models import Document, Link, url_id_of

HOSTS = 8


class LinkCost(NamedTuple):
    """CPU microseconds a link."""

    beside_parsers: float
    in_owner: float


class Nobody:
    """Prospects of which none waits: what it costs to write scores is the crawl's part."""

    def count(self) -> int:
        """Return how many URLs wait."""
        return 0

    def best(self, limit: int) -> list[WaitingUrl]:
        """Return none."""
        return []

    def walk(self, batch: int = 5000) -> Iterator[list[WaitingUrl]]:
        """Walk over none."""
        return iter(())

    def walk_ids(self, batch: int = 5000) -> Iterator[tuple[list[int], bytes]]:
        """Walk over none."""
        return iter(())

    def put_scores(self, rows: Sequence[int], scores: Sequence[float]) -> None:
        """Write nothing."""

    def put_scores_of(self, url_ids: Sequence[bytes], scores: Sequence[float]) -> None:
        """Write nothing."""

    def edges(self) -> Iterator[Any]:
        """Yield none."""
        return iter(())


def measure(name: str, topic: str, pages: int) -> LinkCost:
    """Let a strategy look at pages of the made-up web and learn from them, in groups as a crawl."""
    return measure_over(read_pages(pages), name, topic)


def measure_over(pages: Sequence[tuple[Document, list[Link]]], name: str, topic: str) -> LinkCost:
    """Do so for any pages: first all looks, then the owner's part, since reading a clock costs."""
    setup = Setup(Topic(topic), vectors=find_vectors())
    eyes, owner = (make_strategy(find_strategy(name), setup) for _ in range(2))
    texts = [PageText(document) for document, _ in pages]
    for text in texts:
        _ = text.hashes  # counted for the topic score in any case
    started = time.process_time()
    sights = [eyes.look(text, found) for text, (_, found) in zip(texts, pages, strict=True)]
    looked = time.process_time() - started
    shown = [
        (found, _visit(document, found, sight))
        for (document, found), sight in zip(pages, sights, strict=True)
    ]
    started = time.process_time()
    _own(owner, shown)
    owned = time.process_time() - started
    links = sum(len(found) for _, found in pages)
    return LinkCost(1e6 * looked / links, 1e6 * owned / links)


def _own(owner: Strategy, shown: Sequence[tuple[list[Link], Visit]]) -> None:
    """Do what the owner of a crawl does with pages that come in groups."""
    limits = InFlightLimits(is_ordered=owner.is_ordered)
    at, rescore_at = 0, 1.0
    while at < len(shown):
        group = shown[at : at + limits.large_group(at)]
        owner.score_pages(group)
        at += len(group)
        if owner.rescore_growth and at >= rescore_at:
            owner.rescore(Nobody())
            rescore_at = at + max(1.0, owner.rescore_growth * at)


@cache
def read_pages(pages: int) -> list[tuple[Document, list[Link]]]:
    """Return so many pages of the made-up web, and their links."""
    web = FiniteWeb(HOSTS)
    web.port = 80
    documents = [extract_document(web.page(number), web.url(number)) for number in range(pages)]
    return [(document, list(document.links)) for document in documents]


def _visit(document: Document, links: Sequence[Link], sight: Any) -> Visit:
    return Visit(
        document.url, 1, "site", url_id_of(document.url), document, 1.0, sight=sight,
        link_ids=b"".join(url_id_of(link.url) for link in links),
    )  # fmt: skip
