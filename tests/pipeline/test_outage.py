"""A host that goes away costs nothing: real servers on loopback that stop and come back."""

import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import telusur
from telusur.backends.sqlite.database.schema import DATABASE
from tests.sites import Answer, page, serving

FAST = {"allow_private": True, "delay": 0, "index": False, "render": "never", "workers": 1}
PAGES = 60
LIMIT_SECONDS = 120.0


def numbered(path):
    """A page of a binary tree; the connection is closed, as a server does that goes away."""
    number = int(path.strip("/") or 0)
    links = [f"/{child}" for child in (2 * number + 1, 2 * number + 2) if child < PAGES]
    return Answer(page(f"Page {number}", links=links), headers={"Connection": "close"})


def listed(path):
    """A page; the first one links to all the others, so that each is known before any fails."""
    links = [f"/{number}" for number in range(1, PAGES)] if path == "/0" else []
    return Answer(page(path, links=links), headers={"Connection": "close"})


def robots(text=""):
    return Answer(text, headers={"Content-Type": "text/plain", "Connection": "close"})


def crawl(directory, urls, **settings):
    with telusur.open(directory) as collection:
        return collection.crawl(urls, **{**FAST, **settings})


def states(directory):
    """Return how many URLs are in which state."""
    with telusur.open(directory) as collection:
        counts = collection.counts()
        return {name: getattr(counts, name) for name in ("waiting", "done", "failed")}


@contextmanager
def crawling(directory, urls, **settings):
    """Crawl in the background; give a collection to watch and steer it by."""
    thread = threading.Thread(target=crawl, args=(directory, urls), kwargs=settings)
    thread.start()
    try:
        wait_until((directory / DATABASE).exists)
        with telusur.open(directory) as watching:
            yield watching
    finally:
        thread.join()


def wait_until(is_true):
    deadline = time.monotonic() + LIMIT_SECONDS
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def held(collection):
    return " ".join(collection.status().held)


def test_a_server_that_goes_away_and_comes_back_costs_no_page(tmp_path):
    with serving({"/robots.txt": robots()}, otherwise=numbered) as site:
        port, start = site.port, site.url("/0")
        with crawling(tmp_path / "c", [start], delay=0.02) as watching:
            wait_until(lambda: len(site.paths()) > 10)
            site.close()
            wait_until(lambda: "it does not answer (network: no connection)" in held(watching))
            assert "is paused until" in held(watching)
            with serving({"/robots.txt": robots()}, otherwise=numbered, port=port) as again:
                wait_until(lambda: not watching.is_crawling())
            assert again.paths()
    assert states(tmp_path / "c") == {"waiting": 0, "done": PAGES, "failed": 0}


@pytest.mark.slow
def test_a_host_that_stays_away_is_set_aside_and_asked_by_the_next_run(tmp_path):
    with serving({"/robots.txt": robots()}, otherwise=numbered) as site:
        port, start = site.port, site.url("/0")
        crawl(tmp_path / "c", [start], pages=5)
    for _ in range(2):
        summary = crawl(tmp_path / "c", [start], patience=0)
        assert summary.outcome == "unreachable"
        assert states(tmp_path / "c")["failed"] == 0
        with telusur.open(tmp_path / "c") as collection:
            sentence = held(collection)
            waiting = next(row["url"] for row in collection.urls() if row["state"] == "waiting")
            story = collection.why(waiting)
        assert "gets no more requests in this run: it does not answer (network" in sentence
        assert "it does not answer (network: no connection)" in story.reason
    with serving({"/robots.txt": robots()}, otherwise=numbered, port=port):
        assert crawl(tmp_path / "c", [start]).outcome == "done"
    assert states(tmp_path / "c") == {"waiting": 0, "done": PAGES, "failed": 0}


