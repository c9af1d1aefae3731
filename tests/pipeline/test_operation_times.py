"""How long each operation on a page took is kept with the page and shown."""

import json
import sqlite3
from contextlib import closing

import pytest

import telusur
from telusur.backends.files.blobs import FileBlobs
from telusur.backends.sqlite.operation_times import (
    operations_column,
    pack_operations,
    unpack_operations,
)
from telusur.cli import run
from telusur.pipeline.indexing.index_seconds import (
    append_index_seconds,
    find_index_seconds,
    forget_index_seconds,
)
from tests.sites import Answer, page, serving

WEB = {"/": page("Home", "Welcome to all.", ["/slow", "/gone"]), "/slow": page("Slow", "It waits.")}
SLOW_SECONDS = 0.2


@pytest.fixture(scope="module")
def crawled(tmp_path_factory):
    directory = tmp_path_factory.mktemp("times") / "c"
    slow = Answer(page("Slow", "It waits."), headers={"Content-Type": "text/html"})
    slow.seconds = SLOW_SECONDS
    with serving({**WEB, "/slow": slow}) as site, telusur.open(directory) as collection:
        collection.crawl([site.url("/")], allow_private=True, delay=0, render="never")
        yield collection, site


def test_why_tells_the_time_of_each_operation(crawled):
    collection, site = crawled
    operations = collection.why(site.url("/slow")).operations
    assert list(operations) == ["fetch", "extract", "links", "write", "index"]
    assert operations["fetch"] >= SLOW_SECONDS
    assert all(seconds > 0 for seconds in operations.values())


def test_a_page_that_was_not_read_has_the_time_of_its_fetch(crawled):
    collection, site = crawled
    assert list(collection.why(site.url("/gone")).operations) == ["fetch"]


def test_fetches_have_their_operations(crawled):
    collection, site = crawled
    (fetch,) = collection.fetches(site.url("/"))
    assert list(fetch.operations) == ["extract", "links", "write"]


def test_the_command_shows_them(crawled, capsys):
    collection, site = crawled
    command = ["why", site.url("/slow"), "--in", str(collection.directory)]
    assert run(command) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("  took fetch 2")
    assert [part.split()[0] for part in last.removeprefix("  took ").split(", ")] == [
        "fetch", "extract", "links", "write", "index",
    ]  # fmt: skip
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["operations"]["extract"] > 0


def test_indexing_again_keeps_the_newest_time(crawled):
    collection, site = crawled
    collection.reindex()
    assert collection.why(site.url("/")).operations["index"] > 0


def test_times_come_back_as_they_were_stored():
    times = {"extract": 0.005123, "links": 12.5}
    assert unpack_operations(pack_operations(times)) == times
    assert unpack_operations("") == {}


@pytest.mark.parametrize(
    "stored", ["x", "extract", "extract nan", "extract 1e9", "\x1b[2J 0.1", ","]
)
def test_nonsense_of_a_stranger_is_left_out(stored):
    assert unpack_operations(stored) == {}


def test_times_of_the_index_by_document(tmp_path):
    blobs = FileBlobs(tmp_path)
    assert find_index_seconds(blobs, 7) is None
    append_index_seconds(blobs, [])
    append_index_seconds(blobs, [(7, 0.5), (2**64 - 1, 0.25)])
    append_index_seconds(blobs, [(7, 1.5)])
    with (tmp_path / "index" / "seconds.bin").open("ab") as file:
        file.write(b"half")  # a kill
    assert find_index_seconds(blobs, 7) == 1.5
    assert find_index_seconds(blobs, 2**64 - 1) == 0.25
    assert find_index_seconds(blobs, 8) is None
    forget_index_seconds(blobs)
    forget_index_seconds(blobs)
    assert find_index_seconds(blobs, 7) is None


def test_an_older_collection_without_times_is_read(tmp_path):
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE pages (seq INTEGER PRIMARY KEY)")
        db.execute("INSERT INTO pages VALUES (1)")
        assert db.execute(f"SELECT {operations_column(db)} FROM pages").fetchone() == ("",)
