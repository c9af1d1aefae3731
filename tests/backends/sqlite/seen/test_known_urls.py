"""The set of known URLs: runs, merges, what survives a kill, and the readers' way to a row."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from telusur.backends.sqlite.database.schema import connect, create_database
from telusur.backends.sqlite.frontier.leases import SqliteFrontier
from telusur.backends.sqlite.seen import known_urls as seen_set
from telusur.backends.sqlite.seen.known_urls import SeenSet
from telusur.backends.sqlite.seen.lookup import DEPTH_BITS, SeenLookup
from telusur.backends.sqlite.seen.runs import DEEPEST
from telusur.models import url_id_of
from telusur.testing.cases import new_url as new


@pytest.fixture(autouse=True)
def _small_runs(monkeypatch):
    """So that a few thousand URLs make runs of every size."""
    monkeypatch.setattr(seen_set, "GATHERED", 40)


@pytest.fixture
def directory(tmp_path):
    create_database(tmp_path)
    return tmp_path


@pytest.fixture
def db(directory):
    connection = connect(directory, read_only=False)
    yield connection
    connection.close()


def fill(db, number, start=0, *, size=100):
    frontier = SqliteFrontier(db)
    for first in range(start, start + number, size):
        urls = [new(f"a/{n}", n % 9) for n in range(first, first + size)]
        assert frontier.add(urls).fresh == size
    return frontier


def levels(db):
    return [level for (level,) in db.execute("SELECT level FROM seen_runs ORDER BY id")]


def rows(db):
    return dict(db.execute("SELECT url_id, seq FROM urls").fetchall())


def test_every_url_is_found_with_its_row_and_depth_whatever_run_it_is_in(db):
    fill(db, 8500)
    assert set(levels(db)) == {0, 1, 2, 3}
    seen = SeenSet(db)
    seen.open()
    known = rows(db)
    found = seen.find([*known, *(url_id_of(f"b/{n}") for n in range(8500))])
    assert {url_id: value >> DEPTH_BITS for url_id, value in found.items()} == known
    assert found[url_id_of("a/4711")] & DEEPEST == 4711 % 9


def test_four_runs_of_a_size_become_one(db):
    fill(db, 300)
    assert levels(db) == [0, 0, 0]
    fill(db, 100, 300)
    assert levels(db) == [1]
    (blocks,) = db.execute("SELECT count(*) FROM seen_blocks").fetchone()
    assert blocks == 3, "400 entries, the old blocks are gone"


def test_known_urls_stay_known_over_restarts(db):
    fill(db, 1000)
    for first in range(0, 1000, 130):
        urls = [new(f"a/{n}", 9) for n in range(first, first + 100)]
        assert SqliteFrontier(db).add(urls).fresh == max(0, first + 100 - 1000)


def test_ids_that_begin_alike_are_told_apart(db):
    alike = [b"\x80" * 8 + number.to_bytes(8, "big") for number in range(500)]
    seen = SeenSet(db)
    seen.open()
    seen.add({url_id: number + 1 << DEPTH_BITS for number, url_id in enumerate(alike[:400])}, 400)
    assert {value >> DEPTH_BITS for value in seen.find(alike).values()} == set(range(1, 401))


def test_a_transaction_that_fails_is_forgotten(db):
    frontier = fill(db, 100)
    db.execute("BEGIN IMMEDIATE")
    frontier.add([new(f"a/{n}") for n in range(100, 200)])
    db.rollback()
    assert frontier.known_ids([url_id_of("a/150")]) == set()
    assert frontier.add([new(f"a/{n}") for n in range(100, 200)]).fresh == 100
    assert frontier.counts().found == 200


def test_a_reader_finds_rows_while_they_are_written(directory, db):
    reader = connect(directory, read_only=True)
    lookup = SeenLookup(reader)
    for start in range(0, 1000, 250):
        fill(db, 250, start, size=25)
        known = rows(db)
        assert {url_id: lookup.seq_of(url_id) for url_id in known} == known
        assert lookup.seq_of(url_id_of(f"a/{start + 250}")) is None
    assert lookup.seq_of(None) is None
    reader.close()


def test_sql_of_any_connection_knows_seq_of(directory, db):
    fill(db, 500)
    reader = connect(directory, read_only=True)
    for connection in (db, reader):
        query = "SELECT url FROM urls WHERE seq = seq_of(?)"
        for name in ("a/3", "a/499"):
            (url,) = connection.execute(query, (url_id_of(name),)).fetchone()
            assert url == f"http://{name}"
        plan = connection.execute(f"EXPLAIN QUERY PLAN {query}", (b"",)).fetchall()
        assert "INTEGER PRIMARY KEY" in plan[0][3]
    reader.close()


WRITER = """
import sys
from pathlib import Path
from telusur.backends.sqlite.seen import known_urls as seen_set
from telusur.backends.sqlite.frontier.leases import SqliteFrontier
from telusur.backends.sqlite.database.schema import connect
from telusur.testing.cases import new_url as new
seen_set.GATHERED = 40
db = connect(Path(sys.argv[1]), read_only=False)
frontier = SqliteFrontier(db)
while True:
    (first,) = db.execute("SELECT count(*) FROM urls").fetchone()
    with db:
        db.execute("BEGIN IMMEDIATE")
        frontier.add([new(f"a/{n}", 2) for n in range(max(0, first - 50), first + 37)])
    print(first, flush=True)
"""


@pytest.mark.slow
def test_after_kills_at_any_moment_runs_and_rows_agree(directory):
    moments = random.Random(7)
    for _ in range(6):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(directory)], stdout=subprocess.PIPE
        )
        assert writer.stdout is not None
        for _ in range(moments.randrange(1, 9)):
            writer.stdout.readline()
        time.sleep(moments.uniform(0.0, 0.01))  # somewhere in the middle of the next
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        db = connect(directory, read_only=False)
        known = rows(db)
        (number,) = db.execute("SELECT count(*) FROM urls").fetchone()
        assert len(known) == number > 0, "no URL twice"
        seen = SeenSet(db)
        seen.open()
        assert {url_id: value >> DEPTH_BITS for url_id, value in seen.find(known).items()} == known
        (in_runs,) = db.execute("SELECT sum(entries) FROM seen_runs").fetchone()
        assert (in_runs or 0) <= number
        db.close()
    assert number > 400, "the kills came while runs were merged"
