"""The outline of the demo web against its rows, read the plain way."""

import sqlite3
from collections import defaultdict

import pytest

import telusur
from telusur.backends.sqlite import outline as sqlite_outline
from telusur.backends.sqlite.outline import SqliteWebGraph
from telusur.crawl.urls.identity import normalize_url
from telusur.graph.contract import MapRequest
from telusur.index.standing import NO_STANDINGS
from telusur.models import url_id_of
from telusur.reports.maps import number_of_url


@pytest.fixture(scope="module")
def rows(demo):
    with sqlite3.connect(demo.directory / "collection.db") as db:
        found = db.execute(
            "SELECT url_id, url, depth, parent, site, state FROM urls"
            " JOIN hosts ON host_id = hosts.id JOIN sites ON site_id = sites.id ORDER BY seq"
        ).fetchall()
        links = dict(db.execute("SELECT url_id, targets FROM links"))
    return found, links


@pytest.fixture(scope="module")
def graph(demo):
    with telusur.open(demo.directory) as collection:
        opened = SqliteWebGraph(demo.directory, collection._standings.read)
        yield opened
        opened.close()


def test_every_page_that_was_answered_is_there_in_order(graph, rows):
    outline = graph.outline()
    done = [row for row in rows[0] if row[5] == 2]
    named = graph.name(outline, range(len(outline)))
    assert [each.url for each in named] == [row[1] for row in done]
    assert outline.depths.tolist() == [row[2] for row in done]
    assert [outline.site_names[site] for site in outline.sites] == [row[4] for row in done]
    place = {row[0]: number for number, row in enumerate(done)}
    assert outline.parents.tolist() == [place.get(row[3], -1) for row in done]
    assert sum(row[3] is None for row in done) == (outline.parents == -1).sum()
    assert sum(outline.ranks > 0) > 500
    assert sum(bool(each.title) for each in named) > 500


def test_links_are_those_of_the_catalogue(graph, rows):
    outline = graph.outline()
    place = {row[0]: n for n, row in enumerate(row for row in rows[0] if row[5] == 2)}
    expected = defaultdict(set)
    for url_id, targets in rows[1].items():
        for at in range(0, len(targets), 16):
            end = place.get(targets[at : at + 16])
            if url_id in place and end not in (None, place[url_id]):
                expected[place[url_id]].add(end)
    found = defaultdict(set)
    everything = outline.best_first
    for sources, targets in graph.links_of(outline, everything):
        for source, target in zip(sources.tolist(), targets.tolist(), strict=True):
            assert target not in found[source]
            found[source].add(target)
    assert {source: ends for source, ends in found.items() if ends} == expected
    sample = graph.sample(outline)
    assert sample.pages == len(outline)
    pairs = set(zip(sample.sources.tolist(), sample.targets.tolist(), strict=True))
    assert pairs == {(source, end) for source, ends in expected.items() for end in ends}


def test_a_sample_of_links_is_bounded(graph, monkeypatch):
    monkeypatch.setattr(sqlite_outline, "MOST_SAMPLED_PAGES", 500)
    outline = graph.outline()
    assert graph._read_sample(outline).pages == 500


def test_a_parent_that_failed_later_stays_where_it_was(demo_copy):
    with sqlite3.connect(demo_copy / "collection.db") as db:
        url, parent = db.execute(
            "SELECT url, parent FROM urls WHERE state = 2 AND parent IS NOT NULL"
            " AND depth = 2 LIMIT 1"
        ).fetchone()
        db.execute("UPDATE urls SET state = 3 WHERE url_id = ?", (parent,))
    with telusur.open(demo_copy) as collection:
        way = collection.maps.way_to(url)
        assert url_id_of(normalize_url(way[-2].url)) == parent
        assert way[0].depth == 0


def test_what_a_crawl_adds_is_seen(demo_copy, monkeypatch):
    monkeypatch.setattr(sqlite_outline, "LEAST_AGE_SECONDS", 0.0)
    monkeypatch.setattr(sqlite_outline, "TIMES_AS_LONG", 0)
    graph = SqliteWebGraph(demo_copy, lambda: NO_STANDINGS)
    before = graph.outline()
    assert graph.outline() is before
    with sqlite3.connect(demo_copy / "collection.db") as db:
        db.execute("UPDATE urls SET state = 2 WHERE seq = (SELECT max(seq) FROM urls)")
    assert len(graph.outline()) == len(before) + 1
    graph.close()


def test_the_words_of_a_search_choose_pages(demo):
    with telusur.open(demo.directory) as collection:
        shown = collection.maps.map(MapRequest(words="sea"))
        hits = collection.search("sea", limit=100, per_site=0)
        assert {node.url for node in shown.nodes if node.fits} == {hit.url for hit in hits.hits}
        groups = collection.search("sea", limit=100, group="topic").groups
        topic = collection.maps.map(MapRequest(words="sea", topic=groups[0].name))
        assert {n.url for n in topic.nodes if n.fits} == {hit.url for hit in groups[0].hits}
        with pytest.raises(
            telusur.UsageError, match="These hits have no topic 'no'; the topics are "
        ):
            collection.maps.map(MapRequest(words="sea", topic="no"))
        with pytest.raises(telusur.UsageError, match="add search words"):
            collection.maps.map(MapRequest(topic="no"))


def test_addresses_that_are_none_have_no_number():
    assert number_of_url("not a url") is None
