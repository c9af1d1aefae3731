"""The one gate to the network: every request of Telusur goes through `HttpClient.fetch`.

It uses libcurl's multi interface on the running asyncio loop. The gate limits scheme, address
(checked on the connecting socket, so DNS tricks do not help), size, time and headers. It never
raises for what a server does: each fetch ends as one `Page` with a status or a reason.
"""

import io
import os
import socket
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pycurl

from telusur.crawl.hosts.health import NO_CONNECTION_IN_TIME
from telusur.crawl.hosts.politeness import Clock
from telusur.crawl.hosts.terms import Wire
from telusur.fetch.addresses import Endpoint, is_local_name, may_connect
from telusur.fetch.curl.answers import CurlAnswer, read_answer, reason_of
from telusur.fetch.curl.cookie_jar import CookieJar
from telusur.fetch.curl.handle import Trust, new_handle, without_password
from telusur.fetch.curl.large_downloads import LARGE_BYTES, LargeDownloads
from telusur.fetch.curl.loop import CurlLoop
from telusur.models import Page, Reason, media_type_of
from telusur.settings.row import check_one_line

LARGEST_HEADERS_BYTES = 100_000
MOST_HEADER_LINES = 2000
IDLE_HANDLES = 64
MOST_REMEMBERED_HEADERS = 64
#: A page cut off before this share of its Content-Length is an error, not a page.
LEAST_SHARE = 0.01
_LARGE_HEAD = f"{Reason.BAD_RESPONSE}: headers too large"
_CODINGS = "gzip, deflate, br, zstd"
_ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1"


