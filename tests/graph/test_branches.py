from itertools import pairwise

from telusur.graph.branches import find_way, list_branches


def below(pages, place):
    found = [n for n, page in enumerate(pages) if page.parent == place]
    return len(found) + sum(below(pages, each) for each in found)


def test_branches_are_the_pages_found_on_a_page(web):
    graph, pages, _ = web
    for place, page in enumerate(pages):
        branches = list_branches(graph, page.number, 0, 1000)
        children = [each for each in pages if each.parent == place]
        assert [each.url for each in branches.branches] == [each.url for each in children]
        assert branches.total == branches.parent.children == len(children)
        assert branches.parent.below == below(pages, place)
        assert [each.at for each in branches.branches] == list(range(len(children)))


def test_branches_come_in_pages(web):
    graph, pages, _ = web
    whole = list_branches(graph, None, 0, 10)
    assert [each.url for each in whole.branches] == [page.url for page in pages[:3]]
    assert whole.parent is None
    part = list_branches(graph, None, 1, 1)
    assert (part.branches, part.start, part.total) == (whole.branches[1:2], 1, 3)
    assert list_branches(graph, None, 50, 10).branches == ()
    assert list_branches(graph, 5, 0, 10) is None


def test_the_way_to_a_page_begins_at_a_start_url(web):
    graph, pages, _ = web
    way = find_way(graph, 1180)
    assert way[-1].url == pages[180].url
    assert pages[0].depth == way[0].depth == 0
    for earlier, later in pairwise(way):
        parent = next(page for page in pages if page.url == later.url).parent
        assert pages[parent].url == earlier.url
    assert find_way(graph, 5) == ()
