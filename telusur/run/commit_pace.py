"""When the indexer commits: seldom, since every commit makes a piece that is merged later."""

from collections.abc import Callable

MOST_SECONDS = 2.5
"""So long changes wait for others; a page is found within 5 seconds of its fetch all the same."""
FIRST_SECONDS = 0.3


class CommitPace:
    """Tells when changes are due: at once after a start, then after waiting longer each time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wait_seconds = 0.0
        self._changed_at: float | None = None

    @property
    def has_changes(self) -> bool:
        """Tell whether anything waits to be committed."""
        return self._changed_at is not None

    def note_change(self) -> None:
        """Count from now on, unless something waits already."""
        if self._changed_at is None:
            self._changed_at = self._clock()

    def is_due(self) -> bool:
        """Tell whether what waits has waited long enough."""
        if self._changed_at is None:
            return False
        return self._clock() - self._changed_at >= self._wait_seconds

    def note_commit(self) -> None:
        """Begin anew."""
        self._changed_at = None
        self._wait_seconds = min(MOST_SECONDS, 2 * self._wait_seconds + FIRST_SECONDS)
