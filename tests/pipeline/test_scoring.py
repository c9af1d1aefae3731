"""Scoring on the store in memory: what a strategy is shown, what is kept of it, what is refused."""

import pytest

from telusur.crawl.strategies import Strategy
from telusur.errors import UsageError
from tests.pipeline.in_memory import START, Desk, html


@pytest.fixture
def own(tmp_path):
    """Return a function that makes a desk with a strategy of the user."""

    def make(code, store=None):
        path = tmp_path / "mine.py"
        path.write_text(
            f"from telusur.crawl.strategies import Strategy\n\nclass Mine(Strategy):\n{code}"
        )
        return Desk(store=store, strategy=str(path))

    return make


def first_page(desk, links=("/a", "/b", "/c")):
    desk.start(START)
    outcome = desk.outcome(desk.lease()[START], html("Home", links=links))
    (urls,) = desk.write(outcome).more.values()
    return [one.url.removeprefix(START) for one in urls]


def test_links_are_handed_out_by_their_scores(own):
    desk = own(
        "    def score(self, links, visit):\n"
        "        return [{'a': 1, 'b': 3, 'c': 2}[link.url[-1]] for link in links]\n"
    )
    assert first_page(desk) == ["b", "c", "a"]


@pytest.mark.parametrize("result", ["[1.0]", "[float('nan')] * len(links)"])
def test_a_score_for_each_link_and_a_finite_one(own, result):
    desk = own(f"    def score(self, links, visit):\n        return {result}\n")
    with pytest.raises(UsageError, match="a finite number for each link"):
        first_page(desk)


def test_what_was_learned_is_committed_with_its_page_and_restored(own):
    code = (
        "    seen = 0\n"
        "    def score(self, links, visit):\n"
        "        self.seen += 1\n"
        "        return [float(self.seen)] * len(links)\n"
        "    def save(self):\n"
        "        return {'seen': str(self.seen).encode()}\n"
        "    def restore(self, parts):\n"
        "        self.seen = int(parts['seen'])\n"
    )
    desk = own(code)
    first_page(desk)
    desk.session.close()
    again = own(code, desk.store)
    again.recorder.scoring.resume()
    assert (again.recorder.scoring.strategy.seen, again.recorder.scoring.pages) == (1, 1)


def test_starting_over_forgets_it_and_scores_what_waits_by_depth(own):
    desk = own(
        "    def score(self, links, visit):\n        return [9.0] * len(links)\n"
        "    def save(self):\n        return {'x': b'1'}\n"
    )
    first_page(desk)
    desk.recorder.finish(desk.clock())
    with desk.recorder.transaction():
        desk.recorder.scoring.start_over()
    assert desk.session.strategy_state.state() == {}
    waiting = desk.session.strategy_state.best(9)
    plain = Strategy.plain_score(desk.recorder.scoring.strategy, 1)
    assert {one.score for one in waiting} == {plain}


def test_urls_that_come_back_with_a_group_are_scored_again_before_the_next_is_chosen(own):
    """A slow answer must not decide the order: a URL leased meanwhile has no score of its own."""
    desk = own(
        "    rescore_growth = 1e-9\n"
        "    turns = 0\n"
        "    def score(self, links, visit):\n"
        "        return [0.0] * len(links)\n"
        "    def rescore(self, prospects):\n"
        "        self.turns += 1\n"
        "        for urls in prospects.walk():\n"
        "            last = [ord(one.url[-1]) for one in urls]\n"
        "            scores = [1000 - n for n in last] if self.turns == 1 else last\n"
        "            prospects.put_scores([one.row for one in urls], scores)\n"
    )
    desk.start(START)
    home = desk.outcome(desk.lease()[START], html("Home", links=("/a", "/b", "/c")))
    host = home.host
    (first,) = desk.write(home, hungry=[(host, 1)]).more[host]
    ahead = desk.write(hungry=[(host, 1)]).more[host]
    assert [one.url[-1] for one in (first, *ahead)] == ["a", "b"]
    answer = desk.outcome(first, html("A", "another text"))
    refill = desk.write(answer, hungry=[(host, 1)], exchanged={host: list(ahead)})
    assert [one.url[-1] for one in refill.more[host]] == ["c"]
    assert desk.states() == {"done": 2, "leased": 1, "waiting": 1}


@pytest.mark.parametrize("base", ["BreadthFirst", "DepthFirst"])
def test_strategies_that_go_by_depth_hand_out_alike_whether_they_see_pages_or_not(base, tmp_path):
    """A subclass is shown each page; its base is not."""
    path = tmp_path / "mine.py"
    path.write_text(
        f"from telusur.crawl.strategies.{base.replace('F', '_f').lower()} import {base}\n\n"
        f"class Mine({base}):\n"
        "    pages = []\n"
        "    def learn(self, page):\n"
        "        self.pages.append((page.url, [one.link.url for one in page.found]))\n"
    )
    handed_out = []
    for strategy in (base.replace("F", "-f").lower(), str(path)):
        desk = Desk(strategy=strategy).start(START)
        outcome = desk.outcome(desk.lease()[START], html("Home", links=("/a", "/b", "/c")))
        (urls,) = desk.write(outcome).more.values()
        handed_out.append([(one.url, one.score, one.depth, one.note) for one in urls])
        assert desk.recorder.scoring.pages == 1
    assert handed_out[0] == handed_out[1]
    assert len(handed_out[0]) == 3
    assert desk.recorder.scoring.strategy.pages == [(START, [f"{START}{name}" for name in "abc"])]
