"""Collections that somebody else made: nothing in them is run, and no name leads out of them."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import pytest

import telusur
from telusur.backends.files.control_socket import ELSEWHERE, ask, remove
from telusur.backends.sqlite.database.schema import connect
from telusur.backends.warc.archive import WarcArchive, WarcPlace
from telusur.backends.warc.record import Exchange, Original
from telusur.crawl import unpacking
from telusur.errors import CollectionError
from telusur.models import Page
from tests.sites import page, serving

FAST = {"allow_private": True, "delay": 0, "render": "never"}
DOCUMENT = telusur.Document(url="http://a.example/", title="A", text="Words of the first page.")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A collection with two pages that have the same text, the second a revisit of the first."""
    directory = tmp_path_factory.mktemp("made") / "gift"
    body = page("Home", "The same text again and again. " * 60, links=["/copy"])
    with serving({"/": body, "/copy": body}) as site, telusur.open(directory) as collection:
        collection.crawl([site.url("/")], index=False, **FAST)
        collection.add([DOCUMENT])
        assert collection.page(site.url("/")) is not None
        return directory, site.url("/")


@pytest.fixture
def gift(made, tmp_path):
    """A copy of it that a test may change, and the URL of a page."""
    return Path(shutil.copytree(made[0], tmp_path / "gift")), made[1]


@pytest.fixture
def precious(tmp_path):
    file = tmp_path / "precious"
    file.write_text("mine")
    return file


def change(directory, sql, *values):
    with sqlite3.connect(directory / "collection.db") as db:
        db.execute(sql, values)
    db.close()


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../precious", "../../precious.warc.gz", "a/b.warc.gz", ".", "precious"]
)
def test_a_page_is_read_from_files_of_the_archive_alone(gift, name):
    directory, url = gift
    change(directory, "UPDATE pages SET warc_file = ?, warc_offset = 0, warc_length = 40", name)
    with telusur.open(directory) as collection:
        for read in (collection.page, collection.html, collection.record, collection.record_bytes):
            with pytest.raises(CollectionError, match="not a file name of an archive"):
                read(url)


def test_a_revisit_leads_to_files_of_the_archive_alone(gift, precious):
    directory, url = gift
    asked = Page(url, 200, body=b"x", fetched_at=1.0)
    for place in (f"{precious}:0:4", "/etc/passwd:0:9", "nonsense", "a.warc.gz:x:1"):
        record = Exchange(asked).revisit(Original("<urn:x>", url, "2026", place))
        (directory / "archive" / "evil.warc.gz").write_bytes(record)
        with pytest.raises(CollectionError, match=r"not a file name|not a location in an archive"):
            WarcArchive(directory / "archive").read(
                WarcPlace("evil.warc.gz", 0, len(record)).key, url
            )


def test_a_record_that_unpacks_to_any_number_of_bytes_is_refused(gift, monkeypatch):
    directory, url = gift
    monkeypatch.setattr(unpacking, "ALWAYS_BYTES", 100_000)
    page = Page(url, 200, body=bytes(30_000_000), fetched_at=1.0, status_line="HTTP/1.1 200 OK")
    record = Exchange(page).response()
    (directory / "archive" / "bomb.warc.gz").write_bytes(record)
    place = ("bomb.warc.gz", 0, len(record))
    change(directory, "UPDATE pages SET warc_file = ?, warc_offset = ?, warc_length = ?", *place)
    with telusur.open(directory) as collection:
        for read in (collection.page, collection.html):
            with pytest.raises(CollectionError, match="larger than it may be"):
                read(url)


def uses_of(directory):
    """Return everything that reads or writes a collection."""

    def with_collection(use):
        def go():
            with telusur.open(directory) as collection:
                use(collection)

        return go

    return {
        "add": with_collection(lambda c: c.add([DOCUMENT])),
        "search": with_collection(lambda c: c.search("words")),
        "mark": with_collection(lambda c: c.mark("http://a.example/", True)),
        "reindex": with_collection(lambda c: c.reindex()),
        "crawl": with_collection(lambda c: c.crawl(["http://127.0.0.1:1/"], index=False, **FAST)),
    }


@pytest.mark.parametrize(
    "name",
    [
        *("collection.lock", "collection.db", "collection.db-wal", "collection.db-shm"),
        *("crawl.log", "timeline.jsonl", "timeline.new", "control.path", "control.sock"),
        *("archive/telusur-00001.warc.gz", "archive/telusur-00002.warc.gz", "index/meta.json"),
        *("index/indexed.new", "words/common.txt", "labels/x.html"),
    ],
)
def test_a_link_in_a_collection_is_refused_and_what_it_leads_to_is_untouched(gift, precious, name):
    directory, _ = gift
    path = directory / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(precious)
    for use in uses_of(directory).values():
        with pytest.raises(CollectionError, match="symbolic link") as error:
            use()
        assert str(error.value).count("\n") == 0
    assert precious.read_text() == "mine"


