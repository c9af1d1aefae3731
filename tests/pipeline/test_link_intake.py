"""Link intake on the store in memory: what pages lead to, how deep it is, and what it is worth."""

from dataclasses import replace

import pytest

from telusur.crawl.frontier_records import LeasedUrl
from telusur.models import Reason
from tests.pipeline.in_memory import START, Desk, html


def walk(desk, pages):
    """Fetch pages in this order, each by its name; return the frontier's depths by name."""
    for name, links in pages:
        desk.write(desk.outcome(leased(desk, name), html(name or "home", links=links)))
    ids = {name: id_of(desk, name) for _, links in pages for name in map(path_of, links)}
    depths = desk.recorder.frontier.depths_of(list(ids.values()))
    return {name: depths[url_id] for name, url_id in ids.items()}


def path_of(link):
    return link.removeprefix("/")


def id_of(desk, name):
    return desk.discovery.found_by_address(f"{START}{name}", 0).url_id


def leased(desk, name):
    url_id = id_of(desk, name)
    depth = desk.recorder.frontier.depths_of([url_id])[url_id]
    return LeasedUrl(url_id, f"{START}{name}", depth, 0, 0)


@pytest.fixture
def desk():
    desk = Desk().start(START)
    desk.lease()
    return desk


def test_the_depth_is_the_shortest_way(desk):
    way = [("", ["/a"]), ("a", ["/b"]), ("b", ["/c", "/d"])]
    assert walk(desk, way) == {"a": 1, "b": 2, "c": 3, "d": 3}


def test_a_shorter_way_found_late_moves_up_everything_behind_it(desk):
    long_way = [("", ["/a", "/x"]), ("a", ["/b"]), ("b", ["/c"]), ("c", ["/d"])]
    assert walk(desk, long_way)["d"] == 4
    assert walk(desk, [("x", ["/c"])]) == {"c": 2}
    assert walk(desk, [("d", ["/e"])]) == {"e": 4}, "d moved up to 3 with c"


def test_what_was_too_deep_is_let_in_when_a_shorter_way_is_found():
    desk = Desk(depth=3).start(START)
    desk.lease()
    walk(desk, [("", ["/a", "/x"]), ("a", ["/b"]), ("b", ["/c"]), ("c", ["/deep"])])
    assert desk.states()["skipped"] == 1
    walk(desk, [("x", ["/c"])])
    assert "skipped" not in desk.states()


def test_a_redirect_is_worth_what_its_page_was_and_counts_hops(desk):
    target = desk.discovery.found_by_address(f"{START}new", 0)
    page = replace(leased(desk, ""), score=7.5, hops=2)
    refill = desk.write(desk.outcome(page, redirect=target))
    (urls,) = refill.more.values()
    assert [(one.url, one.score, one.hops, one.depth) for one in urls] == [
        (f"{START}new", 7.5, 3, 0)
    ]


def test_links_out_of_scope_are_remembered_with_their_reason(desk):
    away = "http://elsewhere.example/"
    desk.write(desk.outcome(leased(desk, ""), html("Home", links=[away])))
    assert desk.states() == {"done": 1, "skipped": 1}
    judged = []
    with desk.recorder.transaction():
        desk.recorder.frontier.admit_again(
            (Reason.SCOPE,), lambda url, depth: judged.append((url, depth)) or "no", float
        )
    assert judged == [(away, 1)]


def test_a_page_that_links_to_itself_and_twice_to_another_brings_one(desk):
    refill = desk.write(
        desk.outcome(leased(desk, ""), html("Home", links=["/", "/a", "/a#part", "/a"]))
    )
    assert refill.gained.found == 1
