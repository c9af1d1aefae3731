"""What a map is made of: what may be asked, what is answered, and what a store has to offer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from telusur.graph.outline import Outline, Places

MOST_NODES = 5_000
"""What a browser draws smoothly."""
USUAL_NODES = 1_000
MOST_STEPS = 4
Edges = tuple[Places, Places]


@dataclass(slots=True, frozen=True)
class MapRequest:
    """Which pages are wanted: the best of those that fit, and the way to them."""

    site: str = ""
    depth: int | None = None
    """At most so many steps from a start URL."""
    words: str = ""
    """Pages that a search finds."""
    topic: str = ""
    """Of these, one group of hits about the same, by its name."""
    about: float | None = None
    """Pages whose topic score is at least this: that are about the topic of their crawl."""
    around: str = ""
    """A page by its URL: it, and what is linked with it."""
    steps: int = 1
    """How far around."""
    most: int | None = USUAL_NODES
    """So many pages at most; None: all of them, and all their links."""


@dataclass(slots=True, frozen=True)
class MapNode:
    """A page on the map."""

    id: int
    url: str
    domain: str
    title: str
    depth: int
    rank: float
    fits: bool
    """False: it is only here because the way to another page leads over it."""
    topic: float | None = None
    """How much it is about the topic of its crawl, 0 to 1, if that had one."""
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True, frozen=True, order=True)
class MapLink:
    """A link between two pages of the map, by their ids."""

    source: int
    target: int
    depth: int
    """That of the page it leads to."""
    tree: bool
    """By this link the later of the two hangs on the earlier one."""


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
    """Some pages, the links between them, and how much there is besides."""

    nodes: tuple[MapNode, ...]
    links: tuple[MapLink, ...]
    sites: tuple[SiteNode, ...]
    """The sites of these pages, the largest first."""
    pages: int
    """Pages in the collection."""
    fitting: int
    """Pages that fit what was asked for."""
    all_links: int
    """Links between these pages; those to where everybody links are left out first."""
    has_topic: bool = False
    """Some crawl of the collection had a topic."""


@dataclass(slots=True, frozen=True)
class SiteMap:
    """The sites of a collection as a map, the largest first."""

    sites: tuple[SiteNode, ...]
    links: tuple[SiteLink, ...]
    pages: int
    all_sites: int
    pages_read: int
    """Pages whose links were counted; where these are not all, the counts are estimates."""


@dataclass(slots=True, frozen=True)
class Branch:
    """A page in the outline."""

    url: str
    title: str
    domain: str
    depth: int
    children: int
    """Pages found on it."""
    below: int
    """Pages found on it, on these, and so on."""
    at: int
    """Which of its parent's children it is."""
    topic: float | None = None
    """How much it is about the topic of its crawl, 0 to 1, if that had one."""


@dataclass(slots=True, frozen=True)
class Branches:
    """Some of the pages found on a page, in the order they were found."""

    parent: Branch | None
    branches: tuple[Branch, ...]
    start: int
    total: int


class Named(NamedTuple):
    """What a page is called."""

    url: str
    title: str


class Sample(NamedTuple):
    """Links of a fair part of all pages, and how many pages were read for them."""

    sources: Places
    targets: Places
    pages: int


class WebGraph(Protocol):
    """A store of pages and links; it answers for the outline that it gave."""

    def outline(self) -> Outline:
        """Return the pages as they are now, or as they were a little while ago."""
        ...

    def name(self, outline: Outline, places: Sequence[int]) -> list[Named]:
        """Return URL and title of each page."""
        ...

    def links_of(self, outline: Outline, places: NDArray[np.int32]) -> Iterator[Edges]:
        """Yield the links of these pages to any pages, each pair once, some pages at a time."""
        ...

    def sample(self, outline: Outline) -> Sample:
        """Return links between pages, all of them or those of a fair part of the pages."""
        ...
