"""The records passed between the steps: link, page, document, block, hit."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any, NamedTuple

from telusur.documents import Facet, about_field, document_field, read_fields, with_fields


class State(StrEnum):
    """The state of a URL; it is in exactly one."""

    WAITING = "waiting"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class Reason(StrEnum):
    """Why a URL is in its state. A detail may follow a colon: `robots: Disallow: /a`."""

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
    """A link as it is on its page: target, anchor text, surrounding text, and position."""

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


class Post(NamedTuple):
    """A post of a thread, or a comment on an article; `date` is in ISO 8601.

    `link` is the address of the post itself, `author_url` that of the page about its author.
    """

    text: str
    author: str | None = None
    date: str | None = None
    link: str | None = None
    author_url: str | None = None


class Bounds(NamedTuple):
    """Where a block stands on the rendered page, in CSS pixels from its top left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True)
class Block:
    """One run of text, its look and its place; `label` is content, title, author, date or other.

    The static parser and the browser give the same record. The browser also fills in `bounds`, the
    computed `css` and the `html` of the element.
    """

    text: str
    label: str = "other"
    # The tags from the root to the element that holds the text: `html/body/div/p`.
    tag_path: str = ""
    element_id: str = ""
    classes: str = ""
    # The share of the text that is within links, 0 to 1.
    link_density: float = 0.0
    # The nearest heading above.
    heading: str = ""
    # The element's own style attribute.
    style: str = ""
    # The elements of the path as CSS selectors: `html > body.home > div#main > p.lead`.
    selectors: str = ""
    html: str = ""
    bounds: Bounds | None = None
    css: dict[str, str] | None = None
    # The block is invisible; only the browser reports such blocks.
    is_hidden: bool = False
    # What other pages of its site say about the block, in words.
    on_site: str = ""


@dataclass(slots=True)
class Document:
    """What was extracted from a page, or given to the collection by the user.

    This is the one table of a document's fields. A field added here appears in the catalogue, the
    index, the export, the JSON and the documentation. `DocumentField` says what a field may
    declare.
    """

    url: str = document_field(
        "", "The address of the page.", since=1, place="url", weight=2, words=("url",)
    )
    title: str = document_field(
        "", "Its title.", since=1, place="title", weight=3, words=("title",)
    )
    author: str | None = document_field(None, "Its authors, separated by commas.", since=1)
    date: str | None = document_field(
        None, "The day it was published or changed, in ISO 8601.", since=1, hits_since=4,
        facets=(Facet("year", step=10_000), Facet("month", step=100)), words=("before", "after"),
    )  # fmt: skip
    description: str = document_field(
        "", "The description in its head.", since=1, place="description"
    )
    keywords: str = document_field(
        "", "The keywords in its head.", since=1, place="description", label="Keywords"
    )
    text: str = document_field(
        "", "The main text, or all visible text with `--content text`.", since=1, place="body"
    )
    language: str = document_field(
        "", "The language of the text, in ISO 639-1; empty if unknown.", since=1, hits_since=4,
        facets=(Facet("language", "lang", "Language"),),
    )  # fmt: skip
    html5: bool = document_field(False, "It begins with `<!doctype html>`.", since=1)
    canonical: str | None = document_field(None, "The URL that it names as its original.")
    noindex: bool = document_field(False, "It asks not to be indexed.")
    nofollow: bool = document_field(False, "It asks for its links not to be followed.")
    refresh: str | None = document_field(None, "The URL of its refresh: where it sends its reader.")
    needs_browser: bool = document_field(False, "It is empty without JavaScript.")
    links: list[Link] = field(
        default_factory=list, metadata=about_field("Its links, in reading order.")
    )
    blocks: Sequence[Block] = field(
        default_factory=list, metadata=about_field("Its blocks of text, each with a label.")
    )
    headings: list[Heading] = field(
        default_factory=list,
        metadata=about_field(
            "The headings of the content, in reading order.", since=3, encoding="headings",
            place="headings",
        ),
    )  # fmt: skip
    truncated: bool = document_field(False, "The page was too large to be read to the end.")
    page_type: str = document_field(
        "",
        "article, forum, product, listing, collection, documentation or service; empty if unknown.",
        since=3, hits_since=4, facets=(Facet("type", "type", "Kind of page"),),
        label="Kind of page",
    )  # fmt: skip
    posts: Sequence[Post] = field(
        default_factory=list,
        metadata=about_field("The posts of a thread, each with author and date."),
    )
    comments: Sequence[Post] = field(
        default_factory=list,
        metadata=about_field("The comments of readers; the text is without them."),
    )
    fields: dict[str, Any] = field(
        default_factory=dict,
        metadata=about_field(
            "Your own data about the document, as JSON, under names you choose.", since=3,
            encoding="json", is_extracted=False,
        ),
    )  # fmt: skip
    topic_score: float | None = document_field(
        None,
        "How relevant it is to the topic of the crawl that found it, 0 to 1; none without a topic.",
        since=4, stays_with="topic_score", is_extracted=False,
    )  # fmt: skip
    topic: str = document_field(
        "",
        "The topic of the crawl, if the page is relevant to it.",
        since=4, stays_with="topic_score", is_extracted=False,
        # Pages without a topic are not counted, so even a single value narrows the search.
        facets=(Facet("topic", "topic", "Topic", least_values=1, is_text=True),),
    )  # fmt: skip
    crawl_id: int | None = document_field(
        None,
        "The number of the crawl that fetched it, from 1; none if no crawl did.",
        since=6, is_extracted=False, facets=(Facet("crawl", "crawl", since=5),),
        hits_since=6, is_tag=False, label="Crawl",
    )  # fmt: skip
    reading_minutes: int = document_field(
        0, "How many minutes the text takes to read.", since=6, hits_since=6, is_tag=False,
        label="Minutes to read",
    )  # fmt: skip
    image: str = document_field(
        "", "The URL of its main image.", since=6, hits_since=6, is_tag=False, label="Main image",
    )  # fmt: skip


