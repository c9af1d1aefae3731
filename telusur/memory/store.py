"""The store in memory."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from telusur.errors import SessionLost, UsageError
from telusur.index.standing import Standings
from telusur.memory.archive import Stripes
from telusur.memory.blobs import MemoryBlobs
from telusur.memory.changes import MemoryChanges
from telusur.memory.control import MemoryControl
from telusur.memory.index.index import IndexShelf, MemoryIndex
from telusur.memory.reading.crawls import MemoryCrawls
from telusur.memory.reading.graph import MemoryWebGraph
from telusur.memory.reading.reader import MemoryReader
from telusur.memory.reading.site import MemorySite
from telusur.memory.reading.web import MemoryWeb
from telusur.memory.session import MemorySession
from telusur.memory.state import Clock, Tables, Workspace
from telusur.memory.vectors import MemoryVectors, VectorShelf
from telusur.memory.verify import verify_tables
from telusur.store.problems import Verification, Watch
from telusur.store.store import Store


class MemoryStore:
    """Implements `telusur.store.store.Store`.

    A transaction works on a copy of all tables, and `commit` puts the copy in their place. So
    nobody sees what is not committed, and a rollback drops the copy. One session at a time has a
    transaction; others wait in `begin`.
    """

    def __init__(
        self, clock: Clock = time.time, *, is_shared: bool = True, name: str = "memory"
    ) -> None:
        self.is_shared = is_shared
        self.name = name
        self.control = MemoryControl()
        self.blobs = MemoryBlobs()
        self.stripes: Stripes = {}
        self._index = IndexShelf()
        self._vectors = VectorShelf()
        self._clock = clock
        self._committed = Tables()
        #: When the lease of each live session expires.
        self._ends: dict[int, float] = {}
        self._opened = 0
        self._turn = threading.Condition()
        #: The session that has a transaction, and its thread.
        self._writer: tuple[int, int] | None = None

    def session(self, name: str = "", lease_seconds: float = 30.0) -> MemorySession:
        """Open a session; if the store is not shared, this declares all others dead."""
        with self._turn:
            if not self.is_shared:
                self._bury(list(self._ends))
            self._opened += 1
            self._ends[self._opened] = self._clock() + lease_seconds
            space = Workspace(self._opened, self.committed, self._clock)
        return MemorySession(self, space, name or str(space.owner), lease_seconds)

    def reap(self) -> int:
        """Free the hosts of sessions whose lease has expired; return how many sessions."""
        with self._turn:
            now = self._clock()
            dead = [owner for owner, end in self._ends.items() if end <= now]
            self._bury(dead)
        return len(dead)

    def changes(self) -> MemoryChanges:
        """Open the changes of documents, for followers."""
        return MemoryChanges(self.committed)

    def reader(self) -> MemoryReader:
        """Open the catalogue for reading."""
        return MemoryReader(self.committed, self.stripes, self._clock)

    def crawls(self) -> MemoryCrawls:
        """Open the crawls for reading."""
        return MemoryCrawls(self.committed, self._clock)

    def web(self) -> MemoryWeb:
        """Open all documents and links for reading."""
        return MemoryWeb(self.committed)

    def site(self, name: str = "") -> MemorySite:
        """Open one site for reading, or all sites for an empty name."""
        return MemorySite(self.committed, name)

    def close(self) -> None:
        """Do nothing: the store lives as long as the process."""

    # What lies beside the catalogue

    @property
    def address(self) -> str:
        """Return an address that `open_store` does not know: only this process has the store."""
        return f"memory:{self.name}"

    @property
    def is_for_one_process(self) -> bool:
        """Return True: another process has other memory."""
        return True

    def index(self, *, read_only: bool = False) -> MemoryIndex:
        """Open the index."""
        return self._index.open(read_only=read_only)

    def graph(self, standings: Callable[[], Standings]) -> MemoryWebGraph:
        """Open pages and links for maps."""
        return MemoryWebGraph(self.committed, standings)

    def vectors(self, name: str, model: str, dimensions: int) -> MemoryVectors:
        """Open the vectors of one model."""
        return self._vectors.open(name, model, dimensions)

    def has_vectors(self, name: str) -> bool:
        """Tell whether a model has vectors, perhaps of an older version."""
        return name in self._vectors.kept

    def verify(self, watch: Watch) -> Verification:
        """Compare archive and index with the catalogue."""
        return verify_tables(self.committed(), self.reader(), self.index(read_only=True), watch)

    def guard(self) -> AbstractContextManager[None]:
        """Let everything pass: memory has no errors of its own."""
        return nullcontext()

    def may_write(self) -> bool:
        """Return True: everybody in this process may write."""
        return True

    def free_bytes(self) -> int | None:
        """Return None: it is not known how much more fits."""
        return None

    # For sessions

    def committed(self) -> Tables:
        """Return the tables as of the last commit, which never change."""
        return self._committed

    def begin(self, owner: int) -> Tables:
        """Wait for the turn of a session; return its copy of the tables."""
        with self._turn:
            if self._writer is not None and self._writer[1] == threading.get_ident():
                raise UsageError("This thread has an open transaction: end that one first.")
            self._turn.wait_for(lambda: self._writer is None or owner not in self._ends)
            self._check_alive(owner)
            self._writer = (owner, threading.get_ident())
            return self._committed.copy()

    def commit(self, owner: int, tables: Tables) -> None:
        """Replace the committed tables by those of a session."""
        with self._turn:
            self._check_alive(owner)
            # Sessions that were declared dead since `begin` still own hosts in this copy.
            tables.free(self._is_dead, self._clock())
            self._committed = tables
            self._end_turn(owner)

    def rollback(self, owner: int) -> None:
        """End the turn of a session, if it has it."""
        with self._turn:
            self._end_turn(owner)

    def renew(self, owner: int, lease_seconds: float) -> None:
        """Renew the lease of a session."""
        with self._turn:
            self._check_alive(owner)
            self._ends[owner] = self._clock() + lease_seconds

    def end(self, owner: int) -> None:
        """Free the leases of a session, and remove it."""
        with self._turn:
            self._bury([owner])

    def _bury(self, dead: list[int]) -> None:
        for owner in dead:
            self._ends.pop(owner, None)
            self._end_turn(owner)
        tables = self._committed.copy()
        tables.free(self._is_dead, self._clock())
        self._committed = tables

    def _end_turn(self, owner: int) -> None:
        if self._writer is not None and self._writer[0] == owner:
            self._writer = None
        self._turn.notify_all()

    def _is_dead(self, owner: int) -> bool:
        return owner not in self._ends

    def _check_alive(self, owner: int) -> None:
        if self._is_dead(owner):
            raise SessionLost("This session was declared dead, and its hosts were freed.")


if TYPE_CHECKING:
    # mypy checks here that all contracts are met.
    _store: Store = MemoryStore()
