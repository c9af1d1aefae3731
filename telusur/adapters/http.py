"""The one gate to the network: every request of Telusur goes through `HttpClient.fetch`.

libcurl's multi interface on the running asyncio loop. The gate bounds scheme, address (checked on
the socket that connects, so DNS tricks do not help), size, time and headers, and never raises for
what a server does: each fetch ends as one `Page` with a status or a reason.
"""

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any

import pycurl

from telusur.adapters.addresses import Endpoint, may_connect
from telusur.crawl.politeness import Clock
from telusur.models import Page, Reason

CONNECT_SECONDS = 10.0
LARGEST_HEADERS_BYTES = 100_000
IDLE_HANDLES = 64

_CODINGS = "gzip, deflate, br, zstd"
_ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1"


class HttpClient:
    """Fetches URLs on the running event loop; `close` it at the end."""

    def __init__(
        self,
        *,
        user_agent: str,
        clock: Clock,
        connections: int = 64,
        timeout: float = 20.0,
        max_bytes: int = 10_000_000,
        allow_private: bool = False,
        allowed: Collection[Endpoint] = (),
        cookies: str | None = None,
    ) -> None:
        self._user_agent = user_agent
        self._clock = clock
        self._timeout = timeout
        self._max_bytes = max_bytes
        self.allow_private = allow_private
        self._allowed = frozenset(allowed)
        self._idle: deque[Any] = deque()
        self._share = pycurl.CurlShare()
        self._share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        self._cookies = cookies
        self._driver = _Driver(connections)

    async def fetch(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        wants: Callable[[int, str], bool] | None = None,
    ) -> Page:
        """Fetch one URL without following redirects.

        `wants(status, content_type)` may stop the download once the headers are known; the page
        then has its headers and the reason `content type`.
        """
        sent = (
            ("User-Agent", self._user_agent),
            ("Accept", _ACCEPT),
            ("Accept-Encoding", _CODINGS),
            *headers,
        )
        transfer = _Transfer(url, sent, self._max_bytes, self._may_connect, wants)
        handle = self._idle.pop() if self._idle else self._new_handle()
        transfer.prepare(handle)
        started = self._clock()
        try:
            error = await self._driver.run(handle)
            seconds = self._clock() - started
            return transfer.page(handle, error, fetched_at=started, seconds=seconds)
        finally:
            self._give_back(handle)

    def _may_connect(self, address: str, port: int) -> bool:
        return self.allow_private or may_connect(address, port, self._allowed)

    def _new_handle(self) -> Any:
        handle = pycurl.Curl()
        handle.setopt(pycurl.NOSIGNAL, 1)
        handle.setopt(pycurl.PROTOCOLS, pycurl.PROTO_HTTP | pycurl.PROTO_HTTPS)
        handle.setopt(pycurl.FOLLOWLOCATION, 0)
        handle.setopt(pycurl.PATH_AS_IS, 1)
        handle.setopt(pycurl.PROXY, "")  # a proxy from the environment would see past the gate
        handle.setopt(pycurl.HTTP_CONTENT_DECODING, 0)
        handle.setopt(pycurl.CONNECTTIMEOUT_MS, int(min(CONNECT_SECONDS, self._timeout) * 1000))
        handle.setopt(pycurl.TIMEOUT_MS, int(self._timeout * 1000))
        handle.setopt(pycurl.SHARE, self._share)
        handle.setopt(pycurl.COOKIEFILE, self._cookies or "")
        self._cookies = None  # the shared jar has them now
        return handle

    def _give_back(self, handle: Any) -> None:
        if len(self._idle) < IDLE_HANDLES:
            self._idle.append(handle)
        else:
            handle.close()

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()
        while self._idle:
            self._idle.pop().close()


class _Transfer:
    """One request under way: what arrived so far, and why it was cut off if it was."""

    def __init__(
        self,
        url: str,
        sent: tuple[tuple[str, str], ...],
        max_bytes: int,
        may_connect: Callable[[str, int], bool],
        wants: Callable[[int, str], bool] | None,
    ) -> None:
        self._url = url
        self._sent = sent
        self._max_bytes = max_bytes
        self._may_connect = may_connect
        self._wants = wants
        self._lines: list[bytes] = []
        self._header_bytes = 0
        self._chunks: list[bytes] = []
        self._size = 0
        self._cut: str = ""
        self._truncated = False

    def prepare(self, handle: Any) -> None:
        handle.setopt(pycurl.URL, self._url)
        handle.setopt(pycurl.HTTPHEADER, [f"{name}: {value}" for name, value in self._sent])
        handle.setopt(pycurl.HEADERFUNCTION, self._on_header)
        handle.setopt(pycurl.WRITEFUNCTION, self._on_body)
        handle.setopt(pycurl.OPENSOCKETFUNCTION, self._open_socket)

    def _open_socket(self, purpose: int, address: Any) -> Any:
        family, kind, protocol, endpoint = address
        if not self._may_connect(endpoint[0], endpoint[1]):
            self._cut = f"{Reason.PRIVATE_ADDRESS}: {endpoint[0]}"
            return pycurl.SOCKET_BAD
        return _OpenSocket(socket.socket(family, kind, protocol).detach())

    def _on_header(self, line: bytes) -> int | None:
        if line.startswith(b"HTTP/"):  # a new answer: 1xx before, or a proxy's
            self._lines.clear()
        self._lines.append(line)
        self._header_bytes += len(line)
        if self._header_bytes > LARGEST_HEADERS_BYTES:
            self._cut = f"{Reason.BAD_RESPONSE}: headers too large"
            return -1
        return None

    def _on_body(self, chunk: bytes) -> int | None:
        if not self._size and self._wants is not None and not self._is_wanted(self._wants):
            self._cut = Reason.CONTENT_TYPE
            return -1
        room = self._max_bytes - self._size
        self._chunks.append(chunk[:room])
        self._size += len(chunk)
        if len(chunk) > room:
            self._truncated = True
            return -1
        return None

    def _is_wanted(self, wants: Callable[[int, str], bool]) -> bool:
        status = _status_of(self._lines)
        page = Page(self._url, headers=_headers_of(self._lines))
        return status is None or wants(status, page.content_type)

    def page(
        self, handle: Any, error: tuple[int, str] | None, *, fetched_at: float, seconds: float
    ) -> Page:
        status = _status_of(self._lines)
        reason = self._cut
        if error and not self._cut and not self._truncated:
            reason = _reason_of(*error)
            if error[0] == pycurl.E_PARTIAL_FILE and self._chunks:
                reason, self._truncated = "", True
        if reason and reason != Reason.CONTENT_TYPE:
            status = None
        elif status is None and not reason:
            reason = f"{Reason.BAD_RESPONSE}: not HTTP"
        return Page(
            url=self._url,
            status=status,
            reason=reason,
            headers=_headers_of(self._lines),
            body=b"" if status is None else b"".join(self._chunks),
            fetched_at=fetched_at,
            seconds=seconds,
            truncated=self._truncated,
            address=handle.getinfo(pycurl.PRIMARY_IP) or "",
            status_line=self._lines[0].decode("latin-1").strip() if self._lines else "",
            request_headers=self._sent,
        )


