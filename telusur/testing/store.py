"""What every store and its sessions must do: `SharedStoreSuite` or `ExclusiveStoreSuite`."""

import pytest

from telusur.crawl.frontier_records import Verdict
from telusur.crawl.strategies.contract import Again, Setup, Strategy
from telusur.models import Counts, Page, State, url_id_of
from telusur.store.records import ArchiveKey
from telusur.store.session import Session
from telusur.store.store import CatalogueStore
from telusur.testing.cases import LONG, StoreCase, new_url, put_document, titles_of


class StoreSuite(StoreCase):
    """Transactions, and the end of a session: what stores of both kinds promise."""

    def test_what_was_committed_is_found_by_the_next_session(self) -> None:
        store = self.open_store()
        session = store.session()
        key = write_everything(session)
        session.close()
        store = self.reopened(store)
        session = store.session()
        assert session.frontier.known_ids([url_id_of("a/1")]) == {url_id_of("a/1")}
        assert session.catalogue.fact("seen") == b"yes"
        assert session.catalogue.targets_of(url_id_of("a/1")) == [url_id_of("a/2")]
        assert session.strategy_state.state() == {"words": b"owls"}
        assert session.archive.read(key, "http://a/1").body == b"owls"
        assert titles_of(store) == ["a/1"]

    def test_a_rollback_undoes_everything(self) -> None:
        store = self.open_store()
        session = store.session()
        write_everything(session, is_committed=False)
        session.rollback()
        self._assert_empty(store, session)

    def test_closing_undoes_an_open_transaction(self) -> None:
        store = self.open_store()
        session = store.session()
        write_everything(session, is_committed=False)
        session.close()
        store = self.reopened(store)
        self._assert_empty(store, store.session())

    def test_a_kill_undoes_an_open_transaction(self) -> None:
        store = self.open_store()
        session = store.session()
        write_everything(session, is_committed=False)
        self.kill(session)
        store = self.reopened(store)
        self.clock.now += LONG
        store.reap()
        self._assert_empty(store, store.session())

    def _assert_empty(self, store: CatalogueStore, session: Session) -> None:
        assert session.frontier.counts() == Counts()
        assert session.frontier.known_ids([url_id_of("a/1")]) == set()
        assert session.catalogue.fact("seen") is None
        assert session.catalogue.targets_of(url_id_of("a/1")) == []
        assert session.catalogue.last_crawl() is None
        assert session.strategy_state.state() == {}
        assert titles_of(store) == []

    def test_a_url_is_new_again_after_a_rollback(self) -> None:
        session = self.open_session()
        for ending in (session.rollback, session.commit):
            session.begin()
            assert session.frontier.add([new_url("a/1"), new_url("a/2")]).fresh == 2
            (lease,) = session.frontier.lease(9, 9)
            assert [leased.url for leased in lease.urls] == ["http://a/1", "http://a/2"]
            ending()

    def test_a_rollback_undoes_changes_of_what_was_there(self) -> None:
        session = self.open_session()
        session.begin()
        session.frontier.add([new_url("a/1", 5), new_url("a/2", 5)])
        session.commit()
        session.begin()
        session.frontier.add([new_url("a/1", 2), new_url("a/2", 2)])
        session.frontier.count_taken({"a": 7})
        session.frontier.lease(1, 1)
        session.rollback()
        assert session.frontier.depths_of([url_id_of("a/1")]) == {url_id_of("a/1"): 5}
        session.begin()
        (lease,) = session.frontier.lease(9, 9)
        assert (lease.taken, [leased.depth for leased in lease.urls]) == (0, [5, 5])

    def test_a_url_comes_nearer_again_after_a_rollback(self) -> None:
        session = self.open_session()
        session.begin()
        session.frontier.add([new_url("a/1", 5)])
        session.commit()
        for ending in (session.rollback, session.commit):
            session.begin()
            session.frontier.add([new_url("a/1", 2)])
            ending()
        assert session.frontier.depths_of([url_id_of("a/1")]) == {url_id_of("a/1"): 2}

    def test_a_url_whose_end_was_rolled_back_takes_further_scores(self) -> None:
        session = self.open_session()
        session.frontier.order_by(_Summing(Setup()))
        lease_all(session, "a/1")
        for ending in (session.rollback, session.commit):
            session.begin()
            session.frontier.see_again({url_id_of("a/1"): (8.0, b"")})
            session.frontier.give_back("http://a", [url_id_of("a/1")])
            (leased,) = session.frontier.top_up("http://a", 1)
            assert leased.score == new_url("a/1").score + 8.0
            session.frontier.settle([Verdict(leased.url_id, State.DONE)])
            ending()

    def test_a_url_to_be_tried_later_holds_back_no_others_after_a_rollback(self) -> None:
        session = self.open_session()
        lease_all(session, "a/1", "a/2")
        session.begin()
        session.frontier.settle([Verdict(url_id_of("a/1"), State.WAITING, "x", 60.0)])
        session.frontier.release("http://a", 0.0)
        session.commit()
        session.begin()
        session.frontier.keep_out(lambda url, _: "scope" if url.endswith("2") else None)
        assert session.frontier.lease(1, 1) == []
        session.rollback()
        assert urls_leased(session) == ["a/2"]

    def test_a_rollback_without_a_transaction_does_nothing(self) -> None:
        session = self.open_session()
        session.rollback()
        write_everything(session)
        session.rollback()
        assert session.catalogue.fact("seen") == b"yes"

    def test_a_session_sees_what_it_has_written(self) -> None:
        session = self.open_session()
        write_everything(session, is_committed=False)
        assert session.frontier.counts().found == 1
        assert session.catalogue.fact("seen") == b"yes"

    def test_what_a_closed_session_had_leased_can_be_leased_at_once(self) -> None:
        store = self.open_store()
        session = store.session()
        lease_all(session, "a/1", "a/2", "b/1")
        session.close()
        assert urls_leased(store.session()) == ["a/1", "a/2", "b/1"]

    def test_what_a_session_frees_waits_again(self) -> None:
        session = self.open_session()
        lease_all(session, "a/1", "a/2", "b/1")
        session.begin()
        assert session.free() == 3
        assert session.free() == 0
        session.commit()
        assert (session.frontier.counts().waiting, session.frontier.counts().leased) == (3, 0)
        assert urls_leased(session) == ["a/1", "a/2", "b/1"]

    def test_errors_that_are_not_the_engines_pass_the_guard(self) -> None:
        session = self.open_session()
        with session.guard():
            write_everything(session)
        assert session.catalogue.fact("seen") == b"yes"
        with pytest.raises(KeyError), session.guard():
            raise KeyError

    def test_a_renewed_session_goes_on(self) -> None:
        store = self.open_store()
        session = store.session(lease_seconds=30.0)
        for _ in range(5):
            self.clock.now += 20.0
            session.renew()
            assert store.reap() == 0
        write_everything(session)

    def test_a_session_may_have_a_name(self) -> None:
        session = self.open_store().session("fetch-1")
        write_everything(session)
        assert session.catalogue.fact("seen") == b"yes"


