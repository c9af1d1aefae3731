"""Decides whether a search runs in a thread: for a quick one that costs a fifth of its time.

A search of a few milliseconds runs in the event loop. One that may take longer, or has taken longer
recently, goes to a thread, so that no other request waits for it.
"""

import re
import time
from collections.abc import Callable
from typing import TypeVar

from telusur.search.request import SearchRequest

# How long other requests may wait, on average.
QUICK_SECONDS = 0.005
_FIRST_GUESS = 0.05
_LAST_ONE_COUNTS = 0.2
_MOST_HITS = 100
_LONGEST_QUERY = 200
_COSTLY = re.compile("[*~]")

Result = TypeVar("Result")


class SearchPace:
    """How much CPU time the searches of a collection have taken recently."""

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock = clock
        self._mean = _FIRST_GUESS

    @property
    def is_quick(self) -> bool:
        """Tell whether recent searches were quick; this needs a few measurements."""
        return self._mean < QUICK_SECONDS

    def measure(self, work: Callable[[], Result]) -> Result:
        """Do some work, and record its time."""
        started = self._clock()
        try:
            return work()
        finally:
            self._mean += _LAST_ONE_COUNTS * (self._clock() - started - self._mean)


def is_plain(request: SearchRequest) -> bool:
    """Tell whether a search uses no option that may make it much slower."""
    return (
        len(request.query) <= _LONGEST_QUERY
        and _COSTLY.search(request.query) is None
        and request.page * request.limit <= _MOST_HITS
        and request.group != "topic"
        and request.model == "bm25f"
        and not request.explain
        and not request.semantic
    )
