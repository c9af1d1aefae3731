"""`kill -9` at any moment: no URL lost, nothing refetched but what was in flight, all in step."""

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

import telusur
from telusur.errors import StorageError
from telusur.pipeline.indexing import indexer_process
from tests.sites import Answer, page, serving

KILLS = int(os.environ.get("TELUSUR_TEST_KILLS", "10"))
FEW_KILLS = 3
PAGES = 30 * max(KILLS, FEW_KILLS)
# More pages, which only sitemaps name.
LISTED = 40
PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")


def graph(path):
    """A graph of known size: page n links to 2n+1, 2n+2 and a few others."""
    number = int(path.strip("/") or 0)
    links = {2 * number + 1, 2 * number + 2, (number * 7 + 3) % PAGES, (number * 31) % PAGES}
    text = f"Page number {number} talks about topic{number} and nothing else. " * 5
    return page(f"Page {number}", text, [f"/{n}" for n in sorted(links) if n < PAGES])


def sitemaps():
    """A robots.txt that names an index of two sitemaps."""
    index = "".join(f"<sitemap><loc>/list{at}.xml</loc></sitemap>" for at in (0, 1))
    files = {"/index.xml": f"<sitemapindex>{index}</sitemapindex>"}
    for at in (0, 1):
        numbers = range(PAGES + at, PAGES + LISTED, 2)
        urls = "".join(f"<url><loc>/{number}</loc></url>" for number in numbers)
        files[f"/list{at}.xml"] = f"<urlset>{urls}</urlset>"
    named = Answer("Sitemap: /index.xml", headers={"Content-Type": "text/plain"})
    return {"/robots.txt": named, **files}


def start(site, directory):
    command = [PROGRAM, "crawl", site.url("/0"), "--to", str(directory), "--allow-private"]
    command += ["--delay", "0", "--per-host", "4"]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def children_of(pid):
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in found.stdout.split()]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kills", [FEW_KILLS, pytest.param(KILLS, marks=pytest.mark.slow)])
def test_a_crawl_survives_being_killed_again_and_again(tmp_path, kills):
    chance = random.Random(kills)
    directory = tmp_path / "c"
    files = sitemaps()
    with serving(files, otherwise=graph) as site:
        in_flight = 0
        for _ in range(kills):
            asked = len(site.paths())
            process = start(site, directory)
            wait_for_requests(site, asked + chance.randrange(1, 40), process)
            if process.poll() is not None:
                break
            if chance.random() < 0.4:  # one child dies first; the crawl replaces it and goes on
                for child in children_of(process.pid)[:1]:
                    os.kill(child, signal.SIGKILL)
                time.sleep(chance.random() / 2)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            in_flight += count_lost(site, directory)
        finish = start(site, directory)
        assert finish.wait(300) == 0
        fetched = site.paths()
    wanted = {f"/{number}" for number in range(PAGES + LISTED)} | files.keys() - {"/robots.txt"}
    assert set(fetched) == wanted, "no URL is lost"
    assert len(fetched) - len(wanted) <= in_flight, "nothing is refetched but what was in flight"
    check_agreement(directory, PAGES + LISTED)


def wait_for_requests(site, number, process):
    deadline = time.monotonic() + 100
    while len(site.paths()) < number and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def count_lost(site, directory):
    """Return how many fetched pages had not been committed when the crawl was killed."""
    if not (directory / "collection.db").exists():
        return len(site.paths())
    site.settle()
    with telusur.open(directory) as collection:
        committed = {row["url"] for row in collection.urls() if row["state"] == "done"}
    return len({site.origin + path for path in site.paths()} - committed)


def check_agreement(directory: Path, number_of_pages: int = PAGES):
    """Archive, catalogue and index tell the same story."""
    with telusur.open(directory) as collection:
        assert collection.verify().problems == []
        pages = [row["url"] for row in collection.pages()]
        assert len(pages) == len(set(pages)) == number_of_pages
        assert collection.counts().documents == collection.count_indexed() == number_of_pages
        for number in (0, 1, PAGES // 2, PAGES - 1):
            results = collection.search(f"topic{number}")
            assert [hit.title for hit in results.hits] == [f"Page {number}"]
            assert collection.page(results.hits[0].url).status == 200
    responses = []
    for path in sorted((directory / "archive").glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests="raise"):
                if record.rec_type == "response":
                    responses.append(record.rec_headers.get_header("WARC-Target-URI"))
                record.content_stream().read()
    documents = [url for url in responses if not url.endswith((".txt", ".xml"))]
    assert sorted(documents) == sorted(pages)


DIES_AS_INDEXER = """
import os, signal
if b"telusur.pipeline.indexing.indexer" in open("/proc/self/cmdline", "rb").read():
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_stop_that_reaches_all_processes_leaves_no_page_failed(tmp_path):
    """As systemd and `timeout` send it: to parsers, indexer and browser too."""
    directory = tmp_path / "c"
    with serving({"/robots.txt": ""}, otherwise=graph) as site:
        for number in range(1, 5):
            process = start(site, directory)
            wait_for_requests(site, number * PAGES // 6, process)
            os.killpg(process.pid, signal.SIGTERM)
            assert process.wait(120) == 0
            with telusur.open(directory) as collection:
                assert collection.counts().failed == 0
        assert start(site, directory).wait(120) == 0
        assert len(site.paths()) == len(set(site.paths())), "what was begun was finished"
    check_agreement(directory)


@pytest.mark.slow
def test_a_parser_may_be_killed_at_any_moment_and_no_page_is_lost(tmp_path):
    directory = tmp_path / "c"
    with serving({"/robots.txt": ""}, otherwise=graph) as site:
        process = start(site, directory)
        for number in range(1, 9):
            wait_for_requests(site, number * PAGES // 10, process)
            kill_children(process, b"telusur.pipeline.parsing.parser")
        assert process.wait(120) == 0
        assert len(site.paths()) == PAGES
    check_agreement(directory)


def kill_children(process, name):
    for child in children_of(process.pid):
        with suppress(OSError):  # it may just have ended
            if name in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)


@pytest.mark.slow
def test_the_indexer_may_die_at_any_moment(tmp_path):
    directory = tmp_path / "c"
    with serving({"/robots.txt": ""}, otherwise=graph) as site:
        process = start(site, directory)
        wait_for_requests(site, 50, process)
        for _ in range(2):
            kill_children(process, b"telusur.pipeline.indexing.indexer")
            time.sleep(0.4)
        assert process.wait(120) == 0
    check_agreement(directory)


@pytest.mark.slow
def test_a_crawl_whose_indexer_kept_dying_is_made_whole_by_the_next(tmp_path, monkeypatch):
    directory = tmp_path / "c"
    (tmp_path / "deadly").mkdir()
    (tmp_path / "deadly" / "sitecustomize.py").write_text(DIES_AS_INDEXER)
    monkeypatch.setattr(indexer_process, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(indexer_process, "PAUSE_SECONDS", 0.1)
    with serving({"/robots.txt": ""}, otherwise=graph) as site, telusur.open(directory) as dying:
        with monkeypatch.context() as patch:
            patch.setenv("PYTHONPATH", str(tmp_path / "deadly"))
            with pytest.raises(StorageError, match="cannot be written"):
                dying.crawl([site.url("/0")], allow_private=True, delay=0, per_host=4)
        assert start(site, directory).wait(100) == 0
    check_agreement(directory)
