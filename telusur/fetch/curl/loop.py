"""libcurl's transfers on the asyncio loop.

The sockets of all transfers are in our own epoll, and the loop watches only that one. Registering
and removing the socket of each page in the loop itself would cost five times as much.
"""

import asyncio
import select
from contextlib import suppress
from typing import Any

import pycurl


class CurlLoop:
    """Runs curl handles on the asyncio loop through libcurl's socket interface."""

    def __init__(self, connections: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._multi = pycurl.CurlMulti()
        self._multi.setopt(pycurl.M_MAX_TOTAL_CONNECTIONS, connections)
        self._multi.setopt(pycurl.M_MAXCONNECTS, connections)
        self._multi.setopt(pycurl.M_SOCKETFUNCTION, self._on_socket)
        self._multi.setopt(pycurl.M_TIMERFUNCTION, self._on_timer)
        self._waiting: dict[Any, asyncio.Future[tuple[int, str] | None]] = {}
        self._sockets = select.epoll()
        self._loop.add_reader(self._sockets.fileno(), self._on_events)
        self._timer: asyncio.Handle | None = None

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
        """Update which events of a socket are watched, as libcurl asks."""
        if what == pycurl.POLL_REMOVE:
            with suppress(OSError):  # it may already be closed
                self._sockets.unregister(fd)
            return
        events = (what & pycurl.POLL_IN and select.EPOLLIN) | (
            what & pycurl.POLL_OUT and select.EPOLLOUT
        )
        try:
            self._sockets.register(fd, events)
        except FileExistsError:
            self._sockets.modify(fd, events)

    def _on_timer(self, milliseconds: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if milliseconds == 0:  # libcurl may not be called from here, only right afterwards
            self._timer = self._loop.call_soon(self._on_time)
        elif milliseconds > 0:
            self._timer = self._loop.call_later(milliseconds / 1000, self._on_time)

    def _on_events(self) -> None:
        """Let libcurl process every socket with an event."""
        for fd, events in self._sockets.poll(0):
            # An error or hang-up wakes both readers and writers, as in every loop.
            may_read = pycurl.CSELECT_IN if events & ~select.EPOLLOUT else 0
            may_write = pycurl.CSELECT_OUT if events & ~select.EPOLLIN else 0
            self._multi.socket_action(fd, may_read | may_write)
        self._end_finished()

    def _on_time(self) -> None:
        self._timer = None
        self._multi.socket_action(pycurl.SOCKET_TIMEOUT, 0)
        self._end_finished()

    def _end_finished(self) -> None:
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
        """End all transfers and close their connections."""
        if self._timer is not None:
            self._timer.cancel()
        self._loop.remove_reader(self._sockets.fileno())
        self._multi.close()
        self._sockets.close()
