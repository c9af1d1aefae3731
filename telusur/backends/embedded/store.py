"""A collection in a directory, with all its parts."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from telusur.backends.embedded.places import INDEX, LINK_TEXTS, MEANING
from telusur.backends.files.blobs import FileBlobs
from telusur.backends.files.control import FileControl
from telusur.backends.files.private import make_directory
from telusur.backends.files.rights import check_name, may_write
from telusur.backends.sqlite.database.schema import (
    DATABASE,
    HALF_MADE,
    create_database,
    storage_errors,
)
from telusur.backends.sqlite.database.texts import SqliteTexts
from telusur.backends.sqlite.store import SqliteSession, SqliteStore
from telusur.backends.tantivy.index import TantivyIndex
from telusur.backends.tantivy.position import read_position, write_position
from telusur.crawl.hosts.politeness import Clock
from telusur.errors import CollectionError
from telusur.index.standing import Standings
from telusur.machine.resources import free_bytes
from telusur.store.problems import Verification, Watch
from telusur.store.records import Cursor

# Most commands need neither.
if TYPE_CHECKING:
    from telusur.backends.files.vectors import VectorFile
    from telusur.backends.sqlite.outline import SqliteWebGraph


class EmbeddedStore(SqliteStore):
    """Implements `telusur.store.store.Store`."""

    def __init__(self, directory: Path, clock: Clock = time.time) -> None:
        super().__init__(directory, clock)
        self.control = FileControl(directory)
        self.blobs = FileBlobs(directory)

    @property
    def address(self) -> str:
        """Return the directory."""
        return str(self._directory)

    @property
    def is_for_one_process(self) -> bool:
        """Return False: every process opens the directory."""
        return False

    @property
    def name(self) -> str:
        """Return the name of the directory."""
        return self._directory.resolve().name

    def session(self, name: str = "", lease_seconds: float = 30.0) -> SqliteSession:
        """Open the session; the caller owns the collection."""
        session = super().session(name, lease_seconds)
        self._correct_position()
        return session

    def _correct_position(self) -> None:
        """Move the cursor of the index back to the end of the catalogue before anything is added.

        After a power cut the catalogue may be a second behind the index, and then uses its
        cursors a second time.
        """
        index = self._directory / INDEX
        changes = self.changes()
        try:
            position = Cursor(read_position(index))
            latest = changes.latest(position)
        finally:
            changes.close()
        if latest != position:
            (index / LINK_TEXTS).unlink(missing_ok=True)
            write_position(index, latest)

    def index(self, *, read_only: bool = False) -> TantivyIndex:
        """Open the index; the texts of its documents are in the catalogue."""
        texts = SqliteTexts(self._directory)
        return TantivyIndex(self._directory / INDEX, read_only=read_only, texts=texts)

    def graph(self, standings: Callable[[], Standings]) -> "SqliteWebGraph":
        """Open pages and links for maps."""
        from telusur.backends.sqlite.outline import SqliteWebGraph

        return SqliteWebGraph(self._directory, standings)

    def vectors(self, name: str, model: str, dimensions: int) -> "VectorFile":
        """Open the vectors of one model."""
        from telusur.backends.files.vectors import VectorFile

        return VectorFile(self._directory / MEANING, name, model, dimensions)

    def has_vectors(self, name: str) -> bool:
        """Tell whether a model has vectors, perhaps of an older version."""
        return (self._directory / MEANING / f"{name}.json").exists()

    def verify(self, watch: Watch) -> Verification:
        """Check that all parts of the collection agree."""
        from telusur.backends.embedded.verify import verify_collection

        return verify_collection(self._directory, watch)

    def guard(self) -> AbstractContextManager[None]:
        """Turn errors of the engines and of the disk into one clear sentence."""
        return storage_errors(self._directory)

    def may_write(self) -> bool:
        """Tell whether this user may write the directory."""
        return may_write(self._directory)

    def free_bytes(self) -> int | None:
        """Return how much is free on the disk."""
        return free_bytes(self._directory)


def is_collection(path: Path) -> bool:
    """Tell whether a directory is a collection."""
    return (path / DATABASE).exists()


def create_collection(path: Path) -> None:
    """Make a new or empty directory a collection; an existing collection stays as it is."""
    with storage_errors(path):
        if is_collection(path):
            return
        if path.exists() and not path.is_dir():
            raise CollectionError(f"{path}: this is a file; a collection is a directory.")
        if path.is_dir() and any(not entry.name.startswith(HALF_MADE) for entry in path.iterdir()):
            raise CollectionError(
                f"{path}: this directory has other files in it and is not a collection; "
                "name a new or an empty one."
            )
        check_name(path)
        make_directory(path, parents=True)
        create_database(path)
