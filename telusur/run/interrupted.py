"""A crawl that Ctrl-C ends: the first press saves and stops, the second ends it at once."""

import asyncio
import signal
from collections.abc import Callable

from telusur.run.crawl import CrawlRun, Summary
from telusur.run.progress import Progress

Report = Callable[[Progress], None]


async def run_until_interrupted(
    run: CrawlRun,
    report: Report | None,
    report_every: float,
    on_interrupt: Callable[[], None] | None,
) -> Summary:
    """Run a crawl; with `on_interrupt` Ctrl-C is ours, and calls it first."""
    crawling = asyncio.ensure_future(run.run(report, report_every))
    presses = 0
    if on_interrupt is not None:

        def interrupt() -> None:
            nonlocal presses
            presses += 1
            if presses == 1:
                on_interrupt()
                run.stop()
            else:
                crawling.cancel()

        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, interrupt)
    try:
        return await crawling
    except asyncio.CancelledError:
        if crawling.cancelled() and presses > 1:
            raise KeyboardInterrupt from None
        raise