@pytest.mark.slow
def test_the_command_line_says_what_is_left_and_why(tmp_path):
    with serving({"/robots.txt": robots()}, otherwise=numbered) as site:
        start = site.url("/0")
        crawl(tmp_path / "c", [start], pages=5)
    program = str(Path(sys.executable).with_name("telusur"))
    flags = ["--allow-private", "--delay", "0", "--patience", "0", "--no-index"]
    command = [program, "crawl", start, "--to", str(tmp_path / "c"), *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "The remaining URLs are on hosts that do not respond" in done.stderr
    assert "it does not answer (network: no connection)" in done.stderr
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert '"why": "it does not answer (network: no connection)' in done.stdout.splitlines()[-1]
    status = subprocess.run(
        [program, "status", "--in", str(tmp_path / "c")], capture_output=True, text=True, check=True
    )
    assert "it does not answer" in status.stdout


@pytest.mark.slow
def test_what_failed_because_its_host_was_away_waits_again_in_the_next_run(tmp_path):
    with serving({"/robots.txt": robots()}, otherwise=numbered) as away:
        port = away.port
    link = f"http://127.0.0.1:{port}/0"
    home = Answer(page("Home", links=[link]), headers={"Connection": "close"})
    with serving({"/robots.txt": robots(), "/": home}) as site:
        crawl(tmp_path / "c", [site.url("/")], scope="any")
        with telusur.open(tmp_path / "c") as collection:
            assert collection.why(link).reason == "network: no connection"
        assert states(tmp_path / "c") == {"waiting": 0, "done": 1, "failed": 1}
        with serving({"/robots.txt": robots()}, otherwise=numbered, port=port):
            crawl(tmp_path / "c", [site.url("/")], scope="any")
    assert states(tmp_path / "c") == {"waiting": 0, "done": PAGES + 1, "failed": 0}


def test_what_failed_by_itself_does_not_wait_again(tmp_path):
    broken = Answer("", 404, {"Connection": "close"})
    home = Answer(page("Home", links=["/broken"]), headers={"Connection": "close"})
    with serving({"/robots.txt": robots(), "/": home, "/broken": broken}) as site:
        for _ in range(2):
            crawl(tmp_path / "c", [site.url("/")])
        assert site.asked("/broken") == 1


def test_a_smaller_delay_counts_at_once_and_a_long_one_is_told(tmp_path):
    with serving({"/robots.txt": robots()}, otherwise=numbered) as site:
        with crawling(tmp_path / "c", [site.url("/0")], delay=600) as watching:
            wait_until(lambda: "600 s lie between two requests" in held(watching))
            assert site.paths() == []
            watching.stop()
        assert crawl(tmp_path / "c", [site.url("/0")], pages=3).progress.fetched == 3


def test_a_time_that_no_calendar_knows_is_no_trouble(tmp_path):
    with serving({"/robots.txt": robots()}, otherwise=numbered) as site:
        crawl(tmp_path / "c", [site.url("/0")], pages=3)
        with sqlite3.connect(tmp_path / "c" / DATABASE) as connection:
            connection.execute("UPDATE hosts SET not_before = 1e308")
        with telusur.open(tmp_path / "c") as collection:
            waiting = next(row["url"] for row in collection.urls() if row["state"] == "waiting")
            assert "the end of time" in collection.why(waiting).reason
        crawl(tmp_path / "c", [site.url("/0")])
    assert states(tmp_path / "c") == {"waiting": 0, "done": PAGES, "failed": 0}


def test_a_page_that_fails_is_tried_again_after_the_others_had_their_turn(tmp_path):
    bad = {f"/{number}": Answer("", 500, {"Connection": "close"}) for number in (3, 4, 11)}
    with serving({"/robots.txt": robots(), **bad}, otherwise=listed) as site:
        crawl(tmp_path / "c", [site.url("/0")])
        paths = site.paths()
    first = [path for at, path in enumerate(paths) if path not in paths[:at]]
    assert paths[: len(first)] == first, "every page once, before any of them twice"
    assert sorted(paths[len(first) :]) == sorted([*bad] * 2), "three tries each"
