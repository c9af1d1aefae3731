"""Ranks of waiting URLs: only what can be reached before the next time is ranked anew."""

import numpy as np

from telusur.crawl.strategies.contract import WaitingUrl
from telusur.crawl.strategies.link_graph import rank_waiting

HUBS, WAITING = 4, 3000
# All hubs link to these, and one hub to each of the others.
POPULAR = range(2000, 2400)
_FIRST_URL = 100
# Makes no two ranks the same, and leaves the order of those that differ.
TIES = np.linspace(0.9, 0.1, HUBS + WAITING)


class Web:
    """Hubs that were fetched, and the URLs they lead to; keeps the scores it is given."""

    def __init__(self):
        self.scores = {row: 1.0 / (1 + row) for row in range(WAITING)}
        self.put = {}

    def best(self, limit):
        rows = sorted(self.scores, key=lambda row: -self.scores[row])[:limit]
        return [WaitingUrl(row, _id_of(row), "", 1, self.scores[row], b"") for row in rows]

    def walk_ids(self, batch=1000):
        for start in range(0, WAITING, batch):
            rows = list(range(start, min(WAITING, start + batch)))
            yield rows, b"".join(map(_id_of, rows))

    def edges(self):
        pairs = sorted(
            (hub, _FIRST_URL + row)
            for row in range(WAITING)
            for hub in (range(HUBS) if row in POPULAR else [row % HUBS])
        )
        ends = np.array(pairs, np.uint64)
        yield ends[:, 0], ends[:, 1]

    def put_scores(self, rows, scores):
        self.put.update(zip(rows, scores, strict=True))


def _id_of(row):
    return (_FIRST_URL + row).to_bytes(8, "big") + bytes(8)


def count_links(sources, targets, count):
    return np.bincount(targets, minlength=count).astype(float)


def test_what_was_on_top_and_what_is_now_is_ranked_and_nothing_that_is_out_of_reach():
    web = Web()
    rank_waiting(web, lambda sources, targets, count: count_links(sources, targets, count) + TIES)
    assert {row for row, score in web.put.items() if score > HUBS} == set(POPULAR)
    assert set(range(500)) < web.put.keys(), "what was on top must give way"
    assert len(web.put) < 1200, "of 3,000 that wait"


def test_all_that_are_as_good_as_the_last_are_ranked():
    web = Web()
    rank_waiting(web, count_links)
    assert web.put.keys() == set(range(WAITING)), "who is taken must not be chance"
