"""The one gate to the network: every request of Telusur goes through `HttpClient.fetch`.

libcurl's multi interface on the running asyncio loop. The gate bounds scheme, address (checked on
the socket that connects, so DNS tricks do not help), size, time and headers, and never raises for
what a server does: each fetch ends as one `Page` with a status or a reason.
"""

import io
import os
import socket
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any
from urllib.parse import urlsplit

import pycurl

from telusur.adapters.addresses import Endpoint, may_connect
from telusur.adapters.curl_answers import Answer, read_answer, reason_of
from telusur.adapters.curl_handle import Trust, new_handle
from telusur.adapters.curl_loop import CurlLoop
from telusur.adapters.large_downloads import LARGE_BYTES, LargeDownloads
from telusur.crawl.host_terms import Wire
from telusur.crawl.politeness import Clock
from telusur.models import Page, Reason, media_type_of

LARGEST_HEADERS_BYTES = 100_000
MOST_HEADER_LINES = 2000
IDLE_HANDLES = 64
LEAST_SHARE = 0.01
_LARGE_HEAD = f"{Reason.BAD_RESPONSE}: headers too large"
"""A page that breaks off before this part of its Content-Length is an error, not a page."""

_CODINGS = "gzip, deflate, br, zstd"
_ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1"


_Kind = tuple[Wire, tuple[tuple[str, str], ...]]
"""What a handle was made for: limits and way out, and the headers it sends."""


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
        self._user_agent = user_agent
        self._clock = clock
        self._wire = Wire(timeout, max_bytes)
        self.allow_private = allow_private
        self._allowed = frozenset(allowed)
        self._trust = trust or Trust()
        self._idle: deque[tuple[_Kind, Any]] = deque()
        self._share = pycurl.CurlShare()
        self._share.setopt(pycurl.SH_SHARE, pycurl.LOCK_DATA_COOKIE)
        self._cookies = cookies
        self._large = LargeDownloads()
        self._driver = CurlLoop(connections)

    def knows(self, url: str) -> bool:
        """Tell whether there is any use in asking: on the web, always."""
        return True

    async def fetch(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        wants: Callable[[int, str], bool] | None = None,
        wire: Wire | None = None,
    ) -> Page:
        """Fetch one URL without following redirects.

        `wants(status, content_type)` may stop the download once the headers are known; the page
        then has its headers and the reason `content type`. `wire` has limits for this request; an
        `Accept` among `headers` is sent instead of ours.
        """
        accepts = any(name.lower() == "accept" for name, _ in headers)
        sent = (
            ("User-Agent", self._user_agent),
            *(() if accepts else (("Accept", _ACCEPT),)),
            ("Accept-Encoding", _CODINGS),
            *headers,
        )
        wire = wire or self._wire
        started = self._clock()
        if wire.proxy and (name := self._private_name(url)):
            reason = f"{Reason.PRIVATE_ADDRESS}: {name}"
            return Page(url, reason=reason, fetched_at=started, request_headers=sent)
        may_connect = _to_proxy if wire.proxy else self._may_connect
        transfer = _Transfer(url, sent, wire, may_connect, self._large, wants)
        kind = (wire, sent)
        handle = self._handle_for(kind)
        transfer.prepare(handle)
        try:
            error = await self._driver.run(handle)
            seconds = self._clock() - started
            return transfer.page(handle, error, fetched_at=started, seconds=seconds)
        finally:
            self._large.end(handle)
            self._give_back(kind, handle)

    def _may_connect(self, address: str, port: int) -> bool:
        return self.allow_private or may_connect(address, port, self._allowed)

    def _private_name(self, url: str) -> str:
        """Return the name of a URL that a proxy would look for in its own network, or nothing."""
        parts = urlsplit(url)
        name, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
        if name == "localhost" or name.endswith(".localhost"):
            return "" if self._may_connect("127.0.0.1", port) else name
        try:
            return "" if self._may_connect(name, port) else name
        except ValueError:  # a name: the proxy knows its address, we do not
            return ""

    def _handle_for(self, kind: "_Kind") -> Any:
        if self._idle and self._idle[-1][0] == kind:
            return self._idle.pop()[1]
        wire, sent = kind
        handle = new_handle(wire, self._trust)
        handle.setopt(pycurl.HTTPHEADER, [f"{name}: {value}" for name, value in sent])
        handle.setopt(pycurl.SHARE, self._share)
        handle.setopt(pycurl.COOKIEFILE, self._cookies or "")
        self._cookies = None  # the shared jar has them now
        return handle

    def _give_back(self, kind: "_Kind", handle: Any) -> None:
        self._idle.append((kind, handle))
        if len(self._idle) > IDLE_HANDLES:
            self._idle.popleft()[1].close()

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()
        while self._idle:
            self._idle.pop()[1].close()


