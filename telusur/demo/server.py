"""Serves the demo web on loopback with real sockets, in a background thread."""

import asyncio
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from email.utils import formatdate
from http import HTTPStatus
from typing import NamedTuple

from telusur.closing import Closes
from telusur.demo.records import Answer
from telusur.demo.sites import BUILDERS
from telusur.demo.web import DemoWeb, localhost
from telusur.errors import UsageError

_MAX_HEAD_BYTES = 64 * 1024
_LOGGED_REQUESTS = 100_000


class Request(NamedTuple):
    """One answered request: when, for whom, what, and with which status."""

    time: float
    host: str
    path: str
    status: int


class DemoServer(Closes):
    """A running demo web; close it, or use it as a context manager."""

    def __init__(self, web: DemoWeb, sockets: list[socket.socket]) -> None:
        self.web = web
        self.port: int = sockets[-1].getsockname()[1]
        self.index_url = f"http://127.0.0.1:{self.port}/"
        self.requests: deque[Request] = deque(maxlen=_LOGGED_REQUESTS)
        self._refusals: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._listeners = [
            self._loop.run_until_complete(
                self._loop.create_server(self._connection, sock=one, backlog=512)
            )
            for one in sockets
        ]
        self._connections: set[_Connection] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="demo web", daemon=True)
        self._thread.start()

    @property
    def start_urls(self) -> list[str]:
        """Return the home page of each site."""
        return self.web.start_urls

    @property
    def origins(self) -> dict[str, str]:
        """Return the origin of each site by its name."""
        return self.web.origins

    def close(self) -> None:
        """Stop serving and close every connection."""
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    async def _shut(self) -> None:
        for listener in self._listeners:
            listener.close()
        for connection in list(self._connections):
            connection.abort()
        await asyncio.sleep(0)  # lets the transports close before the loop stops

    def _connection(self) -> "_Connection":
        return _Connection(self._answer, self._connections)

    def _answer(self, target: str, headers: dict[str, str]) -> Answer:
        host = headers.get("host", "")
        answer = self.web.answer(host, target, headers, self._refusals[target])
        if answer.status == 503:
            self._refusals[target] += 1
        self.requests.append(Request(time.time(), host, target, answer.status))
        return answer


class _Connection(asyncio.Protocol):
    """One client: reads requests, pipelined or not, and writes the responses in order."""

    def __init__(
        self, answer: Callable[[str, dict[str, str]], Answer], connections: "set[_Connection]"
    ) -> None:
        self._answer = answer
        self._connections = connections
        self._received = b""
        self._body_left = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self)

    def abort(self) -> None:
        """Close at once."""
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        self._received += data
        while not self._transport.is_closing():
            skipped = min(self._body_left, len(self._received))
            self._received, self._body_left = self._received[skipped:], self._body_left - skipped
            head, end, rest = self._received.partition(b"\r\n\r\n")
            if not end:
                if len(self._received) > _MAX_HEAD_BYTES:
                    self._refuse(431)
                return
            self._received = rest
            self._handle(head.decode("latin-1"))

    def _handle(self, head: str) -> None:
        line, *fields = head.split("\r\n")
        words = line.split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            return self._refuse(400)
        method, target, version = words
        headers = {name.strip().lower(): value.strip() for name, _, value in _split(fields)}
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdecimal():
            return self._refuse(411)
        self._body_left = int(length)
        if method not in ("GET", "HEAD"):
            return self._refuse(405)
        keep = headers.get("connection", "").lower() != "close" and version != "HTTP/1.0"
        self._send(self._answer(target, headers), keep, with_body=method == "GET")

    def _refuse(self, status: int) -> None:
        self._send(Answer(status, (), b""), keep=False, with_body=True)

    def _send(self, answer: Answer, keep: bool, with_body: bool) -> None:
        lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
        lines += [f"{name}: {value}" for name, value in answer.headers]
        if answer.status != 304:
            lines.append(f"Content-Length: {len(answer.body)}")
        lines.append(f"Date: {formatdate(usegmt=True)}")
        lines.append("Connection: " + ("keep-alive" if keep else "close"))
        head = "\r\n".join(lines) + "\r\n\r\n"
        self._transport.write(head.encode("latin-1") + (answer.body if with_body else b""))
        if not keep:
            self._transport.close()


def _split(fields: list[str]) -> list[tuple[str, str, str]]:
    return [field.partition(":") for field in fields]


def serve(port: int = 0, by_port: bool = False) -> DemoServer:
    """Serve the demo web on 127.0.0.1 until closed; port 0 takes a free one.

    The Host header (`news.localhost:8800`) selects the site. With `by_port` each site has its own
    port, counted up from `port`, and the list of sites has the last one.
    """
    if not by_port:
        listener = _listen(port)
        return DemoServer(DemoWeb(localhost(listener.getsockname()[1])), [listener])
    names = [*BUILDERS, "index"]
    listeners = _listen_all([port + number if port else 0 for number in range(len(names))])
    ports = {name: one.getsockname()[1] for name, one in zip(names, listeners, strict=True)}
    return DemoServer(DemoWeb(lambda site: f"http://127.0.0.1:{ports[site]}"), listeners)


def _listen_all(ports: list[int]) -> list[socket.socket]:
    listeners: list[socket.socket] = []
    try:
        for port in ports:
            listeners.append(_listen(port))
    except UsageError:
        for listener in listeners:
            listener.close()
        raise
    return listeners


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise UsageError(
            f"Port {port} on 127.0.0.1 cannot be used: {error}. Try another, or 0 for a free one."
        ) from None
    return listener
