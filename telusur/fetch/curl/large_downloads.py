"""Memory for large pages: a few downloads may grow at once, the others pause until one ends."""

from collections import deque
from typing import Any

import pycurl

LARGE_BYTES = 1_000_000
"""A download may come to this size without asking."""
BUDGET_BYTES = 12_000_000
"""What the large ones may hold together; a single one always goes on."""


class LargeDownloads:
    """Grants large downloads their whole size beforehand, so that none waits half-way for ever.

    A paused download is still under its deadline.
    """

    def __init__(self, budget_bytes: int = BUDGET_BYTES) -> None:
        self._budget = budget_bytes
        self._granted: dict[Any, int] = {}
        self._paused: deque[tuple[Any, int]] = deque()

    def may_grow(self, handle: Any, size_bytes: int) -> bool:
        """Grant a download its size, or note that it waits; the caller then pauses it."""
        if handle in self._granted:
            return True
        if self._has_room(size_bytes):
            self._granted[handle] = size_bytes
            return True
        self._paused.append((handle, size_bytes))
        return False

    def end(self, handle: Any) -> None:
        """Give back what an ended download held, and let those go on that fit now."""
        self._granted.pop(handle, None)
        self._paused = deque(item for item in self._paused if item[0] is not handle)
        while self._paused and self._has_room(self._paused[0][1]):
            waiting, size_bytes = self._paused.popleft()
            self._granted[waiting] = size_bytes
            waiting.pause(pycurl.PAUSE_CONT)

    def _has_room(self, size_bytes: int) -> bool:
        return not self._granted or sum(self._granted.values()) + size_bytes <= self._budget
