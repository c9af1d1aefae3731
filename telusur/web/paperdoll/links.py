"""Invented links between the pages of the paper doll, for its map."""

import re
from collections.abc import Mapping

from telusur.graph.memory import MemoryGraph, MemoryPage
from telusur.models import Document
from telusur.reports.maps import number_of_url

_TOPIC = re.compile(r"\b(sea|tides?|harbours?|ferr(?:y|ies)|ships?|coast|lighthouses?)\b", re.I)
# Every fifth page of a site links to the next ones.
_OVERVIEW = 5


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
    """Return the topic score of a page; the topic of the invented crawl is the sea."""
    found = len(_TOPIC.findall(f"{document.title} {document.text}"))
    return round(min(30 * found / (len(document.text.split()) + 20), 1.0), 2)
