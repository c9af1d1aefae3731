"""What a store with several sessions at once must do: `SharedStoreSuite`."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from telusur.crawl.frontier_records import HostLease, Verdict
from telusur.errors import SessionLost
from telusur.models import State, url_id_of
from telusur.store.records import BEGINNING
from telusur.store.session import Session
from telusur.store.store import CatalogueStore
from telusur.testing.cases import LONG, new_url, put_document, titles_of
from telusur.testing.store import StoreSuite, lease_all, urls_leased

LEASE_SECONDS = 30.0
THREADS = 8


class SharedStoreSuite(StoreSuite):
    """Several sessions, their leases, and how one is declared dead."""

    def test_it_says_that_it_is_shared(self) -> None:
        assert self.open_store().is_shared is True

    def two(self) -> tuple[CatalogueStore, Session, Session]:
        """Return a store and two sessions of it: the lease of the other is over much later."""
        store = self.open_store()
        return store, store.session("one", LEASE_SECONDS), store.session("other", 9 * LONG)

    # Several sessions

    def test_a_session_does_not_see_what_another_has_not_committed(self) -> None:
        _, one, other = self.two()
        one.begin()
        one.frontier.add([new_url("a/1")])
        one.catalogue.put_fact("seen", b"yes")
        assert other.frontier.counts().found == 0
        assert other.catalogue.fact("seen") is None
        one.commit()
        assert other.frontier.counts().found == 1
        assert other.catalogue.fact("seen") == b"yes"

    def test_a_url_is_new_for_one_session_only(self) -> None:
        _, one, other = self.two()
        fresh = []
        for session in (one, other):
            session.begin()
            fresh.append(session.frontier.add([new_url("a/1")]).fresh)
            session.commit()
        assert fresh == [1, 0]

    def test_two_sessions_never_get_one_host(self) -> None:
        _, one, other = self.two()
        one.begin()
        one.frontier.add([new_url(f"{host}/{n}") for host in "abcd" for n in range(2)])
        first = one.frontier.lease(2, 1)
        one.commit()
        other.begin()
        second = other.frontier.lease(9, 1)
        other.commit()
        assert (len(first), len(second)) == (2, 2)
        assert len({lease.host for lease in first + second}) == 4

    def test_a_host_of_another_session_is_out_of_reach(self) -> None:
        _, one, other = self.two()
        one.begin()
        one.frontier.add([new_url("a/1"), new_url("a/2")])
        one.frontier.lease(1, 1)
        one.commit()
        other.begin()
        assert other.frontier.top_up("http://a", 9) == ()
        assert other.frontier.lease(9, 9) == []
        other.commit()
        assert one.frontier.counts().leased == 1

    def test_a_released_host_rests_for_every_session(self) -> None:
        _, one, other = self.two()
        lease_all(one, "a/1")
        one.begin()
        one.frontier.release("http://a", 5.0)
        one.commit()
        assert urls_leased(other) == []
        assert other.frontier.seconds_until_ready() == 5.0
        self.clock.now += 5.0
        assert urls_leased(other) == ["a/1"]

    def test_closing_a_session_frees_its_hosts_and_no_others(self) -> None:
        store, one, other = self.two()
        lease_all(one, "a/1")
        lease_all(other, "b/1")
        one.close()
        assert urls_leased(store.session()) == ["a/1"]

    def test_a_session_frees_what_is_its_own(self) -> None:
        _, one, other = self.two()
        lease_all(one, "a/1")
        lease_all(other, "b/1")
        one.begin()
        assert one.free() == 1
        one.commit()
        assert urls_leased(other) == ["a/1"]

    # Dead sessions

    def test_a_session_lives_as_long_as_its_lease(self) -> None:
        store, one, other = self.two()
        lease_all(one, "a/1")
        self.clock.now += LEASE_SECONDS - 1
        assert store.reap() == 0
        assert urls_leased(other) == []
        one.begin()
        one.catalogue.put_fact("alive", b"yes")
        one.commit()
        assert other.catalogue.fact("alive") == b"yes"

    def test_a_session_that_nobody_found_dead_is_renewed_also_after_its_time(self) -> None:
        store, one, other = self.two()
        lease_all(one, "a/1")
        self.clock.now += 2 * LEASE_SECONDS
        one.renew()
        assert store.reap() == 0
        assert urls_leased(other) == []
        one.begin()
        one.frontier.settle([Verdict(url_id_of("a/1"), State.DONE)])
        one.commit()
        assert other.frontier.counts().done == 1
        self.clock.now += LEASE_SECONDS - 1
        assert store.reap() == 0

    def test_a_session_that_was_not_renewed_is_found_dead_once(self) -> None:
        store, one, other = self.two()
        lease_all(one, "a/1", "a/2")
        self._lose(store)
        assert store.reap() == 0
        counts = other.frontier.counts()
        assert (counts.waiting, counts.leased) == (2, 0)
        assert urls_leased(other) == ["a/1", "a/2"]

    def _lose(self, store: CatalogueStore) -> None:
        """Declare the session with the shorter lease dead, and free its hosts."""
        self.clock.now += LONG
        assert store.reap() == 1
        self.clock.now += LONG

    def test_work_of_a_killed_session_goes_to_others(self) -> None:
        store, one, other = self.two()
        lease_all(one, "a/1")
        one.begin()
        one.frontier.settle([Verdict(url_id_of("a/1"), State.DONE)])
        self.kill(one)
        self._lose(store)
        assert urls_leased(other) == ["a/1"]

    def test_a_session_that_was_found_dead_can_begin_nothing(self) -> None:
        store, one, _ = self.two()
        self._lose(store)
        with pytest.raises(SessionLost):
            one.begin()
        with pytest.raises(SessionLost):
            one.renew()
        one.rollback()
        one.close()

    def test_a_session_that_was_found_dead_cannot_commit(self) -> None:
        store, one, other = self.two()
        lease_all(one, "a/1")
        one.begin()
        one.frontier.settle([Verdict(url_id_of("a/1"), State.DONE)])
        put_document(one, "a/1")
        self.clock.now += LONG
        if store.reap() == 0:
            # This store declares no session dead that is in a transaction; then the commit counts.
            one.commit()
            assert titles_of(store) == ["a/1"]
            return
        with pytest.raises(SessionLost):
            one.commit()
        one.close()
        assert titles_of(store) == []
        assert other.frontier.counts().done == 0

    def test_a_session_that_was_found_dead_leaves_the_hosts_of_its_heir_alone(self) -> None:
        store, one, other = self.two()
        lease_all(one, "a/1")
        self._lose(store)
        assert urls_leased(other) == ["a/1"]
        one.close()
        assert other.frontier.counts().leased == 1
        assert urls_leased(store.session()) == []

    # Threads

    def test_threads_share_the_work_and_no_host_is_had_twice(self) -> None:
        store = self.open_store()
        session = store.session(lease_seconds=LONG)
        session.begin()
        paths = [f"h{number % 20}/{number}" for number in range(100)]
        session.frontier.add([new_url(path) for path in paths])
        session.commit()
        held = _Held()
        with ThreadPoolExecutor(THREADS) as threads:
            done = [threads.submit(_work, store, held) for _ in range(THREADS)]
            fetched = [url for one in done for url in one.result()]
        assert held.twice == []
        assert sorted(url[7:] for url in fetched) == sorted(paths)
        assert session.frontier.counts().done == 100

    def test_a_follower_of_many_writers_misses_nothing(self) -> None:
        store = self.open_store()
        changes = store.changes()
        cursor = BEGINNING
        seen: set[str] = set()
        with ThreadPoolExecutor(THREADS) as threads:
            done = [threads.submit(_write, store, number) for number in range(THREADS)]
            while True:
                # The step sees everything that was committed before it.
                is_last = all(one.done() for one in done)
                step = list(changes.after(cursor, 5))
                seen.update(change.document.title for change, _ in step)
                assert not step or step[-1][1] != cursor, "the cursor stands still"
                cursor = step[-1][1] if step else cursor
                if is_last and not step:
                    break
        committed = {title for one in done for title in one.result()}
        assert seen == committed
        changes.close()


class _Held:
    """Which hosts are leased; notices a host that is leased twice."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts: set[str] = set()
        self.twice: list[str] = []

    def take(self, leases: list[HostLease]) -> None:
        with self._lock:
            self.twice += [lease.host for lease in leases if lease.host in self._hosts]
            self._hosts.update(lease.host for lease in leases)

    def give_back(self, leases: list[HostLease]) -> None:
        with self._lock:
            self._hosts.difference_update(lease.host for lease in leases)


