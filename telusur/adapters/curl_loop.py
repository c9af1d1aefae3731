"""libcurl's transfers on the asyncio loop."""

import asyncio
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
        self._watched: dict[int, int] = {}
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
        """Watch a socket for what libcurl waits for, and no longer for what it does not."""
        wanted = 0 if what == pycurl.POLL_REMOVE else what
        changed = self._watched.pop(fd, 0) ^ wanted
        if wanted:
            self._watched[fd] = wanted
        if changed & pycurl.POLL_IN:
            if wanted & pycurl.POLL_IN:
                self._loop.add_reader(fd, self._on_ready, fd, pycurl.CSELECT_IN)
            else:
                self._loop.remove_reader(fd)
        if changed & pycurl.POLL_OUT:
            if wanted & pycurl.POLL_OUT:
                self._loop.add_writer(fd, self._on_ready, fd, pycurl.CSELECT_OUT)
            else:
                self._loop.remove_writer(fd)

    def _on_timer(self, milliseconds: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if milliseconds == 0:  # libcurl may not be called from here, but at once
            self._timer = self._loop.call_soon(self._on_ready, pycurl.SOCKET_TIMEOUT, 0)
        elif milliseconds > 0:
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
        """End all transfers and close their connections."""
        if self._timer is not None:
            self._timer.cancel()
        for fd in self._watched:
            self._loop.remove_reader(fd)
            self._loop.remove_writer(fd)
        self._watched.clear()
        self._multi.close()
