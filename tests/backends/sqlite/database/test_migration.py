"""A collection of format 1 is read as it is, and migrated by whoever writes."""

import json
import logging
import signal
import sqlite3
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from telusur.backends.sqlite.catalogue import SqliteCatalogue
from telusur.backends.sqlite.database import migration as sqlite_migration
from telusur.backends.sqlite.database.schema import DATABASE, connect
from telusur.backends.sqlite.database.tables import FORMAT
from telusur.backends.sqlite.document_row import STORED
from telusur.backends.sqlite.frontier.leases import SqliteFrontier
from telusur.backends.sqlite.reader import SqliteReader
from telusur.document_table import EXPORTED
from telusur.models import Document, Heading, Link, State, url_id_of
from telusur.store.records import StoredLink
from telusur.testing.cases import new_url as new

FORMAT_1 = Path(__file__).with_name("format_1.sql")
OLD_COLUMNS = "seq, url_id, url, site, fetched_at, title, text, html5, digest, not_indexed"
PAGE_COLUMNS = "seq, url_id, fetched_at, seconds, status, reason, size_bytes, final, warc_file"
URLS = 500
LINKS = [StoredLink(url_id_of("a/3"), Link("http://a/3", "an chor", "ünd", "nofollow", 4))]
_URL = "INSERT INTO urls VALUES (?, ?, ?, 1, ?, ?, ?, 2, 0, 1, 0, ?, 'words', 1.0, 2.0)"
_PAGE = "INSERT INTO pages VALUES (1, ?, 3.0, 0.1, 200, '', 'text/html', 9, 0, 1, NULL, NULL, NULL)"

_DOCUMENT = (
    "INSERT INTO documents VALUES (1, ?, 'http://a/2', 'a', 3.0, 'Two', NULL, NULL, '', '',"
    " 'Text', 'en', 1, x'00', NULL, '')"
)


@pytest.fixture
def old(tmp_path):
    """Make a collection as Telusur 0.1 left it: URLs in all states, one page."""
    db = sqlite3.connect(tmp_path / DATABASE)
    db.executescript(FORMAT_1.read_text())
    db.execute("INSERT INTO meta VALUES ('format', 1)")
    db.execute("INSERT INTO sites VALUES (1, 'a', 1)")
    db.execute("INSERT INTO hosts (id, host, site_id, waiting) VALUES (1, 'http://a', 1, 100)")
    parent = url_id_of("a/1")
    rows = [
        (2 * n + 1, url_id_of(f"a/{n}"), f"http://a/{n}", n % 5, "why", -n, parent if n else None)
        for n in range(URLS)
    ]
    db.executemany(_URL, rows)
    db.execute(_PAGE, (url_id_of("a/2"),))
    db.execute(_DOCUMENT, (url_id_of("a/2"),))
    links = json.dumps([(url_id_of("a/3").hex(), "http://a/3", "an\tchor", "ünd", "nofollow", 4)])
    db.execute("INSERT INTO links VALUES (?, ?)", (url_id_of("a/2"), zlib.compress(links.encode())))
    db.commit()
    db.close()
    return tmp_path


def contents(directory):
    db = sqlite3.connect(directory / DATABASE)
    found = [
        db.execute(f"SELECT {columns} FROM {table}").fetchall()
        for columns, table in (("*", "urls"), ("*", "hosts"), ("*", "sites"),
                               (PAGE_COLUMNS, "pages"), (OLD_COLUMNS, "documents"))
    ]  # fmt: skip
    db.close()
    return found


def test_an_old_collection_is_read_as_it_is(old):
    before = (old / DATABASE).read_bytes()
    reader = SqliteReader(old)
    story = reader.story(url_id_of("a/7"))
    assert (story.url, story.state, story.parent) == ("http://a/7", State.DONE, "http://a/1")
    assert story.operations == {}
    assert reader.story(url_id_of("a/2")).operations == {"fetch": 0.1}
    (page,) = reader.pages()
    assert (page["url"], page["page_type"], page["fields"]) == ("http://a/2", "", {})
    document = reader.document(url_id_of("a/2"))
    assert (document.title, document.page_type, document.fields) == ("Two", "", {})
    assert reader.counts().found == URLS
    assert reader.links(url_id_of("a/2")) == LINKS
    assert reader.story(url_id_of("a/none")) is None
    reader.close()
    assert (old / DATABASE).read_bytes() == before


def test_writing_migrates_and_nothing_is_lost(old, caplog):
    before = contents(old)
    with caplog.at_level(logging.WARNING):
        db = connect(old, read_only=False)
    assert f"converting {URLS} URLs to format {FORMAT}" in caplog.text
    assert contents(old) == before
    assert db.execute("SELECT value FROM meta WHERE name = 'format'").fetchone() == (FORMAT,)
    assert SqliteCatalogue(db).links_of(url_id_of("a/2")) == LINKS
    assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    new_columns = db.execute("SELECT page_type, fields FROM documents").fetchall()
    assert new_columns == [("", "")]
    assert db.execute("SELECT operations FROM pages").fetchall() == [("",)]
    frontier = SqliteFrontier(db)
    added = frontier.add([new(f"a/{n}", 5) for n in range(URLS + 3)])
    assert added.fresh == 3
    assert len(frontier.lease(1, 1000)[0].urls) == 103
    db.close()


def test_a_reader_from_before_goes_on_reading(old):
    reader = SqliteReader(old)
    assert reader.story(url_id_of("a/7")) is not None
    connect(old, read_only=False).close()
    assert reader.story(url_id_of("a/8")).url == "http://a/8"
    assert reader.document(url_id_of("a/2")).page_type == ""
    assert [page["page_type"] for page in reader.pages()] == [""]
    reader.close()


