"""Reading a database in a directory that we may not write.

SQLite reads a database in WAL mode with the help of two files beside it, which it makes when they
are missing. Where it may not make them there are two ways, docs/decisions/0051-read-only.md:
without a log the file is all there is; with one, the log is read into memory.
"""

import os
import sqlite3
from pathlib import Path

from telusur.backends.files.rights import may_write

_CANNOT_MAKE_FILES = ("SQLITE_CANTOPEN", "SQLITE_READONLY")

Seen = tuple[tuple[int, int, int] | None, ...]


class FrozenConnection(sqlite3.Connection):
    """A connection without locks: valid only while nobody writes."""

    path: Path
    seen: Seen

    def is_stale(self) -> bool:
        """Tell whether the database was written since it was opened."""
        return look_at(self.path) != self.seen


def is_frozen(error: sqlite3.Error, directory: Path) -> bool:
    """Tell whether a database cannot be opened because no file may be created beside it."""
    name = getattr(error, "sqlite_errorname", "")
    return name.startswith(_CANNOT_MAKE_FILES) and not may_write(directory)


def connect_frozen(path: Path) -> FrozenConnection:
    """Open a database for reading without creating any file."""
    seen = look_at(path)
    has_log = seen[1] is not None and seen[1][2] > 0
    how = "mode=ro&vfs=unix-none" if has_log else "mode=ro&immutable=1"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        check_same_thread=False,
        isolation_level=None,
        factory=FrozenConnection,
    )
    # The only user of a database needs no shared memory.
    if has_log:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.path, connection.seen = path, seen
    return connection


def look_at(path: Path) -> Seen:
    """Return a stamp of the state of a database and its log."""
    return tuple(_signature(file) for file in (str(path), f"{path}-wal"))


def _signature(file: str) -> tuple[int, int, int] | None:
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
