"""The records that travel between the steps: what a link, page, document, block and hit are."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any, NamedTuple


class State(StrEnum):
    """Where a URL stands; it is in exactly one of these."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class Reason(StrEnum):
    """Why a URL is in its state; a detail may follow after a colon: `robots: Disallow: /a`."""

    START = "start URL"
    REDIRECT = "redirect"
    HTTP_ERROR = "http"
    NETWORK = "network"
    TIMEOUT = "timeout"
    PRIVATE_ADDRESS = "private address"
    BAD_RESPONSE = "bad response"
    TOO_MANY_REDIRECTS = "too many redirects"
    PARSER = "parser"
    ROBOTS = "robots"
    SCOPE = "scope"
    DEPTH = "depth"
    EXCLUDED = "excluded"
    HOOKS = "hooks"
    STRATEGY = "strategy"
    CONTENT_TYPE = "content type"
    TRAP = "trap"
    BUDGET = "budget"
    FRONTIER_FULL = "frontier full"
    NOT_ARCHIVED = "not in the archive"
    NOINDEX = "noindex"
    CANONICAL = "canonical elsewhere"
    SOFT_404 = "soft 404"
    DUPLICATE = "duplicate"
    EMPTY = "nothing to read"
    SITEMAP = "sitemap"


def url_id_of(key: str) -> bytes:
    """Return the 128-bit identity of a normalised URL: 16 bytes, the same on every machine."""
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def media_type_of(content_type: str) -> str:
    """Return the media type of a Content-Type header in lower case, without parameters."""
    return content_type.partition(";")[0].strip().lower()


class Link(NamedTuple):
    """A link as its page shows it: target, anchor text, the text around it, and where it stands."""

    url: str
    anchor: str = ""
    around: str = ""
    rel: str = ""
    position: int = 0
    parent: str = ""


class Heading(NamedTuple):
    """A heading of a page: its level, 1 to 6, and its text."""

    level: int
    text: str


class Bounds(NamedTuple):
    """Where a block stands on the rendered page, in CSS pixels from its top left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True)
class Block:
    """One run of text, its look and its place; `label` is content, title, author, date or other.

    The static parser and the browser give the same record. The browser adds what only it knows:
    `bounds`, the computed `css` and the element's own `html`.
    """

    text: str
    label: str = "other"
    tag_path: str = ""
    """The tags from the root to the element that holds the text: `html/body/div/p`."""
    element_id: str = ""
    classes: str = ""
    link_density: float = 0.0
    """The share of the text that is within links, 0 to 1."""
    heading: str = ""
    """The nearest heading above."""
    style: str = ""
    """The element's own style attribute."""
    selectors: str = ""
    """The elements of the path as CSS selectors: `html > body.home > div#main > p.lead`."""
    html: str = ""
    bounds: Bounds | None = None
    css: dict[str, str] | None = None
    is_hidden: bool = False
    """A person cannot see it; only the browser reports such blocks."""


@dataclass(slots=True)
class Document:
    """What was extracted from a page, or given to the collection by the user."""

    url: str = ""
    title: str = ""
    author: str | None = None
    date: str | None = None
    description: str = ""
    keywords: str = ""
    text: str = ""
    language: str = ""
    html5: bool = False
    canonical: str | None = None
    noindex: bool = False
    nofollow: bool = False
    refresh: str | None = None
    needs_browser: bool = False
    links: list[Link] = field(default_factory=list)
    blocks: Sequence[Block] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    """Those of the content, in reading order."""
    truncated: bool = False
    """The page was too large to be read to its end."""
    page_type: str = ""
    """article, forum, product, listing, collection, documentation or service; empty if unknown."""
    fields: dict[str, Any] = field(default_factory=dict)
    """What the user keeps with the document, by names of his own; JSON must be able to hold it."""
    topic_score: float | None = None
    topic: str = ""
    """The words of the crawl's topic, if the page is about it."""
    """How much it is about the topic of the crawl that found it, 0 to 1; None without a topic."""


