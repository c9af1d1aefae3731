"""A session of the store in memory: one writer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from telusur.memory.archive import MemoryArchive
from telusur.memory.catalogue import MemoryCatalogue
from telusur.memory.frontier import MemoryFrontier
from telusur.memory.near import MemoryNearDuplicates
from telusur.memory.prospects import MemoryProspects
from telusur.memory.sitemaps import MemorySitemaps
from telusur.memory.state import Workspace

if TYPE_CHECKING:
    from telusur.memory.store import MemoryStore


class MemorySession:
    """Implements `telusur.store.session.Session`."""

    def __init__(
        self, store: "MemoryStore", space: Workspace, name: str, lease_seconds: float
    ) -> None:
        self._store = store
        self._space = space
        self._lease_seconds = lease_seconds
        self.frontier = MemoryFrontier(space)
        self.catalogue = MemoryCatalogue(space)
        self.near = MemoryNearDuplicates(space)
        self.sitemaps = MemorySitemaps(space, self.frontier)
        self.strategy_state = MemoryProspects(space)
        self.archive = MemoryArchive(store.stripes, f"{name}-{space.owner}")

    def begin(self) -> None:
        """Begin a transaction; wait while another session has one."""
        self._space.copy = self._store.begin(self._space.owner)

    def commit(self) -> None:
        """Make everything since `begin` visible, unless this session was declared dead."""
        tables = self._space.write()
        self._space.copy = None
        self.archive.sync()
        self._store.commit(self._space.owner, tables)

    def rollback(self) -> None:
        """Undo everything since `begin`."""
        self._space.copy = None
        self._store.rollback(self._space.owner)

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Do nothing: memory has no errors of its own."""
        yield

    def free(self) -> int:
        """Return all leased URLs of this session to waiting; return how many."""
        tables, now = self._space.write(), self._space.clock()
        return tables.free(lambda owner: owner == self._space.owner, now)

    def renew(self) -> None:
        """Renew the lease of this session: it starts again now."""
        self._store.renew(self._space.owner, self._lease_seconds)

    def close(self) -> None:
        """End the session: undo its transaction and free its leases."""
        self._space.copy = None
        self.archive.close()
        self._store.end(self._space.owner)
