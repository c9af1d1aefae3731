"""What a strategy's view of the frontier and its saved state must do: `StrategyStateSuite`."""

from telusur.crawl.strategies.contract import WaitingUrl, numbers_of
from telusur.models import url_id_of
from telusur.store.session import Session
from telusur.testing.cases import StoreCase, new_url


class StrategyStateSuite(StoreCase):
    """Everything that waits, the links known so far, and what was learned."""

    def three(self) -> Session:
        """Return a session in a transaction with three URLs."""
        session = self.begin()
        urls = [("a/1", 1, 0.1), ("b/2", 2, 0.9), ("a/3", 2, 0.5)]
        session.frontier.add(
            [new_url(url, depth, score=score, note=url.encode()) for url, depth, score in urls]
        )
        return session

    def test_the_best_come_first(self) -> None:
        prospects = self.three().strategy_state
        assert prospects.count() == 3
        best = prospects.best(2)
        assert _paths(best) == ["b/2", "a/3"]
        assert (best[0].url_id, best[0].depth, best[0].score) == (url_id_of("b/2"), 2, 0.9)
        assert best[0].note == b"b/2"

    def test_a_walk_goes_in_the_order_of_discovery_by_bounded_steps(self) -> None:
        prospects = self.three().strategy_state
        steps = list(prospects.walk(2))
        assert [_paths(step) for step in steps] == [["a/1", "b/2"], ["a/3"]]
        rows = [[url.row for url in step] for step in steps]
        ids = [b"".join(url.url_id for url in step) for step in steps]
        assert list(prospects.walk_ids(2)) == list(zip(rows, ids, strict=True))

    def test_what_is_leased_does_not_wait(self) -> None:
        session = self.three()
        session.frontier.count_taken({"a": 1})
        session.frontier.lease(1, 1)
        assert session.strategy_state.count() == 2
        assert _paths(session.strategy_state.best(9)) == ["a/3", "a/1"]

    def test_new_scores_by_row_and_by_id(self) -> None:
        prospects = self.three().strategy_state
        rows = {url.url[7:]: url.row for url in prospects.best(9)}
        prospects.put_scores([rows["a/1"], rows["b/2"]], [7.0, 0.0])
        prospects.put_scores_of([url_id_of("a/3"), url_id_of("a/unknown")], [8.0, 9.0])
        scores = [(url.url[7:], url.score) for url in prospects.best(9)]
        assert scores == [("a/3", 8.0), ("a/1", 7.0), ("b/2", 0.0)]

    def test_scores_may_be_given_while_a_walk_goes_on(self) -> None:
        prospects = self.three().strategy_state
        for step in prospects.walk(1):
            prospects.put_scores([url.row for url in step], [-url.score for url in step])
        assert _paths(prospects.best(9)) == ["a/1", "a/3", "b/2"]

    def test_edges_are_the_links_of_fetched_pages(self) -> None:
        session = self.three()
        ids = {name: url_id_of(name) for name in ("a/1", "b/2", "a/3")}
        session.catalogue.put_links(ids["a/1"], ids["b/2"] + ids["a/3"], b"packed")
        session.catalogue.put_links(ids["b/2"], ids["a/1"], b"packed")
        edges = {
            (int(one), int(other))
            for sources, targets in session.strategy_state.edges()
            for one, other in zip(sources, targets, strict=True)
        }
        number = {name: int(numbers_of(url_id)[0]) for name, url_id in ids.items()}
        pairs = [("a/1", "b/2"), ("a/1", "a/3"), ("b/2", "a/1")]
        assert edges == {(number[one], number[other]) for one, other in pairs}

    def test_parts_of_the_state_are_replaced_one_by_one(self) -> None:
        prospects = self.begin().strategy_state
        assert prospects.state() == {}
        prospects.put_state({"words": b"old", "sites": b"s"})
        prospects.put_state({"words": b"new"})
        assert prospects.state() == {"words": b"new", "sites": b"s"}

    def test_starting_over_forgets_state_and_notes_and_scores_by_depth(self) -> None:
        prospects = self.three().strategy_state
        prospects.put_state({"words": b"old"})
        assert sorted(prospects.depths()) == [1, 2]
        prospects.start_over({1: -1.0, 2: -2.0})
        assert prospects.state() == {}
        found = [(url.url[7:], url.score, url.note) for url in prospects.best(9)]
        assert found == [("a/1", -1.0, b""), ("b/2", -2.0, b""), ("a/3", -2.0, b"")]


def _paths(urls: list[WaitingUrl]) -> list[str]:
    return [url.url.removeprefix("http://") for url in urls]