def test_format_2_gets_the_new_columns_only(old):
    connect(old, read_only=False).close()
    db = sqlite3.connect(old / DATABASE)
    db.execute("DROP INDEX documents_copies")
    for table in ("notes", "strategy_state", "marks", "sitemaps", "listed", "site_records"):
        db.execute(f"DROP TABLE {table}")
    for field in STORED:
        if field.since > 2:
            db.execute(f"ALTER TABLE documents DROP COLUMN {field.name}")
    db.execute("ALTER TABLE pages DROP COLUMN operations")
    db.execute("ALTER TABLE pages DROP COLUMN crawl_id")
    db.execute("UPDATE meta SET value = 2 WHERE name = 'format'")
    db.commit()
    db.close()
    before = contents(old)
    db = connect(old, read_only=False)
    document = Document("http://a/9", "Nine", page_type="forum", fields={"posts": 3})
    document.headings = [Heading(2, "Nine lives")]
    document.topic_score = 0.25
    SqliteCatalogue(db).put_document(
        url_id_of("a/9"), document, site="a", fetched_at=4.0, digest=b"1", canonical=None,
        not_indexed="",
    )  # fmt: skip
    db.close()
    reader = SqliteReader(old)
    assert reader.document(url_id_of("a/9")) == document
    assert reader.document(url_id_of("a/2")).fields == {}
    reader.close()
    assert contents(old)[:4] == before[:4]


NEW_TABLES = {
    3: (),
    4: ("notes", "strategy_state", "marks"),
    5: ("sitemaps", "listed"),
    7: ("site_records",),
}


def make_older(directory, number):
    """Take out of a collection of today what came after a format, its newest crawl being 2."""
    db = sqlite3.connect(directory / DATABASE)
    for since, tables in NEW_TABLES.items():
        for table in tables if since > number else ():
            db.execute(f"DROP TABLE {table}")
    if number < 3:
        db.execute("DROP INDEX documents_copies")
    for field in STORED:
        if field.since > number:
            db.execute(f"ALTER TABLE documents DROP COLUMN {field.name}")
    if number < 6:
        for column in ("crawl_id", "operations"):
            db.execute(f"ALTER TABLE pages DROP COLUMN {column}")
    else:
        db.execute("UPDATE pages SET crawl_id = 2")
    for begun in (1.0, 2.5, 5.0):  # the page was fetched at 3
        db.execute("INSERT INTO crawls (started_at, settings, start_urls) VALUES (?, '{}', '[]')",
                   (begun,))  # fmt: skip
    db.execute("UPDATE meta SET value = ? WHERE name = 'format'", (number,))
    db.commit()
    db.close()


@pytest.mark.parametrize("number", range(2, FORMAT))
def test_every_older_format_is_read_as_it_is_and_migrated(old, number):
    connect(old, read_only=False).close()
    make_older(old, number)
    before = (old / DATABASE).read_bytes()
    reader = SqliteReader(old)
    (as_it_is,) = reader.pages()
    document = reader.document(url_id_of("a/2"))
    assert [row["image"] for row in reader.columns(("image", "type", "fields"))] == [""]
    reader.close()
    assert (old / DATABASE).read_bytes() == before
    assert tuple(as_it_is) == EXPORTED
    assert as_it_is["crawl_id"] == 2
    connect(old, read_only=False).close()
    reader = SqliteReader(old)
    assert list(reader.pages()) == [as_it_is]
    assert (
        reader.document(url_id_of("a/2"))
        == document
        == Document("http://a/2", "Two", text="Text", language="en", html5=True)
    )
    reader.close()
    db = sqlite3.connect(old / DATABASE)
    assert db.execute("SELECT crawl_id FROM pages").fetchall() == [(2,)]
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    db.close()
    assert tables >= {"documents_copies", "notes", "marks", "sitemaps", "listed", "site_records"}


def test_a_large_one_gets_runs(old, monkeypatch):
    monkeypatch.setattr("telusur.backends.sqlite.seen.known_urls.GATHERED", 100)
    monkeypatch.setattr(sqlite_migration, "GATHERED", 100)
    db = connect(old, read_only=False)
    levels = [level for (level,) in db.execute("SELECT level FROM seen_runs ORDER BY level")]
    assert levels == [0, 1]
    known = [url_id_of(f"a/{n}") for n in range(URLS)]
    assert SqliteFrontier(db).known_ids(known) == set(known)
    db.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from telusur.backends.sqlite.database import migration as sqlite_migration
from telusur.backends.sqlite.database import schema as sqlite_schema
statements = []
def count(statement):
    statements.append(statement)
    if len(statements) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
migrate = sqlite_migration.migrate
def watched(connection, directory):
    connection.execute("PRAGMA cache_size = 1")  # so that half of it is on disk
    connection.set_trace_callback(count)
    migrate(connection, directory)
sqlite_migration.migrate = watched
sqlite_schema.connect(Path(sys.argv[1]), read_only=False)
"""


@pytest.mark.parametrize("statement", [4, 7, 10, 12, 16, 19])
def test_killed_midway_it_is_as_it_was(old, statement):
    before = contents(old)
    child = subprocess.run([sys.executable, "-c", KILLED, str(old), str(statement)], check=False)
    assert child.returncode == -signal.SIGKILL
    db = sqlite3.connect(old / DATABASE)
    assert db.execute("SELECT value FROM meta WHERE name = 'format'").fetchone() == (1,)
    db.close()
    assert contents(old) == before
    connect(old, read_only=False).close()
    assert contents(old) == before
