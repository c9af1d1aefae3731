"""The tables of a store in memory; their records are immutable."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields, replace

from telusur.crawl.frontier_records import LeasedUrl
from telusur.crawl.rules.sitemap_listing import Listed
from telusur.errors import UsageError
from telusur.models import Document, MarkedPage, Page, State
from telusur.store.records import ArchiveKey, CrawlRecord, StoredRobots

#: Returns the time in seconds.
Clock = Callable[[], float]


@dataclass(slots=True, frozen=True)
class KnownUrl:
    """A URL of the frontier."""

    #: The order of discovery.
    number: int
    url_id: bytes
    url: str
    host: str
    depth: int
    state: State = State.WAITING
    reason: str = ""
    score: float = 0.0
    hops: int = 0
    tries: int = 0
    retry_at: float = 0.0
    note: bytes = b""
    parent: bytes | None = None
    anchor: str = ""
    found_at: float = 0.0
    #: When its state changed last.
    changed_at: float = 0.0

    @property
    def is_open(self) -> bool:
        """Tell whether the URL is waiting or leased: only then can its score change."""
        return self.state in (State.WAITING, State.LEASED)

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Return its place among the URLs of its host; the smallest is leased first."""
        return self.tries > 0, -self.score, self.number

    def lease(self, sitemap: int, *, with_note: bool) -> LeasedUrl:
        """Return the URL as a leased one."""
        note = self.note if with_note else b""
        return LeasedUrl(
            self.url_id, self.url, self.depth, self.hops, self.tries, self.score, note, sitemap
        )


@dataclass(slots=True, frozen=True)
class KnownHost:
    """A host of the frontier."""

    #: The order of discovery.
    number: int
    host: str
    site: str
    #: The session that leased it.
    owner: int | None = None
    not_before: float = 0.0
    robots: StoredRobots | None = None


@dataclass(slots=True, frozen=True)
class KnownSitemap:
    """A URL that is a sitemap."""

    site: str
    level: int
    #: How many URLs it names; None until it was read.
    named: int | None = None


@dataclass(slots=True, frozen=True)
class StoredFetch:
    """One finished fetch."""

    #: The order of all fetches.
    number: int
    page: Page
    key: ArchiveKey | None
    size_bytes: int
    reason: str
    is_final: bool
    operations: dict[str, float] = field(default_factory=dict)
    crawl_id: int | None = None


@dataclass(slots=True, frozen=True)
class StoredDocument:
    """The current document of a URL."""

    #: Grows with every change; followers read documents in this order.
    number: int
    url_id: bytes
    document: Document
    site: str
    fetched_at: float
    digest: bytes
    canonical: bytes | None
    not_indexed: str


@dataclass(slots=True)
class Tables:
    """All tables of a store. The records in them are never changed in place.

    So a copy of the tables is a copy of the store.
    """

    urls: dict[bytes, KnownUrl] = field(default_factory=dict)
    hosts: dict[str, KnownHost] = field(default_factory=dict)
    #: Pages fetched from each site.
    taken: dict[str, int] = field(default_factory=dict)
    sitemaps: dict[bytes, KnownSitemap] = field(default_factory=dict)
    #: What a sitemap says about a URL: the sitemap, and its words.
    listed: dict[bytes, tuple[bytes, Listed]] = field(default_factory=dict)
    fetches: dict[bytes, tuple[StoredFetch, ...]] = field(default_factory=dict)
    #: How many fetches there were.
    fetched: int = 0
    documents: dict[bytes, StoredDocument] = field(default_factory=dict)
    #: How many changes of documents there were.
    changes: int = 0
    signatures: dict[bytes, bytes] = field(default_factory=dict)
    #: Ids of the targets of a page, and its packed links.
    links: dict[bytes, tuple[bytes, bytes]] = field(default_factory=dict)
    facts: dict[str, bytes] = field(default_factory=dict)
    #: The responses of style sheets; None where there was none.
    style_sheets: dict[str, ArchiveKey | None] = field(default_factory=dict)
    #: What was learned about each site.
    site_records: dict[str, bytes] = field(default_factory=dict)
    crawls: tuple[CrawlRecord, ...] = ()
    strategy: dict[str, bytes] = field(default_factory=dict)
    #: Pages that the user marked as good or bad.
    marks: dict[bytes, MarkedPage] = field(default_factory=dict)

    def copy(self) -> "Tables":
        """Return tables that can be written without changing these."""
        tables = replace(self)
        for table in fields(self):
            value = getattr(self, table.name)
            if isinstance(value, dict):
                setattr(tables, table.name, value.copy())
        return tables

    def put(self, url: KnownUrl) -> None:
        """Store a URL as it is now."""
        self.urls[url.url_id] = url

    def free(self, is_dead: Callable[[int], bool], now: float) -> int:
        """Free the hosts of dead sessions, and return how many leased URLs wait again."""
        freed = {
            name: replace(host, owner=None)
            for name, host in self.hosts.items()
            if host.owner is not None and is_dead(host.owner)
        }
        self.hosts.update(freed)
        return self.unlease(freed, now)

    def unlease(self, hosts: Collection[str], now: float) -> int:
        """Return leased URLs of these hosts to waiting; return how many."""
        leased = [
            url for url in self.urls.values() if url.state is State.LEASED and url.host in hosts
        ]
        for url in leased:
            self.put(replace(url, state=State.WAITING, changed_at=now))
        return len(leased)


class Workspace:
    """What one session reads and writes.

    In a transaction that is its own copy; otherwise the committed tables, for reading only.
    """

    def __init__(self, owner: int, committed: Callable[[], Tables], clock: Clock) -> None:
        self.owner = owner
        self.clock = clock
        self.copy: Tables | None = None
        self._committed = committed

    def read(self) -> Tables:
        """Return the tables as this session sees them."""
        return self._committed() if self.copy is None else self.copy

    def write(self) -> Tables:
        """Return the tables of the transaction."""
        if self.copy is None:
            raise UsageError("There is no transaction to write in: call begin() first.")
        return self.copy
