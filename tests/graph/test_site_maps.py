from collections import Counter

from telusur.graph.contract import Sample
from telusur.graph.site_maps import make_site_map


def test_sites_and_their_links_are_counted(web):
    graph, pages, ends = web
    shown = make_site_map(graph)
    assert {site.domain: site.pages for site in shown.sites} == Counter(page.site for page in pages)
    expected = Counter(
        (pages[a].site, pages[b].site) for a, b in ends if pages[a].site != pages[b].site
    )
    names = [site.domain for site in shown.sites]
    assert {(names[one.source], names[one.target]): one.links for one in shown.links} == expected
    assert (shown.pages, shown.pages_read, shown.all_sites) == (200, 200, 7)


def test_a_part_of_the_links_stands_for_all(web):
    graph, _, _ = web
    whole = graph.sample(graph.outline())
    kept = whole.sources < 100
    half = Sample(whole.sources[kept], whole.targets[kept], 100)
    exact = make_site_map(graph)
    graph.sample = lambda outline: half
    shown = make_site_map(graph)
    assert shown.pages_read == 100
    assert all(link.links % 2 == 0 for link in shown.links)
    total = sum(link.links for link in exact.links)
    assert 0.7 * total < sum(link.links for link in shown.links) < 1.3 * total
