"""What scouter and recorder hand to each other: outcomes in groups, and new work in return."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from telusur.adapters.sqlite_catalogue import StoredRobots
from telusur.crawl.discovery import FoundLink
from telusur.crawl.frontier import Added, HostLease, LeasedUrl, Verdict
from telusur.crawl.scope import Scope
from telusur.crawl.sitemap_rules import NamedSitemap
from telusur.models import Page
from telusur.run.limits import Limits
from telusur.run.parsing import Parsed


@dataclass(slots=True, frozen=True)
class Outcome:
    """How one leased URL ended: its page, what the parser made of it, and the verdict."""

    leased: LeasedUrl
    host: str
    site: str
    verdict: Verdict
    page: Page | None = None
    parsed: Parsed | None = None
    redirect: FoundLink | None = None

    @property
    def is_sitemap(self) -> bool:
        """Tell whether this is no page but a sitemap, wherever it was found out."""
        return bool(self.leased.sitemap or (self.parsed and self.parsed.listing))


@dataclass(slots=True, frozen=True)
class RobotsFile:
    """A robots.txt as it was answered."""

    host: str
    page: Page
    data: bytes


@dataclass(slots=True)
class Group:
    """What is written together, and what the scouter wants in return."""

    outcomes: list[Outcome] = field(default_factory=list)
    robots: list[RobotsFile] = field(default_factory=list)
    sitemaps: list[NamedSitemap] = field(default_factory=list)
    """Sitemaps that robots files name; most are known."""
    releases: list[tuple[str, float]] = field(default_factory=list)
    hungry: list[tuple[str, int]] = field(default_factory=list)
    """Leased hosts whose URLs run low, and how many they want."""
    given_back: dict[str, list[bytes]] = field(default_factory=dict)
    """URLs of leased hosts that wait again, since limits changed."""
    exchanged: dict[str, list[LeasedUrl]] = field(default_factory=dict)
    """URLs of hungry hosts that wait again, since better ones may have come."""
    new_hosts: int = 0
    k: int = 0
    """How many URLs each new host is handed."""
    limits: Limits = field(default_factory=dict)
    """Limits that were changed, to be written down with the crawl."""
    scope: Scope | None = None
    """What all URLs that wait, or were left out, are judged by anew."""

    def give_back(self, host: str, urls: Iterable[LeasedUrl]) -> None:
        """Let URLs of a leased host wait again that were handed out and not begun."""
        self.given_back.setdefault(host, []).extend(leased.url_id for leased in urls)

    def is_empty(self) -> bool:
        """Tell whether there is nothing to write and nothing to ask for."""
        wishes = self.hungry or self.new_hosts or self.limits or self.scope
        to_write = self.outcomes or self.robots or self.sitemaps or self.releases
        return not (to_write or wishes)


@dataclass(slots=True)
class Gained:
    """What the pages of a group added to the frontier."""

    found: int = 0
    waiting: int = 0
    skipped: int = 0
    hosts: set[str] = field(default_factory=set)

    def count(self, added: Added) -> None:
        """Count what the frontier took in."""
        self.found += added.fresh
        self.waiting += added.waiting
        self.skipped += added.skipped
        self.hosts |= added.hosts


@dataclass(slots=True, frozen=True)
class Refill:
    """What the frontier handed out in return for a group."""

    leases: tuple[HostLease, ...]
    more: dict[str, tuple[LeasedUrl, ...]]
    """More URLs for each hungry host; none when it has run dry."""
    robots: dict[str, StoredRobots]
    """What is known of the robots.txt of newly leased hosts."""
    next_ready_at: float | None
    gained: Gained
