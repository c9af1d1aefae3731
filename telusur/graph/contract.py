"""The contract of maps: requests, results, and what a store has to provide."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from telusur.graph.outline import Outline, Places

# What a browser draws smoothly.
MOST_NODES = 5_000
USUAL_NODES = 1_000
MOST_STEPS = 4
Edges = tuple[Places, Places]


@dataclass(slots=True, frozen=True)
class MapRequest:
    """A request for a map: the best matching pages, and the pages that lead to them."""

    site: str = ""
    # At most this many links from a start URL.
    depth: int | None = None
    # Pages that a search finds.
    words: str = ""
    # The name of one topic among these hits.
    topic: str = ""
    # Pages with at least this topic score.
    about: float | None = None
    # The URL of a page: only it and its neighbours.
    around: str = ""
    # How many links away from it.
    steps: int = 1
    # The most pages; None: all pages with all their links.
    most: int | None = USUAL_NODES


@dataclass(slots=True, frozen=True)
class MapNode:
    """A page on the map."""

    id: int
    url: str
    domain: str
    title: str
    depth: int
    rank: float
    # False: it does not match, but is on the path to a page that does.
    fits: bool
    # Its topic score, 0 to 1, if its crawl had a topic.
    topic: float | None = None
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True, frozen=True, order=True)
class MapLink:
    """A link between two pages of the map, by their ids."""

    source: int
    target: int
    # The depth of the target page.
    depth: int
    # The link by which the target was found.
    tree: bool


@dataclass(slots=True, frozen=True)
class SiteNode:
    """A site on the map, or in its legend."""

    id: int
    domain: str
    pages: int


@dataclass(slots=True, frozen=True)
class SiteLink:
    """Links from one site to another, counted."""

    source: int
    target: int
    links: int


@dataclass(slots=True, frozen=True)
class WebMap:
    """Some pages, the links between them, and the totals of the collection."""

    nodes: tuple[MapNode, ...]
    links: tuple[MapLink, ...]
    # The sites of these pages, the largest first.
    sites: tuple[SiteNode, ...]
    # Pages in the collection.
    pages: int
    # Pages that match the request.
    fitting: int
    # All links between these pages; of too many, links to often linked pages are dropped first.
    all_links: int
    # Some crawl of the collection had a topic.
    has_topic: bool = False


@dataclass(slots=True, frozen=True)
class SiteMap:
    """The sites of a collection as a map, the largest first."""

    sites: tuple[SiteNode, ...]
    links: tuple[SiteLink, ...]
    pages: int
    all_sites: int
    # Pages whose links were counted; if these are not all, the counts are estimates.
    pages_read: int


@dataclass(slots=True, frozen=True)
class Branch:
    """A page in the outline."""

    url: str
    title: str
    domain: str
    depth: int
    # Pages found on it.
    children: int
    # Pages found on it, directly or indirectly.
    below: int
    # Its index among the children of its parent.
    at: int
    # Its topic score, 0 to 1, if its crawl had a topic.
    topic: float | None = None


@dataclass(slots=True, frozen=True)
class Branches:
    """Some of the pages found on a page, in the order they were found."""

    parent: Branch | None
    branches: tuple[Branch, ...]
    start: int
    total: int


class Named(NamedTuple):
    """The URL and title of a page."""

    url: str
    title: str


class Sample(NamedTuple):
    """Links of a fair sample of pages, and the size of the sample."""

    sources: Places
    targets: Places
    pages: int


class WebGraph(Protocol):
    """A store of pages and links; calls refer to an outline that it returned."""

    def outline(self) -> Outline:
        """Return the pages as they are now, or were a moment ago."""
        ...

    def name(self, outline: Outline, places: Sequence[int]) -> list[Named]:
        """Return URL and title of each page."""
        ...

    def links_of(self, outline: Outline, places: NDArray[np.int32]) -> Iterator[Edges]:
        """Yield the links of these pages to any pages, each pair once, some pages at a time."""
        ...

    def sample(self, outline: Outline) -> Sample:
        """Return links between pages: all of them, or those of a fair sample of the pages."""
        ...
