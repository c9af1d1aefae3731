"""Ctrl-C in a crawl: the first press saves and stops, the second ends it at once."""

import asyncio
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any, Self

from telusur.pipeline.control.progress import Progress
from telusur.pipeline.crawl import CrawlRun, Summary

Report = Callable[[Progress], None]
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupts:
    """Handles Ctrl-C and SIGTERM before, during and after a crawl.

    Before the crawl they end the command, during the crawl they stop it. After the crawl they are
    ignored: everything is saved, and the command is about to print its summary.
    """

    def __init__(self) -> None:
        self.tell: Callable[[], None] = lambda: None
        self._press: Callable[[], object] | None = None
        self._has_crawled = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._hear) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if self._press is not None:
            self._press()
        elif not self._has_crawled:
            raise KeyboardInterrupt

    async def run(self, run: CrawlRun, report: Report | None, report_every: float) -> Summary:
        """Run a crawl; the first signal stops it gracefully, the second cancels it."""
        crawling = asyncio.ensure_future(run.run(report, report_every))
        loop = asyncio.get_running_loop()
        presses = 0

        def interrupt() -> None:
            nonlocal presses
            presses += 1
            if presses == 1:
                self.tell()
                run.stop()
            else:
                crawling.cancel()

        # A signal may arrive between any two steps of the program, so the event loop handles it.
        self._press = lambda: loop.call_soon_threadsafe(interrupt)
        try:
            return await crawling
        except asyncio.CancelledError:
            if crawling.cancelled() and presses > 1:
                raise KeyboardInterrupt from None
            raise
        finally:
            self._has_crawled, self._press = True, None
