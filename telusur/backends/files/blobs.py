"""Named pieces of data as files of a collection."""

import os
import tempfile
from collections.abc import Hashable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from telusur.backends.files.arrays import read_array, write_array
from telusur.backends.files.private import make_directory, open_private, write_whole


class FileBlobs:
    """Implements `telusur.store.blobs.Blobs`: a name is a path below the directory."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        # Every search reads these, so a read must cost no more than one system call.
        self._known: dict[str, str] = {}

    def read(self, name: str) -> bytes | None:
        """Return a piece; None if it is missing or may not be read."""
        try:
            with open_private(self._path(name), "rb") as file:
                data: bytes = file.read()
        except OSError:
            return None
        return data

    def write(self, name: str, data: bytes) -> None:
        """Replace a piece; a kill leaves the old one."""
        path = self._path(name)
        make_directory(path.parent)
        write_whole(path, data, path.with_name(f".{path.name}.new"))

    def append(self, name: str, data: bytes) -> None:
        """Add to the end of a piece."""
        path = self._path(name)
        make_directory(path.parent)
        with open_private(path, "ab") as file:
            file.write(data)

    def delete(self, name: str) -> None:
        """Remove a piece; a missing one is ignored."""
        self._path(name).unlink(missing_ok=True)

    def names(self, folder: str) -> list[str]:
        """Return the names of all pieces in a folder, in order."""
        try:
            with os.scandir(self._directory / folder) as entries:
                found = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        except OSError:
            return []
        return sorted(f"{folder}/{name}" for name in found if not name.startswith("."))

    def stamp(self, name: str) -> Hashable:
        """Return a stamp that changes whenever the piece is replaced; None if it is missing."""
        path = self._known.get(name) or self._known.setdefault(name, str(self._path(name)))
        try:
            found = os.stat(path)
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def read_array(self, name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Return a piece as mapped rows; no rows if it is missing or has another type."""
        return read_array(self._path(name), dtype)

    def write_array(self, name: str, array: NDArray[Any]) -> None:
        """Replace a piece by rows."""
        path = self._path(name)
        make_directory(path.parent)
        write_array(path, array)

    def scratch(self) -> AbstractContextManager[IO[bytes]]:
        """Open a temporary file on the collection's disk, for a `with` block."""
        return tempfile.TemporaryFile(dir=self._directory)

    def place_of(self, name: str) -> str:
        """Return the path of a piece."""
        return str(self._path(name))

    def _path(self, name: str) -> Path:
        return self._directory / name
