"""The index in memory: its documents and its writer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from telusur.errors import CollectionBusy, CollectionError
from telusur.index.contract import Found, IndexItem
from telusur.index.fields import Fields, make_fields
from telusur.index.query import Query
from telusur.memory.index.view import MemoryView


@dataclass(slots=True, frozen=True)
class Commit:
    """What an index held at one moment. Nobody changes it."""

    #: By the ids of their URLs, in the order they came in.
    documents: dict[bytes, Fields] = field(default_factory=dict)
    cursor: str = ""


class IndexShelf:
    """The index of a collection, for all who open it."""

    def __init__(self) -> None:
        self.last_commit = Commit()
        self._writer = Lock()

    def open(self, *, read_only: bool = False) -> "MemoryIndex":
        """Open the index; only one may open it for writing."""
        if not read_only and not self._writer.acquire(blocking=False):
            raise CollectionBusy("Somebody else is writing the index.")
        return MemoryIndex(self, read_only=read_only)

    def free(self) -> None:
        """Let another one write."""
        self._writer.release()


class MemoryIndex:
    """Implements `telusur.index.contract.Index`.

    The writer works on a copy of the documents, and `commit` puts the copy in their place.
    """

    def __init__(self, shelf: IndexShelf, *, read_only: bool) -> None:
        self._shelf = shelf
        self._is_writer = not read_only
        self._copy = shelf.last_commit.documents.copy()
        self._view: tuple[Commit, MemoryView] | None = None

    # Writing

    def replace(self, items: Iterable[IndexItem]) -> None:
        """Add documents; one with the same `url_id` replaces the old one."""
        copy = self._write()
        for item in items:
            copy.pop(item.url_id, None)
            copy[item.url_id] = make_fields(item)

    def delete(self, url_ids: Iterable[bytes]) -> None:
        """Remove documents; unknown ones are ignored."""
        copy = self._write()
        for url_id in url_ids:
            copy.pop(url_id, None)

    def clear(self) -> None:
        """Remove all documents; until the commit they are still there."""
        self._write().clear()

    def commit(self, cursor: str | None = None) -> None:
        """Make all changes since the last commit visible, and keep the cursor if one is given."""
        documents = self._write().copy()
        kept = self.cursor() if cursor is None else cursor
        self._shelf.last_commit = Commit(documents, kept)

    def _write(self) -> dict[bytes, Fields]:
        if not self._is_writer:
            raise CollectionError("The index is closed, or was opened for reading only.")
        return self._copy

    # Reading

    def cursor(self) -> str:
        """Return the cursor of the last commit that had one; empty if none had."""
        return self._shelf.last_commit.cursor

    def has_leftovers(self) -> bool:
        """Return False: what is replaced or deleted is gone at once."""
        return False

    def is_outdated(self) -> bool:
        """Return False: no older program writes to this memory."""
        return False

    def view(self) -> MemoryView:
        """Return the index as of the last commit."""
        last = self._shelf.last_commit
        if self._view is None or self._view[0] is not last:
            self._view = last, MemoryView(tuple(last.documents.values()))
        return self._view[1]

    def search(self, query: Query, offset: int = 0, limit: int = 10) -> Found:
        """Return the best documents for a query, `limit` of them from `offset` on."""
        view = self.view()
        ranking = view.rank(query, offset + limit if limit else 0)
        return Found(ranking.total, view.entries(ranking.candidates[offset:]))

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language; "" is unknown."""
        return self.view().languages()

    def count(self) -> int:
        """Return the number of documents."""
        return self.view().count()

    # Closing

    def close(self) -> None:
        """Allow another writer; uncommitted changes are dropped."""
        if self._is_writer:
            self._is_writer = False
            self._shelf.free()

    def close_within(self, seconds: float | None) -> bool:
        """Close: there is no work in the background to wait for."""
        self.close()
        return True
