"""Opening `collection.db`: new ones are created, older ones migrated, newer ones refused."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote

from telusur.backends.files.private import check_entries, open_private
from telusur.backends.files.rights import cannot_read, cannot_write, is_refused, may_read, may_write
from telusur.backends.sqlite.database.frozen import FrozenConnection, connect_frozen, is_frozen
from telusur.backends.sqlite.database.secrets import take_out_secrets
from telusur.backends.sqlite.database.tables import FORMAT, SCHEMA
from telusur.backends.sqlite.seen.lookup import offer_seq_of
from telusur.errors import CollectionError, StorageError, TelusurError
from telusur.machine.disk import disk_errors, disk_full

DATABASE = "collection.db"
HALF_MADE = f".{DATABASE}.new"
# The cache of the writer, for the index pages that are written all the time.
CACHE_KIB = 8_000
# The log of changes is cut back to this after a large transaction.
WAL_BYTES = 64_000_000
# Changes gather in the log up to 16 MB: a page that changes often is then copied less often.
CHECKPOINT_PAGES = 4_000


def create_database(directory: Path) -> None:
    """Create an empty collection in `directory`; an unfinished one never looks finished."""
    half_made = directory / HALF_MADE
    for left_behind in directory.glob(f"{HALF_MADE}*"):
        left_behind.unlink()
    with storage_errors(directory):
        # SQLite gives its other files the same mode.
        open_private(half_made, "xb").close()
        connection = sqlite3.connect(half_made)
        try:
            connection.executescript(SCHEMA)
            connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))
            connection.execute("INSERT INTO meta VALUES ('created_at', ?)", (time.time(),))
            connection.commit()
            connection.execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()
        half_made.rename(directory / DATABASE)


def connect(directory: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open the collection's database; check that it is one and that we know its format."""
    path = directory / DATABASE
    _check_is_collection(directory, path)
    check_entries(directory, deep=False)
    _check_journal(directory)
    try:
        connection = open_database(directory, read_only=read_only)
        # Table definitions written by others must not call harmful functions.
        connection.execute("PRAGMA trusted_schema = OFF")
        number = _check_format(connection, directory)
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            if number < FORMAT:
                _migrate(connection, directory)
            take_out_secrets(connection)
        connection.execute("PRAGMA temp_store = MEMORY")
        offer_seq_of(connection)
    except sqlite3.DatabaseError as error:
        raise _cannot_open(directory, error, read_only=read_only) from None
    return connection


def reconnect(connection: sqlite3.Connection, directory: Path) -> sqlite3.Connection:
    """Return an up-to-date connection for reading: this one, if it still is."""
    if not isinstance(connection, FrozenConnection) or not connection.is_stale():
        return connection
    connection.close()
    return connect(directory, read_only=True)


def open_database(directory: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open the database without checks; reading also works where no file may be created."""
    path = directory / DATABASE
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}",
        uri=True,
        check_same_thread=False,
        isolation_level=None,
        timeout=30,
    )
    try:
        # The first access to the file.
        connection.execute("PRAGMA schema_version")
    except sqlite3.DatabaseError as error:
        connection.close()
        if read_only and is_frozen(error, directory):
            return connect_frozen(path)
        raise
    return connection


def _cannot_open(directory: Path, error: sqlite3.Error, *, read_only: bool) -> TelusurError:
    if not may_read(directory / DATABASE):
        return CollectionError(cannot_read(directory / DATABASE))
    if not read_only and not (may_write(directory) and may_write(directory / DATABASE)):
        return cannot_write(directory, str(error))
    return CollectionError(f"{directory}: {DATABASE} cannot be read ({error}).")


def _check_is_collection(directory: Path, path: Path) -> None:
    try:
        _look_for_collection(directory, path)
    # Permissions, a name that is too long, a failing disk.
    except OSError as error:
        if is_refused(error):
            raise CollectionError(cannot_read(directory)) from None
        raise CollectionError(f"{directory}: cannot be read ({error.strerror}).") from None


def _look_for_collection(directory: Path, path: Path) -> None:
    if not directory.exists():
        raise CollectionError(
            f"{directory}: there is no such directory; make a collection with "
            f"`telusur crawl URL --to {quote(str(directory))}`."
        )
    if not directory.is_dir():
        raise CollectionError(f"{directory}: this is a file; a collection is a directory.")
    if not path.exists():
        raise CollectionError(
            f"{directory}: this directory is not a collection (it has no {DATABASE}); "
            "name the one that you gave to `telusur crawl --to`."
        )


def _check_journal(directory: Path) -> None:
    """Refuse a rollback journal: SQLite would apply it, and it may name a file to delete.

    Our databases use a write-ahead log from their first write.
    """
    journal = directory / f"{DATABASE}-journal"
    if journal.exists():
        raise CollectionError(
            f"{journal}: Telusur does not write such a file; delete it if you do not know it."
        )


def _migrate(connection: sqlite3.Connection, directory: Path) -> None:
    # Readers need no numpy.
    from telusur.backends.sqlite.database.migration import migrate

    with storage_errors(directory):
        migrate(connection, directory)


def _check_format(connection: sqlite3.Connection, directory: Path) -> int:
    row = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    if row is None:
        raise CollectionError(f"{directory}: {DATABASE} names no format; Telusur did not write it.")
    if row[0] > FORMAT:
        raise CollectionError(
            f"{directory}: this collection has format {row[0]}, and this Telusur knows up to "
            f"{FORMAT}; upgrade Telusur to open it."
        )
    return int(row[0])


@contextmanager
def storage_errors(directory: Path) -> Iterator[None]:
    """Turn errors of the disk into one clear sentence."""
    try:
        with disk_errors(directory):
            yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "full" in str(error):
            raise disk_full(directory) from error
        raise StorageError(f"{directory}: the database refused to write ({error}).") from error
