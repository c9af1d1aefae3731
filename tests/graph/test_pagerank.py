import numpy as np
import pytest

from telusur.graph import pagerank as module
from telusur.graph.pagerank import count_edges, pagerank

# The example of Wikipedia's article on PageRank, with the ranks it states in per cent.
EDGES = "BC CB DA DB EB ED EF FB FE GB GE HB HE IB IE JE KE"
STATED = {
    "A": 3.3,
    "B": 38.4,
    "C": 34.3,
    "D": 3.9,
    "E": 8.1,
    "F": 3.9,
    **dict.fromkeys("GHIJK", 1.6),
}


def arrays(edges):
    pairs = [(ord(edge[0]) - 65, ord(edge[1]) - 65) for edge in edges.split()]
    sources, targets = np.array(pairs, np.uint32).T
    return sources, targets


def test_a_known_graph():
    ranks = pagerank(*arrays(EDGES), 11, tolerance=1e-9)
    assert ranks.sum() == pytest.approx(1.0)
    for letter, stated in STATED.items():
        assert 100 * ranks[ord(letter) - 65] == pytest.approx(stated, abs=0.06), letter


def test_edges_in_pieces_give_the_same(monkeypatch):
    whole = pagerank(*arrays(EDGES), 11)
    monkeypatch.setattr(module, "PIECE", 3)
    assert pagerank(*arrays(EDGES), 11) == pytest.approx(whole)


def test_pages_without_links_are_equal_and_no_pages_have_no_rank():
    none = np.zeros(0, np.uint32)
    assert pagerank(none, none, 4) == pytest.approx([0.25] * 4)
    assert len(pagerank(none, none, 0)) == 0


def test_links_are_counted():
    sources, targets = arrays("AB AC BC")
    assert count_edges(targets, 3).tolist() == [0, 1, 2]
    assert count_edges(sources, 3).tolist() == [2, 1, 0]
