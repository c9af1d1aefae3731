"""The hosts being worked on: who may be asked now, and whose turn it is."""

import heapq
import itertools
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace

from telusur.crawl.frontier import HostLease
from telusur.crawl.host_terms import HostTerms
from telusur.crawl.politeness import Manners
from telusur.run.active_host import ActiveHost, ActiveSite

FAIR_LEAD = 20
"""Pages, each divided by the weight of its site, one may be ahead of the slowest (invariant 5)."""
REMEMBERED_HOSTS = 10_000
FEW_PAGES = 20
"""Of so few pages no site has too large a share."""


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
    ) -> None:
        """Go by scores when there is a `most_share`: that is what one site may have of the pages.

        Otherwise go by fairness, if `is_fair`, or as it comes.
        """
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
        """Take on a leased host, without its URLs yet.

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
        """Return a host that may be asked for something without being leased."""
        host = self._hosts.get(name) or self._guests.get(name)
        if host is None:
            host = self._remember(self._new(name, ActiveSite(name, 0.0)))
        return host

    def renew_terms(self) -> None:
        """Look up anew how each host is treated."""
        for host in (*self._hosts.values(), *self._guests.values()):
            host.terms = self._terms_for(host.name)
            host.manners = replace(host.manners, own_delay=host.terms.delay)

    def _new(self, name: str, site: ActiveSite) -> ActiveHost:
        terms = self._terms_for(name)
        return ActiveHost(name, site, terms, manners=Manners(terms.delay))

    def _remember(self, host: ActiveHost) -> ActiveHost:
        """Keep in mind what a host that is not leased is due."""
        self._guests[host.name] = host
        if len(self._guests) > REMEMBERED_HOSTS:
            del self._guests[next(iter(self._guests))]
        return host

    def drop(self, host: ActiveHost) -> None:
        """Let go of a host that was given back to the frontier."""
        del self._hosts[host.name]
        host.site.pacers.pop(host.name, None)
        host.site.hosts -= 1
        if not host.site.hosts:
            del self._sites[host.site.name]
        host.urls.clear()  # in the heaps it is passed over
        guest = self._remember(self._new(host.name, host.site))
        guest.next_at, guest.failures, guest.address = host.next_at, host.failures, host.address

    def enlist(self, host: ActiveHost) -> None:
        """Put a host in line if it has something to fetch and room for a request."""
        if host.robots is None:
            return
        self._set_pace(host)
        has_room = host.in_flight < host.terms.per_host
        if host.urls and has_room and not (host.is_listed or host.errands):
            host.is_listed = True
            self._sleep(host)
        elif host.rank is not None and self._rank_of(host) != host.rank:
            self._line_up(host)  # it has better URLs, or worse ones, than before

    def choose(self, now: float) -> Generator[ActiveHost, None, None]:
        """Yield the hosts to ask now, best first; each has to be enlisted again afterwards."""
        while self._sleeping and self._sleeping[0][0] <= now:
            self._line_up(heapq.heappop(self._sleeping)[2])
        bound = self._slowest(now) + FAIR_LEAD
        held: list[ActiveHost] = []
        try:
            while self._ready and self._ready[0][0] < bound:
                rank, _, host = heapq.heappop(self._ready)
                if rank != host.rank:  # it lined up again elsewhere
                    continue
                host.rank = None
                if host.errands or not host.urls:
                    host.is_listed = False
                    self._call_in(host.address)
                elif host.next_at > now:  # it was asked to wait meanwhile
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
        """Return when the next sleeping host may be asked."""
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
        """Return whose turn it is, the least first: by fairness, by the best URL, or by nothing."""
        if self._most_share is not None:
            return -host.urls[0].score if host.urls else float("-inf")
        return host.site.taken if self._is_fair else 0.0

    def _has_enough(self, site: ActiveSite, now: float) -> bool:
        """Tell whether a site has to wait for others, having had more than it may of the pages."""
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
        """Let the next host of an address into the line, if there is room for it."""
        waiting = self._in_line.get(address)
        if waiting and not self._is_crowded(waiting[0]):
            self._line_up(waiting.popleft())
        if waiting is not None and not waiting:
            del self._in_line[address]

    # Fairness

    def _set_pace(self, host: ActiveHost) -> None:
        """Note that a host may hold others back from now on; whether it does, is looked up."""
        site = host.site
        site.pacers[host.name] = host
        if self._is_fair and not site.is_pacing:
            site.is_pacing = True
            heapq.heappush(self._pace, (site.taken, next(self._ticket), site))

    def _slowest(self, now: float) -> float:
        """Return what the slowest site has taken that holds the others back.

        Sites that hold nobody back leave the heap; enlisting one of their hosts brings them in.
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