def _transact(session: Session, write: Callable[[], list[HostLease]]) -> list[HostLease]:
    session.begin()
    result = write()
    session.commit()
    return result


def _work(store: CatalogueStore, held: _Held) -> list[str]:
    """Lease two hosts at a time until nothing is left; return the URLs."""
    session = store.session(lease_seconds=LONG)
    fetched: list[str] = []
    while leases := _transact(session, lambda: session.frontier.lease(2, 2)):
        held.take(leases)
        held.give_back(leases)
        session.begin()
        for lease in leases:
            session.frontier.settle([Verdict(one.url_id, State.DONE) for one in lease.urls])
            session.frontier.release(lease.host, 0.0)
            fetched += [leased.url for leased in lease.urls]
        session.commit()
        assert len(fetched) < 1000, "what was settled is handed out for ever"
    session.close()
    return fetched


def _write(store: CatalogueStore, number: int) -> set[str]:
    """Store documents one by one, every third rolled back; return the titles that count."""
    session = store.session(lease_seconds=LONG)
    committed = set()
    for turn in range(12):
        session.begin()
        put_document(session, f"w{number}/{turn}")
        if turn % 3 == 2:
            session.rollback()
        else:
            session.commit()
            committed.add(f"w{number}/{turn}")
    session.close()
    return committed
