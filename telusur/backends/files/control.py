"""Ownership of a directory, and requests to a crawl in another process: a lock and a socket."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import IO, Any

from telusur.backends.files.control_socket import ask
from telusur.backends.files.lock import OwnerLock, is_owned
from telusur.backends.files.private import open_private
from telusur.backends.files.timeline import TimelineFile, read_timeline
from telusur.store.control import Obey
from telusur.store.views import TimelinePoint

LOG = "crawl.log"
SAMPLE_SECONDS = 1.0


class FileControl:
    """Implements `telusur.store.control.Control` for a collection in a directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._timeline: TimelineFile | None = None

    def own(self) -> OwnerLock:
        """Own the collection within a `with` block."""
        return OwnerLock(self._directory)

    def is_owned(self) -> bool:
        """Tell whether a process owns the collection now."""
        return is_owned(self._directory)

    def ask(self, wish: str, **more: Any) -> dict[str, Any] | None:
        """Send a request to the running crawl; None if none answers."""
        return ask(self._directory, wish, **more)

    def answering(self, obey: Obey) -> AbstractAsyncContextManager[None]:
        """Answer requests within the block."""
        # Only a crawl answers; all other commands do without its event loop.
        from telusur.backends.files.control_server import answering

        return answering(self._directory, obey)

    def add_sample(self, sample: TimelinePoint, *, is_last: bool = False) -> None:
        """Store a sample of the counters if one is due."""
        if self._timeline is None:
            self._timeline = TimelineFile(self._directory, SAMPLE_SECONDS)
        self._timeline.add(sample, is_last=is_last)

    def timeline(self, since: float = float("-inf")) -> tuple[TimelinePoint, ...]:
        """Return the stored samples, oldest first."""
        return read_timeline(self._directory, since)

    def log(self) -> IO[bytes]:
        """Open a new log file for a crawl in the background."""
        return open_private(self._directory / LOG, "wb")

    def last_words(self) -> str:
        """Return the last line of the log; empty if there is none."""
        try:
            text = (self._directory / LOG).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""
        lines = text.split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return said[-1] if said else ""
