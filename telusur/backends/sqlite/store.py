"""A collection in a directory: SQLite for what is known, WARC files for what was received."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar
from weakref import WeakSet

from telusur.backends.sqlite.catalogue import SqliteCatalogue
from telusur.backends.sqlite.changes import SqliteChanges
from telusur.backends.sqlite.crawls import SqliteCrawls
from telusur.backends.sqlite.database.schema import connect, storage_errors
from telusur.backends.sqlite.frontier.leases import SqliteFrontier
from telusur.backends.sqlite.frontier.prospects import SqliteProspects
from telusur.backends.sqlite.graph import SqliteWeb
from telusur.backends.sqlite.near import SqliteNearDuplicates
from telusur.backends.sqlite.reader import SqliteReader
from telusur.backends.sqlite.site import SqliteSite
from telusur.backends.sqlite.sitemaps import SqliteSitemaps
from telusur.backends.warc.archive import WarcArchive
from telusur.crawl.hosts.politeness import Clock


class Closable(Protocol):
    """Something that is closed with the store."""

    def close(self) -> None:
        """Close what is open; closing twice does no harm."""


Opened = TypeVar("Opened", bound=Closable)


class SqliteSession:
    """Implements `telusur.store.session.Session`: the one writer of a directory.

    The caller holds the lock of the directory, so the previous writer is dead.
    """

    def __init__(self, directory: Path, clock: Clock) -> None:
        self._directory = directory
        self._db = connect(directory, read_only=False)
        self.frontier = SqliteFrontier(self._db, clock)
        self.catalogue = SqliteCatalogue(self._db, clock)
        self.near = SqliteNearDuplicates(self._db)
        self.sitemaps = SqliteSitemaps(self._db, self.frontier)
        self.strategy_state = SqliteProspects(self._db)
        self.archive = WarcArchive(directory / "archive")
        try:
            self._recover()
        except BaseException:
            self._db.close()
            raise

    def _recover(self) -> None:
        """Bring archive and leases back to the last commit."""
        with self.guard():
            self.archive.cut_behind(self.catalogue.archive_end())
            self.begin()
            self.free()
            self.commit()

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Turn errors of the engine into one clear sentence."""
        with storage_errors(self._directory):
            yield

    def begin(self) -> None:
        """Begin a transaction."""
        self._db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Make everything since `begin` durable: first the archive, then all else at once."""
        end = self.archive.sync()
        if end is not None:
            self.catalogue.put_archive_end(end)
        self._db.execute("COMMIT")

    def rollback(self) -> None:
        """Undo everything since `begin`."""
        self._db.rollback()
        self.frontier.forget()

    def renew(self) -> None:
        """Do nothing: the lock of the directory lasts as long as this process."""

    def free(self) -> int:
        """Return all leased URLs to waiting; return how many."""
        return self.frontier.release_all()

    def close(self) -> None:
        """End the session; the next one frees what is still leased."""
        self.archive.close()
        self._db.close()


class SqliteStore:
    """Implements `telusur.store.store.CatalogueStore`."""

    is_shared = False

    def __init__(self, directory: Path, clock: Clock = time.time) -> None:
        self._directory = directory
        self._clock = clock
        # Weak references: an object that nobody uses is closed with its last reference.
        self._opened: WeakSet[Closable] = WeakSet()

    def session(self, name: str = "", lease_seconds: float = 30.0) -> SqliteSession:
        """Open the session; the caller holds the lock of the directory."""
        return self._keep(SqliteSession(self._directory, self._clock))

    def reap(self) -> int:
        """Return 0: the previous writer is declared dead when a session is opened."""
        return 0

    def changes(self) -> SqliteChanges:
        """Open the changes of documents, for followers."""
        return self._keep(SqliteChanges(self._connect()))

    def reader(self) -> SqliteReader:
        """Open the catalogue for reading."""
        return self._keep(SqliteReader(self._directory, self._clock))

    def crawls(self) -> SqliteCrawls:
        """Open the crawls for reading."""
        return SqliteCrawls(self._directory, store_clock=self._clock)

    def web(self) -> SqliteWeb:
        """Open all documents and links for reading."""
        return self._keep(SqliteWeb(self._connect()))

    def site(self, name: str = "") -> SqliteSite:
        """Open one site for reading, or all sites for an empty name.

        It outlives the store, since long walks over a site may: whoever opened it closes it.
        """
        return SqliteSite(self._connect(), name)

    def _connect(self) -> sqlite3.Connection:
        return connect(self._directory, read_only=True)

    def _keep(self, opened: Opened) -> Opened:
        """Remember what is open, to close it with the store."""
        self._opened.add(opened)
        return opened

    def close(self) -> None:
        """Close what is still open; closing it twice does no harm."""
        for opened in list(self._opened):
            opened.close()