class ExclusiveStoreSuite(StoreSuite):
    """A store with one session: opening it declares the previous one dead."""

    def test_it_says_that_it_is_not_shared(self) -> None:
        assert self.open_store().is_shared is False

    def test_what_a_killed_session_had_leased_can_be_leased_at_once(self) -> None:
        store = self.open_store()
        session = store.session(lease_seconds=30.0)
        lease_all(session, "a/1", "a/2", "b/1")
        self.kill(session)
        session = self.reopened(store).session()
        counts = session.frontier.counts()
        assert (counts.waiting, counts.leased) == (3, 0)
        assert urls_leased(session) == ["a/1", "a/2", "b/1"]

    def test_a_kill_leaves_what_was_committed_before(self) -> None:
        store = self.open_store()
        session = store.session()
        write_everything(session)
        session.begin()
        put_document(session, "a/2")
        session.frontier.add([new_url("a/2")])
        self.kill(session)
        store = self.reopened(store)
        session = store.session()
        assert titles_of(store) == ["a/1"]
        assert session.frontier.counts().found == 1


class _Summing(Strategy):
    """Adds up the scores of all links to a URL."""

    again = Again.SUM


def write_everything(session: Session, *, is_committed: bool = True) -> ArchiveKey:
    """Write something of each kind; return the key of the response in the archive."""
    url_id = url_id_of("a/1")
    page = Page("http://a/1", 200, body=b"owls", status_line="HTTP/1.1 200 OK", fetched_at=5.0)
    session.begin()
    key = session.archive.append(page)
    session.frontier.add([new_url("a/1")])
    session.catalogue.put_fetch(url_id, page, key, size_bytes=4, reason="", is_final=True)
    put_document(session, "a/1")
    session.catalogue.put_links(url_id, url_id_of("a/2"), b"packed")
    session.catalogue.put_fact("seen", b"yes")
    session.catalogue.begin_crawl({}, ["http://a/1"], has_topic=False)
    session.strategy_state.put_state({"words": b"owls"})
    if is_committed:
        session.commit()
    return key


def lease_all(session: Session, *paths: str) -> None:
    """Add URLs and lease them all; both are committed."""
    session.begin()
    session.frontier.add([new_url(path) for path in paths])
    session.frontier.lease(999, 999)
    session.commit()


def urls_leased(session: Session) -> list[str]:
    """Lease everything that is due now, in a transaction; return the URLs in order."""
    session.begin()
    leases = session.frontier.lease(999, 999)
    session.commit()
    return sorted(leased.url[7:] for lease in leases for leased in lease.urls)
