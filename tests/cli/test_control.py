"""`status`, `pause`, `resume` and `stop` on real crawls that run in processes of their own.

Each command is run once as a process, and else in ours: what it does is the same.
"""

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

import telusur as library
from tests.sites import Answer, page, serving
from tests.sites import wait_until as wait_for

PROGRAM = os.path.join(os.path.dirname(sys.executable), "telusur")
PAGES = 150
# For a test that does not look at the index: one process less.
SPARING = ("--no-index",)


def endless(path):
    return page(path, links=[f"{path}a", f"{path}b"])


def graph(path):
    """A graph of known size, slow enough that a crawl of it can be steered."""
    number = int(path.strip("/") or 0)
    links = [f"/{n}" for n in (2 * number + 1, 2 * number + 2) if n < PAGES]
    return Answer(page(f"Page {number}", links=links), seconds=0.01)


class Held:
    """The graph, whose answers from the 40th on wait until they are let go."""

    def __init__(self):
        self.let_go = threading.Event()
        self._asked = itertools.count(1)

    def __call__(self, path):
        if next(self._asked) > 40:
            self.let_go.wait(100)
        return graph(path)


def run(command, directory, *more):
    return subprocess.run(
        [PROGRAM, command, "--in", str(directory), *more],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip


def status(directory):
    """Return what `telusur status --json` prints, without a process for each look."""
    with library.open(directory) as collection:
        return collection.status().as_record()


@contextmanager
def crawling(site, directory, *more):
    """Run a crawl; what is left of it at the end of the block is killed."""
    command = [PROGRAM, "crawl", site.url("/"), "--to", str(directory), "--allow-private"]
    process = subprocess.Popen(
        [*command, "--delay", "0", *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def site_name(site):
    return site.origin.removeprefix("http://")


def asked_at_least(site, number):
    return lambda: len(site.paths()) >= number


def has_pages(directory, number):
    """Whether so many pages are written: parsers may take a while to start."""
    return lambda: (now := status(directory))["pages"] >= number and now


@pytest.mark.slow
def test_status_of_a_running_crawl_shows_growing_numbers(telusur, tmp_path):
    def told_status():
        ran = telusur("status", "--in", tmp_path / "c", "--json")
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    with (
        serving({"/robots.txt": ""}, otherwise=endless) as site,
        crawling(site, tmp_path / "c", "--delay", "0.02") as process,
    ):
        wait_for(asked_at_least(site, 1), "a request")
        first = wait_for(has_pages(tmp_path / "c", 1), "a page")
        wait_for(has_pages(tmp_path / "c", first["pages"] + 20), "20 more pages")
        # The speed is that of the last seconds, in which a busy machine may have done nothing.
        second = wait_for(lambda: (now := told_status())["pages_per_second"] > 0 and now, "a speed")
        shown = run("status", tmp_path / "c")
    assert second["type"] == "status"
    assert first["state"] == second["state"] == "running"
    assert first["pid"] == second["pid"] == process.pid
    for name in ("seconds", "found", "done", "pages", "bytes"):
        assert second[name] > first[name], name
    states = ("waiting", "in_flight", "done", "failed", "skipped")
    assert second["found"] == sum(second[name] for name in states)
    assert second["answers"]["200"] == second["fetched"]
    assert second["pages_per_second"] > 0
    assert second["bytes_per_second"] > 0
    assert second["processes"] >= 3
    assert second["memory_bytes"] > 20_000_000
    assert [row["site"] for row in second["sites"]] == [site_name(site)]
    assert second["sites"][0]["pages"] > 10
    assert shown.returncode == 0
    assert f"process {process.pid}" in shown.stdout
    assert " pages/s" in shown.stdout


@pytest.mark.slow
def test_failures_and_skipped_urls_are_counted_by_reason(telusur, tmp_path):
    home = page("Home", links=["/gone", "/lost", "/no/x", "http://elsewhere.example/"])
    pages = {"/robots.txt": "User-agent: *\nDisallow: /no/\n", "/": home}
    with serving(pages) as site, library.open(tmp_path / "c") as collection:
        collection.crawl([site.url()], allow_private=True, delay=0)
    found = status(tmp_path / "c")
    assert found["failed_by_reason"] == {"http 404": 2}
    assert found["skipped_by_reason"] == {"robots": 1, "scope": 1}
    ours = next(row for row in found["sites"] if row["site"] == site_name(site))
    assert (ours["failed"], ours["skipped"], ours["waiting"]) == (2, 1, 0)
    shown = telusur("status", "--in", tmp_path / "c").out
    assert "2 http 404" in shown
    assert "1 robots" in shown


def test_a_pause_is_silent_and_resume_goes_on_to_the_complete_set(telusur, tmp_path):
    held = Held()  # however slow this machine is, the crawl is not over before it is paused
    with serving({"/robots.txt": ""}, otherwise=held) as site:
        with crawling(site, tmp_path / "c", *SPARING, "--per-host", "4") as process:
            wait_for(asked_at_least(site, 20), "20 requests")
            paused = run("pause", tmp_path / "c")
            assert paused.returncode == 0
            held.let_go.set()
            assert "telusur resume --in" in paused.stderr
            wait_for(lambda: status(tmp_path / "c")["in_flight"] == 0, "what is in flight")
            asked = len(site.paths())
            assert asked < PAGES
            before = status(tmp_path / "c")
            time.sleep(1.5)
            assert len(site.paths()) == asked, "no request while paused"
            assert before["state"] == "paused"
            assert before["pages"] == asked, "what was in flight is written"
            again = telusur("pause", "--in", tmp_path / "c")
            assert again.code == 0, "pausing twice does no harm"
            resumed = run("resume", tmp_path / "c", "--json")
            assert json.loads(resumed.stdout) == {"type": "resume", "ok": True, "state": "running"}
            _, err = process.communicate(timeout=100)
        fetched = site.paths()
    assert process.returncode == 0
    assert "Paused; to resume:" in err
    assert sorted(fetched) == sorted(f"/{n or ''}" for n in range(PAGES)), "each page once"


def test_stop_ends_gracefully_and_loses_nothing(tmp_path):
    with serving({"/robots.txt": ""}, otherwise=endless) as site:
        with crawling(site, tmp_path / "c", "--delay", "0.01") as process:
            wait_for(asked_at_least(site, 20), "20 requests")
            wait_for(has_pages(tmp_path / "c", 1), "a page")
            stopped = run("stop", tmp_path / "c")
            assert stopped.returncode == 0
            assert "nothing is lost" in stopped.stderr
            out, err = process.communicate(timeout=100)
        fetched = site.paths()
    assert process.returncode == 0
    assert "Stopped as you asked." in err
    assert "documents in" in out
    with library.open(tmp_path / "c") as collection:
        assert sorted(row["url"] for row in collection.pages()) == sorted(map(site.url, fetched))
        assert collection.counts().documents == collection.count_indexed() == len(fetched)
    assert not list((tmp_path / "c").glob("control.*"))
    assert status(tmp_path / "c")["reason"] == "interrupted"


def test_limits_are_changed_while_it_runs(telusur, tmp_path):
    with (
        serving({"/robots.txt": ""}, otherwise=endless) as site,
        crawling(site, tmp_path / "c", *SPARING, "--delay", "300", "--pages", "100000") as process,
    ):
        wait_for(lambda: site.asked("/robots.txt"), "the first request")
        assert status(tmp_path / "c")["limits"] == {
            "pages": 100_000, "depth": None, "seconds": None, "total_bytes": None,
            "scope": "site", "delay": 300.0,
        }  # fmt: skip
        for given in (["--pages", "0"], ["--delay", "soon"], ["--scope", "none"], []):
            refused = telusur("limit", "--in", tmp_path / "c", *given)
            assert (refused.code, refused.out) == (2, "")
            assert len(refused.err.splitlines()) == 1
        changed = run("limit", tmp_path / "c", "--seconds", "9000", "--pages", "none")
        assert changed.returncode == 0
        assert "New limits: pages unlimited, seconds 9,000." in changed.stderr
        assert status(tmp_path / "c")["limits"]["pages"] is None
        wait_for(lambda: len(library.open(tmp_path / "c").timeline()) >= 2, "a timeline")
        # The delay of 300 s has begun; the crawl ends all the same.
        ended = telusur("limit", "--in", tmp_path / "c", "--seconds", "0.5", "--json")
        assert json.loads(ended.out)["ok"]
        assert process.wait(100) == 1  # it ran, and had fetched nothing but the rules
    assert status(tmp_path / "c")["reason"] == "seconds"
    assert len(library.open(tmp_path / "c").timeline()) >= 2


def test_a_shorter_delay_counts_from_the_next_request(telusur, tmp_path):
    with (
        serving({"/robots.txt": ""}, otherwise=graph) as site,
        crawling(site, tmp_path / "c", *SPARING, "--delay", "1") as process,
    ):
        wait_for(asked_at_least(site, 1), "a request")
        assert telusur("limit", "--in", tmp_path / "c", "--delay", "0").code == 0
        assert process.wait(100) == 0
        assert len(site.paths()) == PAGES, "at a second each this would have taken longer"


@pytest.mark.slow
def test_a_paused_crawl_can_be_stopped(telusur, tmp_path):
    with (
        serving({"/robots.txt": ""}, otherwise=endless) as site,
        crawling(site, tmp_path / "c", "--delay", "0.01") as process,
    ):
        wait_for(asked_at_least(site, 5), "5 requests")
        telusur("pause", "--in", tmp_path / "c")
        assert telusur("stop", "--in", tmp_path / "c", "--json").code == 0
        assert process.wait(100) == 0


def test_an_idle_collection_has_a_status_and_nothing_to_steer(telusur, demo):
    found = json.loads(telusur("status", "--in", demo.directory, "--json").out)
    assert (found["state"], found["reason"], found["in_flight"]) == ("idle", "done", 0)
    assert found["pages"] > 500
    assert found["pid"] is None
    assert (
        "the last crawl finished; no URLs are left" in telusur("status", "--in", demo.directory).out
    )
    more = {"limit": ["--pages", "5"]}
    for command in ("pause", "resume", "stop", "limit"):
        line = [command, "--in", demo.directory, *more.get(command, [])]
        ran = telusur(*line)
        assert (ran.code, ran.out) == (1, "")
        assert "no crawl is running" in ran.err
        record = json.loads(telusur(*line, "--json").out)
        assert record == {"type": command, "ok": False, "state": "idle"}


@pytest.mark.parametrize("command", ["status", "pause", "resume", "stop"])
def test_a_directory_that_is_not_a_collection(telusur, tmp_path, command):
    (tmp_path / "mine").mkdir()
    for name, words in (("mine", "is not a collection"), ("nowhere", "no such directory")):
        ran = telusur(command, "--in", name)
        assert (ran.code, ran.out) == (2, "")
        assert words in ran.err
    assert telusur(command).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.slow
def test_a_killed_crawl_leaves_a_stale_socket_that_does_no_harm(telusur, tmp_path):
    held = Held()  # neither crawl is over before it was looked at
    with serving({"/robots.txt": ""}, otherwise=held) as site:
        with crawling(site, tmp_path / "c", *SPARING) as process:
            wait_for(asked_at_least(site, 10), "10 requests")
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert (tmp_path / "c" / "control.sock").exists()
        wait_for(lambda: not library.open(tmp_path / "c").is_crawling(), "the lock")
        found = status(tmp_path / "c")
        assert (found["state"], found["reason"]) == ("idle", "running")
        assert found["found"] == sum(found[name] for name in ("waiting", "done"))
        assert "was killed" in telusur("status", "--in", tmp_path / "c").out
        assert telusur("pause", "--in", tmp_path / "c").code == 1
        with crawling(site, tmp_path / "c", *SPARING) as process:
            wait_for(lambda: status(tmp_path / "c")["pid"] == process.pid, "the new crawl")
            held.let_go.set()
            assert process.wait(100) == 0
        assert {int(path.strip("/") or 0) for path in site.paths()} == set(range(PAGES))


@pytest.mark.slow
def test_several_clients_at_once_get_whole_answers(tmp_path):
    with (
        serving({"/robots.txt": ""}, otherwise=endless) as site,
        crawling(site, tmp_path / "c", *SPARING, "--delay", "0.02") as process,
    ):
        wait_for(asked_at_least(site, 5), "5 requests")
        answers = []
        with library.open(tmp_path / "c") as one, library.open(tmp_path / "c") as other:

            def ask(collection):
                answers.extend(collection.status().pid for _ in range(20))

            threads = [threading.Thread(target=ask, args=(c,)) for c in (one, other)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
        assert answers == [process.pid] * 40


GARBAGE = [
    b"\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b'{"do": "explode"}\n',
    b'{"do": []}\n',
    b"[1]\n",
    b"\xff\xfe\n",
    b"[" * 4000 + b"\n",
    b"x" * 100_000,
    b'{"do": "stop"',
]


def send(place, garbage):
    """Send bytes to a socket and return the lines of the answer."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(str(place))
        try:
            connection.sendall(garbage)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(9000), b"")).splitlines()
        except (BrokenPipeError, ConnectionResetError):  # it hung up on too long a line
            return []


@pytest.mark.slow
def test_garbage_sent_to_the_socket_does_no_harm(telusur, tmp_path):
    directory = tmp_path / "c"
    with (
        serving({"/robots.txt": ""}, otherwise=endless) as site,
        crawling(site, directory, *SPARING, "--delay", "0.02") as process,
    ):
        wait_for(asked_at_least(site, 3), "3 requests")
        answers = [
            line for garbage in GARBAGE for line in send(directory / "control.sock", garbage)
        ]
        assert len(answers) >= 6
        assert all(json.loads(line)["ok"] is False for line in answers)
        wait_for(asked_at_least(site, len(site.paths()) + 5), "5 more requests")
        assert status(directory)["state"] == "running"
        assert telusur("stop", "--in", directory).code == 0
        _, err = process.communicate(timeout=100)
    assert process.returncode == 0
    assert "Traceback" not in err


@pytest.mark.slow
def test_watching_ends_with_the_crawl(tmp_path):
    held = Held()  # the crawl is not over before it is watched
    with (
        serving({"/robots.txt": ""}, otherwise=held) as site,
        crawling(site, tmp_path / "c") as process,
    ):
        wait_for(asked_at_least(site, 5), "5 requests")
        command = [PROGRAM, "status", "--in", str(tmp_path / "c"), "--watch", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
            seen = [watching.stdout.readline()]
            held.let_go.set()
            seen += watching.stdout.readlines()
        assert process.wait(100) == 0
    states = [json.loads(line)["state"] for line in seen]
    assert (states[0], states[-1]) == ("running", "idle")
    assert set(states) <= {"running", "stopping", "busy", "idle"}


@pytest.mark.slow
def test_a_collection_with_a_very_long_path_can_be_steered(telusur, tmp_path):
    directory = tmp_path / ("long-" * 20) / "c"
    directory.parent.mkdir()
    with (
        serving({"/robots.txt": ""}, otherwise=endless) as site,
        crawling(site, directory, *SPARING, "--delay", "0.02") as process,
    ):
        wait_for(asked_at_least(site, 5), "5 requests")
        assert status(directory)["pid"] == process.pid
        assert telusur("stop", "--in", directory).code == 0
        assert process.wait(100) == 0
    assert not list(directory.glob("control.*"))
