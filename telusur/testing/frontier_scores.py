"""What every frontier must do: scores, as strategies want them kept."""

from collections.abc import Callable, Sequence

from telusur.crawl.frontier_records import LeasedUrl, Verdict
from telusur.crawl.strategies.contract import Again, Scored, Setup, Strategy
from telusur.models import State, url_id_of
from telusur.store.frontier import Frontier, Sight
from telusur.testing.cases import StoreCase, new_url

#: Scores of three URLs each time they are found: at first, again in `add`, again in `see_again`.
FOUND = {"a": (0.5, 0.1, 0.1), "b": (0.4, 0.4, 0.4), "c": (0.3, 0.6, -0.1)}

#: Their scores then, by what the strategy wants.
WORTH = {
    Again.KEEP: {"a": 0.5, "b": 0.4, "c": 0.3},
    Again.BEST: {"a": 0.5, "b": 0.4, "c": 0.6},
    Again.SUM: {"a": 0.5 + 0.1 + 0.1, "b": 0.4 + 0.4 + 0.4, "c": 0.3 + 0.6 - 0.1},
    Again.LATEST: {"a": 0.1, "b": 0.4, "c": -0.1},
    Again.ASK: {"a": 0.1, "b": 0.4, "c": -0.1},
}


class ScoreTests(StoreCase):
    """The order in which URLs are leased."""

    def frontier(self) -> Frontier:
        """Return an empty frontier."""
        raise NotImplementedError

    def test_the_first_score_is_kept_unless_the_strategy_says_otherwise(self) -> None:
        assert self._order_seen(Again.KEEP) == ["a", "b", "c"]

    def test_the_best_score_counts_with_its_note(self) -> None:
        assert self._order_seen(Again.BEST) == ["c", "a", "b"]

    def test_scores_add_up(self) -> None:
        assert self._order_seen(Again.SUM) == ["b", "c", "a"]

    def test_the_latest_score_counts(self) -> None:
        assert self._order_seen(Again.LATEST) == ["b", "a", "c"]

    def test_a_strategy_may_be_asked(self) -> None:
        assert self._order_seen(Again.ASK) == ["b", "a", "c"]

    def _order_seen(self, again: Again) -> list[str]:
        """Return the leases of three URLs with three links each."""
        frontier = self.frontier()
        frontier.order_by(_strategy(again))
        for turn in range(3):
            urls = [
                new_url(f"h/{name}", score=scores[turn], note=f"{name}{turn}".encode())
                for name, scores in FOUND.items()
            ]
            if turn < 2:
                frontier.add(urls)
            else:
                frontier.see_again({one.url_id: (one.score, one.note) for one in urls})
        # This URL is unknown.
        frontier.see_again({url_id_of("h/nobody"): (9.0, b"")})
        (lease,) = frontier.lease(1, 9)
        found = {leased.url[-1]: leased for leased in lease.urls}
        assert found["c"].note == (b"c1" if again is Again.BEST else b"c0")
        assert {name: leased.score for name, leased in found.items()} == WORTH[again]
        return _names(lease.urls)

    def test_links_of_one_group_count_together(self) -> None:
        frontier = self.frontier()
        frontier.order_by(_strategy(Again.SUM))
        frontier.add([new_url("h/a", score=0.6)] + [new_url("h/b", score=0.4)] * 2)
        (lease,) = frontier.lease(1, 9)
        assert _names(lease.urls) == ["b", "a"]

    def test_sights_of_several_pages_are_combined_as_the_strategy_has_it(self) -> None:
        totals = {again: self._gathered(again) for again in WORTH}
        assert totals == {
            Again.KEEP: {},
            Again.BEST: {b"x": (3.0, b"second")},
            Again.SUM: {b"x": (6.0, b"first")},
            Again.LATEST: {b"x": (1.0, b"first")},
            Again.ASK: {b"x": (1.0, b"first")},
        }

    def _gathered(self, again: Again) -> dict[bytes, tuple[float, bytes]]:
        frontier = self.frontier()
        frontier.order_by(_strategy(again))
        totals: dict[bytes, Sight] = {}
        for sight in ((2.0, b"first"), (3.0, b"second"), (1.0, b"third")):
            frontier.gather_again(totals, {b"x": sight})
        return {url_id: (sight[0], sight[1]) for url_id, sight in totals.items()}

    def test_what_is_given_back_may_be_had_again_after_something_better(self) -> None:
        frontier = self.frontier()
        frontier.order_by(_strategy(Again.BEST))
        frontier.add([new_url(f"h/{n}", score=n / 10) for n in range(3)])
        (lease,) = frontier.lease(1, 2)
        frontier.add([new_url("h/9", score=0.9)])
        best = frontier.exchange("http://h", [leased.url_id for leased in lease.urls], 2)
        assert _names(best) == ["9", "2"]
        assert (frontier.counts().waiting, frontier.counts().leased) == (2, 2)
        # The host was not released.
        assert frontier.lease(5, 5) == []
        fewer = frontier.exchange("http://h", [leased.url_id for leased in best], 1)
        assert _names(fewer) == ["9"]
        assert (frontier.counts().waiting, frontier.counts().leased) == (3, 1)
        assert _names(frontier.top_up("http://h", 9)) == ["2", "1", "0"]

    def test_a_score_changes_while_a_url_is_leased(self) -> None:
        frontier = self.frontier()
        frontier.order_by(_strategy(Again.SUM))
        frontier.add([new_url("h/a", score=0.2), new_url("h/b", score=0.1)])
        (lease,) = frontier.lease(1, 2)
        frontier.see_again({url_id_of("h/b"): (0.5, b"")})
        best = frontier.exchange("http://h", [leased.url_id for leased in lease.urls], 2)
        assert _names(best) == ["b", "a"]
        assert best[0].score > 0.5

    def test_a_url_that_waits_again_takes_further_scores(self) -> None:
        url_id = url_id_of("h/a")
        ways: dict[str, Callable[[Frontier], object]] = {
            "retried": lambda f: f.retry_failed(lambda _: True, lambda *_: None, float),
            "added": lambda f: f.add_again([new_url("h/a", score=2.0)], lambda *_: True),
        }
        for name, let_in in ways.items():
            frontier = self.frontier()
            frontier.order_by(_strategy(Again.SUM))
            frontier.add([new_url("h/a", score=1.0)])
            frontier.see_again({url_id: (1.0, b"")})
            frontier.lease(1, 1)
            frontier.settle([Verdict(url_id, State.FAILED, "timeout")])
            frontier.release("http://h", 0.0)
            let_in(frontier)
            frontier.see_again({url_id: (5.0, b"")})
            (lease,) = frontier.lease(1, 1)
            assert lease.urls[0].score == 7.0, name

    def test_hosts_with_the_best_urls_are_leased_first(self) -> None:
        frontier = self.frontier()
        frontier.order_by(_strategy(Again.BEST))
        urls = {"a/1": 0.1, "b/1": 0.9, "c/1": 0.5}
        frontier.add([new_url(url, score=score) for url, score in urls.items()])
        frontier.count_taken({"b": 100})
        assert [lease.site for lease in frontier.lease(2, 1)] == ["b", "c"]

    def test_a_url_found_nearer_keeps_its_score(self) -> None:
        frontier = self.frontier()
        frontier.order_by(_strategy(Again.BEST))
        frontier.add([new_url("a/1", 5, score=0.8)])
        frontier.add([new_url("a/1", 2, score=0.1)])
        (lease,) = frontier.lease(1, 1)
        assert (lease.urls[0].depth, lease.urls[0].score) == (2, 0.8)

    def test_a_url_that_moves_up_is_not_seen_again(self) -> None:
        for again in WORTH:
            frontier = self.frontier()
            frontier.order_by(_strategy(again))
            frontier.add([new_url("a/1", 5, score=0.8, note=b"n")])
            frontier.draw_nearer([url_id_of("a/1")], 2, -2.0)
            (lease,) = frontier.lease(1, 1)
            leased = lease.urls[0]
            assert (leased.depth, leased.score, leased.note) == (2, 0.8, b"n"), again


def _names(urls: Sequence[LeasedUrl]) -> list[str]:
    return [leased.url[-1] for leased in urls]


def _strategy(kind: Again) -> Strategy:
    class Chosen(Strategy):
        again = kind
        keeps_notes = True

        def merge(self, pairs: Sequence[tuple[Scored, Scored]]) -> Sequence[Scored]:
            return [Scored(found.score, old.note) for old, found in pairs]

    return Chosen(Setup())
