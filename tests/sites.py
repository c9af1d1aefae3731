"""A real web server on loopback for tests: pages in a dictionary, a log of what was asked."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def payload(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else self.body


@dataclass
class Request:
    at: float
    path: str
    headers: dict[str, str]
    method: str = "GET"


def wait_until(is_so: Callable[[], object], what: str = "it", seconds: float = 100) -> Any:
    """Wait for a condition, and return it; the bound is for what never comes, not for slowness.

    It is shorter than the time limit of a test, so that a test says what it waited for.
    """
    deadline = time.monotonic() + seconds
    while not (found := is_so()):
        assert time.monotonic() < deadline, f"waited {seconds} s for {what}"
        time.sleep(0.02)
    return found


Handler = Answer | str | Callable[[str], Answer | str]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 200

    def __init__(self, *given: Any) -> None:
        self.accepted: set[int] = set()
        self.connected: set[int] = set()
        super().__init__(*given)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connected.add(client_address[1])
        self.accepted.add(client_address[1])
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.connected.discard(client_address[1])


class Site:
    """Serves `pages` by path; a page may be a function of the path (with query)."""

    def __init__(
        self,
        pages: Mapping[str, Handler],
        otherwise: Handler | None = None,
        address: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self.pages = dict(pages)
        self._address = address
        self.otherwise = otherwise
        self.requests: list[Request] = []
        self._server = _Server((address, port), _handler_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def origin(self) -> str:
        return f"http://{self._address}:{self._server.server_port}"

    @property
    def port(self) -> int:
        return self._server.server_port

    def url(self, path: str = "/") -> str:
        return self.origin + path

    def asked(self, path: str) -> int:
        return sum(request.path == path for request in self.requests)

    def paths(self) -> list[str]:
        return [request.path for request in self.requests if request.path != "/robots.txt"]

    def answer(self, path: str) -> Answer:
        found = self.pages.get(path, self.otherwise)
        if callable(found):
            found = found(path)
        if found is None:
            return Answer("not here", 404, {"Content-Type": "text/html"})
        return found if isinstance(found, Answer) else Answer(found)

    def settle(self) -> None:
        """Wait until everything that a client sent before it died has been read.

        Connections are accepted in their order, so all that came before ours are known with it.
        """
        with socket.create_connection(self._server.server_address[:2]) as ours:
            port = ours.getsockname()[1]
        wait_until(lambda: port in self._server.accepted and not self._server.connected)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler_for(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            asked = Request(time.time(), self.path, dict(self.headers), self.command)
            site.requests.append(asked)
            answer = site.answer(self.path)
            time.sleep(answer.seconds)
            body = answer.payload()
            headers = {"Content-Type": "text/html; charset=utf-8", **answer.headers}
            self.send_response(answer.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_OPTIONS(self) -> None:
            self.do_GET()

        def log_message(self, *words: object) -> None:
            pass

        def handle(self) -> None:
            with suppress(ConnectionError, TimeoutError):
                super().handle()

    return Handler


@contextmanager
def serving(
    pages: Mapping[str, Handler],
    otherwise: Handler | None = None,
    address: str = "127.0.0.1",
    port: int = 0,
) -> Iterator[Site]:
    site = Site(pages, otherwise, address, port)
    try:
        yield site
    finally:
        site.close()


def page(title: str, text: str = "", links: list[str] | None = None, head: str = "") -> str:
    """Return a small HTML page."""
    anchors = "".join(f'<li><a href="{href}">to {href}</a></li>' for href in links or [])
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head>"
        f"<body><main><h1>{title}</h1><p>{text or title + ' has a text of its own.'}</p></main>"
        f"<ul>{anchors}</ul></body></html>"
    )
