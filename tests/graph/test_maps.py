"""Maps against the simplest way to make them."""

import numpy as np
import pytest

from telusur.errors import UsageError
from telusur.graph.contract import MapRequest
from telusur.graph.maps import Asked, make_map, walk_map
from telusur.graph.memory import MemoryGraph, MemoryPage
from tests.graph.conftest import make_graph

REQUESTS = [
    {}, {"most": 20}, {"most": 1}, {"site": "site3.example"}, {"depth": 2}, {"most": None},
    {"site": "site3.example", "most": 15}, {"depth": 2, "site": "site0.example"},
    {"around": "https://x.example/", "steps": 1}, {"around": "https://x.example/", "steps": 3},
    {"around": "https://x.example/", "steps": 2, "most": 9},
]  # fmt: skip
CENTRE = 1150


def ask(**wishes):
    return Asked(MapRequest(**wishes), centre=CENTRE)


def hangs_together(nodes, links, starts):
    """Every node but the start URLs has a tree link to an earlier one."""
    hanging = {max(link.source, link.target) for link in links if link.tree}
    alone = {node.id for node in nodes} - hanging
    return all(nodes[number].url in starts for number in alone) and len(hanging) == sum(
        link.tree for link in links
    )


@pytest.mark.parametrize("wishes", REQUESTS, ids=str)
def test_every_node_hangs_on_an_earlier_one(web, wishes):
    graph, pages, _ = web
    shown = make_map(graph, ask(**wishes))
    starts = {page.url for page in pages if page.parent < 0}
    if wishes.get("around"):
        starts = {pages[CENTRE - 1000].url}
    assert shown.nodes
    assert [node.id for node in shown.nodes] == list(range(len(shown.nodes)))
    assert hangs_together(shown.nodes, shown.links, starts)
    assert len(shown.nodes) <= (wishes.get("most", 1000) or 1000)
    assert len({(node.x, node.y) for node in shown.nodes}) == len(shown.nodes)


@pytest.mark.parametrize("wishes", REQUESTS, ids=str)
def test_links_are_those_between_the_pages(web, wishes):
    graph, pages, ends = web
    shown = make_map(graph, ask(**wishes))
    place = {page.url: number for number, page in enumerate(pages)}
    on_map = [place[node.url] for node in shown.nodes]
    expected = {(a, b) for a, b in ends if a in set(on_map) and b in set(on_map) and a != b}
    found = [(on_map[link.source], on_map[link.target]) for link in shown.links]
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert shown.all_links == len(expected)
    assert all(link.depth == shown.nodes[link.target].depth for link in shown.links)


def test_all_pages_that_fit_are_there_and_the_ways_to_them(web):
    graph, pages, _ = web
    shown = make_map(graph, ask(site="site3.example", depth=4))
    fitting = {page.url for page in pages if page.site == "site3.example" and page.depth <= 4}
    assert {node.url for node in shown.nodes if node.fits} == fitting
    assert shown.fitting == len(fitting)
    ways = set()
    for page in pages:
        while page.url in fitting or page.url in ways:
            ways.add(page.url)
            if page.parent < 0:
                break
            page = pages[page.parent]  # noqa: PLW2901
            ways.add(page.url)
    assert {node.url for node in shown.nodes} == ways


def test_the_best_pages_come_first(web):
    graph, pages, _ = web
    shown = make_map(graph, ask(most=90))
    shown_urls = {node.url for node in shown.nodes}
    best = sorted(pages, key=lambda page: -page.rank)
    assert {page.url for page in best[:5]} <= shown_urls


def test_around_is_breadth_first(web):
    graph, pages, ends = web
    shown = make_map(graph, ask(around="https://x.example/", steps=2))
    both = {frozenset(pair) for pair in ends}
    reached = {CENTRE - 1000}
    for _ in range(2):
        reached |= {other for one in reached for pair in both if one in pair for other in pair}
    assert {node.url for node in shown.nodes} == {pages[place].url for place in reached}


def test_words_choose_pages(web):
    graph, pages, _ = web
    asked = Asked(MapRequest(words="x"), hits=np.array([1007, 1100, 9999999], np.uint64))
    shown = make_map(graph, asked)
    assert {node.url for node in shown.nodes if node.fits} == {pages[7].url, pages[100].url}
    assert shown.fitting == 2


def test_what_is_walked_is_what_is_made(web):
    graph, _, _ = web
    for most in (None, 30):
        nodes, links = walk_map(graph, ask(most=most))
        shown = make_map(graph, ask(most=most))
        assert [(node.id, node.url) for node in nodes] == [(n.id, n.url) for n in shown.nodes]
        assert sorted(links) == sorted(shown.links)


def test_too_many_links_are_thinned_out_fairly():
    graph, _, _ = make_graph(300, links=60)
    shown = make_map(graph, ask())
    assert len(shown.links) == 3000 < shown.all_links
    assert all(any(link.source == node.id for link in shown.links) for node in shown.nodes)
    assert sum(link.tree for link in shown.links) == 297


def test_a_page_that_is_not_there_is_one_clear_sentence(web):
    graph, _, _ = web
    with pytest.raises(UsageError, match=r"https://nowhere\.example/: the collection has not"):
        make_map(graph, Asked(MapRequest(around="https://nowhere.example/"), centre=5))


def test_an_unknown_site_and_an_empty_collection_have_no_pages(web):
    assert make_map(web[0], ask(site="nowhere.example")).nodes == ()
    empty = make_map(MemoryGraph([]), ask())
    assert (empty.nodes, empty.links, empty.sites) == ((), (), ())


def test_a_way_as_long_as_the_collection_costs_no_recursion():
    pages = [
        MemoryPage(n, f"https://a.example/{n}", "", "a.example", n - 1, min(n, 9))
        for n in range(3000)
    ]
    shown = make_map(MemoryGraph(pages), Asked(MapRequest(most=100)))
    assert [node.id for node in shown.nodes] == list(range(100))


def test_only_what_is_about_the_topic_fits():
    scores = (None, 0.5, 0.49, 0.9, None)
    pages = [
        MemoryPage(n, f"https://a.example/{n}", "", "a.example", n - 1, n, topic=score)
        for n, score in enumerate(scores)
    ]
    shown = make_map(MemoryGraph(pages), Asked(MapRequest(about=0.5)))
    assert [(node.fits, node.topic) for node in shown.nodes] == [
        (False, None), (True, 0.5), (False, 0.49), (True, 0.9),
    ]  # fmt: skip
    assert (shown.has_topic, shown.fitting) == (True, 2)


def test_without_a_topic_nothing_can_be_about_it(web):
    assert not make_map(web[0], Asked(MapRequest())).has_topic
    with pytest.raises(UsageError, match="had a topic"):
        make_map(web[0], Asked(MapRequest(about=0.5)))
