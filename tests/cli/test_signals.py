"""Ctrl-C once saves and stops, twice stops at once; a closed pipe is no failure."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import urlopen

import pytest

import telusur
from tests.sites import page, serving
from tests.sites import wait_until as wait_for

PROGRAM = [os.path.join(os.path.dirname(sys.executable), "telusur")]


def endless(path):
    return page(path, links=[f"{path}a", f"{path}b"])


def crawl(site, directory, *more):
    command = [*PROGRAM, "crawl", site.url(), "--to", str(directory), "--allow-private", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def exported(directory):
    done = subprocess.run(
        [*PROGRAM, "export", "--in", str(directory), "--format", "jsonl"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line)["url"] for line in done.stdout.splitlines()]


def has_pages(directory, number):
    with telusur.open(directory) as collection:
        return collection.counts().pages >= number


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_one_interrupt_saves_and_stops(tmp_path, number):
    with serving({"/robots.txt": ""}, otherwise=endless) as site:
        process = crawl(site, tmp_path / "c", "--delay", "0.01")
        wait_for(lambda: len(site.paths()) > 20, "20 requests")
        wait_for(lambda: has_pages(tmp_path / "c", 1), "a page")
        process.send_signal(number)
        out, err = process.communicate(timeout=100)
        fetched = site.paths()
    assert process.returncode == 0
    assert "Press Ctrl-C again" in err
    assert "Stopped as you asked." in err
    assert "documents in" in out
    assert sorted(exported(tmp_path / "c")) == sorted(site.origin + path for path in fetched)


def test_two_interrupts_stop_at_once(tmp_path):
    has_ended = threading.Event()

    def held(path):
        if len(path) >= 4:  # in flight until the end, however long the rest takes
            has_ended.wait(300)
        return endless(path)

    with serving({"/robots.txt": ""}, otherwise=held) as site:
        process = crawl(site, tmp_path / "c", "--delay", "0", "--timeout", "300")
        wait_for(lambda: any(len(path) >= 4 for path in site.paths()), "a request that is held")
        wait_for(lambda: has_pages(tmp_path / "c", 3), "three pages")
        process.send_signal(signal.SIGINT)
        said = iter(process.stderr.readline, "")
        assert any("Press Ctrl-C again" in line for line in said)
        time.sleep(0.5)
        assert process.poll() is None, "it waits for what is in flight"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=100)
        has_ended.set()
        assert process.returncode == 130
        assert len(exported(tmp_path / "c")) >= 3


@pytest.mark.parametrize(
    "words", ["export --format jsonl", "clusters --site docs.localhost --pages 9", "topics"]
)
def test_a_closed_pipe_is_no_failure(demo, words):
    command = f"{PROGRAM[0]} {words} --in {demo.directory} 2> /dev/null | true; "
    ran = subprocess.run(
        ["bash", "-c", command + "echo ${PIPESTATUS[0]}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ("0\n", "")


def test_serve_answers_until_it_is_stopped(demo):
    command = [*PROGRAM, "serve", "--in", str(demo.directory), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        url = process.stderr.readline().split(" is at ")[1].split()[0]
        with urlopen(f"{url}search.json?q=lighthouse+keeper&limit=2") as answer:
            record = json.load(answer)
        assert record["ok"] is True
        assert len(record["hits"]) == 2
        process.send_signal(signal.SIGINT)
        assert process.wait(100) == 0


@pytest.mark.slow
def test_the_demo_serves_crawls_and_shows(tmp_path):
    # What BROWSER names gets the address on its command line, for everybody to read.
    seen, browser = tmp_path / "seen", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.new && mv {seen}.new {seen}\n')
    browser.chmod(0o700)
    env = os.environ | {"BROWSER": str(browser), "TMPDIR": str(tmp_path)}
    command = [*PROGRAM, "demo", "--port", "0", "--web-port", "0", "--to", str(tmp_path / "c")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    ) as process:
        lines = iter(process.stderr.readline, "")
        url = next(line for line in lines if "in your browser" in line).split(": ")[1].split()[0]
        keyed = next(lines).split()[-1]
        assert keyed.startswith(f"{url}?key=")
        with urlopen(f"{url}search.json?q=coffee") as answer:
            assert json.load(answer)["total"] > 5
        wait_for(seen.exists, "the browser", 60)
        opened = seen.read_text().strip()
        door = Path(unquote(urlsplit(opened).path))
        assert keyed.partition("key=")[2] not in opened
        assert keyed in door.read_text()
        assert door.parent.stat().st_mode & 0o077 == 0, "nobody else looks into its directory"
        process.send_signal(signal.SIGTERM)
        assert process.wait(100) == 0
    assert not door.exists()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_while_python_ends_does_not_change_the_exit_code(name):
    # Destructors of modules run last, after Python has taken its own signal handlers away.
    script = f"""
import os, signal, sys
from telusur.cli import main
class Last:
    def __del__(self, kill=os.kill, pid=os.getpid(), number=signal.{name}):
        kill(pid, number)
last = Last()
sys.argv = ["telusur", "--version"]
main()
"""
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
