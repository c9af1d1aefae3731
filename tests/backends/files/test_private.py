"""Who may read what a crawl leaves behind: real files of real crawls, with the usual umask."""

import os
import stat
import subprocess
import sys
import time

import pytest

import telusur
from telusur.backends.files.private import open_private
from telusur.errors import CollectionError
from telusur.settings import CrawlSettings
from telusur.settings.reading import make_settings
from telusur.shelf import Shelf
from tests.sites import page, serving

PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")
SITE = {"/": page("Home", "Ferries leave at seven. " * 30, links=["/a"]), "/a": page("A")}


@pytest.fixture(autouse=True)
def usual_umask():
    before = os.umask(0o022)
    yield
    assert os.umask(before) == 0o022, "the umask of the program that uses us is not ours"


def modes(directory):
    """Return every entry whose mode lets others in, with it."""
    found = {".": directory.lstat().st_mode}
    for path in directory.rglob("*"):
        found[str(path.relative_to(directory))] = path.lstat().st_mode
    return {name: oct(stat.S_IMODE(mode)) for name, mode in found.items() if mode & 0o077}


@pytest.mark.parametrize("mode", ["r", "rb", "w", "wb", "a+", "ab", "xb"])
def test_no_file_is_opened_through_a_link(tmp_path, mode):
    """Also if the link came after the collection was looked through."""
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "link").symlink_to(precious)
    (tmp_path / "nowhere").symlink_to(tmp_path / "made")
    for name in ("link", "nowhere"):
        with pytest.raises((CollectionError, FileExistsError)) as error:
            open_private(tmp_path / name, mode)
        assert "symbolic link" in str(error.value) or mode == "xb"
    assert precious.read_text() == "mine"
    assert not (tmp_path / "made").exists()


def run(*words):
    ran = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran


@pytest.mark.slow
def test_everything_that_commands_make_is_for_its_owner_alone(tmp_path):
    directory = tmp_path / "c"
    with serving(SITE) as site:
        crawl = subprocess.Popen(
            [PROGRAM, "crawl", site.url("/"), "--to", str(directory), "--allow-private",
             "--delay", "300"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        awaited = ("control.sock", "collection.db-wal", "collection.lock")
        while not all((directory / name).exists() for name in awaited) and crawl.poll() is None:
            time.sleep(0.01)
        during = modes(directory)
        crawl.terminate()
        crawl.wait()
        run("crawl", site.url("/"), "--to", directory, "--allow-private", "--delay", "0")
    run("index", "--in", directory)
    run("reindex", "--in", directory)
    assert during == {}
    assert modes(directory) == {}
    assert {"archive", "index"} <= {path.name for path in directory.iterdir()}


def test_everything_that_a_program_makes_is_for_its_owner_alone(tmp_path):
    directory = tmp_path / "c"
    words = tmp_path / "words.txt"
    words.write_text("ferry\n")
    with telusur.open(directory) as collection:
        collection.add([telusur.Document(url="http://a.example/", title="A", text="Ferries.")])
        collection.put_common_words(words)
        collection.put_semantic("static")
        collection.mark("http://a.example/", True)
        collection.search("ferries")
        assert modes(directory) == {}
    assert modes(directory) == {}


def test_a_crawl_that_the_workbench_starts_is_for_its_owner_alone(tmp_path):
    with serving(SITE) as site, Shelf(tmp_path) as shelf:
        wish = {"allow_private": True, "delay": 0}
        shelf.start("c", [site.url("/")], make_settings(CrawlSettings, ("{name}", wish)))
        while shelf.open("c").is_crawling():
            time.sleep(0.05)
        page_url = site.url("/")
        shelf.open("c").correct_labels(page_url, {0: "title"})
    assert (tmp_path / "c" / "crawl.log").exists()
    assert (tmp_path / "c" / "labels").exists()
    assert modes(tmp_path / "c") == {}


def test_a_directory_that_was_there_keeps_its_mode_and_its_new_files_are_private(tmp_path):
    directory = tmp_path / "shared"
    directory.mkdir(0o750)
    directory.chmod(0o750)
    with telusur.open(directory) as collection:
        collection.add([telusur.Document(url="http://a.example/", title="A", text="Ferries.")])
    assert modes(directory) == {".": "0o750"}
    (directory / "index").chmod(0o755)
    with telusur.open(directory) as collection:
        collection.add([telusur.Document(url="http://a.example/b", title="B", text="Mills.")])
    assert modes(directory) == {".": "0o750", "index": "0o755"}
