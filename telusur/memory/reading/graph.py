"""Pages and links of a store in memory, for maps."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from telusur.graph.contract import Edges, Named, Sample
from telusur.graph.outline import NO_PARENT, Outline
from telusur.index.contract import number_of
from telusur.index.standing import Standings
from telusur.memory.reading.committed import Committed
from telusur.memory.state import KnownUrl, Tables
from telusur.models import State

_DEEPEST = 0xFFFF


class MemoryWebGraph:
    """Implements `telusur.graph.contract.WebGraph`."""

    def __init__(self, committed: Committed, standings: Callable[[], Standings]) -> None:
        self._committed = committed
        self._standings = standings

    def outline(self) -> Outline:
        """Return the pages that were answered, and the pages they were found on."""
        tables = self._committed()
        found = _with_parents(tables)
        places = {url.url_id: place for place, url in enumerate(found)}
        sites = tuple(dict.fromkeys(host.site for host in tables.hosts.values()))
        numbers = np.array([number_of(url.url_id) for url in found], np.uint64)
        outline = Outline(
            rows=np.array([url.number for url in found], np.int64),
            numbers=numbers,
            sites=np.array([sites.index(tables.hosts[url.host].site) for url in found], np.uint32),
            depths=np.array([min(url.depth, _DEEPEST) for url in found], np.uint16),
            parents=np.array([_parent(places, url) for url in found], np.int32),
            ranks=self._standings().look_up(numbers)["rank"].astype(np.float32),
            site_names=sites,
        )
        return replace(outline, topics=_topics(tables, found))

    def name(self, outline: Outline, places: Sequence[int]) -> list[Named]:
        """Return URL and title of each page."""
        tables = self._committed()
        by_row = {url.number: url for url in tables.urls.values()}
        return [_named(tables, by_row[int(outline.rows[place])]) for place in places]

    def links_of(self, outline: Outline, places: NDArray[np.int32]) -> Iterator[Edges]:
        """Yield the links of these pages to any pages, each pair once."""
        pairs = self._pairs(outline, set(places.tolist()))
        yield pairs[:, 0], pairs[:, 1]

    def sample(self, outline: Outline) -> Sample:
        """Return all links between pages."""
        pairs = self._pairs(outline, set(range(len(outline))))
        return Sample(pairs[:, 0], pairs[:, 1], len(outline))

    def _pairs(self, outline: Outline, sources: set[int]) -> NDArray[np.int32]:
        """Return links between different pages as places: a row for each pair."""
        pairs = set()
        for source, (targets, _) in self._committed().links.items():
            start = outline.place_of(number_of(source))
            for at in range(0, len(targets), 16):
                end = outline.place_of(number_of(targets[at : at + 16]))
                if start in sources and end not in (None, start):
                    pairs.add((start, end))
        return np.array(sorted(pairs), np.int32).reshape(-1, 2)


def _with_parents(tables: Tables) -> list[KnownUrl]:
    """Return answered pages and those on the paths to them, in the order they were found."""
    found = {id_: url for id_, url in tables.urls.items() if url.state is State.DONE}
    missing = list(found.values())
    while missing:
        parents = [tables.urls[url.parent] for url in missing if url.parent in tables.urls]
        missing = [parent for parent in parents if parent.url_id not in found]
        found |= {parent.url_id: parent for parent in missing}
    return sorted(found.values(), key=lambda url: url.number)


def _parent(places: Mapping[bytes, int], url: KnownUrl) -> int:
    """Return the place of the page on which a page was found, which always comes before it."""
    parent = places.get(url.parent or b"", NO_PARENT)
    return parent if parent < places[url.url_id] else NO_PARENT


def _named(tables: Tables, url: KnownUrl) -> Named:
    stored = tables.documents.get(url.url_id)
    return Named(url.url, "" if stored is None else stored.document.title)


def _topics(tables: Tables, found: Sequence[KnownUrl]) -> NDArray[np.float32] | None:
    """Return the topic score of each page; None if no crawl had a topic."""
    told = [crawl.settings for crawl in tables.crawls]
    if not any(settings.get("topic") or settings.get("like") for settings in told):
        return None
    scores = [_topic(tables, url.url_id) for url in found]
    if all(score is None for score in scores):
        return None
    return np.array([np.nan if score is None else score for score in scores], np.float32)


def _topic(tables: Tables, url_id: bytes) -> float | None:
    stored = tables.documents.get(url_id)
    return None if stored is None else stored.document.topic_score
