"""The hosts being worked on: who may be asked now, and whose turn it is."""

import heapq
import itertools
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from telusur.crawl.frontier import HostLease, LeasedUrl
from telusur.crawl.robots import Robots
from telusur.models import Page

FAIR_LEAD = 20
"""Pages a site may be ahead of the slowest one (invariant 5)."""
PARKED_SECONDS = 1.0
"""A host that must wait, or keeps us waiting, longer than this holds nobody back."""


@dataclass(slots=True)
class ActiveSite:
    """A site with hosts at work; `taken` is what fairness compares."""

    name: str
    taken: int
    hosts: int = 0


@dataclass(slots=True)
class ActiveHost:
    """A leased host with its URLs, its robots rules and the time it may be asked again."""

    name: str
    site: ActiveSite
    urls: deque[LeasedUrl] = field(default_factory=deque)
    in_flight: int = 0
    uncommitted: int = 0
    """URLs asked for or judged whose end is not written yet."""
    asked_at: float = 0.0
    next_at: float = 0.0
    robots: Robots | None = None
    refusal: Page | None = None
    """The answer instead of a robots.txt, when none could be had."""
    failures: int = 0
    is_dry: bool = False
    """The frontier has nothing more for it."""
    is_listed: bool = False

    def is_finished(self) -> bool:
        """Tell whether everything handed out for this host is written."""
        return not (self.urls or self.uncommitted)


class ActiveHosts:
    """Chooses the next host: polite first, then fair."""

    def __init__(self, per_host: int, is_fair: bool) -> None:
        self._per_host = per_host
        self._is_fair = is_fair
        self._hosts: dict[str, ActiveHost] = {}
        self._sites: dict[str, ActiveSite] = {}
        self._sleeping: list[tuple[float, int, ActiveHost]] = []
        self._ready: list[tuple[int, int, ActiveHost]] = []
        self._held: list[ActiveHost] = []
        self._ticket = itertools.count()

    def __len__(self) -> int:
        return len(self._hosts)

    def __iter__(self) -> Iterator[ActiveHost]:
        return iter(self._hosts.values())

    def __contains__(self, name: str) -> bool:
        return name in self._hosts

    def find(self, name: str) -> ActiveHost:
        """Return the active host of this name."""
        return self._hosts[name]

    def activate(self, lease: HostLease) -> ActiveHost:
        """Take on a leased host, without its URLs yet.

        A site that joins late starts level with the slowest.
        """
        site = self._sites.get(lease.site)
        if site is None:
            level = min((site.taken for site in self._sites.values()), default=0)
            site = self._sites[lease.site] = ActiveSite(lease.site, max(lease.taken, level))
        site.hosts += 1
        host = self._hosts[lease.host] = ActiveHost(lease.host, site)
        return host

    def drop(self, host: ActiveHost) -> None:
        """Let go of a host that was given back to the frontier."""
        del self._hosts[host.name]
        host.site.hosts -= 1
        if not host.site.hosts:
            del self._sites[host.site.name]

    def enlist(self, host: ActiveHost) -> None:
        """Put a host in line if it has something to fetch and room for a request."""
        has_room = host.in_flight < self._per_host
        if host.urls and has_room and host.robots is not None and not host.is_listed:
            host.is_listed = True
            self._sleep(host)

    def choose(self, now: float) -> Iterator[ActiveHost]:
        """Yield the hosts to ask now, best first; each has to be enlisted again afterwards."""
        while self._sleeping and self._sleeping[0][0] <= now:
            self._line_up(heapq.heappop(self._sleeping)[2])
        while self._held:
            self._line_up(self._held.pop())
        bound = self._slowest(now) + FAIR_LEAD
        while self._ready:
            _, _, host = heapq.heappop(self._ready)
            if host.next_at > now:  # it was asked to wait meanwhile
                self._sleep(host)
            elif self._is_fair and host.site.taken >= bound:
                self._held.append(host)
            else:
                host.is_listed = False
                yield host

    def next_wake(self) -> float | None:
        """Return when the next sleeping host may be asked."""
        return self._sleeping[0][0] if self._sleeping else None

    def _sleep(self, host: ActiveHost) -> None:
        heapq.heappush(self._sleeping, (host.next_at, next(self._ticket), host))

    def _line_up(self, host: ActiveHost) -> None:
        rank = host.site.taken if self._is_fair else 0
        heapq.heappush(self._ready, (rank, next(self._ticket), host))

    def _slowest(self, now: float) -> int:
        """Return the pages of the slowest site that holds the others back."""
        if not self._is_fair:
            return 0
        return min((host.site.taken for host in self if _holds_back(host, now)), default=0)


def _holds_back(host: ActiveHost, now: float) -> bool:
    if host.robots is None or host.next_at - now > PARKED_SECONDS:
        return False
    if host.in_flight:
        return now - host.asked_at <= PARKED_SECONDS
    return bool(host.urls)
