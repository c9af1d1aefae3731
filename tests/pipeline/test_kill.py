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
from tests.sites import Answer, page, serving

KILLS = int(os.environ.get("TELUSUR_TEST_KILLS", "10"))
PAGES = 40 * KILLS
LISTED = 40
"""More pages, which only sitemaps name."""
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


@pytest.mark.timeout(300)
def test_a_crawl_survives_being_killed_again_and_again(tmp_path):
    chance = random.Random(7)
    directory = tmp_path / "c"
    files = sitemaps()
    with serving(files, otherwise=graph) as site:
        in_flight = 0
        for _ in range(KILLS):
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
        assert finish.wait(120) == 0
        fetched = site.paths()
    wanted = {f"/{number}" for number in range(PAGES + LISTED)} | files.keys() - {"/robots.txt"}
    assert set(fetched) == wanted, "no URL is lost"
    assert len(fetched) - len(wanted) <= in_flight, "nothing is refetched but what was in flight"
    check_agreement(directory, PAGES + LISTED)


def wait_for_requests(site, number, process):
    deadline = time.monotonic() + 60
    while len(site.paths()) < number and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def count_lost(site, directory):
    """Return how many fetched pages had not been committed when the crawl was killed."""
    if not (directory / "collection.db").exists():
        return len(site.paths())
    time.sleep(0.1)  # requests sent before the kill reach the server
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


def kill_indexer(process):
    for child in children_of(process.pid):
        with suppress(OSError):  # it may just have ended
            if b"telusur.run.indexer" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)


def test_the_indexer_may_die_at_any_moment(tmp_path):
    directory = tmp_path / "c"
    with serving({"/robots.txt": ""}, otherwise=graph) as site:
        process = start(site, directory)
        wait_for_requests(site, 50, process)
        for _ in range(2):
            kill_indexer(process)
            time.sleep(0.4)
        assert process.wait(120) == 0
    check_agreement(directory)


def test_a_crawl_whose_indexer_kept_dying_is_made_whole_by_the_next(tmp_path):
    directory = tmp_path / "c"
    with serving({"/robots.txt": ""}, otherwise=graph) as site:
        process = start(site, directory)
        wait_for_requests(site, 50, process)
        deadline = time.monotonic() + 120
        while process.poll() is None:
            assert time.monotonic() < deadline
            kill_indexer(process)
            time.sleep(0.05)
        assert process.returncode == 2
        assert start(site, directory).wait(120) == 0
    check_agreement(directory)
