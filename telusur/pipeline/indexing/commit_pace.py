"""When the indexer commits: rarely, since every commit makes a segment to be merged later."""

from collections.abc import Callable

# How long changes wait for others; a page is still found within 5 seconds of its fetch.
MOST_SECONDS = 2.0
# The same while the indexer is behind: nothing is fresh then, and throughput comes first.
BEHIND_SECONDS = 20.0
FIRST_SECONDS = 0.3
# Each wait after a start is longer by this factor: eight segments would be merged.
GROWTH = 4


class CommitPace:
    """Decides when to commit: at once after a start, then after longer and longer waits."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wait_seconds = 0.0
        self._changed_at: float | None = None

    @property
    def has_changes(self) -> bool:
        """Tell whether there are uncommitted changes."""
        return self._changed_at is not None

    def note_change(self) -> None:
        """Start the clock, unless it runs."""
        if self._changed_at is None:
            self._changed_at = self._clock()

    def is_due(self, *, is_behind: bool = False) -> bool:
        """Tell whether to commit now; a follower that is behind waits longer."""
        if self._changed_at is None:
            return False
        most = BEHIND_SECONDS if is_behind else MOST_SECONDS
        return self._clock() - self._changed_at >= min(self._wait_seconds, most)

    def note_commit(self) -> None:
        """Stop the clock."""
        self._changed_at = None
        self._wait_seconds = min(BEHIND_SECONDS, GROWTH * self._wait_seconds + FIRST_SECONDS)
