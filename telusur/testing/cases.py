"""What the suites share: a clock that a test moves, a store that is closed after the test."""

from typing import Any

from telusur.crawl.frontier_records import NewUrl
from telusur.models import Document, url_id_of
from telusur.store.records import BEGINNING, Change
from telusur.store.session import Session
from telusur.store.store import CatalogueStore

#: Longer than any lease, any rest, and whatever a backend waits beyond a lease.
LONG = 1_000_000.0


class Clock:
    """The time of a store under test: `now` stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 1_790_000_000.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.now


class StoreCase:
    """The base of the suites: a backend's test class gives it a store."""

    def make_store(self, clock: Clock) -> CatalogueStore:
        """Return an empty store that takes the time from `clock`."""
        raise NotImplementedError

    def reopen(self, store: CatalogueStore) -> CatalogueStore:
        """Return the store as another process opens it; without persistence, the same one.

        Override it with a store that was closed and opened again.
        """
        return store

    def kill(self, session: Session) -> None:
        """End a session like a kill: nothing is written, nothing is closed.

        Override it if it takes more than never calling the session again: a connection to a
        server must be cut.
        """

    # For the tests

    @property
    def clock(self) -> Clock:
        """Return the clock of this test."""
        return self.__dict__.setdefault("_clock", Clock())  # type: ignore[no-any-return]

    def open_store(self) -> CatalogueStore:
        """Make a store that is closed after the test."""
        store = self.make_store(self.clock)
        self.__dict__.setdefault("_stores", []).append(store)
        return store

    def reopened(self, store: CatalogueStore) -> CatalogueStore:
        """Open a store again; it is closed after the test."""
        again = self.reopen(store)
        self.__dict__["_stores"].append(again)
        return again

    def open_session(self) -> Session:
        """Make a store and open a session of it."""
        return self.open_store().session()

    def begin(self) -> Session:
        """Make a store, open a session of it and begin a transaction."""
        session = self.open_session()
        session.begin()
        return session

    def teardown_method(self) -> None:
        """Close what the test opened."""
        for store in self.__dict__.pop("_stores", ()):
            store.close()


def new_url(path: str, depth: int = 1, **more: Any) -> NewUrl:
    """Return a URL from `host/path`; the smaller its depth, the better its score."""
    host = path.split("/", maxsplit=1)[0]
    values = {"host": f"http://{host}", "site": host, "score": -float(depth), **more}
    return NewUrl(url_id_of(path), f"http://{path}", depth=depth, **values)


def put_document(session: Session, path: str, **more: Any) -> bytes:
    """Store a document at `host/path`; return the id of its URL.

    Other arguments go to the catalogue: digest, canonical, not_indexed.
    """
    url_id = url_id_of(path)
    stored: dict[str, Any] = {"digest": url_id, "canonical": None, "not_indexed": ""}
    stored |= {name: more.pop(name) for name in list(more) if name in stored}
    document = Document(**{"url": f"http://{path}", "title": path, **more})
    site = path.split("/", maxsplit=1)[0]
    session.catalogue.put_document(url_id, document, site=site, fetched_at=5.0, **stored)
    return url_id


def changes_of(store: CatalogueStore) -> list[Change]:
    """Return all documents that a new follower gets, in their order."""
    changes = store.changes()
    try:
        return [change for change, _ in changes.after(BEGINNING, 1_000_000)]
    finally:
        changes.close()


def titles_of(store: CatalogueStore) -> list[str]:
    """Return the titles of all documents that a new follower gets, in their order."""
    return [change.document.title for change in changes_of(store)]
