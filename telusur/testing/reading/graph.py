"""What maps must get about pages and links: `WebGraphSuite`."""

from collections.abc import Sequence
from typing import cast

import numpy as np

from telusur.graph.contract import WebGraph
from telusur.graph.outline import NO_PARENT, Outline
from telusur.index.contract import number_of
from telusur.index.standing import NO_STANDINGS, STANDING, Standings
from telusur.models import State
from telusur.store.store import Store
from telusur.testing.cases import StoreCase
from telusur.testing.reading.filling import FilledStore, found_url, id_of, paths_in


class WebGraphSuite(StoreCase):
    """Answered pages in the order they were found, and the links between them."""

    def test_a_store_without_pages(self) -> None:
        graph = graph_of(FilledStore(self))
        outline = graph.outline()
        assert (len(outline), graph.name(outline, [])) == (0, [])
        assert graph.sample(outline).pages == 0

    def test_answered_pages_in_the_order_they_were_found(self) -> None:
        filled = FilledStore(self)
        filled.find("b.example/", depth=0)
        filled.find("a.example/", "a.example/waits", "a.example/fails")
        for path in ("a.example/", "b.example/"):
            filled.fetch(path)
        filled.fetch("a.example/fails", state=State.FAILED)
        filled.put_document("a.example/", title="Owls")
        graph = graph_of(filled)
        outline = graph.outline()
        assert paths_of(graph, outline) == ["b.example/", "a.example/"]
        assert [one.title for one in graph.name(outline, [1, 0, 1])] == ["Owls", "", "Owls"]
        assert outline.numbers.tolist() == [
            number_of(id_of(p)) for p in ("b.example/", "a.example/")
        ]
        assert outline.depths.tolist() == [0, 1]
        assert [outline.site_names[site] for site in outline.sites] == ["b.example", "a.example"]
        assert outline.topics is None

    def test_a_page_has_the_page_it_was_found_on(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/", depth=0)
        filled.find("a.example/1", parent=id_of("a.example/"))
        filled.find("a.example/2", depth=2, parent=id_of("a.example/1"))
        filled.fetch("a.example/")
        filled.fetch("a.example/2")
        graph = graph_of(filled)
        outline = graph.outline()
        # The page in the middle has no answer yet, but it is on the path.
        assert paths_of(graph, outline) == ["a.example/", "a.example/1", "a.example/2"]
        assert outline.parents.tolist() == [NO_PARENT, 0, 1]

    def test_a_page_comes_after_the_page_it_was_found_on(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", depth=5)
        filled.find("a.example/", depth=0)
        nearer = found_url("a.example/1", parent=id_of("a.example/"))
        filled.write(lambda session: session.frontier.add([nearer]))
        for path in ("a.example/1", "a.example/"):
            filled.fetch(path)
        outline = graph_of(filled).outline()
        assert all(parent < place for place, parent in enumerate(outline.parents.tolist()))

    def test_links_between_pages_each_pair_once(self) -> None:
        filled = FilledStore(self)
        paths = [f"a.example/{number}" for number in range(4)]
        for path in paths:
            filled.fetch(path)
        filled.find("a.example/waits")
        filled.put_links(paths[0], paths[1], paths[1], paths[0], paths[2], "a.example/waits")
        filled.put_links(paths[2], paths[0])
        filled.put_links("a.example/waits", paths[3])
        graph = graph_of(filled)
        outline = graph.outline()
        assert links_of(graph, outline, [0, 1, 2, 3]) == [(0, 1), (0, 2), (2, 0)]
        assert links_of(graph, outline, [2, 3]) == [(2, 0)]
        sample = graph.sample(outline)
        found = sorted(zip(sample.sources.tolist(), sample.targets.tolist(), strict=True))
        assert (found, sample.pages) == ([(0, 1), (0, 2), (2, 0)], 4)

    def test_ranks_are_looked_up(self) -> None:
        filled = FilledStore(self)
        for path in ("a.example/1", "a.example/2"):
            filled.fetch(path)
        table = np.zeros(1, STANDING)
        table["number"], table["rank"] = number_of(id_of("a.example/2")), 1.5
        assert graph_of(filled, Standings.of(table)).outline().ranks.tolist() == [0.0, 1.5]

    def test_topic_scores_of_a_crawl_with_a_topic(self) -> None:
        filled = FilledStore(self)
        filled.write(lambda session: session.catalogue.begin_crawl(
            {"topic": "owls"}, [], has_topic=True
        ))  # fmt: skip
        for path in ("a.example/1", "a.example/2"):
            filled.fetch(path)
        filled.put_document("a.example/1", topic_score=0.5)
        filled.put_document("a.example/2")
        outline = graph_of(filled).outline()
        assert [outline.topic_of(place) for place in (0, 1)] == [0.5, None]


def graph_of(filled: FilledStore, standings: Standings = NO_STANDINGS) -> WebGraph:
    """Open the pages of a store."""
    return cast(Store, filled.store).graph(lambda: standings)


def paths_of(graph: WebGraph, outline: Outline) -> list[str]:
    """Return what follows `http://` of the addresses of all pages."""
    return paths_in(graph.name(outline, range(len(outline))))


def links_of(graph: WebGraph, outline: Outline, places: Sequence[int]) -> list[tuple[int, int]]:
    """Return the links of pages, in order."""
    edges = graph.links_of(outline, np.array(places, np.int32))
    return sorted(
        pair for some in edges for pair in zip(some[0].tolist(), some[1].tolist(), strict=True)
    )
