"""The hosts that a crawl has leased: it supplies them with URLs and releases them.

Which hosts may be leased is decided by the frontier: `store/frontier.py`.
"""

from collections import deque
from collections.abc import Iterable, Sequence

from telusur.crawl.frontier_records import HostLease, LeasedUrl
from telusur.crawl.hosts.active_host import ActiveHost
from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.hosts.holds import pack_holds
from telusur.crawl.hosts.parked import TELL_SECONDS, Holds
from telusur.crawl.in_flight import InFlightLimits
from telusur.crawl.rules.scope import Scope
from telusur.pipeline.admission import Admission
from telusur.pipeline.equipment import Equipment
from telusur.pipeline.outbox import Outbox
from telusur.pipeline.outcomes import Group, Refill
from telusur.store.records import StoredRobots

# Hosts leased at a time; the others wait on disk.
MOST_HOSTS = 400
# A host that must rest for longer is released; the frontier remembers when it is due.
LONGEST_HOLD_SECONDS = 60.0


class LeasedHosts:
    """Leases hosts, keeps them supplied with URLs, and releases them."""

    def __init__(
        self,
        equipment: Equipment,
        hosts: ActiveHosts,
        outbox: Outbox,
        admission: Admission,
        in_flight_limits: InFlightLimits,
    ) -> None:
        self._hosts = hosts
        self._outbox = outbox
        self._admission = admission
        self._in_flight_limits = in_flight_limits
        self._progress = equipment.progress
        self._discovery = equipment.discovery
        self._budgets = equipment.budgets
        self._holds = Holds(hold for hold in equipment.recorder.holds if hold.stands)
        self._next_at: float | None = 0.0

    @property
    def next_at(self) -> float | None:
        """When the frontier may have another host; None if it has none, or the crawl is full."""
        return self._next_at if len(self._hosts) < MOST_HOSTS else None

    @property
    def are_over(self) -> bool:
        """Whether no host is leased and none waits in the frontier."""
        return not len(self._hosts) and self._next_at is None

    @property
    def has_set_aside(self) -> bool:
        """Whether a host was set aside for the rest of this run."""
        return self._holds.has_set_aside

    def what_is_waited_for(self, now: float) -> str:
        """Return why no host is due, if that takes more than a moment."""
        soonest = min((at for at in (self._hosts.next_wake(), self.next_at) if at), default=0)
        return self._holds.in_words(self._hosts, now) if soonest > now + TELL_SECONDS else ""

    # Asking for URLs and hosts

    def add_wishes(self, now: float, *, may_lease: bool) -> None:
        """Request URLs for hosts that run low, and new hosts; release finished ones."""
        group = self._outbox.group
        group.hungry.clear()
        group.k = self._urls_of_host()
        for host in list(self._hosts):
            if host.robots is not None and not self._give_back(host, now):
                is_low = len(host.urls) < (group.k + 1) // 2
                if is_low and not host.is_dry:
                    group.hungry.append((host.name, group.k))
        is_time = may_lease and self.next_at is not None and self.next_at <= now
        group.new_hosts = MOST_HOSTS - len(self._hosts) if is_time else 0

    def _urls_of_host(self) -> int:
        return self._in_flight_limits.urls_of_host(self._progress.pages, len(self._hosts))

    def exchange(self, group: Group) -> None:
        """Exchange URLs that were not started for the best ones after this group.

        A quarter stays, so that a large crawl has work while the group is written.
        """
        if not (self._in_flight_limits.is_ordered and group.outcomes):
            return
        k = self._urls_of_host()
        wanted = dict(group.hungry)
        for host in self._hosts:
            back = [host.urls.pop() for _ in range(len(host.urls) - k // 4)] if host.robots else []
            if not back:
                continue
            wanted[host.name] = k - len(host.urls)
            if group.scope is None:
                group.exchanged[host.name] = back
            else:
                # The changed scope judges these before they are leased again.
                group.give_back(host.name, back)
                self._refund(back)
        group.hungry = list(wanted.items())

    # Taking leases

    def take(self, group: Group, refill: Refill, now: float) -> list[ActiveHost]:
        """Take the leases that came back for a group; return hosts without robots rules."""
        soonest = refill.seconds_until_ready
        self._next_at = None if soonest is None else now + soonest
        for name, urls in refill.more.items():
            host = self._hosts.find(name)
            host.is_dry = not urls
            self._admission.admit(host, self._allowed(host, urls), group.exchanged.get(name, ()))
        for name in refill.gained.hosts:
            if name in self._hosts:
                self._hosts.find(name).is_dry = False
        robots = refill.robots
        hosts = [self._take_on(lease, robots.get(lease.host), now) for lease in refill.leases]
        return [host for host in hosts if host.robots is None]

    def _take_on(self, lease: HostLease, stored: StoredRobots | None, now: float) -> ActiveHost:
        host = self._hosts.activate(lease, now)
        self._holds.resume(host.name)
        host.urls.extend(self._allowed(host, lease.urls))
        host.health.is_known |= stored is not None
        self._admission.obey_stored(host, stored, now)
        return host

    # Releasing

    def _give_back(self, host: ActiveHost, now: float) -> bool:
        """Release a host that is finished, resting for long, or given up; tell whether."""
        is_over = host.is_dry and host.is_finished()
        is_parked = host.next_at > now + LONGEST_HOLD_SECONDS and host.is_idle()
        if is_over or is_parked:
            self._outbox.group.releases.append((host.name, host.next_at))
            self._let_go(host)
            if is_parked:
                self._park(host, now)
            return True
        if host.health.is_given_up and host.is_idle():
            self.set_aside(host)
            return True
        return False

    def set_aside(self, host: ActiveHost) -> None:
        """Skip a host for the rest of this run: it stays leased, its URLs wait for the next run."""
        self._outbox.group.give_back(host.name, host.urls)
        self._holds.set_aside(host)
        self._let_go(host)

    def _let_go(self, host: ActiveHost) -> None:
        if host.robots is not None:
            self._refund(host.urls)
        self._hosts.drop(host)

    def _refund(self, urls: Iterable[LeasedUrl]) -> None:
        """Return to the budgets what unfetched URLs took from them."""
        for leased in urls:
            self._budgets.give_back(leased.url)

    def _park(self, host: ActiveHost, now: float) -> None:
        """Note why a host is on hold; durably, if the host asked for it."""
        if self._holds.park(host, now).stands:
            self._outbox.group.holds = pack_holds(self._holds.now(self._hosts, now))

    def give_back_all(self, group: Group, now: float) -> None:
        """Request nothing in the last group, and note until when hosts are on hold."""
        group.hungry, group.new_hosts = [], 0
        resting = [host for host in self._hosts if host.next_at > now]
        group.releases += [(host.name, host.next_at) for host in resting]
        group.holds = pack_holds(self._holds.now(self._hosts, now))

    # Changed limits

    def go_by(self, scope: Scope) -> None:
        """Apply a changed scope: URLs outside it are not started; they go back to be judged again.

        The frontier judges its URLs with the next group, so that no kill can come between.
        """
        if scope is self._discovery.scope:
            return
        self._discovery.go_by(scope)
        self._outbox.group.scope = scope
        for host in self._hosts:
            host.is_dry = False
            left_out = self._leave_out(host, host.urls)
            # URLs take from a budget only after robots.txt was read.
            if host.robots is not None:
                self._refund(left_out)
            host.urls = deque(leased for leased in host.urls if leased not in left_out)

    def _allowed(self, host: ActiveHost, urls: Sequence[LeasedUrl]) -> Sequence[LeasedUrl]:
        """Return the URLs in scope; the limits may have changed since these were leased."""
        left_out = self._leave_out(host, urls)
        return [leased for leased in urls if leased not in left_out] if left_out else urls

    def _leave_out(self, host: ActiveHost, urls: Iterable[LeasedUrl]) -> list[LeasedUrl]:
        """Return the URLs that changed limits forbid; they go back to be judged again."""
        scope = self._discovery.scope
        if not scope.number:
            return []
        left_out = [leased for leased in urls if scope.objection(leased.url, leased.depth)]
        if left_out:
            self._outbox.group.give_back(host.name, left_out)
            self._outbox.group.scope = scope
        return left_out
