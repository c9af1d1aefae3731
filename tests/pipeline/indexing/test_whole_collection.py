import json
import shutil
import sqlite3
from contextlib import closing

import numpy as np
import pytest

import telusur
from telusur.backends import open_store
from telusur.backends.embedded.places import INDEX
from telusur.backends.sqlite.database.schema import DATABASE
from telusur.backends.tantivy.index import TantivyIndex
from telusur.backends.tantivy.layout import FORMAT, read_format
from telusur.index.contract import number_of
from telusur.index.query import Query, Words
from telusur.index.standing import STANDING
from telusur.models import FacetCount, url_id_of
from telusur.pipeline.indexing import anchors
from telusur.pipeline.indexing import whole_collection as settling
from telusur.pipeline.indexing.items import make_item
from telusur.pipeline.indexing.standing import STANDING_BLOB
from telusur.pipeline.indexing.whole_collection import Background, last_seconds
from telusur.store.records import BEGINNING
from tests.sites import page, serving

FAST = {"allow_private": True, "delay": 0, "render": "never"}


def link(path, text):
    return f'<p><a href="{path}">{text}</a>'


PAGES = {
    "/": page("Start", "All about birds. " + link("/a", "Nocturnal hunters") + link("/b", "Hens")),
    "/a": page("A", "This page says little."),
    "/b": page("B", "Nor does this one. " + link("/a", "nocturnal hunters") + link("/c", "C")),
    "/c": page("C", "And this one. " + link("/a", "Night birds") + link("/", "home")),
}


@pytest.fixture(scope="module")
def crawled_once(tmp_path_factory):
    directory = tmp_path_factory.mktemp("settling") / "c"
    with serving(PAGES) as site:
        with telusur.open(directory) as collection:
            collection.crawl([site.url("/")], **FAST)
        yield directory, site


@pytest.fixture
def crawled(crawled_once, tmp_path):
    """The crawled site; each test changes a copy of its own."""
    directory, site = crawled_once
    with telusur.open(shutil.copytree(directory, tmp_path / "c")) as collection:
        yield collection, site


def found(collection, words):
    return [hit.url.rsplit("/", 1)[1] for hit in collection.search(words).hits]


def scores(collection, *queries):
    with telusur.open(collection.directory) as fresh:
        return {
            query: [(hit.url, round(hit.score, 5)) for hit in fresh.search(query).hits]
            for query in queries
        }


def test_what_links_say_finds_a_page_that_does_not_say_it(crawled):
    collection, _ = crawled
    collection.index(settle=True)
    assert found(collection, "nocturnal")[0] == "a"
    (word,) = collection.terms("nocturnal")
    assert word.best[0].places == {"anchor": 2}


def test_the_small_crawl_had_time_to_fold_them_in_by_itself(crawled):
    collection, _ = crawled
    assert "a" in found(collection, "nocturnal")


def test_the_standing_of_every_page_is_worked_out(crawled):
    collection, site = crawled
    table = open_store(collection.directory).blobs.read_array(STANDING_BLOB, STANDING)
    rows = {row["number"]: row for row in table}
    by_path = {
        path: rows[number_of(url_id_of(telusur.normalize_url(site.url(path))))] for path in PAGES
    }
    assert {path: int(row["links"]) for path, row in by_path.items()} == {
        "/": 1, "/a": 3, "/b": 1, "/c": 1,
    }  # fmt: skip
    assert {path: int(row["depth"]) for path, row in by_path.items()} == {
        "/": 0, "/a": 1, "/b": 1, "/c": 2,
    }  # fmt: skip
    assert np.mean(table["rank"]) == pytest.approx(1.0, abs=0.01)
    assert by_path["/a"]["rank"] == max(table["rank"])


def test_settled_the_index_is_the_same_however_it_came_about(crawled):
    collection, _ = crawled
    queries = ("nocturnal", "birds", "page little")
    collection.index(settle=True)
    once = scores(collection, *queries)
    (collection.directory / INDEX / "indexed.json").unlink()  # everything is replaced by itself
    collection.index()
    collection.index(settle=True)
    assert scores(collection, *queries) == once
    for path in (collection.directory / INDEX).iterdir():
        path.unlink()
    collection.index(settle=True)
    assert scores(collection, *queries) == once


