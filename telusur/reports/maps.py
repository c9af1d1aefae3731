"""Maps of a collection, with the pages of searches and URLs."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.urls.identity import normalize_url
from telusur.errors import UsageError
from telusur.graph.branches import find_way, list_branches
from telusur.graph.contract import (
    Branch,
    Branches,
    MapLink,
    MapNode,
    MapRequest,
    SiteMap,
    WebGraph,
    WebMap,
)
from telusur.graph.maps import Asked, make_map, walk_map
from telusur.graph.site_maps import make_site_map
from telusur.index.contract import number_of
from telusur.models import Hit, SearchResults, url_id_of
from telusur.search.request import SearchRequest

# Hits of a search that a map can show.
MOST_HITS = 1_000
# Hits that are clustered into topics.
TOPIC_HITS = 100


class Maps:
    """Answers requests for maps of pages and sites."""

    def __init__(self, graph: WebGraph, answer: Callable[[SearchRequest], SearchResults]) -> None:
        self._graph = graph
        self._answer = answer

    def map(self, request: MapRequest) -> WebMap:
        """Return the best matching pages, or those around a page, with their links."""
        return make_map(self._graph, self._ask(request))

    def walk_map(self, request: MapRequest) -> tuple[Iterator[MapNode], Iterator[MapLink]]:
        """Yield the same map item by item, nodes first."""
        return walk_map(self._graph, self._ask(request))

    def site_map(self) -> SiteMap:
        """Return the sites and the number of links between them."""
        return make_site_map(self._graph)

    def branches(self, url: str = "", start: int = 0, limit: int = 50) -> Branches | None:
        """Return the pages found through a page, or the start URLs; None for an unknown page."""
        number = number_of_url(url) if url else None
        if url and number is None:
            return None
        return list_branches(self._graph, number, start, limit)

    def way_to(self, url: str) -> tuple[Branch, ...]:
        """Return the path from the start URL to a page; empty for an unknown page."""
        number = number_of_url(url)
        return () if number is None else find_way(self._graph, number)

    def _ask(self, request: MapRequest) -> Asked:
        if request.topic and not request.words:
            raise UsageError("A topic belongs to a search: add search words.")
        hits = _numbers(self._hits(request)) if request.words else None
        return Asked(request, hits, number_of_url(request.around) if request.around else None)

    def _hits(self, request: MapRequest) -> tuple[Hit, ...]:
        if not request.topic:
            wanted = SearchRequest(request.words, limit=MOST_HITS, per_site=0)
            return self._answer(wanted).hits
        wanted = SearchRequest(request.words, limit=TOPIC_HITS, group="topic")
        groups = {group.name: group.hits for group in self._answer(wanted).groups}
        if request.topic not in groups:
            known = "; ".join(groups) or "none"
            raise UsageError(f"These hits have no topic {request.topic!r}; the topics are {known}.")
        return groups[request.topic]


def number_of_url(url: str) -> int | None:
    """Return the number of the page at a URL, or None if it is not a web address."""
    key = normalize_url(url)
    return number_of(url_id_of(key)) if key else None


def _numbers(hits: tuple[Hit, ...]) -> NDArray[np.uint64]:
    found = (number_of_url(hit.url) for hit in hits)
    return np.array([number for number in found if number is not None], np.uint64)