class _OpenSocket:
    """A file descriptor for libcurl, which takes a copy of it and leaves this one to us."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def __del__(self) -> None:
        os.close(self._fd)


class _Driver:
    """Runs curl handles on the asyncio loop through libcurl's socket interface."""

    def __init__(self, connections: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_MAX_TOTAL_CONNECTIONS, connections)
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._waiting: dict[Any, asyncio.Future[tuple[int, str] | None]] = {}
        self._watched: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, handle: Any) -> tuple[int, str] | None:
        """Perform one transfer; return curl's error number and words, or None."""
        done: asyncio.Future[tuple[int, str] | None] = self._loop.create_future()
        self._waiting[handle] = done
        self._multi.add_handle(handle)
        try:
            return await done
        finally:
            self._waiting.pop(handle, None)
            self._multi.remove_handle(handle)

    def _on_socket(self, what: int, fd: int, multi: Any, data: Any) -> None:
        if fd in self._watched:
            self._loop.remove_reader(fd)
            self._loop.remove_writer(fd)
            self._watched.discard(fd)
        if what == pycurl.POLL_REMOVE:
            return
        self._watched.add(fd)
        if what & pycurl.POLL_IN:
            self._loop.add_reader(fd, self._on_ready, fd, pycurl.CSELECT_IN)
        if what & pycurl.POLL_OUT:
            self._loop.add_writer(fd, self._on_ready, fd, pycurl.CSELECT_OUT)

    def _on_timer(self, milliseconds: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if milliseconds >= 0:
            self._timer = self._loop.call_later(
                milliseconds / 1000, self._on_ready, pycurl.SOCKET_TIMEOUT, 0
            )

    def _on_ready(self, fd: int, events: int) -> None:
        if fd == pycurl.SOCKET_TIMEOUT:
            self._timer = None
        self._multi.socket_action(fd, events)
        while True:
            more, finished, failed = self._multi.info_read()
            for handle in finished:
                self._finish(handle, None)
            for handle, number, words in failed:
                self._finish(handle, (number, words))
            if not more:
                return

    def _finish(self, handle: Any, error: tuple[int, str] | None) -> None:
        future = self._waiting.get(handle)
        if future is not None and not future.done():
            future.set_result(error)

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for fd in self._watched:
            self._loop.remove_reader(fd)
            self._loop.remove_writer(fd)
        self._watched.clear()
        self._multi.close()


_REASONS = {
    pycurl.E_OPERATION_TIMEDOUT: Reason.TIMEOUT,
    pycurl.E_COULDNT_RESOLVE_HOST: f"{Reason.NETWORK}: no such host",
    pycurl.E_COULDNT_CONNECT: f"{Reason.NETWORK}: no connection",
    pycurl.E_GOT_NOTHING: f"{Reason.BAD_RESPONSE}: empty answer",
    pycurl.E_RECV_ERROR: f"{Reason.NETWORK}: connection broke",
    pycurl.E_SEND_ERROR: f"{Reason.NETWORK}: connection broke",
    pycurl.E_PARTIAL_FILE: f"{Reason.BAD_RESPONSE}: cut short",
    pycurl.E_SSL_CONNECT_ERROR: f"{Reason.NETWORK}: TLS failed",
    pycurl.E_PEER_FAILED_VERIFICATION: f"{Reason.NETWORK}: certificate not valid",
    pycurl.E_UNSUPPORTED_PROTOCOL: f"{Reason.BAD_RESPONSE}: not HTTP",
}


def _reason_of(number: int, words: str) -> str:
    return str(_REASONS.get(number, f"{Reason.BAD_RESPONSE}: {words or number}"))


def _status_of(lines: Sequence[bytes]) -> int | None:
    parts = lines[0].split(None, 2) if lines else []
    if len(parts) > 1 and len(parts[1]) == 3 and parts[1].isdigit():
        return int(parts[1])
    return None


def _headers_of(lines: Sequence[bytes]) -> tuple[tuple[str, str], ...]:
    """Return the headers as text that gives back the same bytes in Latin-1."""
    headers = []
    for line in lines[1:]:
        name, colon, value = line.decode("latin-1").partition(":")
        if colon:
            headers.append((name.strip(), value.strip()))
    return tuple(headers)
