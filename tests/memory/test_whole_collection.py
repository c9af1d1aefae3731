"""A crawl's pages are recorded, indexed and searched on memory alone: no disk, no process."""

import pytest

from telusur.collection import Collection
from telusur.graph.contract import MapRequest
from telusur.memory import MemoryStore
from telusur.pipeline.indexing.indexer import catch_up
from telusur.pipeline.indexing.whole_collection import settle
from telusur.search.request import SearchRequest
from tests.pipeline.in_memory import START, Desk, html

OWL, BOAT = f"{START}owl", f"{START}boat"
PAGES = {
    START: html("Coast", "Sand and sea. " * 5, links=["owl", "boat"]),
    OWL: html("Owls", "The owl sleeps by day and hunts by night.", links=["/"]),
    BOAT: html("Boats", "A boat with an owl on board.", links=["/owl"]),
}


@pytest.fixture(scope="module")
def store():
    store = MemoryStore()
    desk = Desk(store).start(START)
    waiting = desk.lease()
    while waiting:
        refill = desk.write(*(desk.outcome(one, PAGES[url]) for url, one in waiting.items()))
        waiting = {one.url: one for urls in refill.more.values() for one in urls}
    desk.session.close()
    index = store.index()
    assert catch_up(store, index) == 3
    assert settle(store, index)
    index.close()
    return store


def test_recorded_pages_are_found_ranked_and_shown(store):
    found = Collection(store).search("owls")
    assert (found.total, [hit.url for hit in found.hits]) == (3, [OWL, BOAT, START])
    hit = found.hits[0]
    assert (hit.title, hit.site, hit.language) == ("Owls", "coast.example", "en")
    start, end = hit.marks[0]
    assert hit.snippet[start:end] == "owl"


def test_a_score_is_explained_by_its_words(store):
    (hit,) = Collection(store).search("night", explain=True).hits
    assert hit.explanation.value == pytest.approx(hit.score)
    assert hit.explanation.details[0].description.startswith('"night": 1 of ')


def test_filters_and_facets(store):
    collection = Collection(store)
    request = SearchRequest("site:coast.example owl -boat", facets=("site", "type"))
    found = collection.answer(request)
    assert [hit.url for hit in found.hits] == [OWL]
    assert [(one.value, one.count) for one in found.facets["site"]] == [("coast.example", 1)]


def test_maps_links_and_counts_come_from_the_same_store(store):
    collection = Collection(store)
    shown = collection.maps.map(MapRequest())
    assert [node.url for node in shown.nodes if node.depth == 0] == [START]
    assert len(shown.links) == 4
    assert [link.url for link in collection.links_to(BOAT, 1, 9).links] == [START]
    assert (collection.counts().done, collection.count_indexed()) == (3, 3)


def test_it_verifies_itself(store):
    assert store.verify(lambda step, done, total: None).is_fine
