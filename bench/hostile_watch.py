"""What is watched while the hostile web is crawled: memory of all processes, and first requests."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MEMORY_SECONDS = 0.2
HITS_SECONDS = 1.0


@dataclass(slots=True)
class Memory:
    """The most megabytes at one moment: of the crawl's own processes, of its browser, of all.

    What processes share is counted once: each has its proportional share (PSS).
    """

    own: float = 0.0
    browser: float = 0.0
    all: float = 0.0

    def note(self, own: float, browser: float) -> None:
        """Take in what was measured at one moment."""
        self.own = max(self.own, own)
        self.browser = max(self.browser, browser)
        self.all = max(self.all, own + browser)


class Watch:
    """Calls a function again and again in a thread, until it is ended."""

    def __init__(self, every_seconds: float, look: Callable[[], None]) -> None:
        self._every_seconds = every_seconds
        self._look = look
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.wait(self._every_seconds):
            self._look()

    def end(self) -> None:
        """Look a last time, and stop."""
        self._ended.set()
        self._thread.join()
        self._look()


class MemoryWatch(Watch):
    """Notes the largest memory of a process and its descendants together."""

    def __init__(self, pid: int) -> None:
        self.most = Memory()
        self._pid = pid
        super().__init__(MEMORY_SECONDS, self._measure)

    def _measure(self) -> None:
        family = _family_of(self._pid)
        browser = {pid for pid in family if _is_browser(pid)}
        own = sum(_share_of_memory(pid) for pid in family if pid not in browser)
        self.most.note(own, sum(map(_share_of_memory, browser)))


class HitsWatch(Watch):
    """Notes how many seconds after the start the server was first asked for something."""

    def __init__(self, hits: Callable[[], dict[str, int]]) -> None:
        self.first: dict[str, float] = {}
        self._hits = hits
        self._started = time.monotonic()
        super().__init__(HITS_SECONDS, self._note)

    def _note(self) -> None:
        try:
            names = self._hits()
        except OSError:  # the server is busy with a flood of its own
            return
        now = time.monotonic() - self._started
        for name in names:
            self.first.setdefault(name, now)


def _is_browser(pid: int) -> bool:
    """Tell whether a process is Chromium or the driver that steers it."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().startswith(("chrom", "node", "MainThread"))
    except OSError:
        return False


def _share_of_memory(pid: int) -> float:
    """Return the megabytes of a process, with its share of what it has in common with others."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return next((int(row.split()[1]) / 1000 for row in text.split("\n") if row[:4] == "Pss:"), 0.0)


def _family_of(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return [pid]
    return [pid, *(member for child in children for member in _family_of(int(child)))]
