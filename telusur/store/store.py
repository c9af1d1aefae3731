"""A store: one collection, wherever it is kept, and the ways to write and to read it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from telusur.graph.contract import WebGraph
from telusur.index.contract import Index
from telusur.index.standing import Standings
from telusur.store.blobs import Blobs
from telusur.store.changes import Changes
from telusur.store.control import Control
from telusur.store.crawls import CrawlReader
from telusur.store.problems import Verification, Watch
from telusur.store.reader import CatalogueReader
from telusur.store.session import Session
from telusur.store.sites import SiteReader
from telusur.store.vectors import VectorStore
from telusur.store.web import WholeWeb


class CatalogueStore(Protocol):
    """What a crawl writes and its followers read; `telusur.testing.store` checks it."""

    @property
    def is_shared(self) -> bool:
        """Tell whether several sessions may write at the same time.

        If not, there is one session, and opening it declares the previous one dead.
        """

    def session(self, name: str = "", lease_seconds: float = 30.0) -> Session:
        """Open a session for writing."""

    def reap(self) -> int:
        """Free the hosts of sessions whose lease has expired; return how many sessions."""

    def changes(self) -> Changes:
        """Open the changes of documents, for followers."""

    def reader(self) -> CatalogueReader:
        """Open the catalogue for reading."""

    def crawls(self) -> CrawlReader:
        """Open the crawls for reading."""

    def web(self) -> WholeWeb:
        """Open all documents and links for reading."""

    def site(self, name: str = "") -> SiteReader:
        """Open one site for reading, or all sites for an empty name."""

    def close(self) -> None:
        """Close everything that is open."""


class Store(CatalogueStore, Protocol):
    """A whole collection: the catalogue, the index and everything else."""

    @property
    def address(self) -> str:
        """Return what `open_store` opens this store by, in any process.

        A store that is for one process returns an address that `open_store` refuses.
        """

    @property
    def is_for_one_process(self) -> bool:
        """Tell whether only this process can open the store; its crawls then index in a thread."""

    @property
    def name(self) -> str:
        """Return the name of the collection, for people."""

    @property
    def control(self) -> Control:
        """Ownership, and requests to a running crawl."""

    @property
    def blobs(self) -> Blobs:
        """Named pieces of data."""

    def index(self, *, read_only: bool = False) -> Index:
        """Open the index."""

    def graph(self, standings: Callable[[], Standings]) -> WebGraph:
        """Open pages and links for maps."""

    def vectors(self, name: str, model: str, dimensions: int) -> VectorStore:
        """Open the vectors of one model."""

    def has_vectors(self, name: str) -> bool:
        """Tell whether a model has vectors, perhaps of an older version."""

    def verify(self, watch: Watch) -> Verification:
        """Check that all parts of the collection agree."""

    def guard(self) -> AbstractContextManager[None]:
        """Turn errors of an engine, a full disk or a lost server, into `StorageError`."""

    def may_write(self) -> bool:
        """Tell whether this user may write the collection."""

    def free_bytes(self) -> int | None:
        """Return how many bytes are free, if known."""
