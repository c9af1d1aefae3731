"""Ownership of a collection, and control of a crawl in another process."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import IO, Any, Protocol

from telusur.store.views import TimelinePoint

# Takes a request, a line of JSON, and returns the response.
Obey = Callable[[bytes], dict[str, Any]]


class Control(Protocol):
    """Ownership, requests to the running crawl, and its counters over time."""

    def own(self) -> AbstractContextManager[object]:
        """Own the collection within a `with` block; raises `CollectionBusy` if it has an owner.

        A shared store lets everybody in.
        """

    def is_owned(self) -> bool:
        """Tell whether the collection has an owner now."""

    def ask(self, wish: str, **more: Any) -> dict[str, Any] | None:
        """Send a request to the running crawl; None if none answers."""

    def answering(self, obey: Obey) -> AbstractAsyncContextManager[None]:
        """Answer requests within the block; a crawl that cannot receive requests still runs.

        `obey` is called in the thread of the event loop, so that a crawl needs no locks.
        """

    def add_sample(self, sample: TimelinePoint, *, is_last: bool = False) -> None:
        """Store a sample of the counters if one is due; the last one of a crawl always is."""

    def timeline(self, since: float = float("-inf")) -> tuple[TimelinePoint, ...]:
        """Return the stored samples, oldest first."""

    def log(self) -> IO[bytes]:
        """Open a new log file for a crawl in the background."""

    def last_words(self) -> str:
        """Return the last line of the log."""
