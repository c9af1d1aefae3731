"""Invented links between the pages of the paper doll, so that its map can be looked at."""

import re
from collections.abc import Mapping

from telusur.graph.memory import MemoryGraph, MemoryPage
from telusur.models import Document
from telusur.run.maps import number_of_url

_TOPIC = re.compile(r"\b(sea|tides?|harbours?|ferr(?:y|ies)|ships?|coast|lighthouses?)\b", re.I)
_OVERVIEW = 5
"""Every so many pages of a site there is one that leads to the next ones."""


def make_paper_web(documents: Mapping[str, Document], sites: Mapping[str, str]) -> MemoryGraph:
    """Return a web in which the first page leads to the sites, and these to their pages."""
    pages: list[MemoryPage] = []
    met: dict[str, int] = {}
    homes: dict[str, int] = {}
    overviews: dict[str, int] = {}
    for place, (url, document) in enumerate(documents.items()):
        site = sites[url]
        turn = met[site] = met.get(site, -1) + 1
        is_overview = turn % _OVERVIEW == 0
        homes.setdefault(site, place)
        parent = (homes if is_overview else overviews)[site]
        if is_overview:
            overviews[site] = place
        if turn == 0:
            parent = 0 if pages else -1
        depth = 0 if parent < 0 else pages[parent].depth + 1
        rank = 6.0 if turn == 0 else 2.0 if is_overview else 0.5
        number = number_of_url(url) or place
        topic = _topic_of(document)
        pages.append(MemoryPage(number, url, document.title, site, parent, depth, rank, topic))
    down = [(page.parent, place) for place, page in enumerate(pages) if page.parent >= 0]
    up = [(below, above) for above, below in down]
    across = [(place, (place * 7 + 3) % len(pages)) for place in range(0, len(pages), 2)]
    return MemoryGraph(pages, [*down, *up, *across])


def _topic_of(document: Document) -> float:
    """Return how much a page is about the sea, which an invented crawl was for."""
    found = len(_TOPIC.findall(f"{document.title} {document.text}"))
    return round(min(30 * found / (len(document.text.split()) + 20), 1.0), 2)
