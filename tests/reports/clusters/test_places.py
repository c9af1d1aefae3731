"""Where blocks stand, with and without a browser."""

from telusur.models import Block, Bounds
from telusur.reports.clusters.places import BlockPlace, PagePlaces, choose_pages, find_places


def test_without_a_browser_blocks_are_below_each_other_as_long_as_their_text():
    short, long = find_places([Block("Home"), Block("word " * 40)])
    assert (short.x, short.y, short.width) == (0, 0, 4)
    assert long.y > short.y + short.height
    assert (long.width, long.height) == (80, 3 * short.height)
    endless = find_places([Block("word " * 10_000)])[0]
    assert endless.height < 15 * short.height


def test_the_places_of_a_browser_are_kept_within_reason():
    blocks = [
        Block("a", bounds=Bounds(10.4, 20.6, 300, 0)),
        Block("b", bounds=Bounds(-5_000, 1e9, 1e12, 20)),
        Block("c"),
    ]
    assert find_places(blocks) == [
        Bounds(10, 21, 300, 2), Bounds(0, 100_000, 100_000, 20), Bounds(0, 0, 2, 2),
    ]  # fmt: skip
    assert find_places([]) == []


def test_a_page_is_as_large_as_its_blocks_reach():
    page = PagePlaces("u", (BlockPlace(1, 0, 0, 10, 5), BlockPlace(None, 50, 5, 30, 5)))
    assert (page.width, page.height, page.clusters) == (80, 10, {1})
    assert (PagePlaces("u", ()).width, PagePlaces("u", ()).height) == (1, 1)


def test_few_pages_that_have_most_clusters():
    pages = [frozenset({1}), frozenset({1, 2, 3}), frozenset({3, 4}), frozenset({5})]
    assert choose_pages(pages, 12) == [1, 2, 3]
    assert choose_pages(pages, 2) == [1, 2]
    assert choose_pages([], 12) == []