@pytest.mark.parametrize("name", ["archive", "index", "words", "labels", "meaning"])
def test_a_directory_that_leads_elsewhere_is_refused(gift, tmp_path, name):
    directory, _ = gift
    other = tmp_path / "other"
    other.mkdir()
    for file in ("telusur-00009.warc.gz", "format", "x.json"):
        (other / file).write_text("mine")
    shutil.rmtree(directory / name, ignore_errors=True)
    (directory / name).symlink_to(other)
    for use in uses_of(directory).values():
        with pytest.raises(CollectionError, match="symbolic link"):
            use()
    assert {file.read_text() for file in other.iterdir()} == {"mine"}
    assert len(list(other.iterdir())) == 3


def test_the_collection_itself_may_be_reached_by_a_link(gift, tmp_path):
    directory, url = gift
    (tmp_path / "short").symlink_to(directory)
    with telusur.open(tmp_path / "short") as collection:
        assert collection.add([DOCUMENT]) == 1
        assert collection.page(url) is not None


def test_what_would_hang_a_reader_is_refused(gift):
    directory, _ = gift
    os.mkfifo(directory / "archive" / "pipe.warc.gz")
    with pytest.raises(CollectionError, match="this is not a file"):
        telusur.open(directory)


@pytest.mark.parametrize("form", ["{precious}", "../../precious", "sub/../../../precious"])
def test_an_index_cannot_have_files_deleted_that_are_not_its_own(gift, precious, form):
    """tantivy removes what `.managed.json` lists and no segment needs, wherever it is."""
    directory, _ = gift
    managed = directory / "index" / ".managed.json"
    names = [*json.loads(managed.read_text()), form.format(precious=precious)]
    managed.write_text(json.dumps(names))
    with telusur.open(directory) as collection:
        for use in (lambda: collection.add([DOCUMENT]), lambda: collection.index(settle=True)):
            with pytest.raises(CollectionError, match="names files that are not its own"):
                use()
    assert precious.read_text() == "mine"


def test_a_journal_that_names_a_file_to_delete_is_refused(gift):
    directory, _ = gift
    (directory / "collection.db-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
    with pytest.raises(CollectionError, match=r"collection\.db-journal: Telusur does not write"):
        telusur.open(directory)


def test_definitions_of_tables_call_no_functions(gift):
    directory, _ = gift
    for is_reader in (True, False):
        db = connect(directory, read_only=is_reader)
        assert db.execute("PRAGMA trusted_schema").fetchone() == (0,)
        db.close()


class Stranger:
    """A socket that is not ours to talk to; whoever comes is noted and sent away."""

    def __init__(self, path):
        self.visitors = 0
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(path))
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self):
        with suppress(OSError):
            while True:
                talk, _ = self._socket.accept()
                talk.close()
                self.visitors += 1

    def close(self):
        # Wakes `accept`, which `close` alone would not.
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()


@pytest.mark.parametrize("folder_name", ["telusur-abc", "elsewhere", "telusur-1-1-x"])
def test_a_collection_names_no_socket_but_one_that_was_made_for_it(gift, folder_name):
    directory, _ = gift
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, folder_name)
        os.mkdir(folder, 0o700)
        path = os.path.join(folder, "control.sock")
        stranger = Stranger(path)
        try:
            (directory / ELSEWHERE).write_text(path)
            assert ask(directory, "stop") is None
            remove(directory)
            assert os.path.exists(path)
        finally:
            stranger.close()
        assert stranger.visitors == 0


def test_nothing_that_is_stored_is_run(gift, tmp_path):
    """Neither by a crawl that goes on, nor by reading and extracting again."""
    directory, _ = gift
    code = tmp_path / "notes.py"
    code.write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\ndef visit(page): pass\n")
    with sqlite3.connect(directory / "collection.db") as db:
        for row, text in db.execute("SELECT id, settings FROM crawls").fetchall():
            stored = json.loads(text) | {
                "hooks": str(code), "strategy": str(code), "browser": str(code),
                "replay": "/", "model": str(code), "cookies": str(code), "labels": str(code),
            }  # fmt: skip
            db.execute("UPDATE crawls SET settings = ? WHERE id = ?", (json.dumps(stored), row))
    db.close()
    program = os.path.join(os.path.dirname(sys.executable), "telusur")
    for words in (
        ("crawl", "--to", directory, "--delay", "0", "--allow-private"),
        ("reindex", "--in", directory), ("status", "--in", directory),
    ):  # fmt: skip
        subprocess.run([program, *map(str, words)], cwd=tmp_path, check=False, capture_output=True)
    assert not (tmp_path / "ran").exists()


def test_a_refusal_is_one_sentence_on_the_command_line(gift, precious):
    directory, _ = gift
    (directory / "collection.lock").unlink()
    (directory / "collection.lock").symlink_to(precious)
    program = os.path.join(os.path.dirname(sys.executable), "telusur")
    ran = subprocess.run(
        [program, "index", "--in", str(directory)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert precious.read_text() == "mine"
