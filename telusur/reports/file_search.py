"""Searches for files in steps, so that a page can show the results so far."""

import threading
import time
from collections.abc import Callable, Generator, Hashable

from telusur.reports.site_files import FoundFile, Looked

Steps = Generator[FoundFile | Looked, None, None]
#: Results stay valid for this many times the search time, and at least for a while.
REST = 20.0
LEAST_SECONDS = 60.0
#: An abandoned search is closed after this time: it holds an old snapshot of the database.
PATIENCE_SECONDS = 30.0


class FileSearch:
    """A search for files with its results so far; safe for several threads."""

    def __init__(
        self, steps: Steps, most: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._steps = steps
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._spent = 0.0
        self.ended_at: float | None = None
        # Whether to keep all results, however many there are.
        self.is_whole = False
        self.looked = Looked(0, 0)
        self._found: list[FoundFile] = []
        self._is_given_up = False
        self._timer = threading.Timer(PATIENCE_SECONDS, self.close)

    @property
    def is_over(self) -> bool:
        """Tell whether the search is complete."""
        return self.ended_at is not None

    @property
    def good_until(self) -> float:
        """Return until when the results may be reused."""
        if self._is_given_up:
            return float("-inf")
        if self.ended_at is None:
            return float("inf")
        return self.ended_at + max(REST * self._spent, LEAST_SECONDS)

    def work(self, seconds: float) -> list[FoundFile]:
        """Search for about this long; return all results so far."""
        with self._lock:
            started = self._clock()
            while self.ended_at is None and self._clock() - started < seconds:
                self._step()
            self._spent += self._clock() - started
            self._wait_for_the_next()
            return list(self._found)

    def _wait_for_the_next(self) -> None:
        self._timer.cancel()
        if self.ended_at is None:
            self._timer = threading.Timer(PATIENCE_SECONDS, self.close)
            self._timer.daemon = True
            self._timer.start()

    def _step(self) -> None:
        step = next(self._steps, None)
        if isinstance(step, Looked):
            self.looked = step
        elif step is not None and len(self._found) < self._most:
            self._found.append(step)
        else:
            self.is_whole = step is None
            self._end()

    def _end(self) -> None:
        self.ended_at = self._clock()
        self._steps.close()

    def close(self) -> None:
        """End the search, and close its reader."""
        with self._lock:
            self._timer.cancel()
            if self.ended_at is None:
                self._is_given_up = True
                self._end()


class FileSearches:
    """The recent searches of a collection, so that a returning user resumes one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = 8) -> None:
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._kept: dict[Hashable, FileSearch] = {}

    def get(self, key: Hashable, make: Callable[[], FileSearch]) -> FileSearch:
        """Return the cached search of a key while it is valid, or a new one."""
        with self._lock:
            kept = self._kept.pop(key, None)
            if kept is None or self._clock() > kept.good_until:
                kept = make()
            self._kept[key] = kept
            while len(self._kept) > self._most:
                self._kept.pop(next(iter(self._kept))).close()
            return kept
