"""Checks whether this process may read or write: permissions, and read-only disks."""

import errno
import os
from pathlib import Path

from telusur.errors import StorageError

_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
_AS_WE_RUN = os.access in os.supports_effective_ids


def may_read(path: Path) -> bool:
    """Tell whether a file may be read by the user this process runs as."""
    return os.access(path, os.R_OK, effective_ids=_AS_WE_RUN)


def may_write(path: Path) -> bool:
    """Tell whether a directory or file may be written by the user this process runs as."""
    return os.access(path, os.W_OK, effective_ids=_AS_WE_RUN)


def check_name(directory: Path) -> None:
    """Refuse to write an index into a directory whose name is not UTF-8: tantivy cannot."""
    if not is_utf8(directory):
        raise StorageError(
            f"{directory}: a collection is written into a directory with a name in UTF-8; "
            "choose another."
        )


def is_utf8(path: Path) -> bool:
    """Tell whether the bytes of a name are UTF-8; Python keeps other bytes as surrogates."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def is_refused(error: OSError) -> bool:
    """Tell whether the system refused because of permissions or a read-only disk."""
    return error.errno in _REFUSED


def cannot_write(directory: Path, reason: str | None) -> StorageError:
    """Return the sentence about a collection that can be read, but not written."""
    return StorageError(
        f"{directory}: this collection cannot be written ({reason or 'refused'}), only searched "
        "and read; get permission to write it, or copy it to a directory of your own."
    )


def cannot_read(place: Path) -> str:
    """Return the sentence about files that may not be read."""
    return f"{place}: you may not read this; get permission and try again."