class _Kind(NamedTuple):
    """The configuration of a handle: limits, proxy and headers."""

    wire: Wire
    sent: tuple[tuple[str, str], ...]
    with_cookies: bool
    method: str


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
        trust: Trust | None = None,
    ) -> None:
        check_one_line(user_agent, "user_agent")
        self._user_agent = user_agent
        self._clock = clock
        self._wire = Wire(timeout, max_bytes)
        self.allow_private = allow_private
        self._allowed = frozenset(allowed)
        self._trust = trust or Trust()
        self._idle: deque[tuple[_Kind, Any]] = deque()
        self._sent: dict[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = {}
        self._jar = CookieJar(cookies)
        self._large = LargeDownloads()
        self._driver = CurlLoop(connections)

    def knows(self, url: str) -> bool:
        """Tell whether a fetch may succeed: on the web, always."""
        return True

    async def fetch(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        wants: Callable[[int, str], bool] | None = None,
        wire: Wire | None = None,
        with_cookies: bool = True,
        method: str = "GET",
        public_only: bool = False,
    ) -> Page:
        """Fetch one URL without following redirects.

        `wants(status, content_type)` may stop the download once the headers are known; the page
        then has its headers and the reason `content type`. `wire` has limits for this request; an
        `Accept` among `headers` replaces ours. Without cookies none are sent or stored. With
        `public_only` private addresses are refused even if they are allowed.
        """
        sent = self._sent_with(tuple(headers))
        wire = wire or self._wire
        started = self._clock()
        may_connect = self._may_connect_to_public if public_only else self._may_connect
        allows_local = self.allow_private and not public_only
        if wire.proxy and (name := _private_name(url, may_connect, allows_local=allows_local)):
            reason = f"{Reason.PRIVATE_ADDRESS}: {name}"
            return Page(url, reason=reason, fetched_at=started, request_headers=sent)
        may_connect = _to_proxy if wire.proxy else may_connect
        transfer = _Transfer(url, sent, wire, may_connect, self._large, wants)
        kind = _Kind(wire, sent, with_cookies, method)
        handle = self._handle_for(kind)
        transfer.prepare(handle)
        # The address of an open connection is not checked again.
        handle.setopt(pycurl.FRESH_CONNECT, int(public_only))
        try:
            error = await self._driver.run(handle)
            seconds = self._clock() - started
            if with_cookies:
                self._jar.heed(handle, transfer.lines)
            return transfer.page(handle, error, fetched_at=started, seconds=seconds)
        finally:
            self._large.end(handle)
            self._give_back(kind, handle)

    def _sent_with(self, headers: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        """Return all headers of a request; hosts with the same extra headers share them."""
        sent = self._sent.get(headers)
        if sent is None:
            accepts = any(name.lower() == "accept" for name, _ in headers)
            sent = (
                ("User-Agent", self._user_agent),
                *(() if accepts else (("Accept", _ACCEPT),)),
                ("Accept-Encoding", _CODINGS),
                *headers,
            )
            if len(self._sent) >= MOST_REMEMBERED_HEADERS:
                self._sent.clear()
            self._sent[headers] = sent
        return sent

    def _may_connect(self, address: str, port: int) -> bool:
        return self.allow_private or may_connect(address, port, self._allowed)

    def _may_connect_to_public(self, address: str, port: int) -> bool:
        return may_connect(address, port, self._allowed)

    def _handle_for(self, kind: _Kind) -> Any:
        if self._idle and self._idle[-1][0] == kind:
            return self._idle.pop()[1]
        handle = new_handle(kind.wire, self._trust)
        handle.setopt(pycurl.HTTPHEADER, [f"{name}: {value}" for name, value in kind.sent])
        if kind.method != "GET":
            handle.setopt(pycurl.CUSTOMREQUEST, kind.method)
        if kind.with_cookies:
            self._jar.open_for(handle)
        return handle

    def _give_back(self, kind: _Kind, handle: Any) -> None:
        self._idle.append((kind, handle))
        if len(self._idle) > IDLE_HANDLES:
            self._idle.popleft()[1].close()

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()
        while self._idle:
            self._idle.pop()[1].close()


def _private_name(url: str, may_connect: Callable[[str, int], bool], *, allows_local: bool) -> str:
    """Return the name in a URL that a proxy would find in its own network, or an empty text."""
    parts = urlsplit(url)
    name, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    plain = name.rstrip(".")
    if plain == "localhost" or plain.endswith(".localhost"):
        return "" if may_connect("127.0.0.1", port) else name
    try:
        return "" if may_connect(plain, port) else name
    except ValueError:  # a name: the proxy knows its address, we do not
        return name if is_local_name(name) and not allows_local else ""


def _to_proxy(address: str, port: int) -> bool:
    """Let the socket connect: the user named the proxy, wherever it is."""
    return True


class _Transfer:
    """One request in flight: the data so far, and why it was cut off, if it was."""

    def __init__(  # noqa: PLR0917 - made in one place
        self,
        url: str,
        sent: tuple[tuple[str, str], ...],
        wire: Wire,
        may_connect: Callable[[str, int], bool],
        large: LargeDownloads,
        wants: Callable[[int, str], bool] | None,
    ) -> None:
        self._url = url
        self._sent = sent
        self._max_bytes = wire.max_bytes
        self._proxy = without_password(wire.proxy) if wire.proxy else ""
        self._may_connect = may_connect
        self._large = large
        self._wants = wants
        self.lines: deque[bytes] = deque(maxlen=MOST_HEADER_LINES)
        self._answer: CurlAnswer | None = None
        self._body = io.BytesIO()
        self._size = 0
        self._handle: Any = None
        self._is_granted = False
        self._cut: str = ""
        self._truncated = False

    def prepare(self, handle: Any) -> None:
        self._handle = handle
        handle.setopt(pycurl.URL, self._url)
        handle.setopt(pycurl.HEADERFUNCTION, self.lines.append)
        handle.setopt(pycurl.WRITEFUNCTION, self._on_body)
        handle.setopt(pycurl.OPENSOCKETFUNCTION, self._open_socket)

    def _open_socket(self, purpose: int, address: Any) -> Any:
        family, kind, protocol, endpoint = address
        if not self._may_connect(endpoint[0], endpoint[1]):
            self._cut = f"{Reason.PRIVATE_ADDRESS}: {endpoint[0]}"
            return pycurl.SOCKET_BAD
        return _OpenSocket(socket.socket(family, kind, protocol).detach())

    def _on_body(self, chunk: bytes) -> int | None:
        if not self._size and not self._is_welcome():
            return -1
        if self._size > LARGE_BYTES and not self._may_grow():
            return int(pycurl.WRITEFUNC_PAUSE)
        room = self._max_bytes - self._size
        self._body.write(chunk[:room])
        self._size += len(chunk)
        if len(chunk) > room:
            self._truncated = True
            return -1
        return None

    def _may_grow(self) -> bool:
        """Ask once for memory for the body: its declared size, or the maximum."""
        if not self._is_granted:
            size = min(self._length() or self._max_bytes, self._max_bytes)
            self._is_granted = self._large.may_grow(self._handle, size)
        return self._is_granted

    def _least_size(self) -> float:
        """Return the smallest size at which a cut-off page is still worth reading."""
        return max(1.0, LEAST_SHARE * (self._length() or 0))

    def _length(self) -> int | None:
        length = self._head().header("content-length")
        # A longer one is nonsense, and Python refuses to read thousands of digits.
        return int(length) if length.isdecimal() and len(length) < 20 else None

    def _is_welcome(self) -> bool:
        """Tell whether the body is wanted; if not, record why."""
        if self._has_large_head():
            self._cut = _LARGE_HEAD
            return False
        answer = self._head()
        if self._wants is None or answer.status is None:
            return True
        if not self._wants(answer.status, media_type_of(answer.header("content-type"))):
            self._cut = Reason.CONTENT_TYPE
        return not self._cut

    def _has_large_head(self) -> bool:
        lines = self.lines
        return len(lines) == lines.maxlen or sum(map(len, lines)) > LARGEST_HEADERS_BYTES

    def _head(self) -> CurlAnswer:
        """Return the headers, parsed when the body begins."""
        if self._answer is None:
            self._answer = read_answer(list(self.lines))
        return self._answer

    def page(
        self, handle: Any, error: tuple[int, str] | None, *, fetched_at: float, seconds: float
    ) -> Page:
        answer = read_answer(list(self.lines)) if self._answer is None else self._answer
        status = answer.status
        if not self._cut and self._has_large_head():
            self._cut = _LARGE_HEAD
        reason = self._cut
        if error and not self._cut and not self._truncated:
            reason = reason_of(*error, self._proxy)
            if reason == Reason.TIMEOUT and not handle.getinfo(pycurl.PRIMARY_IP):
                reason = NO_CONNECTION_IN_TIME
            if error[0] == pycurl.E_PARTIAL_FILE and self._size >= self._least_size():
                reason, self._truncated = "", True
        if reason and reason != Reason.CONTENT_TYPE:
            status = None
        elif status is None and not reason:
            reason = f"{Reason.BAD_RESPONSE}: not HTTP"
        body = b"" if status is None else self._body.getvalue()
        self._body = io.BytesIO()  # the handle keeps a reference to us until its next request
        return Page(
            url=self._url,
            status=status,
            reason=reason,
            headers=answer.headers,
            body=body,
            fetched_at=fetched_at,
            seconds=seconds,
            # 206 is partial content, though the whole was requested.
            truncated=self._truncated or status == 206,
            address="" if self._proxy else handle.getinfo(pycurl.PRIMARY_IP) or "",
            status_line=answer.status_line,
            request_headers=self._sent,
        )


class _OpenSocket:
    """A file descriptor for libcurl, which duplicates it; this one stays ours."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd

    def __del__(self) -> None:
        os.close(self._fd)
