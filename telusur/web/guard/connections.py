"""Limits on connections: how many per address and in all, and how long one may stall.

A new connection finds room as long as possible: the longest idle connection, of the address with
the most idle ones, is closed for it. It is refused only if all connections are being answered.
"""

import asyncio
import resource
from collections.abc import Iterable
from typing import Any, Protocol

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from telusur.web.guard.forwarded import Proxies
from telusur.web.guard.rate import client_of

MOST_IN_ALL = 1000
# Enough for fifty people behind one address, with a few connections per browser.
MOST_OF_ONE = 200
SECONDS_FOR_A_HEAD = 10.0
# How long a client may take to read what we sent.
SECONDS_FOR_A_STALL = 30.0
# More could use up all file descriptors before the first one is looked at.
ACCEPTED_AT_ONCE = 32
WAITING_TO_BE_ACCEPTED = 512
_FILES_WANTED = 4096
_SHORT_ANSWER = (
    "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n"
    "Connection: close\r\n{more}\r\n{sentence}"
)


class Connection(Protocol):
    """A connection as `Doors` sees it."""

    address: str
    since: float

    @property
    def is_stalled(self) -> bool:
        """Tell whether we are waiting for the client."""
        ...

    def turn_away(self) -> None:
        """Close it at once."""
        ...


class Doors:
    """Counts connections, and decides which has to make room."""

    def __init__(self, in_all: int, of_one: int, proxies: Proxies) -> None:
        self._in_all = in_all
        self._of_one = of_one
        self._proxies = proxies
        self._inside: dict[str, dict[Connection, None]] = {}
        self._number = 0

    def admit(self, one: Connection) -> bool:
        """Admit a connection, if there is room or room can be made."""
        same = self._inside.get(one.address, {})
        # All visitors behind a proxy have its address.
        if len(same) >= self._of_one and one.address not in self._proxies:
            if not self._make_room([same]):
                return False
        elif self._number >= self._in_all and not self._make_room(self._inside.values()):
            return False
        self._inside.setdefault(one.address, {})[one] = None
        self._number += 1
        return True

    def leave(self, one: Connection) -> None:
        """Forget a connection; calling it twice is fine."""
        same = self._inside.get(one.address, {})
        if one in same:
            del same[one]
            self._number -= 1
        if not same:
            self._inside.pop(one.address, None)

    def _make_room(self, groups: Iterable[dict[Connection, None]]) -> bool:
        stalled = [[one for one in group if one.is_stalled] for group in groups]
        most = max(stalled, key=len, default=[])
        if not most:
            return False
        oldest = min(most, key=lambda one: one.since)
        self.leave(oldest)
        oldest.turn_away()
        return True


def make_doors(proxies: Proxies) -> Doors:
    """Return doors for as many connections as the file limit of this process allows, with a
    reserve."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES_WANTED if hard == resource.RLIM_INFINITY else min(hard, _FILES_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    room = MOST_IN_ALL if soft == resource.RLIM_INFINITY else max(soft // 2, 8)
    in_all = min(MOST_IN_ALL, room)
    return Doors(in_all, min(MOST_OF_ONE, max(in_all * 3 // 4, 4)), proxies)


class GuardedConnection(H11Protocol):
    """A connection that has to be admitted, and is closed when the client stalls."""

    def __init__(self, config: Config, *given: Any, **more: Any) -> None:
        super().__init__(config, *given, **more)
        self._doors: Doors = config.app.state.doors  # type: ignore[union-attr]
        self._is_refused = False
        self._head_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None
        self.address = ""
        self.since = 0.0

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def is_stalled(self) -> bool:
        """Tell whether we wait for a request head, the rest of a form, or the client to read."""
        return not self._is_answering or self.cycle.more_body or self.flow.write_paused

    def turn_away(self) -> None:
        """Close at once, even if not everything was sent."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request head, or refuse."""
        super().connection_made(transport)
        self.address = client_of({"client": self.client})
        self.since = self.loop.time()
        if self._doors.admit(self):
            self._expect_head()
            return
        self._is_refused = True
        self._send_off("503 Service Unavailable", "Too many connections; try again in 5 s.")

    def data_received(self, data: bytes) -> None:
        """Read on; a request head must be complete in time."""
        if self._is_refused:
            return
        super().data_received(data)
        if not self._is_answering:
            self._expect_head()
        elif self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def on_response_complete(self) -> None:
        """Start to wait for the next request."""
        self.since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._doors.leave(self)
        for timer in (self._head_timer, self._stall_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the client to read, but not forever."""
        super().pause_writing()
        self._stall_timer = self.loop.call_later(SECONDS_FOR_A_STALL, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue sending."""
        super().resume_writing()
        if self._stall_timer is not None:
            self._stall_timer.cancel()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, even if its last response has not been read."""
        super().timeout_keep_alive_handler()
        self._stall_timer = self.loop.call_later(SECONDS_FOR_A_STALL, self.transport.abort)

    def _expect_head(self) -> None:
        if self._head_timer is None and not self.transport.is_closing():
            self._head_timer = self.loop.call_later(SECONDS_FOR_A_HEAD, self._give_up)

    def _give_up(self) -> None:
        self._head_timer = None
        if not self._is_answering and not self.transport.is_closing():
            self._send_off("408 Request Timeout", "The request did not arrive in time.")

    def _send_off(self, status: str, sentence: str) -> None:
        """Send the reason, if nothing was sent yet, and close."""
        if self.conn.our_state is h11.IDLE:
            more = "Retry-After: 5\r\n" if status.startswith("503") else ""
            answer = _SHORT_ANSWER.format(
                status=status, length=len(sentence), more=more, sentence=sentence
            )
            self.transport.write(answer.encode("ascii"))
        self.transport.close()
        self._stall_timer = self.loop.call_later(SECONDS_FOR_A_STALL, self.transport.abort)
