"""Following the catalogue: which documents changed since the last look."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from telusur.store.records import Change, Cursor


class Changes(Protocol):
    """Committed documents, in an order that lets no follower miss one.

    A document that changed several times may come once, in its current form, at its last change.
    """

    def after(
        self, cursor: Cursor, most: int, until: Cursor | None = None
    ) -> Iterator[tuple[Change, Cursor]]:
        """Yield up to `most` changes after a cursor, each with the cursor that follows it.

        With `until`, a cursor from `end`, later changes are left out.
        """

    def end(self) -> Cursor:
        """Return the cursor after the last change."""

    def count_after(self, cursor: Cursor) -> int:
        """Return how many documents a follower with this cursor has not seen."""

    def latest(self, cursor: Cursor) -> Cursor:
        """Return the cursor, or the end if the cursor lies beyond it (after a power loss)."""

    def documents(self, url_ids: Iterable[bytes]) -> Iterator[Change]:
        """Yield current documents; missing ones are left out."""

    def close(self) -> None:
        """Stop following."""
