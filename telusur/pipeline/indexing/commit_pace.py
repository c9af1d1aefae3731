"""When the indexer commits: seldom, since every commit makes a piece that is merged later."""

from collections.abc import Callable

MOST_SECONDS = 2.0
"""So long changes wait for others; a page is found within 5 seconds of its fetch all the same."""
BEHIND_SECONDS = 20.0
"""The same while more waits than was taken: nothing is fresh then, and catching up comes first."""
FIRST_SECONDS = 0.3
GROWTH = 4
"""Each wait after a start is so many times the one before: eight pieces would be merged."""


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

    def is_due(self, *, is_behind: bool = False) -> bool:
        """Tell whether what waits has waited long enough; longer when there is more to come."""
        if self._changed_at is None:
            return False
        most = BEHIND_SECONDS if is_behind else MOST_SECONDS
        return self._clock() - self._changed_at >= min(self._wait_seconds, most)

    def note_commit(self) -> None:
        """Begin anew."""
        self._changed_at = None
        self._wait_seconds = min(BEHIND_SECONDS, GROWTH * self._wait_seconds + FIRST_SECONDS)
