"""The tables of `collection.db`, and opening it: made when new, refused when newer than we are."""

import errno
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from telusur.errors import CollectionError, StorageError

FORMAT = 1
DATABASE = "collection.db"

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE crawls (
    id INTEGER PRIMARY KEY,
    started_at REAL NOT NULL,
    ended_at REAL,
    settings TEXT NOT NULL,
    start_urls TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT 'running'
);
CREATE TABLE sites (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL UNIQUE,
    taken INTEGER NOT NULL DEFAULT 0          -- pages fetched: what fairness compares
);
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    host TEXT NOT NULL UNIQUE,
    site_id INTEGER NOT NULL REFERENCES sites (id),
    waiting INTEGER NOT NULL DEFAULT 0,       -- urls in state 0
    leased INTEGER NOT NULL DEFAULT 0,        -- 1 while a scouter has the host
    not_before REAL NOT NULL DEFAULT 0,
    robots BLOB,                              -- the file as last fetched
    robots_status INTEGER,
    robots_at REAL
);
CREATE INDEX hosts_ready ON hosts (not_before) WHERE waiting > 0 AND leased = 0;
CREATE TABLE urls (
    seq INTEGER PRIMARY KEY,                  -- order of discovery
    url_id BLOB NOT NULL UNIQUE,
    url TEXT NOT NULL,
    host_id INTEGER NOT NULL REFERENCES hosts (id),
    state INTEGER NOT NULL,                   -- 0 waiting 1 leased 2 done 3 failed 4 skipped
    reason TEXT NOT NULL DEFAULT '',
    score REAL NOT NULL DEFAULT 0,
    depth INTEGER NOT NULL,
    hops INTEGER NOT NULL DEFAULT 0,          -- redirects on the way here
    tries INTEGER NOT NULL DEFAULT 0,
    retry_at REAL NOT NULL DEFAULT 0,
    parent BLOB,
    anchor TEXT NOT NULL DEFAULT '',
    found_at REAL NOT NULL,
    changed_at REAL NOT NULL
);
CREATE INDEX urls_waiting ON urls (host_id, score DESC, seq) WHERE state = 0;
CREATE INDEX urls_leased ON urls (host_id) WHERE state = 1;
CREATE TABLE pages (                          -- every finished fetch, also of tries that failed
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    url_id BLOB NOT NULL,
    fetched_at REAL NOT NULL,
    seconds REAL NOT NULL,
    status INTEGER,
    reason TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    truncated INTEGER NOT NULL,
    final INTEGER NOT NULL,                   -- 0: the URL will be tried again
    warc_file TEXT,
    warc_offset INTEGER,
    warc_length INTEGER
);
CREATE INDEX pages_of_url ON pages (url_id);
CREATE TABLE documents (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,    -- grows with every change: the indexer follows it
    url_id BLOB NOT NULL UNIQUE,
    url TEXT NOT NULL,
    site TEXT NOT NULL,
    fetched_at REAL NOT NULL,
    title TEXT NOT NULL,
    author TEXT,
    date TEXT,
    description TEXT NOT NULL,
    keywords TEXT NOT NULL,
    text TEXT NOT NULL,
    language TEXT NOT NULL,
    html5 INTEGER NOT NULL,
    digest BLOB NOT NULL,                     -- of title and text: exact duplicates share it
    canonical BLOB,                           -- url_id that the page names as its original
    not_indexed TEXT NOT NULL                 -- the reason, or empty
);
CREATE INDEX documents_digest ON documents (digest);
CREATE INDEX documents_site ON documents (site);
CREATE TABLE links (                          -- one compressed record a page
    url_id BLOB PRIMARY KEY,
    links BLOB NOT NULL
) WITHOUT ROWID;
"""


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
        _check_format(connection, directory)
        if not read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA temp_store = MEMORY")
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


def _check_format(connection: sqlite3.Connection, directory: Path) -> None:
    row = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    if row is None:
        raise CollectionError(f"{directory}: {DATABASE} names no format; it is not ours.")
    if row[0] > FORMAT:
        raise CollectionError(
            f"{directory}: this collection has format {row[0]}, and this Telusur knows up to "
            f"{FORMAT}; upgrade Telusur to open it."
        )


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
