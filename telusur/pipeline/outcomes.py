"""The messages between scouter and recorder: outcomes in groups, and new work in return."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from telusur.crawl.frontier_records import Added, HostLease, LeasedUrl, Verdict
from telusur.crawl.limits import Limits
from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.rules.scope import Scope
from telusur.crawl.rules.sitemaps import NamedSitemap
from telusur.models import Page, State
from telusur.pipeline.parsing.page_parser import Parsed
from telusur.store.records import StoredRobots


@dataclass(slots=True)
class Outcome:
    """How one leased URL ended: page, parse result and verdict; filled in on its way."""

    leased: LeasedUrl
    host: str
    site: str
    verdict: Verdict
    page: Page | None = None
    parsed: Parsed | None = None
    redirect: FoundLink | None = None

    @property
    def is_sitemap(self) -> bool:
        """Tell whether this is a sitemap, from robots.txt or recognised by the parser."""
        return bool(self.leased.sitemap or (self.parsed and self.parsed.listing))

    @property
    def is_counted(self) -> bool:
        """Tell whether it counts as a page: answered, no sitemap, and not to be retried."""
        is_answered = self.page is not None and self.page.status is not None
        return is_answered and not self.is_sitemap and self.verdict.state is not State.WAITING


@dataclass(slots=True, frozen=True)
class RobotsFile:
    """The robots.txt of a host, with its response."""

    host: str
    page: Page
    data: bytes


@dataclass(slots=True, frozen=True)
class SheetAnswer:
    """A style sheet that was asked for, and the response, or why there is none."""

    url: str
    page: Page


@dataclass(slots=True)
class Group:
    """Outcomes that are written together, and the scouter's requests for more."""

    outcomes: list[Outcome] = field(default_factory=list)
    robots: list[RobotsFile] = field(default_factory=list)
    sheets: list[SheetAnswer] = field(default_factory=list)
    # Sitemaps named by robots.txt; most are known.
    sitemaps: list[NamedSitemap] = field(default_factory=list)
    releases: list[tuple[str, float]] = field(default_factory=list)
    # Leased hosts that run low, and how many URLs they want.
    hungry: list[tuple[str, int]] = field(default_factory=list)
    # URLs of leased hosts that are returned because the limits changed.
    given_back: dict[str, list[bytes]] = field(default_factory=dict)
    # URLs of these hosts that are returned because better ones may have arrived.
    exchanged: dict[str, list[LeasedUrl]] = field(default_factory=dict)
    new_hosts: int = 0
    # How many URLs to lease with each new host.
    k: int = 0
    # Changed limits, to be recorded with the crawl.
    limits: Limits = field(default_factory=dict)
    # Hosts on hold, packed as they are stored; set when they change.
    holds: bytes | None = None
    # The changed scope that waiting and skipped URLs are judged by again.
    scope: Scope | None = None

    def give_back(self, host: str, urls: Iterable[LeasedUrl]) -> None:
        """Return URLs of a leased host that were not started."""
        self.given_back.setdefault(host, []).extend(leased.url_id for leased in urls)

    def is_empty(self) -> bool:
        """Tell whether there is nothing to write and nothing to ask for."""
        wishes = self.hungry or self.new_hosts or self.limits or self.scope
        to_write = self.outcomes or self.robots or self.sheets or self.sitemaps or self.releases
        return not (to_write or wishes or self.given_back or self.holds)


@dataclass(slots=True)
class Gained:
    """The changes of a group to the frontier."""

    found: int = 0
    waiting: int = 0
    skipped: int = 0
    failed: int = 0
    hosts: set[str] = field(default_factory=set)

    def count(self, added: Added) -> None:
        """Count added URLs."""
        self.found += added.fresh
        self.waiting += added.waiting
        self.skipped += added.skipped
        self.failed += added.failed
        self.hosts |= added.hosts


@dataclass(slots=True, frozen=True)
class Refill:
    """The new work that the frontier leased in return for a group."""

    leases: tuple[HostLease, ...]
    # More URLs for each host that runs low; empty if the host has none left.
    more: dict[str, tuple[LeasedUrl, ...]]
    # The stored robots.txt of newly leased hosts.
    robots: dict[str, StoredRobots]
    seconds_until_ready: float | None
    gained: Gained
