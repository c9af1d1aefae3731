"""What a topical crawl found relevant is searched by `topic:` and counted as a facet."""

import sqlite3

import pytest

import telusur
from telusur.backends.sqlite.database.tables import TOPIC_SCORES
from telusur.graph.contract import MapRequest

TOPIC = "bread oven"


@pytest.fixture(scope="module")
def topical(demo, tmp_path_factory):
    """The demo web's blog, crawled for a topic out of the archive."""
    directory = tmp_path_factory.mktemp("topical") / "collection"
    with telusur.open(directory) as collection:
        collection.crawl(
            [demo.url("blog"), demo.url("news")], replay=str(demo.directory), topic=TOPIC,
            strategy="best-first", relevant=0.2, pages=120,
        )  # fmt: skip
        yield collection


def test_the_facet_counts_what_reached_the_threshold(topical):
    pages = [page for page in topical.pages() if page["topic_score"] is not None]
    relevant = {page["url"] for page in pages if page["topic_score"] >= 0.2}
    assert 0 < len(relevant) < len(pages)
    (counted,) = topical.search(f'topic:"{TOPIC}"', facets=("topic",)).facets["topic"]
    assert counted.value == TOPIC
    found = topical.search(f'topic:"{TOPIC}"', limit=100, per_site=0)
    assert {hit.url for hit in found.hits} <= relevant | titled(topical, "bread oven")
    assert counted.count <= len(relevant)


def titled(collection, words):
    return {page["url"] for page in collection.pages() if words in page["title"].lower()}


def test_a_word_of_the_topic_is_enough_in_any_form(topical):
    all_of_it = topical.search(f'topic:"{TOPIC}"', limit=100, per_site=0).total
    assert topical.search("topic:ovens", limit=100, per_site=0).total >= all_of_it > 0


def test_a_topic_nobody_crawled_for_looks_at_titles_and_addresses(topical):
    found = topical.search("topic:tide", limit=100, per_site=0)
    assert all("tide" in (hit.title + hit.url).lower() for hit in found.hits)


def test_a_document_keeps_its_topic_when_it_is_indexed_again(topical):
    before = topical.search(f'topic:"{TOPIC}"').total
    topical.reindex()
    assert topical.search(f'topic:"{TOPIC}"').total == before


def test_the_map_knows_what_is_about_the_topic(topical, demo):
    relevant = {page["url"] for page in topical.pages() if (page["topic_score"] or 0) >= 0.2}
    shown = topical.maps.map(MapRequest(about=0.2))
    assert {node.url for node in shown.nodes if node.fits} == relevant
    assert all(node.topic >= 0.2 for node in shown.nodes if node.fits)
    (branch, *_) = topical.maps.branches().branches
    assert branch.topic == next(node.topic for node in shown.nodes if node.url == branch.url)
    with sqlite3.connect(topical.directory / "collection.db") as db:
        (plan,) = db.execute(f"EXPLAIN QUERY PLAN {TOPIC_SCORES}")
    assert "documents_topics" in plan[3], "the texts need not be read"
    with telusur.open(demo.directory) as plain:
        assert not plain.maps.map(MapRequest()).has_topic
