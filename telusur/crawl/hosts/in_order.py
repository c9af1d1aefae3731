"""Delivers the pages of a host in fetch order, however long each takes to parse.

Parsers work in parallel, so a later page may be parsed first. What a crawl learns from its pages
(links, duplicates, traps) must depend on what was fetched, not on which parser was faster.
"""

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

# The most pages that wait for an earlier page of their host; beyond that they are delivered.
MOST_HELD = 200

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class LinePlace(Generic[T]):
    """The place of one page in the queue, and its outcome, once that is known."""

    outcome: T | None = None
    # It has left the queue: no page waits for it.
    has_left: bool = False


class InOrder(Generic[T]):
    """The pages of one host that are being parsed, in fetch order."""

    def __init__(self) -> None:
        self._line: deque[LinePlace[T]] = deque()
        self._held = 0

    def take_place(self) -> LinePlace[T]:
        """Join the end of the queue."""
        place: LinePlace[T] = LinePlace()
        self._line.append(place)
        return place

    def deliver(self, place: LinePlace[T], outcome: T) -> list[T]:
        """Record the outcome of a page; return the outcomes that can be delivered now."""
        if place.has_left:
            return [outcome]
        place.outcome = outcome
        self._held += 1
        ready = self._ready()
        return ready if self._held <= MOST_HELD else ready + self.deliver_all()

    def leave(self, place: LinePlace[T]) -> list[T]:
        """Take a slow page out of the queue; return the outcomes that can be delivered now."""
        if not place.has_left:
            place.has_left = True
            self._line.remove(place)
        return self._ready()

    def _ready(self) -> list[T]:
        ready: list[T] = []
        while self._line and self._line[0].outcome is not None:
            ready.append(self._line[0].outcome)
            self._line.popleft()
        self._held -= len(ready)
        return ready

    def deliver_all(self) -> list[T]:
        """Return all known outcomes, even those that waited for others."""
        ready = [place.outcome for place in self._line if place.outcome is not None]
        self._line = deque(place for place in self._line if place.outcome is None)
        self._held = 0
        return ready
