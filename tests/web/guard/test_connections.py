"""Connections that do nothing take no room from those who search."""

import http.client
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import pytest

from telusur.shelf import Shelf
from telusur.web.crawls.live import MOST_STREAMS, MOST_STREAMS_OF_ONE, Live
from telusur.web.frame.site_colours import hues_of
from telusur.web.guard import connections
from telusur.web.guard.connections import Doors
from telusur.web.guard.forwarded import Proxies
from telusur.web.paperdoll.doll import make_paper_doll
from tests.sites import page, serving
from tests.web.conftest import run_workbench

HALF_A_HEAD = b"GET /search.json?q=a HTTP/1.1\r\nHost: 127.0.0.1\r\n"


class Waiting:
    """A connection as the door sees it."""

    def __init__(self, address, since=0.0, is_stalled=True):
        self.address, self.since, self.is_stalled = address, since, is_stalled
        self.is_away = False

    def turn_away(self):
        self.is_away = True


# Who makes room


def test_the_oldest_of_the_same_address_makes_room():
    doors = Doors(100, 3, Proxies())
    kept = [Waiting("a", since) for since in (3.0, 1.0, 2.0)]
    assert all(doors.admit(one) for one in kept)
    assert doors.admit(Waiting("a", 4.0))
    assert [one.is_away for one in kept] == [False, True, False]
    assert doors.admit(Waiting("b"))


def test_who_is_being_answered_stays_and_a_newcomer_is_refused():
    doors = Doors(100, 2, Proxies())
    busy = [Waiting("a", is_stalled=False) for _ in range(2)]
    assert all(doors.admit(one) for one in busy)
    assert not doors.admit(Waiting("a"))
    doors.leave(busy[0])
    doors.leave(busy[0])
    assert doors.admit(Waiting("a", is_stalled=False))
    assert not doors.admit(Waiting("a"))


def test_when_all_is_full_the_address_with_the_most_makes_room():
    doors = Doors(6, 5, Proxies())
    many = [Waiting("many", since) for since in range(10, 14)]
    few = [Waiting("few", since) for since in range(2)]
    assert all(doors.admit(one) for one in few + many)
    assert doors.admit(Waiting("new"))
    assert [one.is_away for one in many] == [True, False, False, False]
    assert not any(one.is_away for one in few)


def test_all_visitors_of_a_proxy_share_its_address():
    doors = Doors(50, 2, Proxies(["10.0.0.1"]))
    assert all(doors.admit(Waiting("10.0.0.1", is_stalled=False)) for _ in range(50))
    assert not doors.admit(Waiting("10.0.0.1"))


# On a real server


def connect(url, source="127.0.0.2"):
    place = urlsplit(url)
    found = socket.create_connection((place.hostname, place.port), 60, (source, 0))
    found.settimeout(60)
    return found


def read_all(found):
    data = b""
    try:
        while part := found.recv(65536):
            data += part
    except ConnectionResetError:
        pass
    except TimeoutError:
        pytest.fail("the connection stays open for a minute")
    return data


@pytest.mark.parametrize("sent", [b"", HALF_A_HEAD])
def test_a_head_must_arrive_in_time(show, monkeypatch, sent):
    monkeypatch.setattr(connections, "SECONDS_FOR_A_HEAD", 0.2)
    running = show(make_paper_doll())
    with connect(running.url) as half:
        half.sendall(sent)
        assert read_all(half).startswith(b"HTTP/1.1 408 "), "it is closed, and told why"
    monkeypatch.undo()
    assert running.get("/status.json").status == 200


def test_the_second_head_must_arrive_in_time_too(show, monkeypatch):
    with connect(show(make_paper_doll()).url) as half:
        half.sendall(HALF_A_HEAD + b"\r\n")
        assert half.recv(65536).startswith(b"HTTP/1.1 200 OK")
        monkeypatch.setattr(connections, "SECONDS_FOR_A_HEAD", 0.2)
        half.sendall(HALF_A_HEAD)
        read_all(half)  # it ends


def test_a_body_that_nobody_asked_for_does_not_keep_a_connection(show, monkeypatch):
    with connect(show(make_paper_doll()).url) as half:
        half.sendall(HALF_A_HEAD + b"Content-Length: 1000\r\n\r\n")
        assert half.recv(65536).startswith(b"HTTP/1.1 200 OK")
        monkeypatch.setattr(connections, "SECONDS_FOR_A_HEAD", 0.2)
        half.sendall(b"x")
        read_all(half)  # it ends


@pytest.mark.slow
def test_who_does_not_read_is_cut_off(show, monkeypatch):
    monkeypatch.setattr(connections, "SECONDS_FOR_A_STALL", 0.2)
    running = show(make_paper_doll())
    whole = b"GET /static/css/parts.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with connect(running.url) as lazy:
        lazy.setblocking(False)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            send_on(lazy, whole * 50)


