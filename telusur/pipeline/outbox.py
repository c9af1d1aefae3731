"""The outbox: URLs in flight, and the groups in which the recorder writes them."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from telusur.closing import Closes
from telusur.crawl.hosts.active_host import ActiveHost
from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.in_flight import InFlightLimits
from telusur.models import Page
from telusur.pipeline.control.progress import Progress
from telusur.pipeline.outcomes import Group, Outcome, Refill
from telusur.pipeline.recorder import Recorder

BEAT_SECONDS = 0.25


class Outbox(Closes):
    """Gathers outcomes and requests in a group, which a thread of its own writes.

    A URL is in flight from the start of its request until its group is written.
    """

    def __init__(
        self,
        recorder: Recorder,
        progress: Progress,
        hosts: ActiveHosts,
        in_flight_limits: InFlightLimits,
        wake: Callable[[], None],
    ) -> None:
        """Call `wake` when a group gets its first outcome, and when it is large."""
        self.group = Group()
        self.under_way = 0
        # Bytes of the pages in flight.
        self.bytes_under_way = 0
        self._recorder = recorder
        self._progress = progress
        self._hosts = hosts
        self._in_flight_limits = in_flight_limits
        self._wake = wake
        self._written_at = 0.0
        self._thread = ThreadPoolExecutor(1, "recorder")

    def begin(self, host: ActiveHost) -> None:
        """Count one more URL of a host as in flight."""
        self.under_way += 1
        host.uncommitted += 1

    def receive(self, page: Page) -> None:
        """Count the bytes of a response as in flight."""
        self.bytes_under_way += len(page.body)

    def put(self, outcome: Outcome) -> None:
        """Add the outcome of a URL in flight to the group."""
        outcomes = self.group.outcomes
        outcomes.append(outcome)
        if len(outcomes) == 1 or self._is_large():
            self._wake()

    def _is_large(self) -> bool:
        return len(self.group.outcomes) >= self._in_flight_limits.large_group(self._progress.pages)

    def due_at(self, now: float, *, is_idle: bool) -> float | None:
        """Return when to write the group; None if it is empty.

        With no request in flight, `is_idle`, there is nothing to wait for.
        """
        if self.group.is_empty():
            return None
        return now if is_idle or self._is_large() else self._written_at + BEAT_SECONDS

    @property
    def commit_at(self) -> float | None:
        """When the open transaction must commit; None if there is none."""
        return self._recorder.commit_at

    def next_group(self) -> Group:
        """Return the group, and start a new one."""
        group, self.group = self.group, Group()
        return group

    async def write(self, group: Group, now: float) -> Refill:
        """Write a group; return the new work leased for it."""
        self._written_at = now
        loop = asyncio.get_running_loop()
        refill = await loop.run_in_executor(self._thread, self._recorder.write, group, now)
        for outcome in group.outcomes:
            self._end(outcome)
        self._progress.gain(refill.gained)
        return refill

    def _end(self, outcome: Outcome) -> None:
        """Count a written outcome as no longer in flight."""
        self.under_way -= 1
        self.bytes_under_way -= len(outcome.page.body) if outcome.page else 0
        self._hosts.find(outcome.host).uncommitted -= 1
        self._progress.count(outcome)

    async def commit_when_due(self, now: float) -> None:
        """Commit an open transaction that is due."""
        if self.commit_at is not None and self.commit_at <= now:
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._recorder.commit)

    async def finish(self, now: float) -> None:
        """Have the recorder end the crawl."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._recorder.finish, now)

    def close(self) -> None:
        """Wait for the thread, and close it."""
        self._thread.shutdown()
