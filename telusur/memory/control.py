"""Ownership of a collection in memory, and control of its crawl."""

import asyncio
import json
import os
import tempfile
import threading
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import IO, Any

from telusur.errors import CollectionBusy, CollectionError
from telusur.store.control import Obey
from telusur.store.views import TimelinePoint

#: With more samples, every second one is dropped, and new ones are taken half as often.
MOST_SAMPLES = 720
SAMPLE_SECONDS = 1.0
ANSWER_SECONDS = 10.0


class MemoryControl:
    """Implements `telusur.store.control.Control` for the threads of one process."""

    def __init__(self) -> None:
        self._owner = threading.Lock()
        #: The function that answers requests, and its event loop.
        self._answering: tuple[Obey, asyncio.AbstractEventLoop] | None = None
        self._samples: list[TimelinePoint] = []
        self._every_seconds = SAMPLE_SECONDS
        #: The number of the open file.
        self._log: int | None = None

    # Ownership

    @contextmanager
    def own(self) -> Iterator[None]:
        """Own the collection within a `with` block; raises `CollectionBusy` if it has an owner."""
        if not self._owner.acquire(blocking=False):
            raise CollectionBusy("This collection has a writer; wait for it to end.")
        try:
            yield
        finally:
            self._owner.release()

    def is_owned(self) -> bool:
        """Tell whether the collection has an owner now."""
        return self._owner.locked()

    # Requests

    def ask(self, wish: str, **more: Any) -> dict[str, Any] | None:
        """Send a request to the running crawl; None if none answers.

        The crawl answers in its own thread, so that thread must not call this.
        """
        if self._answering is None:
            return None
        obey, loop = self._answering
        line = json.dumps({"do": wish, **more}).encode()

        async def answer() -> dict[str, Any]:
            return obey(line)

        try:
            return asyncio.run_coroutine_threadsafe(answer(), loop).result(ANSWER_SECONDS)
        except TimeoutError:
            raise CollectionError(f"The crawl did not answer in {ANSWER_SECONDS:g} s.") from None

    @asynccontextmanager
    async def answering(self, obey: Obey) -> AsyncIterator[None]:
        """Answer requests within the block."""
        self._answering = (obey, asyncio.get_running_loop())
        try:
            yield
        finally:
            self._answering = None

    # Counters over time

    def add_sample(self, sample: TimelinePoint, *, is_last: bool = False) -> None:
        """Store a sample of the counters if one is due; the last one of a crawl always is."""
        last_at = self._samples[-1].at if self._samples else float("-inf")
        if sample.at < last_at + 0.5 * self._every_seconds and not is_last:
            return
        self._samples.append(sample)
        if len(self._samples) > MOST_SAMPLES:
            self._every_seconds *= 2
            self._samples = self._samples[::2]

    def timeline(self, since: float = float("-inf")) -> tuple[TimelinePoint, ...]:
        """Return the stored samples, oldest first."""
        return tuple(sample for sample in self._samples if sample.at >= since)

    # Log

    def log(self) -> IO[bytes]:
        """Open a new log file for a crawl in the background."""
        with tempfile.TemporaryFile() as file:
            self._log = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._log)
        return os.fdopen(os.dup(self._log), "wb")

    def last_words(self) -> str:
        """Return the last line of the log."""
        if self._log is None:
            return ""
        data = os.pread(self._log, os.fstat(self._log).st_size, 0)
        lines = [line.strip() for line in data.decode("utf-8", "replace").split("\n")]
        return next((line for line in reversed(lines) if line), "")
