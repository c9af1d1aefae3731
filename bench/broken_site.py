"""Crawl a site of which a tenth is broken, and the same site whole: `python -m bench.broken_site`.

A page's trouble is not its host's trouble: fifty of five hundred pages answer badly, in ten ways,
at random places, and the crawl must not be much slower for it. Speed is the pages of the site
divided by the seconds from the first request to the last, repeated tries included; how soon every
page had its first is told beside it. Rounds of both are interleaved, and the fastest of each are
compared: a round takes a second, and other work on the machine can only slow it. Exit code 1 below
the ratio.
"""

import argparse
import gzip
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.endless_server import WORDS
from bench.growing_site import GrowingSite

PAGES = 500
BROKEN = 50
LEAST_RATIO = 0.8
_TELUSUR = Path(sys.executable).with_name("telusur")


def _head(status: str = "200 OK", *fields: str) -> bytes:
    rows = [f"HTTP/1.1 {status}", "Content-Type: text/html", "Connection: close", *fields]
    return ("\r\n".join(rows) + "\r\n\r\n").encode()


def _half(body: bytes) -> bytes:
    return body[: len(body) // 2]


WAYS: dict[str, Callable[[bytes, str], bytes]] = {
    "empty answer": lambda body, path: b"",
    "reset in the body": lambda body, path: _head("200 OK", "Content-Length: 9999") + body[:50],
    "bad chunk": lambda body, path: (
        _head("200 OK", "Transfer-Encoding: chunked") + b"zz\r\n" + body + b"\r\n0\r\n\r\n"
    ),
    "length too large": lambda body, path: (
        _head("200 OK", "Content-Length: 10000000000") + body[:60]
    ),
    "headers too large": lambda body, path: _head("200 OK", f"X-Big: {'a' * 2_000_000}") + body,
    "error 500": lambda body, path: _head("500 Internal Server Error") + b"broken",
    "error 503": lambda body, path: _head("503 Service Unavailable") + b"later",
    "not HTTP": lambda body, path: b"What did you say? " * 40,
    "half a gzip": lambda body, path: (
        _head("200 OK", "Content-Encoding: gzip") + _half(gzip.compress(body))
    ),
    "closed in the headers": lambda body, path: b"HTTP/1.1 200 OK\r\nContent-Ty",
}


class BrokenSite:
    """Serves the pages of a growing site, some of them broken; notes when each was first asked."""

    def __init__(self, broken: dict[str, str]) -> None:
        self._pages = GrowingSite(PAGES)
        self._broken = broken
        self.first: dict[str, float] = {}
        self.last = 0.0
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=100)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def start(self) -> str:
        """Return the URL of the first page."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}{GrowingSite.path(0)}"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                request = connection.recv(65536)
                while request and not request.endswith(b"\r\n\r\n"):
                    request += connection.recv(65536)
                if not request:
                    return
                path = request.split(b" ", 2)[1].decode()
                self.last = time.monotonic()
                self.first.setdefault(path, self.last)
                connection.sendall(self._answer(path))
                if self._broken.get(path) == "reset in the body":
                    linger = struct.pack("ii", 1, 0)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            except OSError:
                return

    def _answer(self, path: str) -> bytes:
        number = self._pages.number(path)
        if number is None:
            return _head("404 Not Found", "Content-Length: 0")
        body = self._pages.page(number)
        way = self._broken.get(path)
        if way is not None:
            return WAYS[way](body, path)
        return _head("200 OK", f"Content-Length: {len(body)}") + body

    def close(self) -> None:
        """Stop serving."""
        self._socket.close()
        self._pages.close()


def break_some(seed: int) -> dict[str, str]:
    """Choose which pages are broken and how: leaves, so that the others are found all the same."""
    chance = random.Random(seed)
    leaves = [GrowingSite.path(number) for number in range(PAGES // 2, PAGES)]
    ways = [way for way in WAYS for _ in range(BROKEN // len(WAYS))]
    return dict(zip(chance.sample(leaves, BROKEN), chance.sample(ways, BROKEN), strict=True))


@contextmanager
def serving(broken: dict[str, str]) -> Iterator[BrokenSite]:
    """Serve a site as long as the block runs."""
    site = BrokenSite(broken)
    try:
        yield site
    finally:
        site.close()


def crawl(broken: dict[str, str], delay: str) -> tuple[float, float]:
    """Crawl once; return the pages a second, and after how many seconds each was asked for once."""
    with serving(broken) as site, tempfile.TemporaryDirectory() as place:
        command = [_TELUSUR, "crawl", site.start, "--to", f"{place}/c", "--allow-private"]
        subprocess.run([*command, "--delay", delay], check=True, capture_output=True)
        asked = [at for path, at in site.first.items() if path != "/robots.txt"]
        if len(asked) < PAGES:
            raise SystemExit(f"Only {len(asked)} of {PAGES} pages were asked for.")
    return PAGES / (site.last - min(asked)), max(asked) - min(asked)


def compare(delay: str, rounds: int) -> float:
    """Crawl both sites in turn; print and return the ratio of their speeds."""
    speeds: dict[str, list[float]] = {"whole": [], "broken": []}
    for number in range(rounds):
        for name, broken in (("whole", {}), ("broken", break_some(number))):
            speed, seconds = crawl(broken, delay)
            speeds[name].append(speed)
            print(f"--delay {delay} round {number + 1} {name:<7}{speed:>7.1f} pages/s, "
                  f"each asked for once after {seconds:.1f} s")  # fmt: skip
    ratio = max(speeds["broken"]) / max(speeds["whole"])
    print(f"--delay {delay}: {BROKEN} of {PAGES} pages broken in {len(WAYS)} ways are crawled at "
          f"{ratio:.2f} of the speed of the whole site; at least {LEAST_RATIO}")  # fmt: skip
    return ratio


def main() -> int:
    """Compare under each delay; exit code 1 when one is too slow."""
    parser = argparse.ArgumentParser(description="Crawl a site with broken pages and without.")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--delay", action="append", help="seconds; may be repeated")
    options = parser.parse_args()
    assert len(WORDS) >= PAGES // 2
    ratios = [compare(delay, options.rounds) for delay in options.delay or ["0", "0.05"]]
    return 0 if min(ratios) >= LEAST_RATIO else 1


if __name__ == "__main__":
    raise SystemExit(main())
