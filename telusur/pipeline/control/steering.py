"""Controls a crawl: pauses and their reasons, a graceful stop, and the status."""

import asyncio
import logging
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from shlex import quote
from typing import cast

from telusur.crawl.hosts.terms import TermsBook
from telusur.crawl.limits import Limits, describe_limits, limits_of
from telusur.machine.resources import resident_bytes
from telusur.pipeline.control.progress import Progress, Speedometer
from telusur.pipeline.control.status import (
    ON_REQUEST,
    PAUSED,
    RUNNING,
    STOPPING,
    Status,
    live_status,
)
from telusur.pipeline.scouter import Scouter
from telusur.settings import CrawlSettings
from telusur.store.store import Store
from telusur.store.views import TimelinePoint

# Without a logging handler of the program, a warning is a plain line on standard error.
_tell = logging.getLogger("telusur").warning
TICK_SECONDS = 1.0
DISK_SECONDS = 3.0


class Steering:
    """Watches and controls one crawl; requests before the scouter exists are kept for it."""

    def __init__(
        self, store: Store, settings: CrawlSettings, terms: TermsBook, progress: Progress
    ) -> None:
        self._store = store
        self._min_free_bytes = settings.min_free_bytes
        self._limits = limits_of(settings)
        self._terms = terms
        self._progress = progress
        self._scouter: Scouter | None = None
        self._why = ""
        self._is_asked_to_pause = False
        # Why the machine cannot continue, in words; or empty.
        self._lack = ""
        self._speedometer = Speedometer()
        self._told = ("", "")
        # Returns the ids of the child processes.
        self.pids: Callable[[], Sequence[int]] = tuple

    def take(self, scouter: Scouter) -> None:
        """Control this scouter from now on."""
        self._scouter = scouter
        scouter.limit(self._limits)
        self._apply()

    def stop_because(self, why: str) -> None:
        """Stop gracefully; `why` becomes the crawl's outcome."""
        self._why = self._why or why
        self._apply()

    def ended(self, outcome: str) -> None:
        """Note that fetching is over; only the index may have to catch up."""
        self._why = self._why or outcome
        self._apply()
        self._store.control.add_sample(self._sample(time.time()), is_last=True)

    # Requests over the control socket

    def status(self) -> Status:
        """Return the counters."""
        now = time.time()
        in_flight = self._scouter.in_flight if self._scouter is not None else 0
        speed = self._speedometer.measure(self._progress, now)
        pids = (os.getpid(), *self.pids())
        return replace(
            live_status(self._progress, speed, in_flight, now),
            state=STOPPING if self._why else PAUSED if self._progress.paused else RUNNING,
            reason=self._why or self._progress.paused,
            pid=pids[0],
            memory_bytes=resident_bytes(pids),
            processes=len(pids),
            limits=dict(self._limits),
        )

    def pause(self) -> None:
        """Start no request until `resume`."""
        if not self._is_asked_to_pause and not self._why:
            _tell(f"Paused; to resume: telusur resume --in {quote(self._store.address)}")
        self._is_asked_to_pause = True
        self._apply()

    def resume(self) -> None:
        """Start requests again, unless the disk is full."""
        if self._is_asked_to_pause and not self._why:
            _tell("Resumed." if not self._lack else f"Still paused: {self._lack}.")
        self._is_asked_to_pause = False
        self._apply()

    def stop(self) -> None:
        """Stop gracefully, as Ctrl-C does."""
        if not self._why:
            _tell("Stopping on request: waiting for requests in flight.")
        self.stop_because("interrupted")

    def limit(self, changes: Limits) -> None:
        """Change the limits."""
        self._limits |= changes
        if "delay" in changes:
            self._terms.set_delay(cast(float | None, changes["delay"]))
        if self._scouter is not None:
            self._scouter.limit(changes)
        if not self._why:
            _tell(f"New limits: {describe_limits(changes)}.")

    # In the background

    async def keep_house(self) -> None:
        """Measure the speed and check the disk space, until cancelled."""
        looked_at = float("-inf")
        while True:
            now = time.time()
            self._speedometer.measure(self._progress, now)
            self._store.control.add_sample(self._sample(now))
            self._tell_what_is_waited_for()
            if time.monotonic() - looked_at >= DISK_SECONDS:
                looked_at = time.monotonic()
                self.look_after_disk()
            await asyncio.sleep(TICK_SECONDS)

    def _tell_what_is_waited_for(self) -> None:
        """Log why nothing is fetched, once for each host and reason."""
        held = self._progress.held
        host, _, rest = held.partition(" is paused until ")
        what = host, rest.partition(": ")[2]
        if held and what != self._told and not self._why:
            self._told = what
            _tell(f"Waiting: {held}")

    def _sample(self, now: float) -> TimelinePoint:
        progress = self._progress
        return TimelinePoint(
            now, progress.pages, progress.found, progress.waiting, progress.done, progress.failed,
            progress.skipped, progress.fetched, progress.bytes,
            resident_bytes((os.getpid(), *self.pids())),
        )  # fmt: skip

    def look_after_disk(self) -> None:
        """Pause while the disk is nearly full, and resume when there is space again."""
        free = self._store.free_bytes()
        if free is None or free >= self._min_free_bytes:
            if self._lack:
                _tell("Disk space is free again.")
            self._lack = ""
        else:
            if not self._lack and not self._why:
                _tell(
                    f"Paused: only {free / 1e9:.1f} GB free on {self._store.address}; "
                    "the crawl resumes when there is space."
                )
            self._lack = f"only {free / 1e9:.1f} GB free on the disk"
        self._apply()

    def _apply(self) -> None:
        asked = ON_REQUEST if self._is_asked_to_pause else ""
        self._progress.paused = "" if self._why else self._lack or asked
        if self._scouter is None:
            return
        if self._why:
            self._scouter.stop(self._why)
        elif self._progress.paused:
            self._scouter.pause()
        else:
            self._scouter.resume()
