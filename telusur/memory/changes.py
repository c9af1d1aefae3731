"""Following documents in memory."""

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy

from telusur.memory.state import StoredDocument, Tables
from telusur.store.records import Change, Cursor


class MemoryChanges:
    """Implements `telusur.store.changes.Changes`: commits come one after the other, so the number
    of a change is its place in their order."""

    def __init__(self, committed: Callable[[], Tables]) -> None:
        self._committed = committed

    def after(
        self, cursor: Cursor, most: int, until: Cursor | None = None
    ) -> Iterator[tuple[Change, Cursor]]:
        """Yield up to `most` changes after a cursor, each with the cursor that follows it."""
        last = _number(self.end() if until is None else until)
        for one in [one for one in self._newer(cursor) if one.number <= last][:most]:
            yield _change(one), Cursor(str(one.number))

    def _newer(self, cursor: Cursor) -> list[StoredDocument]:
        """Return the documents that changed after a cursor, in the order of their changes."""
        documents = self._committed().documents.values()
        newer = [one for one in documents if one.number > _number(cursor)]
        return sorted(newer, key=lambda document: document.number)

    def end(self) -> Cursor:
        """Return the cursor after the last change."""
        return Cursor(str(self._committed().changes))

    def count_after(self, cursor: Cursor) -> int:
        """Return how many documents a follower with this cursor has not seen."""
        return len(self._newer(cursor))

    def latest(self, cursor: Cursor) -> Cursor:
        """Return the cursor, or the end if the cursor lies beyond it."""
        end = self.end()
        return cursor if _number(cursor) <= _number(end) else end

    def documents(self, url_ids: Iterable[bytes]) -> Iterator[Change]:
        """Yield current documents; missing ones are left out."""
        documents = self._committed().documents
        for url_id in url_ids:
            if url_id in documents:
                yield _change(documents[url_id])

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _number(cursor: Cursor) -> int:
    return int(cursor or 0)


def _change(stored: StoredDocument) -> Change:
    return Change(
        stored.url_id, stored.site, stored.fetched_at, deepcopy(stored.document),
        stored.not_indexed,
    )  # fmt: skip
