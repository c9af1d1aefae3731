"""What every frontier must do: `FrontierSuite`."""

from typing import Any

from telusur.crawl.frontier_records import HostLease, Verdict
from telusur.models import State, url_id_of
from telusur.store.frontier import Frontier
from telusur.store.session import Session
from telusur.testing.cases import StoreCase, new_url
from telusur.testing.frontier_intake import IntakeTests
from telusur.testing.frontier_scores import ScoreTests


class LeaseTests(StoreCase):
    """Leasing URLs and settling them."""

    def frontier(self) -> Frontier:
        """Return an empty frontier, in a transaction of its session."""
        return self.begin().frontier

    def test_what_is_added_waits_and_is_leased_once(self) -> None:
        frontier = self.frontier()
        assert frontier.add([new_url("a/1"), new_url("a/2")]).fresh == 2
        leases = frontier.lease(10, 10)
        assert [lease.host for lease in leases] == ["http://a"]
        assert urls_of(leases) == ["a/1", "a/2"]
        assert frontier.lease(10, 10) == []
        assert (frontier.counts().leased, frontier.counts().waiting) == (2, 0)

    def test_no_host_is_leased_when_none_is_asked_for(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1")])
        assert frontier.lease(0, 10) == []
        assert frontier.counts().waiting == 1

    def test_the_best_score_comes_first_then_the_order_of_discovery(self) -> None:
        frontier = self.frontier()
        scores = {"a/low": 0.1, "a/high": 0.9, "a/mid": 0.5, "a/mid2": 0.5}
        frontier.add([new_url(url, score=score) for url, score in scores.items()])
        assert urls_of(frontier.lease(1, 10)) == ["a/high", "a/mid", "a/mid2", "a/low"]

    def test_a_leased_host_is_nobody_elses_until_released(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1"), new_url("a/2"), new_url("b/1")])
        leases = frontier.lease(1, 1) + frontier.lease(5, 1)
        assert sorted(lease.host for lease in leases) == ["http://a", "http://b"]
        frontier.release("http://a", 5.0)
        assert frontier.seconds_until_ready() == 5.0
        self.clock.now += 4.5
        assert frontier.lease(5, 1) == []
        assert frontier.seconds_until_ready() == 0.5
        self.clock.now += 0.5
        assert frontier.seconds_until_ready() == 0.0
        # What was leased and not settled waits again.
        assert urls_of(frontier.lease(5, 5)) == ["a/1", "a/2"]

    def test_rest_holds_for_the_hosts_named_and_for_no_others(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1"), new_url("b/1"), new_url("c/1")])
        for lease in frontier.lease(9, 9):
            frontier.release(lease.host, 100.0)
        frontier.rest({"http://b": 7.0, "http://nobody": 7.0})
        assert sorted(lease.host for lease in frontier.lease(9, 9)) == ["http://a", "http://c"]
        assert frontier.seconds_until_ready() == 7.0
        self.clock.now += 7.0
        assert [lease.host for lease in frontier.lease(9, 9)] == ["http://b"]

    def test_top_up_gives_more_of_a_leased_host(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url(f"a/{n}") for n in range(5)])
        (lease,) = frontier.lease(1, 2)
        more = frontier.top_up("http://a", 2)
        assert {leased.url_id for leased in more}.isdisjoint(u.url_id for u in lease.urls)
        assert len(frontier.top_up("http://a", 9)) == 1
        assert frontier.top_up("http://a", 9) == ()
        assert frontier.top_up("http://nobody", 9) == ()

    def test_settled_urls_keep_their_state_and_are_not_leased_again(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/done"), new_url("a/failed"), new_url("a/skipped")])
        (lease,) = frontier.lease(1, 9)
        states = (State.DONE, State.FAILED, State.SKIPPED)
        pairs = zip(lease.urls, states, strict=True)
        frontier.settle([Verdict(leased.url_id, state, "why") for leased, state in pairs])
        frontier.release("http://a", 0.0)
        assert frontier.lease(1, 9) == []
        assert frontier.seconds_until_ready() is None
        counts = frontier.counts()
        assert (counts.done, counts.failed, counts.skipped, counts.leased) == (1, 1, 1, 0)

    def test_a_url_to_be_tried_again_waits_for_its_time(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1")])
        (lease,) = frontier.lease(1, 1)
        frontier.settle([Verdict(lease.urls[0].url_id, State.WAITING, "x", 7.0)])
        frontier.release("http://a", 0.0)
        self.clock.now += 6.0
        assert frontier.lease(1, 1) == []
        assert frontier.seconds_until_ready() == 1.0
        self.clock.now += 1.0
        (lease,) = frontier.lease(1, 1)
        assert lease.urls[0].tries == 1

    def test_the_first_of_several_retries_is_not_held_back_by_a_later_one(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1"), new_url("a/2")])
        (lease,) = frontier.lease(1, 2)
        later, sooner = (leased.url_id for leased in lease.urls)
        frontier.settle([Verdict(later, State.WAITING, "x", 7.0)])
        assert frontier.top_up("http://a", 1) == ()
        frontier.settle([Verdict(sooner, State.WAITING, "x", 2.0)])
        frontier.release("http://a", 0.0)
        assert frontier.lease(1, 2) == []
        self.clock.now += 2.0
        (lease,) = frontier.lease(1, 2)
        assert [leased.url_id for leased in lease.urls] == [sooner]

    def test_another_spelling_of_the_same_url_is_no_failed_try(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1")])
        (lease,) = frontier.lease(1, 1)
        moved = Verdict(lease.urls[0].url_id, State.WAITING, "redirect", moved_to="http://a/1/")
        frontier.settle([moved])
        frontier.release("http://a", 0.0)
        ((leased,),) = (lease.urls for lease in frontier.lease(1, 1))
        assert (leased.url, leased.hops, leased.tries) == ("http://a/1/", 1, 0)

    def test_a_url_that_failed_comes_after_all_that_were_never_tried(self) -> None:
        frontier = self.frontier()
        scores = {"a/best": 9, "a/good": 5, "a/poor": 1}
        frontier.add([new_url(url, score=score) for url, score in scores.items()])
        ((best,),) = (lease.urls for lease in frontier.lease(1, 1))
        frontier.settle([Verdict(best.url_id, State.WAITING, "timeout", tries=2)])
        frontier.release("http://a", 0.0)
        (lease,) = frontier.lease(1, 2)
        assert urls_of([lease]) == ["a/good", "a/poor"]
        (again,) = frontier.top_up("http://a", 9)
        assert (again.url, again.tries) == ("http://a/best", 2)
        frontier.give_back("http://a", [best.url_id, lease.urls[1].url_id])
        (first,) = frontier.exchange("http://a", [lease.urls[0].url_id], 1)
        assert first.url == "http://a/good"
        frontier.release("http://a", 0.0)
        assert urls_of(frontier.lease(1, 9)) == ["a/good", "a/poor", "a/best"]

    def test_a_try_that_costs_nothing_leaves_a_url_where_it_was(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1"), new_url("a/2")])
        (lease,) = frontier.lease(1, 1)
        frontier.settle([Verdict(lease.urls[0].url_id, State.WAITING, "away", tries=0)])
        (again,) = frontier.top_up("http://a", 1)
        assert (again.url, again.tries) == ("http://a/1", 0)

    def test_a_try_that_costs_nothing_is_repeated_at_its_time_too(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", score=9), new_url("a/2")])
        (lease,) = frontier.lease(1, 1)
        frontier.settle([Verdict(lease.urls[0].url_id, State.WAITING, "away", 7.0, tries=0)])
        assert [leased.url for leased in frontier.top_up("http://a", 9)] == ["http://a/2"]
        frontier.release("http://a", 0.0)
        self.clock.now += 7.0
        assert urls_of(frontier.lease(1, 9)) == ["a/1", "a/2"]

    def _host_of_retries(self) -> Frontier:
        """Return a frontier with one host, where one URL waits for a retry in 60 seconds."""
        frontier = self.frontier()
        frontier.add([new_url("a/1", 4)])
        frontier.add([new_url("a/deep", 9, skip_reason="depth"), new_url("a/bad")])
        frontier.lease(1, 9)
        frontier.settle([Verdict(url_id_of("a/1"), State.WAITING, "x", 60.0)])
        frontier.settle([Verdict(url_id_of("a/bad"), State.FAILED, "network")])
        frontier.release("http://a", 0.0)
        assert frontier.lease(9, 9) == []
        assert frontier.seconds_until_ready() == 60.0
        return frontier

    def test_a_url_to_be_tried_later_does_not_hold_back_others_of_its_host(self) -> None:
        def new(frontier: Frontier) -> object:
            return frontier.add([new_url("a/2")])

        def let_in(frontier: Frontier) -> object:
            return frontier.add([new_url("a/deep", 1)])

        def admitted(frontier: Frontier) -> object:
            return frontier.admit_again(("depth",), lambda *_: None, float)

        def retried(frontier: Frontier) -> object:
            return frontier.retry_failed(lambda _: True, lambda *_: None, float)

        def added_again(frontier: Frontier) -> object:
            return frontier.add_again([new_url("a/bad")], lambda *_: True)

        ways = {new: "a/2", let_in: "a/deep", admitted: "a/deep"}
        for way, url in (ways | {retried: "a/bad", added_again: "a/bad"}).items():
            frontier = self._host_of_retries()
            way(frontier)
            assert frontier.seconds_until_ready() == 0.0, way
            assert urls_of(frontier.lease(9, 9)) == [url], way
            frontier.release("http://a", 0.0)
            self.clock.now += 60.0
            assert sorted(urls_of(frontier.lease(9, 9))) == ["a/1", url], way

    def test_a_host_that_rests_is_not_woken_by_new_urls(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1")])
        (lease,) = frontier.lease(1, 1)
        frontier.settle([Verdict(lease.urls[0].url_id, State.WAITING, "x", 60.0)])
        frontier.release("http://a", 60.0)
        frontier.add([new_url("a/2")])
        assert frontier.lease(9, 9) == []
        assert frontier.seconds_until_ready() == 60.0
        self.clock.now += 60.0
        assert urls_of(frontier.lease(9, 9)) == ["a/2", "a/1"]

    def test_what_is_given_back_waits_and_the_host_stays_leased(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1"), new_url("a/2")])
        (lease,) = frontier.lease(1, 2)
        frontier.give_back("http://a", [lease.urls[0].url_id])
        assert (frontier.counts().waiting, frontier.counts().leased) == (1, 1)
        assert frontier.lease(9, 9) == []
        assert [leased.url for leased in frontier.top_up("http://a", 9)] == ["http://a/1"]

    def test_which_hosts_have_something_waiting(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1"), new_url("b/1"), new_url("c/1", skip_reason="scope")])
        asked = ["http://a", "http://b", "http://c", "http://nobody"]
        assert frontier.with_waiting(asked) == {"http://a", "http://b"}
        assert frontier.with_waiting(["http://b"]) == {"http://b"}
        frontier.lease(9, 9)
        assert frontier.with_waiting(asked) == set()

    def test_sites_with_few_pages_are_leased_first(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url(f"{site}/{n}") for site in "abc" for n in range(3)])
        frontier.count_taken({"a": 10, "b": 5})
        leases = frontier.lease(9, 1)
        assert [(lease.site, lease.taken) for lease in leases] == [("c", 0), ("b", 5), ("a", 10)]

    def test_thousands_of_urls_in_one_go(self) -> None:
        frontier = self.frontier()
        urls = [new_url(f"h{n % 7}/{n}") for n in range(2000)]
        assert frontier.add(urls).fresh == 2000
        assert frontier.add(urls).fresh == 0
        assert sum(len(lease.urls) for lease in frontier.lease(7, 5000)) == 2000


class FrontierSuite(LeaseTests, IntakeTests, ScoreTests):
    """All tests of a frontier, each in one transaction."""


class CommittedFrontierSuite(FrontierSuite):
    """The same tests, with every call in a transaction of its own."""

    def frontier(self) -> Frontier:
        """Return an empty frontier that begins before each call, and commits after it."""
        frontier: Any = _Committing(self.open_session())
        return frontier  # type: ignore[no-any-return]


class _Committing:
    """A frontier whose every call is a transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any) -> Any:
            self._session.begin()
            result = getattr(self._session.frontier, name)(*arguments)
            self._session.commit()
            return result

        return call


def urls_of(leases: list[HostLease]) -> list[str]:
    """Return the leased URLs without their scheme, in the order they were leased."""
    return [leased.url.removeprefix("http://") for lease in leases for leased in lease.urls]