@dataclass(slots=True, frozen=True)
class Page:
    """One finished fetch: bytes and headers as received, or the reason there are none.

    `body` keeps its content coding (gzip, br, ...) and has lost its transfer coding. `status` is
    None when no answer came; `reason` then tells why.
    """

    url: str
    status: int | None = None
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    fetched_at: float = 0.0
    seconds: float = 0.0
    truncated: bool = False
    address: str = ""
    status_line: str = ""
    request_headers: tuple[tuple[str, str], ...] = ()

    def header(self, name: str) -> str:
        """Return the first header of this name (any case), or an empty string."""
        name = name.lower()
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def content_type(self) -> str:
        """Return the media type in lower case, without parameters."""
        return media_type_of(self.header("content-type"))


@dataclass(slots=True, frozen=True)
class FacetCount:
    """How many of the documents that match have a value: a site, a language, a year."""

    value: str
    count: int


@dataclass(slots=True, frozen=True)
class Explanation:
    """A node of a score tree: what it is worth, what it is, and what it is made of."""

    value: float
    description: str
    details: tuple["Explanation", ...] = ()


@dataclass(slots=True, frozen=True)
class Hit:
    """A document ranked for a query. `marks` are the ranges of `snippet` that match the query."""

    url: str
    title: str
    snippet: str
    score: float
    marks: tuple[tuple[int, int], ...] = ()
    site: str = ""
    language: str = ""
    date: str | None = None
    fetched_at: float | None = None
    page_type: str = ""
    more_from_site: int = 0
    """On the last hit that a site has in front: how many more it has further down."""
    duplicates: tuple[str, ...] = ()
    """URLs of pages that say the same or nearly the same, and are not hits of their own."""
    explanation: Explanation | None = None


@dataclass(slots=True, frozen=True)
class HitGroup:
    """Hits about one topic: its name, how many of the best belong to it, and the first ones."""

    name: str
    total: int
    hits: tuple[Hit, ...] = ()


@dataclass(slots=True, frozen=True)
class SearchResults:
    """One page of hits, and how many there are in all."""

    query: str
    total: int
    hits: tuple[Hit, ...] = ()
    page: int = 1
    limit: int = 10
    seconds: float = 0.0
    understood: str = ""
    """What the query was read as."""
    did_you_mean: str = ""
    """Another query, with words the collection has; empty when there is nothing to correct."""
    facets: dict[str, tuple[FacetCount, ...]] = field(default_factory=dict)
    """What was asked to be counted, by name."""
    groups: tuple[HitGroup, ...] = ()
    """The best 100 hits by topic, the largest group first, when that was asked for."""
    as_of: float | None = None
    """Asked for with further pages, it keeps out what was fetched since this one was made."""
    semantic: str = ""
    """The model whose sense of meaning counted too; empty when only words did."""
    unread: int = 0
    """Documents which that model has not read yet: they are found by their words only."""


@dataclass(slots=True, frozen=True)
class Event:
    """One step in the life of a URL, as `telusur why` tells it."""

    at: float
    state: State
    reason: str = ""
    status: int | None = None


@dataclass(slots=True, frozen=True)
class MarkedPage:
    """A page that the user called good or bad for the topic."""

    url: str
    is_good: bool
    marked_at: float = 0.0


@dataclass(slots=True, frozen=True)
class Story:
    """Everything the collection knows about one URL."""

    url: str
    state: State
    reason: str
    depth: int
    parent: str | None
    anchor: str
    changed_at: float
    events: tuple[Event, ...] = ()
    indexed: bool = False
    title: str = ""


@dataclass(slots=True, frozen=True)
class Counts:
    """How many URLs are in each state, and how many pages and documents there are."""

    waiting: int = 0
    leased: int = 0
    done: int = 0
    failed: int = 0
    skipped: int = 0
    pages: int = 0
    documents: int = 0

    @property
    def found(self) -> int:
        """Return the number of URLs known."""
        return self.waiting + self.leased + self.done + self.failed + self.skipped