@dataclass(slots=True, frozen=True)
class Page:
    """One finished fetch: bytes and headers as received, or the reason there are none.

    `body` keeps its content coding (gzip, br, ...); its transfer coding is removed. `status` is
    None when there was no response; `reason` then says why.
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
    """How many matching documents have a value: a site, a language, a year."""

    value: str
    count: int


@dataclass(slots=True, frozen=True)
class Explanation:
    """A node of a score tree: its value, what it means, and its parts."""

    value: float
    description: str
    details: tuple["Explanation", ...] = ()


@dataclass(slots=True, frozen=True)
class RankedPage:
    """What every hit has. `marks` are the ranges of `snippet` that match the query."""

    url: str
    title: str
    snippet: str
    score: float
    marks: tuple[tuple[int, int], ...] = ()
    site: str = ""
    fetched_at: float | None = None


# Any: a type checker cannot know which fields the table declares.
HitFields: Any = with_fields(
    "HitFields", (row for row in read_fields(Document) if row.hits_since), RankedPage, frozen=True
)


@dataclass(slots=True, frozen=True)
class Hit(HitFields):  # type: ignore[misc]
    """A document ranked for a query, with the fields of `Document` that declare `hits_since`."""

    # On the last of a site's hits shown together: how many more the site has further down.
    more_from_site: int = 0
    # URLs of duplicates and near-duplicates, which are not hits of their own.
    duplicates: tuple[str, ...] = ()
    explanation: Explanation | None = None


@dataclass(slots=True, frozen=True)
class HitGroup:
    """Hits about one topic: its name, how many of the best hits it has, and the first of them."""

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
    # How the query was understood.
    understood: str = ""
    # A corrected query, made of words the collection has; empty when nothing needs correcting.
    did_you_mean: str = ""
    # The facets that were asked for, by name.
    facets: dict[str, tuple[FacetCount, ...]] = field(default_factory=dict)
    # The best 100 hits by topic, the largest group first, when that was asked for.
    groups: tuple[HitGroup, ...] = ()
    # When it was made. Sent with requests for further pages, it excludes anything fetched since.
    as_of: float | None = None
    # The model of the semantic search; empty when only words counted.
    semantic: str = ""
    # Documents without a vector of that model yet: only their words find them.
    unread: int = 0


@dataclass(slots=True, frozen=True)
class Event:
    """One event in the history of a URL, as `telusur why` shows it."""

    at: float
    state: State
    reason: str = ""
    status: int | None = None


@dataclass(slots=True, frozen=True)
class MarkedPage:
    """A page that the user marked good or bad for the topic."""

    url: str
    is_good: bool
    marked_at: float = 0.0


@dataclass(slots=True, frozen=True)
class Story:
    """The history of one URL: everything the collection knows about it."""

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
    # Seconds that each operation took on the newest page: fetch, extract, links, ...
    operations: dict[str, float] = field(default_factory=dict)


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
