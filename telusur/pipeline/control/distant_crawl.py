"""A crawl in another process, controlled over the socket of its collection."""

import time
from abc import ABC, abstractmethod
from typing import Any

from telusur.crawl.limits import read_limits
from telusur.errors import CollectionError
from telusur.models import Counts
from telusur.pipeline.control.status import Status, idle_status, status_from, with_tallies
from telusur.store.crawls import CrawlReader
from telusur.store.store import Store
from telusur.store.views import TimelinePoint

START_SECONDS = 2.0
POLL_SECONDS = 0.1


def ask_crawl(store: Store, wish: str, **more: Any) -> Status | None:
    """Send a request to the crawl; None if none runs. A new crawl gets a moment to listen."""
    deadline = time.monotonic() + START_SECONDS
    while (answer := store.control.ask(wish, **more)) is None:
        if not store.control.is_owned() or time.monotonic() > deadline:
            return None
        time.sleep(POLL_SECONDS)
    if not answer.get("ok"):
        raise CollectionError(f"{store.address}: the crawl refused: {answer.get('error')}")
    return status_from(answer["status"])


def stop_crawl(store: Store, *, wait: bool) -> Status | None:
    """Stop the crawl gracefully, and wait for its end if wanted; None if none runs."""
    status = ask_crawl(store, "stop")
    while status is not None and wait and store.control.is_owned():
        time.sleep(POLL_SECONDS)
    return status


class Steered(ABC):
    """Watches and controls the crawl of a collection, which another process runs."""

    _store: Store
    _crawls: CrawlReader

    @abstractmethod
    def counts(self) -> Counts:
        """Return how many URLs, pages and documents there are."""

    def status(self, sites: int = 10) -> Status:
        """Return the status of the running crawl, or of the collection if none runs."""
        live = ask_crawl(self._store, "status")
        # Before the tallies are read: a crawl that is gone has recorded its outcome.
        is_busy = live is None and self._store.control.is_owned()
        tallies = self._crawls.tallies(sites)
        if live is None:
            live = idle_status(self.counts(), tallies, is_busy=is_busy)
        return with_tallies(live, tallies)

    def timeline(self, since: float = float("-inf")) -> tuple[TimelinePoint, ...]:
        """Return samples of its crawls over time, oldest first."""
        return self._store.control.timeline(since)

    def pause(self) -> Status | None:
        """Pause the running crawl; None if no crawl runs."""
        return ask_crawl(self._store, "pause")

    def resume(self) -> Status | None:
        """Resume the paused crawl; None if no crawl runs."""
        return ask_crawl(self._store, "resume")

    def limit(self, **changes: Any) -> Status | None:
        """Change the limits of the running crawl; None if no crawl runs.

        `pages`, `depth`, `seconds`, `total_bytes`, `scope` and `delay` can change; None removes a
        limit.
        """
        return ask_crawl(self._store, "limits", **read_limits(changes))

    def stop(self, *, wait: bool = True) -> Status | None:
        """Stop the running crawl gracefully, and wait for its end; None if none runs."""
        return stop_crawl(self._store, wait=wait)
