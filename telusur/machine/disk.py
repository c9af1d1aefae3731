"""A disk that is full or refuses, as one clear sentence."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from telusur.errors import StorageError


@contextmanager
def disk_errors(place: Path | str) -> Iterator[None]:
    """Turn errors of the system while writing somewhere into `StorageError`."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise disk_full(place) from error
        raise StorageError(f"{place}: {error.strerror or error}.") from error


def disk_full(place: Path | str) -> StorageError:
    """Return the sentence about a full disk."""
    return StorageError(
        f"{place}: the disk is full; free some space and run the same command again, "
        "everything up to the last second is kept."
    )
