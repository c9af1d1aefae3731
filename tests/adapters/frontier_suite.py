"""What every frontier must do; an implementation's test module inherits these tests."""

import pytest

from telusur.crawl.frontier import Frontier, NewUrl, Verdict
from telusur.crawl.strategies import Again, Scored, Setup, Strategy
from telusur.models import State, url_id_of

NOW = 1000.0


def new(url: str, depth: int = 1, **more) -> NewUrl:
    host = url.split("/", maxsplit=1)[0]
    values = {"host": f"http://{host}", "site": host, "score": -float(depth), **more}
    return NewUrl(url_id_of(url), f"http://{url}", depth=depth, **values)


class FrontierSuite:
    def make(self) -> Frontier:
        raise NotImplementedError

    def test_what_is_added_waits_and_is_leased_once(self):
        frontier = self.make()
        assert frontier.add([new("a/1"), new("a/2")], NOW).fresh == 2
        leases = frontier.lease(10, 10, NOW)
        assert [lease.host for lease in leases] == ["http://a"]
        assert [leased.url for leased in leases[0].urls] == ["http://a/1", "http://a/2"]
        assert frontier.lease(10, 10, NOW) == []
        assert (frontier.counts().leased, frontier.counts().waiting) == (2, 0)

    def test_a_url_is_known_by_its_id_alone(self):
        frontier = self.make()
        frontier.add([new("a/1")], NOW)
        added = frontier.add([new("a/1"), new("a/1", 5), new("a/2")], NOW)
        assert (added.fresh, added.waiting) == (1, 1)
        assert frontier.counts().found == 2

    def test_the_best_score_comes_first_then_the_order_of_discovery(self):
        frontier = self.make()
        scores = {"a/low": 0.1, "a/high": 0.9, "a/mid": 0.5, "a/mid2": 0.5}
        frontier.add([new(url, score=score) for url, score in scores.items()], NOW)
        (lease,) = frontier.lease(1, 10, NOW)
        assert [leased.url[9:] for leased in lease.urls] == ["high", "mid", "mid2", "low"]

    def test_a_leased_host_is_nobody_elses_until_released(self):
        frontier = self.make()
        frontier.add([new("a/1"), new("a/2"), new("b/1")], NOW)
        first = frontier.lease(1, 1, NOW)
        second = frontier.lease(5, 1, NOW)
        assert {lease.host for lease in first + second} == {"http://a", "http://b"}
        frontier.release("http://a", NOW + 5, NOW)
        assert frontier.lease(5, 1, NOW + 4.9) == []
        (lease,) = frontier.lease(5, 5, NOW + 5)
        assert len(lease.urls) == 2, "what was leased and not settled waits again"

    def test_top_up_gives_more_of_a_leased_host(self):
        frontier = self.make()
        frontier.add([new(f"a/{n}") for n in range(5)], NOW)
        (lease,) = frontier.lease(1, 2, NOW)
        more = frontier.top_up("http://a", 2, NOW)
        assert {leased.url_id for leased in more}.isdisjoint(u.url_id for u in lease.urls)
        assert len(frontier.top_up("http://a", 9, NOW)) == 1
        assert frontier.top_up("http://a", 9, NOW) == ()

    def test_settled_urls_keep_their_state_and_are_not_leased_again(self):
        frontier = self.make()
        frontier.add([new("a/done"), new("a/failed"), new("a/skipped")], NOW)
        (lease,) = frontier.lease(1, 9, NOW)
        states = (State.DONE, State.FAILED, State.SKIPPED)
        frontier.settle(
            [
                Verdict(leased.url_id, state, "why")
                for leased, state in zip(lease.urls, states, strict=True)
            ],
            NOW,
        )
        frontier.release("http://a", NOW, NOW)
        assert frontier.lease(1, 9, NOW) == []
        counts = frontier.counts()
        assert (counts.done, counts.failed, counts.skipped, counts.leased) == (1, 1, 1, 0)

    def test_a_url_to_be_tried_again_waits_for_its_time(self):
        frontier = self.make()
        frontier.add([new("a/1")], NOW)
        (lease,) = frontier.lease(1, 1, NOW)
        frontier.settle([Verdict(lease.urls[0].url_id, State.WAITING, "x", NOW + 7)], NOW)
        frontier.release("http://a", NOW, NOW)
        assert frontier.lease(1, 1, NOW + 6) == []
        assert frontier.next_ready_at() == NOW + 7
        (lease,) = frontier.lease(1, 1, NOW + 7)
        assert lease.urls[0].tries == 1

    def test_another_spelling_of_the_same_url_is_no_failed_try(self):
        frontier = self.make()
        frontier.add([new("a/1")], NOW)
        (lease,) = frontier.lease(1, 1, NOW)
        verdict = Verdict(lease.urls[0].url_id, State.WAITING, "redirect", 0, "http://a/1/")
        frontier.settle([verdict], NOW)
        frontier.release("http://a", NOW, NOW)
        (lease,) = frontier.lease(1, 1, NOW)
        (leased,) = lease.urls
        assert (leased.url, leased.hops, leased.tries) == ("http://a/1/", 1, 0)

    def test_skipped_urls_are_remembered_and_never_leased(self):
        frontier = self.make()
        added = frontier.add([new("a/1", skip_reason="scope: other site")], NOW)
        assert (added.fresh, added.waiting, added.skipped) == (1, 0, 1)
        assert frontier.lease(9, 9, NOW) == []
        assert frontier.next_ready_at() is None

    def test_a_url_too_deep_is_let_in_when_found_nearer(self):
        frontier = self.make()
        frontier.add([new("a/1", 4, skip_reason="depth: 4")], NOW)
        added = frontier.add([new("a/1", 2)], NOW)
        assert (added.fresh, added.waiting, added.hosts) == (0, 1, {"http://a"})
        (lease,) = frontier.lease(1, 1, NOW)
        assert lease.urls[0].depth == 2

    def test_out_of_scope_stays_out_however_often_it_is_found(self):
        frontier = self.make()
        frontier.add([new("a/1", 4, skip_reason="scope: other site")], NOW)
        frontier.add([new("a/1", 2, skip_reason="scope: other site")], NOW)
        assert frontier.lease(9, 9, NOW) == []

    def test_what_the_users_code_refused_is_let_in_where_it_wants_it(self):
        frontier = self.make()
        frontier.add([new("a/1", skip_reason="hooks: no"), new("a/2", skip_reason="scope")], NOW)
        frontier.add([new("a/1", 0), new("a/1", skip_reason="hooks: no")], NOW)
        assert frontier.counts().waiting == 0
        added = frontier.add([new("a/1", 3, is_wanted=True), new("a/2", is_wanted=True)], NOW)
        assert (added.fresh, added.waiting, added.skipped) == (0, 1, -1)
        assert [one.url for one in frontier.lease(1, 9, NOW)[0].urls] == ["http://a/1"]
        assert frontier.add([new("a/1", is_wanted=True)], NOW).waiting == 0

    def test_a_page_fetched_before_is_named_when_it_is_nearer(self):
        frontier = self.make()
        frontier.add([new("a/1", 5)], NOW)
        (lease,) = frontier.lease(1, 1, NOW)
        frontier.settle([Verdict(lease.urls[0].url_id, State.DONE)], NOW)
        assert frontier.add([new("a/1", 3)], NOW).nearer == {url_id_of("a/1"): 3}
        assert frontier.add([new("a/1", 3)], NOW).nearer == {}

    def test_what_a_page_leads_to_moves_up_with_it(self):
        frontier = self.make()
        frontier.add([new("a/done", 5)], NOW)
        (lease,) = frontier.lease(1, 1, NOW)
        frontier.settle([Verdict(lease.urls[0].url_id, State.DONE)], NOW)
        frontier.add([new("a/near", 2, score=-2), new("a/far", 7, score=-7)], NOW)
        frontier.add([new("a/deep", 9, skip_reason="depth: 9")], NOW)
        frontier.add([new("a/out", 9, skip_reason="scope: other site")], NOW)
        everybody = [url_id_of(f"a/{name}") for name in ("done", "near", "far", "deep", "out", "?")]
        drawn = frontier.draw_nearer(everybody, 3, -3.0)
        assert (drawn.nearer, drawn.barred) == ({url_id_of("a/done"): 3}, ["http://a/deep"])
        depths = frontier.depths_of(everybody)
        assert [depths.get(one) for one in everybody] == [3, 2, 3, 3, 3, None]
        again = frontier.draw_nearer(everybody, 3, -3.0)
        assert (again.nearer, again.barred) == ({}, [])
        assert frontier.add([new("a/deep", 3)], NOW).waiting == 1
        scores = {leased.url[9:]: leased.score for leased in frontier.top_up("http://a", 9, NOW)}
        assert scores == {"near": -2, "far": -3, "deep": -3}

    def test_a_url_far_down_moves_up_too(self):
        frontier = self.make()
        frontier.add([new("a/1", 100_000), new("a/2", 90_000)], NOW)
        frontier.draw_nearer([url_id_of("a/1"), url_id_of("a/2")], 95_000, 0.0)
        depths = frontier.depths_of([url_id_of("a/1"), url_id_of("a/2")])
        assert list(depths.values()) == [95_000, 90_000]

    def test_sites_with_few_pages_are_leased_first(self):
        frontier = self.make()
        frontier.add([new(f"{site}/{n}") for site in "abc" for n in range(3)], NOW)
        frontier.count_taken({"a": 10, "b": 5})
        assert [lease.site for lease in frontier.lease(9, 1, NOW)] == ["c", "b", "a"]

    def test_a_dead_owners_leases_are_freed(self):
        frontier = self.make()
        frontier.add([new("a/1"), new("b/1")], NOW)
        frontier.lease(9, 9, NOW)
        assert frontier.release_all(NOW) == 2
        assert len(frontier.lease(9, 9, NOW)) == 2

    def test_depth_of_is_the_shortest_way_known(self):
        frontier = self.make()
        frontier.add([new("a/1", 4)], NOW)
        frontier.lease(1, 1, NOW)
        frontier.add([new("a/1", 2), new("a/1", 3)], NOW)
        assert frontier.depths_of([url_id_of("a/1")]) == {url_id_of("a/1"): 2}

    def test_known_ids(self):
        frontier = self.make()
        frontier.add([new("a/1")], NOW)
        asked = [url_id_of("a/1"), url_id_of("a/2")]
        assert frontier.known_ids(asked) == {url_id_of("a/1")}
        assert frontier.known_ids([]) == set()

    def test_too_many_waiting_push_out_the_worst(self):
        frontier = self.make()
        frontier.limit_waiting(3)
        added = frontier.add([new(f"a/{n}", score=n) for n in range(5)], NOW)
        assert (added.fresh, added.waiting, added.skipped) == (5, 3, 2)
        added = frontier.add([new("b/9", score=9), new("b/0", score=0)], NOW)
        assert (added.fresh, added.waiting, added.skipped) == (2, 0, 2)
        assert (frontier.counts().waiting, frontier.counts().skipped) == (3, 4)
        urls = {leased.url for lease in frontier.lease(9, 9, NOW) for leased in lease.urls}
        assert urls == {"http://a/3", "http://a/4", "http://b/9"}

    def test_of_equal_scores_the_last_found_is_pushed_out(self):
        frontier = self.make()
        frontier.limit_waiting(2)
        frontier.add([new("a/1"), new("a/2"), new("a/3")], NOW)
        (lease,) = frontier.lease(9, 9, NOW)
        assert [leased.url for leased in lease.urls] == ["http://a/1", "http://a/2"]

    def test_what_was_pushed_out_returns_with_a_better_score_only(self):
        frontier = self.make()
        frontier.limit_waiting(1)
        frontier.add([new("a/1", score=5), new("a/2", score=4)], NOW)
        frontier.lease(9, 9, NOW)
        for _ in range(2):
            assert frontier.add([new("a/2", score=4)], NOW).waiting == 0, "there is room"
        added = frontier.add([new("a/2", score=4.5)], NOW)
        assert (added.fresh, added.waiting, added.skipped) == (0, 1, -1)
        (again,) = frontier.top_up("http://a", 9, NOW)
        assert again.url == "http://a/2"

    def test_without_a_limit_nothing_is_pushed_out(self):
        frontier = self.make()
        frontier.limit_waiting(1)
        frontier.limit_waiting(None)
        assert frontier.add([new(f"a/{n}") for n in range(9)], NOW).waiting == 9

    # Strategies

    def test_the_first_score_is_kept_unless_the_strategy_says_otherwise(self):
        assert self._order_seen(Again.KEEP) == ["a", "b", "c"]

    def test_the_best_score_counts_with_its_note(self):
        assert self._order_seen(Again.BEST) == ["c", "a", "b"]

    def test_scores_add_up(self):
        assert self._order_seen(Again.SUM) == ["b", "c", "a"]

    def test_the_latest_score_counts(self):
        assert self._order_seen(Again.LATEST) == ["b", "a", "c"]

    def test_a_strategy_may_be_asked(self):
        assert self._order_seen(Again.ASK) == ["b", "a", "c"]

    def _order_seen(self, again):
        """Return how three URLs are handed out that were found, and found again twice."""
        frontier = self.make()
        frontier.order_by(_strategy(again))
        scores = {"a": [0.5, 0.1, 0.1], "b": [0.4, 0.4, 0.4], "c": [0.3, 0.6, -0.1]}
        for turn in range(3):
            urls = [
                new(f"h/{name}", score=values[turn], note=f"{name}{turn}".encode())
                for name, values in scores.items()
            ]
            if turn < 2:
                frontier.add(urls, NOW)
            else:
                frontier.see_again({one.url_id: Scored(one.score, one.note) for one in urls})
        frontier.see_again({url_id_of("h/nobody"): Scored(9.0)})
        (lease,) = frontier.lease(1, 9, NOW)
        notes = {leased.url[-1]: leased.note for leased in lease.urls}
        assert notes["c"] == (b"c1" if again is Again.BEST else b"c0")
        assert all(leased.score == frontier_score(leased, again) for leased in lease.urls)
        return [leased.url[-1] for leased in lease.urls]

    def test_links_of_one_group_count_together(self):
        frontier = self.make()
        frontier.order_by(_strategy(Again.SUM))
        frontier.add([new("h/a", score=0.6), new("h/b", score=0.4), new("h/b", score=0.4)], NOW)
        (lease,) = frontier.lease(1, 9, NOW)
        assert [leased.url[-1] for leased in lease.urls] == ["b", "a"]

    def test_what_is_given_back_may_be_had_again_after_something_better(self):
        frontier = self.make()
        frontier.order_by(_strategy(Again.BEST))
        frontier.add([new(f"h/{n}", score=n / 10) for n in range(3)], NOW)
        (lease,) = frontier.lease(1, 2, NOW)
        frontier.add([new("h/9", score=0.9)], NOW)
        best = frontier.exchange("http://h", [leased.url_id for leased in lease.urls], 2, NOW)
        assert [leased.url[-1] for leased in best] == ["9", "2"]
        assert (frontier.counts().waiting, frontier.counts().leased) == (2, 2)
        assert frontier.lease(5, 5, NOW) == [], "the host was not given back"
        fewer = frontier.exchange("http://h", [leased.url_id for leased in best], 1, NOW)
        assert [leased.url[-1] for leased in fewer] == ["9"]
        assert (frontier.counts().waiting, frontier.counts().leased) == (3, 1)
        assert [leased.url[-1] for leased in frontier.top_up("http://h", 9, NOW)] == ["2", "1", "0"]

    def test_a_score_changes_while_a_url_is_leased(self):
        frontier = self.make()
        frontier.order_by(_strategy(Again.SUM))
        frontier.add([new("h/a", score=0.2), new("h/b", score=0.1)], NOW)
        (lease,) = frontier.lease(1, 2, NOW)
        frontier.see_again({url_id_of("h/b"): Scored(0.5)})
        best = frontier.exchange("http://h", [leased.url_id for leased in lease.urls], 2, NOW)
        assert [leased.url[-1] for leased in best] == ["b", "a"]
        assert best[0].score > 0.5

    def test_hosts_with_the_best_urls_are_leased_first(self):
        frontier = self.make()
        frontier.order_by(_strategy(Again.BEST))
        frontier.count_taken({"a": 0, "b": 100})
        frontier.add([new("a/1", score=0.1), new("b/1", score=0.9), new("c/1", score=0.5)], NOW)
        assert [lease.host[7:] for lease in frontier.lease(2, 1, NOW)] == ["b", "c"]

    def test_a_url_found_nearer_keeps_its_score(self):
        frontier = self.make()
        frontier.order_by(_strategy(Again.BEST))
        frontier.add([new("a/1", 5, score=0.8)], NOW)
        frontier.add([new("a/1", 2, score=0.1)], NOW)
        (lease,) = frontier.lease(1, 1, NOW)
        assert (lease.urls[0].depth, lease.urls[0].score) == (2, 0.8)

    @pytest.mark.parametrize("again", [Again.KEEP, Again.BEST, Again.SUM, Again.LATEST, Again.ASK])
    def test_a_url_that_moves_up_is_not_seen_again(self, again):
        frontier = self.make()
        frontier.order_by(_strategy(again))
        frontier.add([new("a/1", 5, score=0.8, note=b"n")], NOW)
        frontier.draw_nearer([url_id_of("a/1")], 2, -2.0)
        (lease,) = frontier.lease(1, 1, NOW)
        leased = lease.urls[0]
        assert (leased.depth, leased.score, leased.note) == (2, 0.8, b"n")


def frontier_score(leased, again):
    """Return what the three URLs of the suite are worth, by what was seen of each."""
    return {
        Again.KEEP: {"a": 0.5, "b": 0.4, "c": 0.3},
        Again.BEST: {"a": 0.5, "b": 0.4, "c": 0.6},
        Again.SUM: {"a": 0.5 + 0.1 + 0.1, "b": 0.4 + 0.4 + 0.4, "c": 0.3 + 0.6 - 0.1},
        Again.LATEST: {"a": 0.1, "b": 0.4, "c": -0.1},
        Again.ASK: {"a": 0.1, "b": 0.4, "c": -0.1},
    }[again][leased.url[-1]]


def _strategy(kind):
    class Chosen(Strategy):
        again = kind
        keeps_notes = True

        def merge(self, pairs):
            return [Scored(new_one.score, old.note) for old, new_one in pairs]

    return Chosen(Setup())
