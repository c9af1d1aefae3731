"""A page is found by a search while the crawl that fetched it still runs."""

import subprocess
import threading
import time
from contextlib import contextmanager

import pytest

import telusur
from tests.pipeline.test_kill import PROGRAM
from tests.sites import page, serving

PATIENCE_SECONDS = 100


@contextmanager
def crawling(url, directory):
    """Crawl in another process, which is ended with the block."""
    command = [PROGRAM, "crawl", url, "--to", str(directory), "--allow-private", "--delay", "0"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait()


def wait_for(condition, process):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert process.poll() is None, "the crawl ended too early"
        assert time.monotonic() < deadline
        time.sleep(0.05)


def urls_found(directory, words):
    if not (directory / "collection.db").exists():
        return []
    with telusur.open(directory, create=False) as collection:
        return [hit.url for hit in collection.search(words).hits]


def test_a_page_is_found_while_the_crawl_still_waits_for_another(tmp_path):
    directory = tmp_path / "c"
    found = threading.Event()

    def held(path):
        assert found.wait(PATIENCE_SECONDS)
        return page("Held back", "This page comes only after the other was found: pelican.")

    pages = {
        "/robots.txt": "",
        "/": page("Start", "The lighthouse keeper counts ships.", ["/held"]),
        "/held": held,
    }
    with serving(pages) as site, crawling(site.url("/"), directory) as process:
        wait_for(lambda: urls_found(directory, "lighthouse") == [site.url("/")], process)
        assert process.poll() is None
        assert urls_found(directory, "pelican") == []
        found.set()
        assert process.wait(PATIENCE_SECONDS) == 0
        assert urls_found(directory, "pelican") == [site.url("/held")]


@pytest.mark.slow
def test_an_open_collection_sees_pages_that_come_later(tmp_path):
    """A search page stays open all day: nobody opens the collection anew for each query."""
    directory = tmp_path / "c"
    turn = threading.Event()

    def second(path):
        assert turn.wait(PATIENCE_SECONDS)
        return page("Second", "A pelican on the pier.", ["/third"])

    pages = {
        "/robots.txt": "",
        "/": page("First", "A gull above the harbour.", ["/second"]),
        "/second": second,
        "/third": page("Third", "A heron in the reeds."),
    }
    with (
        telusur.open(directory) as collection,
        serving(pages) as site,
        crawling(site.url("/"), directory) as process,
    ):
        wait_for(lambda: collection.search("gull").total == 1, process)
        turn.set()
        assert process.wait(PATIENCE_SECONDS) == 0
        deadline = time.monotonic() + PATIENCE_SECONDS
        while collection.search("heron").total != 1:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert collection.search("pelican").total == 1
