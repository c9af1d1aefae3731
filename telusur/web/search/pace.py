"""Whether a search is worth a thread: handing a quick one over takes a fifth of its time.

A search of a few milliseconds is answered where the request is read. What may take longer, or has
of late, goes to a thread, so that nobody else waits for it.
"""

import re
import time
from collections.abc import Callable
from typing import TypeVar

from telusur.search.request import SearchRequest

QUICK_SECONDS = 0.005
"""Others wait so long at most, on average."""
_FIRST_GUESS = 0.05
_LAST_ONE_COUNTS = 0.2
_MOST_HITS = 100
_LONGEST_QUERY = 200
_COSTLY = re.compile("[*~]")

Result = TypeVar("Result")


class Pace:
    """How much CPU time the searches of a collection take, of late."""

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        self._clock = clock
        self._mean = _FIRST_GUESS

    @property
    def is_quick(self) -> bool:
        """Tell whether they are over in no time; it takes some to be believed."""
        return self._mean < QUICK_SECONDS

    def measure(self, work: Callable[[], Result]) -> Result:
        """Do some work, and remember what it took."""
        started = self._clock()
        try:
            return work()
        finally:
            self._mean += _LAST_ONE_COUNTS * (self._clock() - started - self._mean)


def is_plain(request: SearchRequest) -> bool:
    """Tell whether a search does nothing that may take much longer than others do."""
    return (
        len(request.query) <= _LONGEST_QUERY
        and _COSTLY.search(request.query) is None
        and request.page * request.limit <= _MOST_HITS
        and request.group != "topic"
        and request.model == "bm25f"
        and not request.explain
        and not request.semantic
    )