def _to_proxy(address: str, port: int) -> bool:
    """Let the socket connect: the user named the proxy, wherever it is."""
    return True


class _Transfer:
    """One request under way: what arrived so far, and why it was cut off if it was."""

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
        self._is_proxied = bool(wire.proxy)
        self._may_connect = may_connect
        self._large = large
        self._wants = wants
        self._lines: deque[bytes] = deque(maxlen=MOST_HEADER_LINES)
        self._answer: Answer | None = None
        self._body = io.BytesIO()
        self._size = 0
        self._handle: Any = None
        self._is_granted = False
        self._cut: str = ""
        self._truncated = False

    def prepare(self, handle: Any) -> None:
        self._handle = handle
        handle.setopt(pycurl.URL, self._url)
        handle.setopt(pycurl.HEADERFUNCTION, self._lines.append)
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
        """Ask once for what the body may become: what it says, or all that is read of any."""
        if not self._is_granted:
            size = min(self._length() or self._max_bytes, self._max_bytes)
            self._is_granted = self._large.may_grow(self._handle, size)
        return self._is_granted

    def _least_size(self) -> float:
        """Return how much of a page that broke off is still worth reading."""
        return max(1.0, LEAST_SHARE * (self._length() or 0))

    def _length(self) -> int | None:
        length = self._head().header("content-length")
        return int(length) if length.isdecimal() else None

    def _is_welcome(self) -> bool:
        """Tell whether the body is wanted; if not, note why."""
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
        lines = self._lines
        return len(lines) == lines.maxlen or sum(map(len, lines)) > LARGEST_HEADERS_BYTES

    def _head(self) -> Answer:
        """Return the headers, read when the first of the body comes."""
        if self._answer is None:
            self._answer = read_answer(list(self._lines))
        return self._answer

    def page(
        self, handle: Any, error: tuple[int, str] | None, *, fetched_at: float, seconds: float
    ) -> Page:
        answer = read_answer(list(self._lines)) if self._answer is None else self._answer
        status = answer.status
        if not self._cut and self._has_large_head():
            self._cut = _LARGE_HEAD
        reason = self._cut
        if error and not self._cut and not self._truncated:
            reason = reason_of(*error)
            if error[0] == pycurl.E_PARTIAL_FILE and self._size >= self._least_size():
                reason, self._truncated = "", True
        if reason and reason != Reason.CONTENT_TYPE:
            status = None
        elif status is None and not reason:
            reason = f"{Reason.BAD_RESPONSE}: not HTTP"
        body = b"" if status is None else self._body.getvalue()
        self._body = io.BytesIO()  # the handle remembers us until its next request
        return Page(
            url=self._url,
            status=status,
            reason=reason,
            headers=answer.headers,
            body=body,
            fetched_at=fetched_at,
            seconds=seconds,
            truncated=self._truncated or status == 206,  # a part, though the whole was asked for
            address="" if self._is_proxied else handle.getinfo(pycurl.PRIMARY_IP) or "",
            status_line=answer.status_line,
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
