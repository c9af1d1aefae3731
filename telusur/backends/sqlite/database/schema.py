"""Opening `collection.db`: made when new, migrated when older, refused when newer than we are."""

import errno
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from telusur.adapters.seen_lookup import offer_seq_of
from telusur.adapters.sqlite_tables import FORMAT, SCHEMA
from telusur.errors import CollectionError, StorageError

DATABASE = "collection.db"
CACHE_KIB = 8_000
"""Of the writer: the pages of all indexes where something is added all the time."""
WAL_BYTES = 64_000_000
"""The log of changes is cut back to this after a large transaction."""
CHECKPOINT_PAGES = 4_000
"""Changes gather in the log up to 16 MB: a page that changes often is then copied less often."""


def create_database(directory: Path) -> None:
    """Make an empty collection in `directory`; a half-made one never looks finished."""
    half_made = directory / f".{DATABASE}.new"
    half_made.unlink(missing_ok=True)
    with storage_errors(directory):
        connection = sqlite3.connect(half_made)
        try:
            connection.executescript(SCHEMA)
            connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))
            connection.execute("INSERT INTO meta VALUES ('created_at', ?)", (time.time(),))
            connection.commit()
        finally:
            connection.close()
        half_made.rename(directory / DATABASE)


def connect(directory: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open the collection's database, checking that it is one and that we know its format."""
    path = directory / DATABASE
    _check_is_collection(directory, path)
    mode = "ro" if read_only else "rw"
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            check_same_thread=False,
            isolation_level=None,
            timeout=30,
        )
        number = _check_format(connection, directory)
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            if number < FORMAT:
                _migrate(connection, directory)
        connection.execute("PRAGMA temp_store = MEMORY")
        offer_seq_of(connection)
    except sqlite3.DatabaseError as error:
        raise CollectionError(f"{directory}: {DATABASE} cannot be read ({error}).") from None
    return connection


def _check_is_collection(directory: Path, path: Path) -> None:
    if not directory.exists():
        raise CollectionError(
            f"{directory}: there is no such directory; make a collection with "
            f"`telusur crawl URL --to {directory}`."
        )
    if not directory.is_dir():
        raise CollectionError(f"{directory}: this is a file; a collection is a directory.")
    if not path.exists():
        raise CollectionError(
            f"{directory}: this directory is not a collection (it has no {DATABASE}); "
            "name the one that you gave to `telusur crawl --to`."
        )


def _migrate(connection: sqlite3.Connection, directory: Path) -> None:
    from telusur.adapters.sqlite_migration import migrate  # readers need no numpy

    with storage_errors(directory):
        migrate(connection, directory)


def _check_format(connection: sqlite3.Connection, directory: Path) -> int:
    row = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    if row is None:
        raise CollectionError(f"{directory}: {DATABASE} names no format; it is not ours.")
    if row[0] > FORMAT:
        raise CollectionError(
            f"{directory}: this collection has format {row[0]}, and this Telusur knows up to "
            f"{FORMAT}; upgrade Telusur to open it."
        )
    return int(row[0])


@contextmanager
def storage_errors(directory: Path) -> Iterator[None]:
    """Turn a full or refusing disk into one clear sentence."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "full" in str(error):
            raise _disk_full(directory) from error
        raise StorageError(f"{directory}: the database refused to write ({error}).") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _disk_full(directory) from error
        raise StorageError(f"{directory}: {error.strerror or error}.") from error


def _disk_full(directory: Path) -> StorageError:
    return StorageError(
        f"{directory}: the disk is full; free some space and run the same command again, "
        "everything up to the last second is kept."
    )
