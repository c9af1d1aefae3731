"""Ctrl-C once saves and stops, twice stops at once; a closed pipe is no failure."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tests.sites import Answer, page, serving

PROGRAM = [os.path.join(os.path.dirname(sys.executable), "telusur")]


def wait_for(condition, what, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.02)


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_interrupt_saves_and_stops(tmp_path, number):
    with serving({"/robots.txt": ""}, otherwise=endless) as site:
        process = crawl(site, tmp_path / "c", "--delay", "0.01")
        wait_for(lambda: len(site.paths()) > 20, "20 requests")
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        fetched = site.paths()
    assert process.returncode == 0
    assert "Press Ctrl-C again" in err
    assert "Stopped as you asked." in err
    assert "documents in" in out
    assert sorted(exported(tmp_path / "c")) == sorted(site.origin + path for path in fetched)


def test_two_interrupts_stop_at_once(tmp_path):
    def slow(path):
        return Answer(endless(path), seconds=0 if len(path) < 4 else 30)

    with serving({"/robots.txt": ""}, otherwise=slow) as site:
        process = crawl(site, tmp_path / "c", "--delay", "0", "--timeout", "60")
        wait_for(lambda: any(len(path) >= 4 for path in site.paths()), "a slow request")
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
        assert process.poll() is None, "it waits for what is in flight"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=8)
        assert process.returncode == 130
        assert len(exported(tmp_path / "c")) >= 3


def test_a_closed_pipe_is_no_failure(demo):
    command = f"{PROGRAM[0]} export --in {demo.directory} --format jsonl | head -1 > /dev/null; "
    ran = subprocess.run(
        ["bash", "-c", command + "echo ${PIPESTATUS[0]}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ("0\n", "")


def test_serve_answers_until_it_is_stopped(demo):
    command = [*PROGRAM, "serve", "--in", str(demo.directory), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        url = process.stderr.readline().split(" is at ")[1].split()[0]
        from urllib.request import urlopen

        with urlopen(f"{url}search.json?q=lighthouse+keeper&limit=2") as answer:
            record = json.load(answer)
        assert record["ok"] is True
        assert len(record["hits"]) == 2
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


def test_the_demo_serves_crawls_and_shows(tmp_path):
    command = [*PROGRAM, "demo", "--port", "0", "--web-port", "0", "--no-open"]
    command += ["--to", str(tmp_path / "c")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        lines = iter(process.stderr.readline, "")
        url = next(line for line in lines if "in your browser" in line).split(": ")[1].split()[0]
        from urllib.request import urlopen

        with urlopen(f"{url}search.json?q=coffee") as answer:
            assert json.load(answer)["total"] > 5
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
