"""A site on loopback that grows while it is crawled; each page has a word that no other has."""

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from bench.endless_server import WORDS

_LETTERS = "bcdfghjklm"
_TELUSUR = Path(sys.executable).with_name("telusur")


class GrowingSite:
    """Pages in a chain with branches, as many as `most` says at the moment."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.answered: dict[int, float] = {}
        """When the answer of a page was sent."""
        self.asked: Counter[int] = Counter()
        """How often a page was asked for."""
        self._lock = threading.Lock()
        self._numbers = {self.path(number): number for number in range(len(WORDS) * 20)}
        self._server = _Server(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def origin(self) -> str:
        """Return scheme, host and port."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @staticmethod
    def path(number: int) -> str:
        """Return the path of a page: words, so that nothing looks like a calendar or a trap."""
        section, name = divmod(number, len(WORDS))
        return f"/{WORDS[section]}/{WORDS[name]}"

    @staticmethod
    def word(number: int) -> str:
        """Return the word that only this page has."""
        return "qx" + "".join(_LETTERS[int(digit)] for digit in f"{number:05d}")

    def number(self, path: str) -> int | None:
        """Return which page a path names, or None."""
        number = self._numbers.get(path)
        return number if number is not None and number < self.most else None

    def ask(self, path: str) -> int | None:
        """Return which page a path names, or None, and count the request."""
        with self._lock:
            number = self.number(path)
            if number is not None:
                self.asked[number] += 1
            return number

    def stop_growing(self) -> None:
        """Have no pages from now on behind the last one that was asked for."""
        with self._lock:
            self.most = max(self.asked) + 1

    def page(self, number: int) -> bytes:
        """Return a page that links to the next ones."""
        pick = random.Random(number).choices
        name = f"{' '.join(pick(WORDS, k=3))} {self.word(number)}".capitalize()
        paragraphs = "".join(f"<p>{' '.join(pick(WORDS, k=50)).capitalize()}.</p>" for _ in "123")
        following = range(4 * number + 1, min(4 * number + 5, self.most))
        near = range(number + 1, min(number + 3, self.most))
        links = "".join(f'<li><a href="{self.path(n)}">{self.word(n)}</a></li>'
                        for n in sorted({*following, *near}))  # fmt: skip
        return (
            f'<!doctype html><html lang="en"><head><title>{name}</title></head><body><main>'
            f"<h1>{name}</h1>{paragraphs}</main><ul>{links}</ul></body></html>"
        ).encode()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of connections that a killed crawl left."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


def _handler_for(site: GrowingSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            number = site.ask(self.path)
            body = site.page(number) if number is not None else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            if number is not None:
                site.answered.setdefault(number, time.monotonic())

        def log_message(self, *words: object) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def growing_site(most: int) -> Iterator[GrowingSite]:
    """Serve the site as long as the block runs."""
    site = GrowingSite(most)
    try:
        yield site
    finally:
        site.close()


def start_crawl(site: GrowingSite, directory: Path, *flags: str) -> "subprocess.Popen[bytes]":
    """Crawl the site in a session of its own; what the crawl says goes to a log beside it."""
    start = site.origin + site.path(0)
    command = [_TELUSUR, "crawl", start, "--to", directory, "--allow-private", *flags]
    with directory.with_name(f"{directory.name}.log").open("ab") as log:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
