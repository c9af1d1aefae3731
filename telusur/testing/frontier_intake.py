"""What every frontier must do: adding URLs, and judging them again."""

from telusur.crawl.frontier_records import Verdict
from telusur.models import State, url_id_of
from telusur.store.frontier import Frontier, Judge
from telusur.testing.cases import StoreCase, new_url


class IntakeTests(StoreCase):
    """Which URLs wait, and at which depth."""

    def frontier(self) -> Frontier:
        """Return an empty frontier."""
        raise NotImplementedError

    def leased(self, frontier: Frontier) -> list[str]:
        """Lease everything; return the URLs without their scheme."""
        urls = [leased.url for lease in frontier.lease(99, 99) for leased in lease.urls]
        return [url.removeprefix("http://") for url in urls]

    def end(self, frontier: Frontier, state: State, reason: str = "") -> None:
        """Lease everything, end it like this, and release the hosts."""
        for lease in frontier.lease(99, 99):
            frontier.settle([Verdict(leased.url_id, state, reason) for leased in lease.urls])
            frontier.release(lease.host, 0.0)

    def test_a_url_is_known_by_its_id_alone(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1")])
        added = frontier.add([new_url("a/1"), new_url("a/1", 5), new_url("a/2")])
        assert (added.fresh, added.waiting) == (1, 1)
        assert frontier.counts().found == 2

    def test_adding_nothing_changes_nothing(self) -> None:
        frontier = self.frontier()
        added = frontier.add([])
        assert (added.fresh, added.waiting, added.skipped) == (0, 0, 0)
        assert frontier.counts().found == 0

    def test_known_ids(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1")])
        asked = [url_id_of("a/1"), url_id_of("a/2")]
        assert frontier.known_ids(asked) == {url_id_of("a/1")}
        assert frontier.known_ids([]) == set()

    def test_skipped_urls_are_remembered_and_never_leased(self) -> None:
        frontier = self.frontier()
        added = frontier.add([new_url("a/1", skip_reason="scope: other site")])
        assert (added.fresh, added.waiting, added.skipped) == (1, 0, 1)
        assert frontier.lease(9, 9) == []
        assert frontier.seconds_until_ready() is None

    def test_a_url_too_deep_is_let_in_when_found_nearer(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", 4, skip_reason="depth: 4")])
        added = frontier.add([new_url("a/1", 2)])
        assert (added.fresh, added.waiting, added.hosts) == (0, 1, {"http://a"})
        (lease,) = frontier.lease(1, 1)
        assert lease.urls[0].depth == 2

    def test_out_of_scope_stays_out_however_often_it_is_found(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", 4, skip_reason="scope: other site")])
        frontier.add([new_url("a/1", 2, skip_reason="scope: other site")])
        assert frontier.lease(9, 9) == []

    def test_what_the_users_code_refused_is_let_in_where_it_wants_it(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", skip_reason="hooks: no"), new_url("a/2", skip_reason="scope")])
        frontier.add([new_url("a/1", 0), new_url("a/1", skip_reason="hooks: no")])
        assert frontier.counts().waiting == 0
        added = frontier.add([new_url("a/1", 3, is_wanted=True), new_url("a/2", is_wanted=True)])
        assert (added.fresh, added.waiting, added.skipped) == (0, 1, -1)
        assert self.leased(frontier) == ["a/1"]
        assert frontier.add([new_url("a/1", is_wanted=True)]).waiting == 0

    def test_a_url_is_wanted_if_one_link_of_a_group_that_may_be_followed_is(self) -> None:
        plain, wanted = new_url("a/1", 0), new_url("a/1", 3, is_wanted=True)
        for group in ([plain, wanted], [wanted, plain]):
            frontier = self.frontier()
            frontier.add([new_url("a/1", 5, skip_reason="hooks: no")])
            assert frontier.add(group).waiting == 1
            (lease,) = frontier.lease(1, 1)
            assert lease.urls[0].depth == 0

    def test_a_wanted_link_that_may_not_be_followed_lets_nothing_in(self) -> None:
        plain, barred = new_url("a/1", 0), new_url("a/1", 9, skip_reason="depth", is_wanted=True)
        for group in ([plain, barred], [barred, plain]):
            frontier = self.frontier()
            frontier.add([new_url("a/1", 5, skip_reason="hooks: no")])
            assert frontier.add(group).waiting == 0

    # Depth

    def test_a_page_fetched_before_is_named_when_it_is_nearer(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", 5)])
        self.end(frontier, State.DONE)
        assert frontier.add([new_url("a/1", 3)]).nearer == {url_id_of("a/1"): 3}
        assert frontier.add([new_url("a/1", 3)]).nearer == {}

    def test_the_depth_is_that_of_the_shortest_way_known(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", 4)])
        frontier.lease(1, 1)
        frontier.add([new_url("a/1", 2), new_url("a/1", 3)])
        assert frontier.depths_of([url_id_of("a/1")]) == {url_id_of("a/1"): 2}

    def test_what_a_page_leads_to_moves_up_with_it(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/done", 5)])
        self.end(frontier, State.DONE)
        frontier.add([new_url("a/near", 2), new_url("a/far", 7)])
        frontier.add([new_url("a/deep", 9, skip_reason="depth: 9")])
        frontier.add([new_url("a/out", 9, skip_reason="scope: other site")])
        everybody = [url_id_of(f"a/{name}") for name in ("done", "near", "far", "deep", "out", "?")]
        drawn = frontier.draw_nearer(everybody, 3, -3.0)
        assert (drawn.nearer, drawn.barred) == ({url_id_of("a/done"): 3}, ["http://a/deep"])
        depths = frontier.depths_of(everybody)
        assert [depths.get(one) for one in everybody] == [3, 2, 3, 3, 3, None]
        again = frontier.draw_nearer(everybody, 3, -3.0)
        assert (again.nearer, again.barred) == ({}, [])
        assert frontier.add([new_url("a/deep", 3)]).waiting == 1
        (lease,) = frontier.lease(1, 9)
        scores = {leased.url[9:]: leased.score for leased in lease.urls}
        assert scores == {"near": -2, "far": -3, "deep": -3}

    def test_a_url_far_down_moves_up_too(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", 100_000), new_url("a/2", 90_000)])
        frontier.draw_nearer([url_id_of("a/1"), url_id_of("a/2")], 95_000, 0.0)
        depths = frontier.depths_of([url_id_of("a/1"), url_id_of("a/2")])
        assert depths == {url_id_of("a/1"): 95_000, url_id_of("a/2"): 90_000}

    # A limit of waiting URLs

    def test_too_many_waiting_push_out_the_worst(self) -> None:
        frontier = self.frontier()
        frontier.limit_waiting(3)
        added = frontier.add([new_url(f"a/{n}", score=n) for n in range(5)])
        assert (added.fresh, added.waiting, added.skipped) == (5, 3, 2)
        added = frontier.add([new_url("b/9", score=9), new_url("b/0", score=0)])
        assert (added.fresh, added.waiting, added.skipped) == (2, 0, 2)
        assert (frontier.counts().waiting, frontier.counts().skipped) == (3, 4)
        assert sorted(self.leased(frontier)) == ["a/3", "a/4", "b/9"]

    def test_of_equal_scores_the_last_found_is_pushed_out(self) -> None:
        frontier = self.frontier()
        frontier.limit_waiting(2)
        frontier.add([new_url("a/1"), new_url("a/2"), new_url("a/3")])
        assert self.leased(frontier) == ["a/1", "a/2"]

    def test_what_was_pushed_out_returns_with_a_better_score_only(self) -> None:
        frontier = self.frontier()
        frontier.limit_waiting(1)
        frontier.add([new_url("a/1", score=5), new_url("a/2", score=4)])
        # Now there is room again.
        frontier.lease(9, 9)
        for _ in range(2):
            assert frontier.add([new_url("a/2", score=4)]).waiting == 0
        added = frontier.add([new_url("a/2", score=4.5)])
        assert (added.fresh, added.waiting, added.skipped) == (0, 1, -1)
        (again,) = frontier.top_up("http://a", 9)
        assert again.url == "http://a/2"

    def test_without_a_limit_nothing_is_pushed_out(self) -> None:
        frontier = self.frontier()
        frontier.limit_waiting(1)
        frontier.limit_waiting(None)
        assert frontier.add([new_url(f"a/{n}") for n in range(9)]).waiting == 9

    # Judging URLs again

    def test_larger_limits_admit_what_they_had_skipped(self) -> None:
        frontier = self.frontier()
        skipped = [("a/deep", 5, "depth: 5"), ("b/out", 1, "scope: x"), ("a/no", 1, "robots: /no")]
        frontier.add([new_url(url, depth, skip_reason=why) for url, depth, why in skipped])
        assert frontier.admit_again(("depth", "scope"), _at_most(5), _minus) == 2
        leases = frontier.lease(9, 9)
        urls = {leased.url: leased.score for lease in leases for leased in lease.urls}
        assert urls == {"http://a/deep": -5, "http://b/out": -1}

    def test_a_url_that_was_never_scored_gets_the_score_of_its_depth(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", 3, score=0.0, skip_reason="depth: 3")])
        frontier.admit_again(("depth",), _at_most(9), _minus)
        (lease,) = frontier.lease(1, 1)
        assert lease.urls[0].score == -3

    def test_smaller_limits_keep_out_what_waits_and_lose_nothing(self) -> None:
        frontier = self.frontier()
        urls = [("a/near", 1, 0.5), ("a/far", 3, 0.7), ("b/far", 4, 0.9)]
        frontier.add([new_url(url, depth, score=score) for url, depth, score in urls])
        frontier.add([new_url("a/not", 3, skip_reason="robots: Disallow: /no")])
        # URLs in flight stay as they are.
        (lease,) = frontier.lease(1, 1)
        assert frontier.keep_out(_at_most(2)) == 1
        frontier.release(lease.host, 0.0)
        frontier.keep_out(_at_most(2))
        assert (frontier.counts().waiting, frontier.counts().skipped) == (1, 3)
        assert frontier.seconds_until_ready() is not None
        assert frontier.admit_again(("depth",), _at_most(3), _minus) == 1
        assert frontier.admit_again(("depth",), _at_most(9), _minus) == 1
        scores = {u.url[7:]: u.score for lease in frontier.lease(9, 9) for u in lease.urls}
        assert scores == {"a/near": 0.5, "a/far": 0.7, "b/far": 0.9}

    def test_what_is_kept_out_for_another_reason_now_says_so(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", 9, skip_reason="scope: other site")])
        assert frontier.admit_again(("scope", "depth"), _at_most(5), _minus) == 0
        assert frontier.admit_again(("scope",), _at_most(9), _minus) == 0
        assert frontier.admit_again(("depth",), _at_most(9), _minus) == 1

    def test_admitted_urls_heed_the_limit_of_waiting_urls(self) -> None:
        frontier = self.frontier()
        frontier.limit_waiting(1)
        frontier.add([new_url("a/1", score=5), new_url("a/2", score=4, skip_reason="depth: 1")])
        assert frontier.admit_again(("depth",), _at_most(9), _minus) == 0
        assert self.leased(frontier) == ["a/1"]

    def test_what_waits_again_need_not_wait_for_the_time_of_its_last_try(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", 3)])
        (lease,) = frontier.lease(1, 1)
        frontier.settle([Verdict(lease.urls[0].url_id, State.WAITING, "timeout", 60.0)])
        frontier.release("http://a", 0.0)
        assert frontier.keep_out(_at_most(2)) == 1
        assert frontier.admit_again(("depth",), _at_most(9), _minus) == 1
        (lease,) = frontier.lease(1, 1)
        assert lease.urls[0].tries == 0

    def test_failed_urls_are_retried_by_their_reason(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1"), new_url("a/2", 4)])
        self.end(frontier, State.FAILED, "network: refused")
        frontier.add([new_url("b/1")])
        self.end(frontier, State.FAILED, "http: 404")
        assert (
            frontier.retry_failed(lambda why: why.startswith("network"), _at_most(3), _minus) == 1
        )
        (lease,) = frontier.lease(9, 9)
        assert [(leased.url, leased.tries) for leased in lease.urls] == [("http://a/1", 0)]

    def test_a_url_that_ended_is_added_again_if_it_is_worth_it(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1", skip_reason="scope: other site"), new_url("a/2")])
        self.end(frontier, State.DONE)
        urls = [new_url("a/1", 0), new_url("a/2", 0), new_url("a/3", 0)]
        added = frontier.add_again(urls, lambda state, _: state is State.SKIPPED)
        assert (added.fresh, added.waiting) == (1, 2)
        (lease,) = frontier.lease(9, 9)
        assert [(leased.url[7:], leased.depth) for leased in lease.urls] == [("a/1", 0), ("a/3", 0)]

    def test_whether_a_url_is_worth_another_try_depends_on_its_reason(self) -> None:
        frontier = self.frontier()
        frontier.add([new_url("a/1")])
        self.end(frontier, State.FAILED, "timeout")
        assert frontier.add_again([new_url("a/1")], lambda _, why: why == "x").waiting == 0
        assert frontier.add_again([new_url("a/1")], lambda _, why: why == "timeout").waiting == 1
        assert self.leased(frontier) == ["a/1"]


def _at_most(depth: int) -> Judge:
    """Return a judge that refuses deeper URLs."""
    return lambda _url, found_at: None if found_at <= depth else "depth"


def _minus(depth: int) -> float:
    return -float(depth)
