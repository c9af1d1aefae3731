"""Steering a crawl: pauses, with their reasons, a graceful stop, and what the crawl is doing."""

import asyncio
import logging
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from telusur.adapters.machine import free_bytes, resident_bytes
from telusur.adapters.timeline_file import Sample, TimelineFile
from telusur.crawl.host_terms import TermsBook
from telusur.run.limits import Limits, describe_limits, limits_of
from telusur.run.progress import Progress, Speedometer
from telusur.run.scouter import Scouter
from telusur.run.status import PAUSED, RUNNING, STOPPING, Status, live_status
from telusur.settings import CrawlSettings

# Without a handler of the program's own, a warning is a plain line on standard error.
_tell = logging.getLogger("telusur").warning
TICK_SECONDS = 1.0
DISK_SECONDS = 3.0
ASKED = "as `telusur pause` asked"


class Steering:
    """Watches and steers one crawl; what it is told before the scouter is there is kept for it."""

    def __init__(
        self, directory: Path, settings: CrawlSettings, terms: TermsBook, progress: Progress
    ) -> None:
        self._directory = directory
        self._min_free_bytes = settings.min_free_bytes
        self._limits = limits_of(settings)
        self._terms = terms
        self._progress = progress
        self._timeline = TimelineFile(directory, TICK_SECONDS)
        self._scouter: Scouter | None = None
        self._why = ""
        self._is_asked_to_pause = False
        self._lack = ""
        """What the machine lacks to go on, in words."""
        self._speedometer = Speedometer()
        self.pids: Callable[[], Sequence[int]] = tuple
        """Returns the numbers of the child processes."""

    def take(self, scouter: Scouter) -> None:
        """Steer this scouter from now on."""
        self._scouter = scouter
        scouter.limit(self._limits)
        self._apply()

    def stop_because(self, why: str) -> None:
        """Stop gracefully; `why` becomes the crawl's outcome."""
        self._why = self._why or why
        self._apply()

    def ended(self, outcome: str) -> None:
        """Know that nothing is fetched any more; only the index may have to catch up."""
        self._why = self._why or outcome
        self._apply()
        self._timeline.add(self._sample(time.time()), is_last=True)

    # What others may ask over the control socket

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
            _tell(f"Paused; to go on: telusur resume --in {self._directory}")
        self._is_asked_to_pause = True
        self._apply()

    def resume(self) -> None:
        """Go on, unless the machine cannot."""
        if self._is_asked_to_pause and not self._why:
            _tell("Going on." if not self._lack else f"Still paused: {self._lack}.")
        self._is_asked_to_pause = False
        self._apply()

    def stop(self) -> None:
        """Stop gracefully, as Ctrl-C does."""
        if not self._why:
            _tell("Stopping, as `telusur stop` asked: waiting for what is in flight.")
        self.stop_because("interrupted")

    def limit(self, changes: Limits) -> None:
        """Go on under other limits."""
        self._limits |= changes
        if "delay" in changes:
            self._terms.set_delay(cast(float | None, changes["delay"]))
        if self._scouter is not None:
            self._scouter.limit(changes)
        if not self._why:
            _tell(f"New limits: {describe_limits(changes)}.")

    # By itself

    async def keep_house(self) -> None:
        """Measure the speed and look after the disk, until cancelled."""
        looked_at = float("-inf")
        while True:
            now = time.time()
            self._speedometer.measure(self._progress, now)
            self._timeline.add(self._sample(now))
            if time.monotonic() - looked_at >= DISK_SECONDS:
                looked_at = time.monotonic()
                self.look_after_disk()
            await asyncio.sleep(TICK_SECONDS)

    def _sample(self, now: float) -> Sample:
        progress = self._progress
        return Sample(
            now, progress.pages, progress.found, progress.waiting, progress.done, progress.failed,
            progress.skipped, progress.fetched, progress.bytes,
            resident_bytes((os.getpid(), *self.pids())),
        )  # fmt: skip

    def look_after_disk(self) -> None:
        """Pause while the disk is nearly full, and go on when there is space again."""
        free = free_bytes(self._directory)
        if free is None or free >= self._min_free_bytes:
            if self._lack:
                _tell("There is space on the disk again.")
            self._lack = ""
        else:
            if not self._lack and not self._why:
                _tell(
                    f"Paused: only {free / 1e9:.1f} GB free on {self._directory}, "
                    "it goes on when there is space."
                )
            self._lack = f"only {free / 1e9:.1f} GB free on the disk"
        self._apply()

    def _apply(self) -> None:
        asked = ASKED if self._is_asked_to_pause else ""
        self._progress.paused = "" if self._why else self._lack or asked
        if self._scouter is None:
            return
        if self._why:
            self._scouter.stop(self._why)
        elif self._progress.paused:
            self._scouter.pause()
        else:
            self._scouter.resume()
