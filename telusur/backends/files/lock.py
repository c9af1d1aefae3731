"""The lock of a collection's one owner; it ends with the process that holds it."""

import fcntl
import os
from pathlib import Path
from typing import IO

from telusur.backends.files.private import check_entries, open_private
from telusur.backends.files.rights import cannot_write
from telusur.errors import CollectionBusy

LOCK = "collection.lock"


class OwnerLock:
    """Held while writing; a context manager."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file: IO[str] | None = None

    def __enter__(self) -> "OwnerLock":
        check_entries(self._directory)
        try:
            file = open_private(self._directory / LOCK, "a+")
        except OSError as error:
            raise cannot_write(self._directory, error.strerror) from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            owner = file.read().strip() or "unknown"
            file.close()
            raise CollectionBusy(
                f"{self._directory}: process {owner} is writing this collection; "
                "wait for it to end, or stop it."
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        self._file = file
        return self

    def __exit__(self, *exc: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def is_owned(directory: Path) -> bool:
    """Tell whether a process owns the collection now."""
    try:
        with open_private(directory / LOCK, "r") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
