"""A real web server on loopback for tests: pages in a dictionary, a log of what was asked."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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


Handler = Answer | str | Callable[[str], Answer | str]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 200


class Site:
    """Serves `pages` by path; a page may be a function of the path (with query)."""

    def __init__(self, pages: Mapping[str, Handler], otherwise: Handler | None = None) -> None:
        self.pages = dict(pages)
        self.otherwise = otherwise
        self.requests: list[Request] = []
        self._server = _Server(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

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

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler_for(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            site.requests.append(Request(time.time(), self.path, dict(self.headers)))
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

        def log_message(self, *words: object) -> None:
            pass

        def handle(self) -> None:
            with suppress(ConnectionError, TimeoutError):
                super().handle()

    return Handler


@contextmanager
def serving(pages: Mapping[str, Handler], otherwise: Handler | None = None) -> Iterator[Site]:
    site = Site(pages, otherwise)
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