def send_on(lazy, data):
    """Send and send, and read nothing, until the other end has enough or a minute is over."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            lazy.send(data)
        except BlockingIOError:
            time.sleep(0.01)


@contextmanager
def serve_with_few_files(directory, number):
    """`telusur serve` in a process that may have so many files."""
    command = [sys.executable, "-m", "telusur.cli", "serve", "--in", str(directory), "--port", "0"]
    limited = ["sh", "-c", f'ulimit -n {number}; exec "$@"', "sh", *command, "--read-only"]
    with subprocess.Popen(limited, stderr=subprocess.PIPE, text=True) as process:
        lines = []
        try:
            lines.append(process.stderr.readline())
            yield re.search(r"http://[\d.:]+", lines[0])[0], lines
        finally:
            process.send_signal(signal.SIGTERM)
            lines += process.communicate(timeout=60)[1].splitlines()


def ask(url, path):
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_half_open_connections_starve_nobody(demo):
    with serve_with_few_files(demo.directory, 200) as (url, lines), ExitStack() as stack:
        half = [stack.enter_context(connect(url)) for _ in range(230)]
        for one in half:
            try:
                one.sendall(HALF_A_HEAD)
            except OSError:
                continue  # it was refused already
        assert {ask(url, "/search.json?q=lighthouse") for _ in range(20)} == {200}
    assert not [line for line in lines if "Too many open files" in line]


def test_fifty_at_once_from_one_address_are_all_answered(show):
    running = show(make_paper_doll())
    statuses = []
    ready = threading.Barrier(60)

    def search():
        ready.wait()
        statuses.extend(running.get("/search.json?q=clock").status for _ in range(3))

    people = [threading.Thread(target=search) for _ in range(60)]
    for one in people:
        one.start()
    for one in people:
        one.join()
    assert statuses == [200] * 180


# Streams of events


@pytest.fixture
def crawling(tmp_path):
    """A workbench with a crawl that is paused, so that its streams have no end."""
    pages = {"/robots.txt": ""}
    with (
        serving(pages, otherwise=lambda path: page(path, links=[f"{path}a"])) as site,
        Shelf(tmp_path) as shelf,
        run_workbench(None, crawls=shelf) as running,
    ):
        visitor = running.visit()
        visitor.get("/crawls/new")
        fields = {"urls": site.url(), "name": "long", "allow_private": "on", "delay": "0.1"}
        assert visitor.send("/crawls/new", fields).status == 303
        assert visitor.send("/crawls/long/steer", {"do": "pause"}).status == 303
        yield running, visitor
        shelf.open("long").stop()


def open_stream(running, source, **headers):
    place = urlsplit(running.url)
    connection = http.client.HTTPConnection(
        place.hostname, place.port, timeout=60, source_address=(source, 0)
    )
    connection.request("GET", "/crawls/long/events", headers=headers)
    return connection, connection.getresponse()


def test_streams_of_events_are_bounded(crawling):
    running, owner = crawling
    with ExitStack() as stack:

        def open_one(source, **headers):
            connection, response = open_stream(running, source, **headers)
            stack.callback(connection.close)
            return response.status

        of_one = [open_one("127.0.0.2") for _ in range(MOST_STREAMS_OF_ONE + 2)]
        assert of_one == [200] * MOST_STREAMS_OF_ONE + [503] * 2
        rest = MOST_STREAMS - MOST_STREAMS_OF_ONE
        others = [open_one(f"127.0.0.{n}") for n in range(3, rest + 5)]
        assert others == [200] * rest + [503] * 2
        held = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())
        assert open_one("127.0.0.2", Cookie=held) == 200, "whoever may act has seats of his own"
        assert running.get("/search.json?q=x").status == 404, "and others are answered"

    def is_free():
        connection, response = open_stream(running, "127.0.0.2")
        connection.close()
        return response.status == 200

    deadline = time.monotonic() + 60
    while not is_free():
        assert time.monotonic() < deadline, "the seats of those who left stay taken"
        time.sleep(0.05)


@pytest.fixture
def few_doors(monkeypatch):
    """A server started after this one lets an address have two connections."""
    monkeypatch.setattr(connections, "MOST_OF_ONE", 2)


def test_when_all_are_being_answered_a_newcomer_is_told_to_come_back(few_doors, crawling):
    running, _ = crawling
    with ExitStack() as stack:
        for _ in range(2):
            connection, response = open_stream(running, "127.0.0.2")
            stack.callback(connection.close)
            assert response.status == 200
        found = stack.enter_context(connect(running.url, "127.0.0.2"))
        found.sendall(HALF_A_HEAD + b"\r\n")
        told = read_all(found)
        assert told.startswith(b"HTTP/1.1 503 ")
        assert b"Retry-After: 5" in told
        with connect(running.url, "127.0.0.3") as other:
            other.sendall(HALF_A_HEAD + b"\r\n")
            assert other.recv(65536).startswith(b"HTTP/1.1 404 "), "there is nothing to search"


@pytest.mark.slow
def test_an_event_is_made_once_for_all(crawling, tmp_path):
    with Shelf(tmp_path) as shelf:
        snapshot, live, hues = shelf.snapshot("long"), Live(), hues_of(shelf.open("long"))
        made = [live.event("long", snapshot, hues, may_act=False, key_url="/key") for _ in range(3)]
        assert made[0] is made[1] is made[2]
        acting = live.event("long", snapshot, hues, may_act=True, key_url="")
        assert b"Pause" in acting or b"Resume" in acting
        assert b"token" not in acting, "what is the same for all holds nobody's secret"
        assert b"/key" in made[0]
        assert (
            live.event("long", shelf.snapshot("long"), hues, may_act=True, key_url="") is not acting
        )