def test_settling_a_settled_index_does_nothing(crawled):
    collection, _ = crawled
    collection.index(settle=True)
    before = (collection.directory / INDEX / "meta.json").read_bytes()
    collection.index(settle=True)
    assert (collection.directory / INDEX / "meta.json").read_bytes() == before


def test_a_text_that_leads_everywhere_says_nothing(crawled, monkeypatch):
    collection, _ = crawled
    monkeypatch.setattr(anchors, "DULL_FROM", 1)
    (collection.directory / INDEX / "indexed.json").unlink()
    collection.index()
    collection.index(settle=True)
    assert sorted(found(collection, "nocturnal")) == ["", "b"]


def test_link_texts_in_many_files_are_the_same(crawled, monkeypatch):
    collection, _ = crawled
    collection.index(settle=True)
    once = scores(collection, "nocturnal", "birds")
    monkeypatch.setattr(anchors, "PAGES_A_FILE", 1)
    (collection.directory / INDEX / "anchored.npy").unlink()
    collection.index(settle=True)
    assert scores(collection, "nocturnal", "birds") == once


def test_in_the_background_a_page_waits_until_its_links_have_doubled(crawled):
    collection, site = crawled
    collection.index(settle=True)
    directory = collection.directory / INDEX
    told = np.load(directory / "anchored.npy")
    told["digest"] += 1  # as if all link texts had changed since
    few, many = told.copy(), told.copy()
    few["links"] = 1
    many["links"] = 100
    for links, is_due in ((many, False), (few, True)):
        np.save(directory / "anchored.npy", links)
        store = open_store(collection.directory)
        index = store.index()
        background = Background(store, index)
        background.work(0.0, is_last=True)  # no time: nothing happens
        settling_pass = settling._Pass(store, index)
        for _ in settling_pass.gather():
            pass
        for _ in settling_pass.fold_doubled():
            pass
        settling_pass.close()
        index.close()
        after = np.load(directory / "anchored.npy")
        own = after["number"] == number_of(url_id_of(telusur.normalize_url(site.url("/a"))))
        assert bool(after["links"][own][0] == 3) is is_due


def test_a_pass_goes_on_a_little_at_a_time(crawled, monkeypatch):
    collection, _ = crawled
    monkeypatch.setattr(settling, "FIRST_PASS", 1)
    directory = collection.directory / INDEX
    for name in ("anchored.npy", "standing.npy"):
        (directory / name).unlink()
    store = open_store(collection.directory)
    index = store.index()
    ticks = iter(range(10_000))
    background = Background(store, index, clock=lambda: next(ticks))
    steps = 0
    while not (directory / "anchored.npy").exists():
        background.work(1.5)
        steps += 1
        assert steps < 100
    assert steps > 3
    index.close()


def test_the_last_pass_is_over_all_documents(crawled, monkeypatch):
    """A pass that was under way when the crawl ended left pages without a static rank."""
    collection, _ = crawled
    monkeypatch.setattr(settling, "FIRST_PASS", 1)
    directory = collection.directory / INDEX
    for name in ("anchored.npy", "standing.npy"):
        (directory / name).unlink()
    store = open_store(collection.directory)
    index = store.index()
    now = [0.0]
    background = Background(store, index, clock=lambda: now[0])
    counts = iter([1])  # the pass begins with one document
    monkeypatch.setattr(index, "count", lambda: next(counts, collection.counts().documents))
    steps = settling._Pass.gather

    def slowly(work, **wishes):
        for _ in steps(work, **wishes):
            now[0] += 100.0
            yield

    monkeypatch.setattr(settling._Pass, "gather", slowly)
    background.work(1.0)  # one step, which costs all that the next times have
    first = background._pass
    assert first is not None
    monkeypatch.setattr(settling._Pass, "gather", steps)
    background.work(1.0, is_last=True)
    assert background._pass is not first
    assert len(np.load(directory / "standing.npy")) == collection.counts().documents
    index.close()


