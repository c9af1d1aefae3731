"""Random schedules of several sessions on one frontier, beside a model: needs hypothesis.

A subclass says how its store is made; `run_state_machine_as_test` of hypothesis runs it.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from telusur.crawl.frontier_records import HostLease, LeasedUrl, Verdict
from telusur.errors import SessionLost
from telusur.models import State
from telusur.store.session import Session
from telusur.store.store import CatalogueStore
from telusur.testing.cases import LONG, Clock, new_url

PATHS = [f"{host}/{number}" for host in "abcd" for number in range(4)]
WORKERS = 3

_worker = st.integers(0, WORKERS - 1)
_few = st.integers(1, 3)
#: Whether a transaction is committed or rolled back.
_counts = st.sampled_from([True, True, False])


@dataclass
class Worker:
    """A session, and its leases by the model: URLs by host."""

    session: Session
    has: dict[str, set[str]] = field(default_factory=dict)


class SharedFrontierMachine(RuleBasedStateMachine):
    """Sessions add, lease, settle, release, roll back, close and die in any order.

    No host has two owners, only waiting URLs are leased, nothing is lost.
    """

    def make_store(self, clock: Clock) -> CatalogueStore:
        """Return an empty store with `is_shared = True`, which takes the time from `clock`."""
        raise NotImplementedError

    @initialize()
    def open(self) -> None:
        self.clock = Clock()
        self.store = self.make_store(self.clock)
        self.workers = [self._open_worker() for _ in range(WORKERS)]
        #: The state of each known URL; leased ones count as waiting here.
        self.states: dict[str, State] = {}
        #: From when on a host may be leased.
        self.ready_at: dict[str, float] = {}
        self.add(0, PATHS[::2], counts=True)

    def _open_worker(self) -> Worker:
        return Worker(self.store.session(lease_seconds=LONG))

    def _host_owners(self) -> Counter[str]:
        return Counter(host for worker in self.workers for host in worker.has)

    def _in_hand(self) -> set[str]:
        """Return what is leased."""
        hands = (urls for worker in self.workers for urls in worker.has.values())
        return {path for urls in hands for path in urls}

    # What sessions do

    @rule(number=_worker, paths=st.lists(st.sampled_from(PATHS), max_size=6), counts=_counts)
    def add(self, number: int, paths: list[str], counts: bool) -> None:
        fresh = set(paths) - self.states.keys()
        session = self.workers[number].session
        session.begin()
        assert session.frontier.add([new_url(path) for path in paths]).fresh == len(fresh)
        if self._end(session, counts):
            self.states |= dict.fromkeys(fresh, State.WAITING)

    @rule(number=_worker, hosts=_few, k=_few, counts=_counts)
    def lease(self, number: int, hosts: int, k: int, counts: bool) -> None:
        worker = self.workers[number]
        worker.session.begin()
        leases = worker.session.frontier.lease(hosts, k)
        assert len(leases) <= hosts
        for lease in leases:
            assert lease.host not in self._host_owners(), "somebody has this host"
            assert self.ready_at.get(lease.host, 0.0) <= self.clock.now, "this host rests"
            self._check_handed_out(lease, lease.urls, k)
        if self._end(worker.session, counts):
            worker.has |= {lease.host: _paths(lease.urls) for lease in leases}

    def _check_handed_out(self, lease: HostLease, urls: tuple[LeasedUrl, ...], k: int) -> None:
        paths = _paths(urls)
        assert 0 < len(paths) == len(urls) <= k
        assert all(path.startswith(f"{lease.site}/") for path in paths)
        assert all(self.states.get(path) is State.WAITING for path in paths)
        assert not paths & self._in_hand(), "this URL is being fetched"

    @rule(number=_worker, k=_few, counts=_counts)
    def top_up(self, number: int, k: int, counts: bool) -> None:
        worker = self.workers[number]
        for host, has in worker.has.items():
            worker.session.begin()
            paths = _paths(worker.session.frontier.top_up(host, k))
            waiting = {path for path, state in self.states.items() if state is State.WAITING}
            free = {path for path in waiting if _host(path) == host} - has
            assert paths <= free
            assert len(paths) == min(k, len(free))
            if self._end(worker.session, counts):
                has.update(paths)

    @rule(number=_worker, counts=_counts)
    def settle(self, number: int, counts: bool) -> None:
        worker = self.workers[number]
        paths = [sorted(urls)[0] for urls in worker.has.values() if urls]
        worker.session.begin()
        ids = [new_url(path).url_id for path in paths]
        worker.session.frontier.settle([Verdict(url_id, State.DONE) for url_id in ids])
        if self._end(worker.session, counts):
            for path in paths:
                worker.has[_host(path)].discard(path)
                self.states[path] = State.DONE

    @rule(number=_worker, seconds=st.sampled_from([60.0, 5.0, 0.0]), counts=_counts)
    def release(self, number: int, seconds: float, counts: bool) -> None:
        worker = self.workers[number]
        hosts = list(worker.has)[:1]
        worker.session.begin()
        for host in hosts:
            worker.session.frontier.release(host, seconds)
        if self._end(worker.session, counts):
            for host in hosts:
                del worker.has[host]
                self.ready_at[host] = max(
                    self.ready_at.get(host, 0.0), self.clock.now + seconds
                )  # fmt: skip

    def _end(self, session: Session, counts: bool) -> bool:
        """End a transaction; tell whether it counts."""
        end: Callable[[], None] = session.commit if counts else session.rollback
        end()
        return counts

    # What happens to sessions

    @rule()
    def wait(self) -> None:
        self.clock.now += 3.0
        for worker in self.workers:
            worker.session.renew()

    @rule(number=_worker)
    def close(self, number: int) -> None:
        self.workers[number].session.close()
        self.workers[number] = self._open_worker()

    @rule(number=_worker)
    def lose(self, number: int) -> None:
        """Let the lease of one session expire, and declare it dead."""
        lost = self.workers[number]
        for _ in range(2):
            self.clock.now += 0.6 * LONG
            for worker in self.workers:
                if worker is not lost:
                    worker.session.renew()
        assert self.store.reap() == 1
        with pytest.raises(SessionLost):
            lost.session.begin()
        self.workers[number] = self._open_worker()

    # What must hold

    @invariant()
    def every_url_is_in_one_state(self) -> None:
        for worker in getattr(self, "workers", []):
            counts = worker.session.frontier.counts()
            leased = len(self._in_hand())
            done = sum(state is State.DONE for state in self.states.values())
            assert (counts.leased, counts.done) == (leased, done)
            assert counts.waiting == len(self.states) - leased - done

    def teardown(self) -> None:
        """Lease what is left: nothing may be lost."""
        if not hasattr(self, "workers"):
            return
        for worker in self.workers:
            worker.session.close()
        self.clock.now += LONG
        session = self.store.session(lease_seconds=LONG)
        session.begin()
        left = [path for lease in session.frontier.lease(99, 99) for path in _paths(lease.urls)]
        session.commit()
        self.store.close()
        waiting = [path for path, state in self.states.items() if state is State.WAITING]
        assert sorted(left) == sorted(waiting)


def _host(path: str) -> str:
    return f"http://{path[0]}"


def _paths(urls: tuple[LeasedUrl, ...]) -> set[str]:
    return {leased.url.removeprefix("http://") for leased in urls}
