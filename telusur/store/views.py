"""Records that readers return: crawls, links, fetches, archive records."""

from collections import Counter
from dataclasses import dataclass, field

from telusur.crawl.hosts.holds import Hold
from telusur.store.records import BEGINNING, ArchiveKey, Cursor


@dataclass(slots=True, frozen=True)
class LastPage:
    """A page that was fetched recently."""

    url: str
    title: str
    status: int | None
    reason: str
    seconds: float
    fetched_at: float
    size_bytes: int


@dataclass(slots=True, frozen=True)
class SlowHost:
    """A host and its average response time over the last pages."""

    host: str
    answers: int
    # On average.
    seconds: float


@dataclass(slots=True, frozen=True)
class ServerAnswers:
    """Statistics of responses: pages by status (`none`: no response), and slow hosts."""

    statuses: dict[str, int] = field(default_factory=dict)
    slowest: tuple[SlowHost, ...] = ()


@dataclass(slots=True, frozen=True)
class ListedUrl:
    """A URL in a list; the list continues after its cursor."""

    cursor: Cursor
    url: str
    state: str
    reason: str
    depth: int
    changed_at: float


@dataclass(slots=True, frozen=True)
class LinkView:
    """A link seen from one of its ends: the other page, and the texts of the link.

    `state` is empty if the other page is not in the frontier.
    """

    url: str
    anchor: str = ""
    around: str = ""
    rel: str = ""
    state: str = ""
    reason: str = ""
    status: int | None = None


@dataclass(slots=True, frozen=True)
class LinkPage:
    """Some links of many.

    A search for links to a page may end early: then `total` counts those between the cursors
    `first` and `after`, and the next request continues at `after`.
    """

    total: int
    links: tuple[LinkView, ...]
    first: Cursor = BEGINNING
    #: None at the end of the list.
    after: Cursor | None = None
    #: The share of all pages that were searched up to `after`, 0 to 1.
    searched: float = 1.0

    @property
    def is_whole(self) -> bool:
        """Tell whether all pages were searched."""
        return self.first == BEGINNING and self.after is None


@dataclass(slots=True, frozen=True)
class SiteTally:
    """A site of the crawl: pages fetched, URLs waiting (or leased), failed and skipped."""

    site: str
    pages: int
    waiting: int
    failed: int
    skipped: int


@dataclass(slots=True, frozen=True)
class FailedStarts:
    """Start URLs that all failed: how many, and the first with its reason."""

    number: int
    url: str
    state: str
    reason: str


@dataclass(slots=True, frozen=True)
class Tallies:
    """Why URLs failed and were skipped, the largest sites, and how the last crawl ended."""

    failed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    sites: tuple[SiteTally, ...] = ()
    # The number of sites with fetched or waiting pages.
    site_count: int = 0
    last_outcome: str = ""
    last_started_at: float | None = None
    last_ended_at: float | None = None
    # Documents of the last crawl that are relevant to its topic, if it had one.
    relevant: int | None = None
    harvest_rate: float | None = None
    # Hosts that the last crawl parked, and that are still parked.
    holds: tuple[Hold, ...] = ()
    # The start URLs of the last crawl, if all of them failed and nothing was fetched.
    failed_starts: FailedStarts | None = None


@dataclass(slots=True, frozen=True)
class TimelinePoint:
    """The counters of a crawl at one moment; states are counted over all crawls."""

    at: float
    pages: int
    found: int
    waiting: int
    done: int
    failed: int
    skipped: int
    fetched: int
    bytes: int
    memory_bytes: int | None = None


@dataclass(slots=True, frozen=True)
class CopyView:
    """A duplicate of a page; `how` is same, near, canonical or original (of this page)."""

    url: str
    title: str
    how: str


@dataclass(slots=True, frozen=True)
class FetchView:
    """One finished fetch of a URL, and where its response is in the archive."""

    fetched_at: float
    seconds: float
    status: int | None
    reason: str
    content_type: str
    size_bytes: int
    # Where the response is, if the archive has files.
    file: str | None
    offset: int | None
    length: int | None
    # The seconds of each operation on the page, besides the fetch.
    operations: dict[str, float] = field(default_factory=dict)
    # The key that reads the response from the archive.
    key: ArchiveKey | None = None


@dataclass(slots=True, frozen=True)
class RecordView:
    """A record of a WARC file; `fields` belong to the record, `headers` to the response in it."""

    file: str
    offset: int
    length: int
    fields: tuple[tuple[str, str], ...]
    status_line: str
    headers: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        """Return the digest of the payload, as the record states it."""
        return next((v for k, v in self.fields if k.lower() == "warc-payload-digest"), "")
