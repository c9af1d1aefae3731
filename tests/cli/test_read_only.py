"""A collection on a disk, or in a directory, where nothing may be written."""

import os
import shutil
import subprocess
import sys
import urllib.request

import pytest

import telusur as library
from telusur.backends.sqlite.database.schema import connect
from telusur.models import Document
from tests.rights import WITHOUT_BYPASS, contents, read_only, unreadable

PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")


def test_a_read_only_directory_is_searched_and_left_as_it_is(telusur, small):
    before = contents(small.directory)
    with read_only(small.directory):
        assert small.title in telusur("search", "ferry", "--in", small.directory).out
        assert telusur("why", small.url, "--in", small.directory).code == 0
        verified = telusur("verify", "--in", small.directory)
        assert (verified.code, "everything fits together" in verified.out) == (0, True)
    assert contents(small.directory) == before


def test_an_index_that_grows_is_followed_where_it_may_only_be_read(small_copy):
    """Somebody else, who may write, goes on with the collection."""
    # Who writes and closes last leaves no log. In one process all connections share the index of a
    # log, so that the owner below could not write if the reader had opened one read-only.
    connect(small_copy, read_only=False).close()
    with read_only(small_copy):
        reader = library.open(small_copy, create=False)
        assert reader.search("walrus").total == 0
    with reader, library.open(small_copy) as owner:
        for number in range(1, 4):
            owner.add([Document(f"http://w.example/{number}", title="Walrus", text="a walrus")])
            with read_only(small_copy):
                reader._index._reloaded_at = float("-inf")
                assert reader.search("walrus").total == number
                assert reader.counts().documents == owner.counts().documents


def test_writing_there_is_refused_in_a_sentence(telusur, small):
    before = contents(small.directory)
    with read_only(small.directory):
        for command in (
            ["crawl", "http://127.0.0.1:9/", "--to", small.directory],
            ["index", "--in", small.directory],
            ["mark", small.url, "--good", "--in", small.directory],
        ):
            ran = telusur(*command)
            assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
            assert "cannot be written" in ran.err
            assert "damaged" not in ran.err
    assert contents(small.directory) == before


SCRIPT = """
mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 99
touch "$1/x" 2>/dev/null && exit 98
"$2" search ferry --in "$1" && "$2" verify --in "$1" && "$2" export --format urls --in "$1"
code=$?
"$2" crawl http://127.0.0.1:9/ --to "$1"
test $? = 2 && exit $code
"""


@pytest.mark.slow
@pytest.mark.parametrize("with_log", [False, True])
def test_a_disk_that_is_mounted_read_only(small, tmp_path, with_log):
    """The log of the database is all that knows of the last page, as after a power cut."""
    disk = tmp_path / "disk"
    if with_log:
        copy = shutil.copytree(small.directory, tmp_path / "copy")
        connection = connect(copy, read_only=False)
        connection.execute("UPDATE urls SET reason = 'only in the log'")
        shutil.copytree(copy, disk, ignore=shutil.ignore_patterns("*-shm"))
        connection.close()
    else:
        shutil.copytree(small.directory, disk)
    ran = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", SCRIPT, "sh", str(disk), PROGRAM],
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    if ran.returncode in (98, 99) or "unshare failed" in ran.stderr:
        pytest.fail(f"this machine lets nobody mount a disk read-only: {ran.stderr}")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert small.title in ran.stdout
    assert "everything fits together" in ran.stdout
    assert ("only in the log" in ran.stdout) == with_log
    assert "cannot be written" in ran.stderr.splitlines()[-1]


@pytest.mark.slow
def test_the_workbench_shows_it(small_copy, small):
    for path in (small_copy, *small_copy.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)
    without = WITHOUT_BYPASS if os.geteuid() == 0 else ()
    with subprocess.Popen(
        [*without, PROGRAM, "serve", "--in", str(small_copy), "--port", "0"],
        stderr=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        try:
            address = next(word for word in server.stderr.readline().split() if "://" in word)
            pages = []
            for path in ("crawls", "sites", "search?q=ferry"):
                with urllib.request.urlopen(address + path, timeout=60) as answer:
                    pages.append(answer.read().decode())
            assert small.title in pages[-1]
        finally:
            server.terminate()
            server.wait()


@pytest.mark.parametrize("part", ["archive", "index"])
def test_verify_names_what_may_not_be_read(telusur, small_copy, part):
    files = [path for path in (small_copy / part).iterdir() if path.is_file()]
    with unreadable(*files):
        ran = telusur("verify", "--in", small_copy)
    assert ran.code == 1
    assert "get permission to read" in ran.err
    assert "delete" not in ran.out + ran.err
    with unreadable(small_copy / part):
        ran = telusur("verify", "--in", small_copy)
    assert ran.code in (1, 2)
    assert "delete" not in ran.out + ran.err


def test_a_search_in_an_index_that_may_not_be_read(telusur, small_copy):
    files = [path for path in (small_copy / "index").iterdir() if path.is_file()]
    for closed in (files, [small_copy / "index"]):
        with unreadable(*closed):
            ran = telusur("search", "ferry", "--in", small_copy)
        assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
        assert "you may not read" in ran.err
        assert "delete" not in ran.err


def test_an_index_of_an_older_format_there_says_how_it_is_made_anew(telusur, small_copy):
    (small_copy / "index" / "format").write_text("3\n")
    with read_only(small_copy):
        ran = telusur("search", "ferry", "--in", small_copy)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "older format" in ran.err
    assert "telusur index --in" in ran.err
    assert telusur("search", "ferry", "--in", small_copy).code == 0, "where we may, it is made"
