"""Memory for large pages: only a few downloads may grow at a time; the others pause."""

from collections import deque
from typing import Any

import pycurl

# A download may reach this size without asking.
LARGE_BYTES = 1_000_000
# The total memory of large downloads; a single one always continues.
BUDGET_BYTES = 12_000_000


class LargeDownloads:
    """Grants large downloads their whole size in advance, so that none gets stuck half-way.

    The time limit of a paused download keeps running.
    """

    def __init__(self, budget_bytes: int = BUDGET_BYTES) -> None:
        self._budget = budget_bytes
        self._granted: dict[Any, int] = {}
        self._paused: deque[tuple[Any, int]] = deque()

    def may_grow(self, handle: Any, size_bytes: int) -> bool:
        """Grant a download its size, or queue it; the caller then pauses it."""
        if handle in self._granted:
            return True
        if self._has_room(size_bytes):
            self._granted[handle] = size_bytes
            return True
        self._paused.append((handle, size_bytes))
        return False

    def end(self, handle: Any) -> None:
        """Free the memory of an ended download, and resume those that fit now."""
        if not (self._granted or self._paused):
            return
        self._granted.pop(handle, None)
        self._paused = deque(item for item in self._paused if item[0] is not handle)
        while self._paused and self._has_room(self._paused[0][1]):
            waiting, size_bytes = self._paused.popleft()
            self._granted[waiting] = size_bytes
            waiting.pause(pycurl.PAUSE_CONT)

    def _has_room(self, size_bytes: int) -> bool:
        return not self._granted or sum(self._granted.values()) + size_bytes <= self._budget
