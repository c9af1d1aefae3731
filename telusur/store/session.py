"""Sessions: who writes, and what is written together."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from telusur.store.archive import Archive
from telusur.store.catalogue import Catalogue, NearDuplicates, Sitemaps, StrategyState
from telusur.store.frontier import Frontier


class Session(Protocol):
    """One writer. Everything between `begin` and `commit` is written together or not at all.

    A session whose lease has expired may be declared dead (`Store.reap`): then its hosts are free,
    and it gets `SessionLost` when it begins, commits or renews.
    """

    @property
    def frontier(self) -> Frontier:
        """Known URLs, and which may be fetched now."""

    @property
    def catalogue(self) -> Catalogue:
        """Fetches, documents, links, robots files, crawls."""

    @property
    def near(self) -> NearDuplicates:
        """Signatures of documents."""

    @property
    def sitemaps(self) -> Sitemaps:
        """Which URLs are sitemaps, and what they say."""

    @property
    def strategy_state(self) -> StrategyState:
        """What the strategy works on and has learned."""

    @property
    def archive(self) -> Archive:
        """Every response as received."""

    def begin(self) -> None:
        """Begin a transaction."""

    def commit(self) -> None:
        """Make everything since `begin` durable: first the archive, then all else at once."""

    def rollback(self) -> None:
        """Undo everything since `begin`; without a transaction, do nothing."""

    def guard(self) -> AbstractContextManager[None]:
        """Turn errors of the engine, a full disk or a lost server, into `StorageError`."""

    def free(self) -> int:
        """Return all leased URLs of this session to waiting; return how many."""

    def renew(self) -> None:
        """Renew the lease of this session: it starts again now.

        A late session can still renew, as long as no `Store.reap` has declared the
        session dead. After that it raises `SessionLost`.
        """

    def close(self) -> None:
        """End the session: undo its transaction and free its leases."""


@contextmanager
def transaction(session: Session) -> Iterator[None]:
    """Commit what the block writes, or undo all of it if the block raises."""
    session.begin()
    try:
        yield
    except BaseException:
        session.rollback()
        raise
    session.commit()
