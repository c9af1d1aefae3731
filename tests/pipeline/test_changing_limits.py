"""Depth and scope change while a crawl runs: what they kept out comes back, nothing gets lost."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager

import pytest

import telusur
from tests.sites import Answer, page, serving

PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")
EACH = "ab"
DEEPEST = 6


def depth_of(path):
    return len(path.strip("/"))


def everything(depth):
    """Return the paths of the tree down to a depth: /, /a, /b, /aa, /ab ..."""
    paths = {"/"}
    for _ in range(depth):
        paths |= {path + letter for path in paths for letter in EACH}
    return paths


class Tree:
    """Serves a tree; what is deeper than `open_to` is answered when it is let go."""

    def __init__(self, open_to, elsewhere=""):
        self._open_to = open_to
        self._elsewhere = elsewhere
        self.let_go = threading.Event()

    def __call__(self, path):
        if depth_of(path) > self._open_to:
            self.let_go.wait(100)
        links = [path + letter for letter in EACH] if depth_of(path) < DEEPEST else []
        body = page(f"Page {path}", f"The text of {path} is its own. " * 5, links)
        link = f'<a href="{self._elsewhere}">elsewhere</a>' if self._elsewhere else ""
        return Answer(body.replace("</body>", f"{link}</body>"))


@contextmanager
def crawling(site, directory, *flags):
    command = [PROGRAM, "crawl", site.url(), "--to", str(directory), "--allow-private"]
    process = subprocess.Popen(
        [*command, "--delay", "0", "--no-index", *flags],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_for(condition, what):
    deadline = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < deadline, f"waited for {what}"
        time.sleep(0.01)


def rows(directory, query):
    with closing(sqlite3.connect(directory / "collection.db")) as connection:
        return connection.execute(query).fetchall()


def kept_out(directory):
    return rows(directory, "SELECT count(*) FROM urls WHERE state = 4 AND reason = 'depth'")[0][0]


def test_wider_limits_find_again_what_they_had_left_out(tmp_path):
    with serving({}, otherwise=page) as other:
        tree = Tree(open_to=1, elsewhere=other.url("/there"))
        with serving({"/robots.txt": ""}, otherwise=tree) as site:
            directory = tmp_path / "c"
            with crawling(site, directory, "--depth", "2", "--scope", "site") as process:
                wait_for(lambda: len(site.paths()) > 3, "a page that is held")
                with telusur.open(directory) as collection:
                    status = collection.limit(depth=4, scope="any")
                    assert (status.limits["depth"], status.limits["scope"]) == (4, "any")
                tree.let_go.set()
                assert process.wait(100) == 0, process.stderr.read()
            assert set(site.paths()) == everything(4)
            assert len(site.paths()) == len(everything(4)), "nothing is asked twice"
        assert other.paths() == ["/there"]
    (settings,) = rows(directory, "SELECT settings FROM crawls")
    assert (json.loads(settings[0])["depth"], json.loads(settings[0])["scope"]) == (4, "any")


def test_smaller_limits_start_nothing_beyond_them_and_lose_nothing(tmp_path):
    tree, directory = Tree(open_to=2), tmp_path / "c"
    with serving({"/robots.txt": ""}, otherwise=tree) as site:
        with crawling(site, directory, "--strategy", "depth-first") as process:
            wait_for(lambda: any(depth_of(path) == 3 for path in site.paths()), "a held page")
            ran = subprocess.run(
                [PROGRAM, "limit", "--in", directory, "--depth", "1"],
                capture_output=True, text=True, timeout=100, check=True,
            )  # fmt: skip
            in_flight = set(site.paths())
            tree.let_go.set()
            assert process.wait(100) == 0, process.stderr.read()
        assert "New limits: depth 1." in ran.stderr
        assert set(site.paths()) == in_flight | everything(1), "only what was under way is deeper"
        (waiting,) = rows(directory, "SELECT count(*) FROM urls WHERE state < 2")
        assert waiting == (0,), "the crawl ended by itself"
        with crawling(site, directory, "--depth", "3") as process:
            assert process.wait(100) == 0
        assert set(site.paths()) == everything(3)
        assert len(site.paths()) == len(everything(3))


@pytest.mark.slow
def test_a_kill_after_a_change_loses_nothing(tmp_path):
    tree, directory = Tree(open_to=2), tmp_path / "c"
    with serving({"/robots.txt": ""}, otherwise=tree) as site:
        with crawling(site, directory, "--per-host", "4") as process:
            wait_for(lambda: sum(depth_of(path) == 3 for path in site.paths()) == 4, "held pages")
            with telusur.open(directory) as collection:
                collection.limit(depth=1)
            wait_for(lambda: kept_out(directory), "the first sign of it on disk")
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        (settings,) = rows(directory, "SELECT settings FROM crawls")
        assert json.loads(settings[0])["depth"] == 1, "it is there as a whole"
        assert rows(directory, "SELECT 1 FROM urls WHERE state = 0 AND depth > 1") == []
        tree.let_go.set()
        with crawling(site, directory, "--depth", "3", "--per-host", "4") as process:
            assert process.wait(100) == 0
        assert set(site.paths()) == everything(3), "no URL is lost"
        (wrong,) = rows(
            directory,
            "SELECT count(*) FROM hosts WHERE waiting !="
            " (SELECT count(*) FROM urls WHERE host_id = hosts.id AND state = 0)",
        )
        assert wrong == (0,)


def test_the_same_command_again_goes_by_its_own_limits(tmp_path):
    tree, directory = Tree(open_to=DEEPEST), tmp_path / "c"
    with serving({"/robots.txt": ""}, otherwise=tree) as site:
        usual = {"allow_private": True, "delay": 0, "index": False}
        with telusur.open(directory) as collection:
            collection.crawl([site.url()], pages=8, **usual)
            fetched = set(site.paths())
            collection.crawl([site.url()], depth=2, **usual)
        assert set(site.paths()) == everything(2) | fetched, "what waited deeper was left out"
    assert kept_out(directory) > 0