def test_the_last_pass_of_a_large_collection_reads_no_link_texts(crawled, monkeypatch):
    collection, _ = crawled
    directory = collection.directory / INDEX
    for name in ("anchored.npy", "standing.npy"):
        (directory / name).unlink()
    store = open_store(collection.directory)
    index = store.index()
    pages = collection.counts().documents
    monkeypatch.setattr(settling, "MOST_WITH_LINK_TEXTS", pages - 1)
    Background(store, index).work(60.0, is_last=True)
    assert len(np.load(directory / "standing.npy")) == pages
    assert not (directory / "anchored.npy").exists()
    monkeypatch.setattr(settling, "MOST_WITH_LINK_TEXTS", pages)
    Background(store, index).work(60.0, is_last=True)
    assert (directory / "anchored.npy").exists()
    index.close()


def test_the_last_work_is_in_proportion_to_the_new_documents():
    assert last_seconds(300, 300) == pytest.approx(0.3)
    assert last_seconds(600, 900) == pytest.approx(0.6)
    assert last_seconds(10_000, 10_000) == pytest.approx(0.3)
    assert last_seconds(100_000, 200_000) == pytest.approx(3.0)
    # Few new documents get as much as ranks of a small collection take, and the most is bounded.
    assert last_seconds(1, 900) == last_seconds(0, 10) == last_seconds(9, 10**7) == 0.15
    assert last_seconds(10**7, 10**7) == 10.0


def test_links_to_a_copy_count_for_the_original(tmp_path):
    same = "The same words stand on both of these pages, and there are enough of them."
    pages = {
        "/": page("Start", link("/one", "first words") + link("/two?x", "second words")),
        "/one": page("One", same),
        "/two?x": page("One", same),
    }
    with serving(pages) as site, telusur.open(tmp_path / "c") as collection:
        collection.crawl([site.url("/")], **FAST)
        collection.index(settle=True)
        (hit,) = (hit for hit in collection.search("second words").hits if "one" in hit.url)
        assert hit.duplicates == (site.url("/two?x"),)


def test_reindexing_extracts_again_and_fetches_nothing(crawled):
    collection, site = crawled
    asked = len(site.requests)
    db = sqlite3.connect(collection.directory / DATABASE)
    db.execute("UPDATE documents SET text = 'lost', title = 'lost', headings = ''")
    db.commit()
    db.close()
    collection.add([telusur.Document(url="http://own.example/", text="My own words.")])
    crawl_id = collection.document(site.url("/a")).crawl_id
    assert crawl_id is not None
    assert collection.reindex() == len(PAGES)
    assert collection.document(site.url("/a")).crawl_id == crawl_id
    assert len(site.requests) == asked
    with telusur.open(collection.directory) as fresh:
        assert "little" in fresh.document(site.url("/a")).text
        assert found(fresh, "little") == ["a"]
        assert found(fresh, "own words")[0] == ""
        assert found(fresh, "lost") == []


@pytest.mark.parametrize("number", [1, FORMAT - 1])
def test_an_index_of_an_older_format_is_made_anew_by_itself(crawled, caplog, number):
    collection, _ = crawled
    before = found(collection, "birds")
    (collection.directory / INDEX / "format").write_text(f"{number}\n")
    with telusur.open(collection.directory) as old:
        assert found(old, "birds") == before
        assert old.search("birds", facets=("crawl",)).facets["crawl"] == (
            FacetCount("1", len(before)),
        )
    assert read_format(collection.directory / INDEX) == FORMAT
    assert "older format" in caplog.text
    position = json.loads((collection.directory / INDEX / "indexed.json").read_text())["seq"]
    assert int(position) >= len(PAGES)


def test_an_index_with_the_texts_of_format_6_becomes_one_without(crawled):
    collection, _ = crawled
    index = collection.directory / INDEX
    before = [(hit.url, hit.snippet, hit.marks) for hit in collection.search("birds").hits]
    assert before
    shutil.rmtree(index)
    # Until format 6 an index stored the texts, as one without a catalogue does today.
    fat = TantivyIndex(index)
    with closing(collection._store.changes()) as changes:
        fat.replace(make_item(change) for change, _ in changes.after(BEGINNING, 99))
        fat.commit(changes.end())
    fat.close()
    (index / "format").write_text("6\n")
    with telusur.open(collection.directory) as old:
        assert [(hit.url, hit.snippet, hit.marks) for hit in old.search("birds").hits] == before
    assert read_format(index) == FORMAT
    lean = TantivyIndex(index, read_only=True)
    found = lean.search(Query(wanted=(Words((("bird",),)),))).entries
    assert [entry.text for entry in found] == [""] * len(before)
