"""The active hosts: which are ready, and which is next."""

import heapq
import itertools
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace

from telusur.crawl.frontier_records import HostLease
from telusur.crawl.hosts.active_host import ActiveHost, ActiveSite
from telusur.crawl.hosts.health import PATIENCE_SECONDS, Health
from telusur.crawl.hosts.politeness import Manners
from telusur.crawl.hosts.terms import HostTerms

# How many pages, divided by its weight, a site may be ahead of the slowest (invariant 5).
FAIR_LEAD = 20
REMEMBERED_HOSTS = 10_000
# Skip the share check below this many pages: early shares mean nothing.
FEW_PAGES = 20


class ActiveHosts:
    """Chooses the next host: polite first, then fair. Each choice costs O(log hosts)."""

    def __init__(
        self,
        terms_for: Callable[[str], HostTerms],
        *,
        is_fair: bool,
        per_address: int | None = None,
        weights: Mapping[str, float] | None = None,
        most_share: float | None = None,
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        """Order hosts by scores if there is a `most_share`, the largest share of one site.

        Otherwise order them by fairness if `is_fair`, or not at all. `patience` is how long to wait
        for a host that is down.
        """
        self._patience = patience
        self._terms_for = terms_for
        self._most_share = most_share
        self._pages_of: Counter[str] = Counter()
        self._pages = 0
        self._is_fair = is_fair and most_share is None
        self._per_address = per_address
        self._weights = weights or {}
        self._hosts: dict[str, ActiveHost] = {}
        self._sites: dict[str, ActiveSite] = {}
        self._sleeping: list[tuple[float, int, ActiveHost]] = []
        self._ready: list[tuple[float, int, ActiveHost]] = []
        self._pace: list[tuple[float, int, ActiveSite]] = []
        self._at_address: Counter[str] = Counter()
        self._in_line: defaultdict[str, deque[ActiveHost]] = defaultdict(deque)
        self._guests: dict[str, ActiveHost] = {}
        self._level = 0.0
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

    def activate(self, lease: HostLease, now: float = 0.0) -> ActiveHost:
        """Add a leased host, without its URLs yet.

        A site that joins late starts level with the slowest.
        """
        site = self._sites.get(lease.site)
        if site is None:
            weight = self._weights.get(lease.site, 1.0)
            self._slowest(now)
            taken = max(lease.taken / weight, self._level)
            site = self._sites[lease.site] = ActiveSite(lease.site, taken, weight)
        site.hosts += 1
        host = self._guests.pop(lease.host, None) or self._new(lease.host, site)
        host.site = site
        self._hosts[host.name] = host
        return host

    def guest(self, name: str) -> ActiveHost:
        """Return a host for a single request without a lease."""
        host = self._hosts.get(name) or self._guests.get(name)
        if host is None:
            host = self._remember(self._new(name, ActiveSite(name, 0.0)))
        return host

    def renew_terms(self) -> None:
        """Look up the terms of each host again."""
        for host in (*self._hosts.values(), *self._guests.values()):
            host.terms = self._terms_for(host.name)
            host.manners = replace(host.manners, own_delay=host.terms.delay)

    def _new(self, name: str, site: ActiveSite) -> ActiveHost:
        terms = self._terms_for(name)
        health = Health(self._patience)
        return ActiveHost(name, site, terms, manners=Manners(terms.delay), health=health)

    def _remember(self, host: ActiveHost) -> ActiveHost:
        """Keep the politeness state of a host that is not leased."""
        self._guests[host.name] = host
        if len(self._guests) > REMEMBERED_HOSTS:
            del self._guests[next(iter(self._guests))]
        return host

    def drop(self, host: ActiveHost) -> None:
        """Remove a host that was returned to the frontier."""
        del self._hosts[host.name]
        host.site.pacers.pop(host.name, None)
        host.site.hosts -= 1
        if not host.site.hosts:
            del self._sites[host.site.name]
        host.urls.clear()  # the heaps skip it
        guest = self._remember(self._new(host.name, host.site))
        guest.next_at, guest.health, guest.address = host.next_at, host.health, host.address

    def enlist(self, host: ActiveHost) -> None:
        """Queue a host if it has something to fetch and room for a request."""
        if host.robots is None:
            return
        self._set_pace(host)
        has_room = host.in_flight < host.terms.per_host
        if host.urls and has_room and not (host.is_listed or host.errands):
            host.is_listed = True
            self._sleep(host)
        elif host.rank is not None and self._rank_of(host) != host.rank:
            self._line_up(host)  # its best URL may have changed

    def choose(self, now: float) -> Generator[ActiveHost, None, None]:
        """Yield the hosts to fetch from now, best first; each has to be enlisted again
        afterwards."""
        while self._sleeping and self._sleeping[0][0] <= now:
            self._line_up(heapq.heappop(self._sleeping)[2])
        bound = self._slowest(now) + FAIR_LEAD
        held: list[ActiveHost] = []
        try:
            while self._ready and self._ready[0][0] < bound:
                rank, _, host = heapq.heappop(self._ready)
                if rank != host.rank:  # it was queued again with another rank
                    continue
                host.rank = None
                if host.errands or not host.urls:
                    host.is_listed = False
                    self._call_in(host.address)
                elif host.next_at > now:  # it has to wait by now
                    self._sleep(host)
                    self._call_in(host.address)
                elif self._rank_of(host) > rank:
                    self._line_up(host)
                elif self._is_crowded(host):
                    host.is_crowded_out = True
                    self._in_line[host.address].append(host)
                elif self._has_enough(host.site, now):
                    held.append(host)
                else:
                    host.is_listed = False
                    yield host
        finally:
            for host in held:
                self._line_up(host)

    def begin(self, host: ActiveHost, now: float, *, is_page: bool = True) -> None:
        """Count a request that begins; fairness counts pages."""
        host.in_flight += 1
        host.asked_at = now
        host.site.taken += is_page / host.site.weight
        self._pages_of[host.site.name] += is_page
        self._pages += is_page
        if len(self._pages_of) > REMEMBERED_HOSTS:
            self._pages_of = Counter(dict(self._pages_of.most_common(REMEMBERED_HOSTS // 2)))
        host.next_at = host.manners.next_time(now + host.manners.delay(0.0))
        self._count_at(host.address, 1)
        self.enlist(host)

    def end(self, host: ActiveHost, address: str) -> None:
        """Count a request that ended, and note the address that answered it."""
        host.in_flight -= 1
        left = host.address
        self._count_at(left, -1)
        if address and address != left:
            self._count_at(left, -host.in_flight)
            self._count_at(address, host.in_flight)
            host.address = address
        self._call_in(left)

    def next_wake(self) -> float | None:
        """Return when the next sleeping host is ready."""
        return self._sleeping[0][0] if self._sleeping else None

    def _sleep(self, host: ActiveHost) -> None:
        heapq.heappush(self._sleeping, (host.next_at, next(self._ticket), host))

    def _line_up(self, host: ActiveHost) -> None:
        host.is_crowded_out = False
        if host.urls:
            self._set_pace(host)
        host.rank = self._rank_of(host)
        heapq.heappush(self._ready, (host.rank, next(self._ticket), host))

    def _rank_of(self, host: ActiveHost) -> float:
        """Return the rank of a host, lowest first: by fairness, by its best URL, or constant."""
        if self._most_share is not None:
            return -host.urls[0].score if host.urls else float("-inf")
        return host.site.taken if self._is_fair else 0.0

    def _has_enough(self, site: ActiveSite, now: float) -> bool:
        """Tell whether a site has exceeded its share of pages and has to wait for others."""
        if self._most_share is None or len(self._sites) == 1:
            return False
        if self._pages < FEW_PAGES or self._pages_of[site.name] <= self._most_share * self._pages:
            return False
        return any(one is not site and one.holds_back(now) for one in self._sites.values())

    # Several hosts on one machine

    def _is_crowded(self, host: ActiveHost) -> bool:
        if self._per_address is None or not host.address:
            return False
        return self._at_address[host.address] >= max(self._per_address, host.terms.per_host)

    def _count_at(self, address: str, change: int) -> None:
        self._at_address[address] += change
        if not self._at_address[address]:
            del self._at_address[address]

    def _call_in(self, address: str) -> None:
        """Queue the next host of an address, if there is room for it."""
        waiting = self._in_line.get(address)
        if waiting and not self._is_crowded(waiting[0]):
            self._line_up(waiting.popleft())
        if waiting is not None and not waiting:
            del self._in_line[address]

    # Fairness

    def _set_pace(self, host: ActiveHost) -> None:
        """Note that other sites may have to wait for this host; whether they do is checked
        later."""
        site = host.site
        site.pacers[host.name] = host
        if self._is_fair and not site.is_pacing:
            site.is_pacing = True
            heapq.heappush(self._pace, (site.taken, next(self._ticket), site))

    def _slowest(self, now: float) -> float:
        """Return the pages taken by the slowest site that others wait for.

        Sites that nobody waits for leave the heap; enlisting one of their hosts brings them back.
        """
        while self._pace:
            taken, _, site = self._pace[0]
            if not site.holds_back(now):
                heapq.heappop(self._pace)
                site.is_pacing = False
            elif site.taken > taken:
                heapq.heapreplace(self._pace, (site.taken, next(self._ticket), site))
            else:
                self._level = taken
                return taken
        return float("inf")
