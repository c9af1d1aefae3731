"""Named pieces of data in memory."""

import tempfile
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray


class MemoryBlobs:
    """Implements `telusur.store.blobs.Blobs`."""

    def __init__(self) -> None:
        #: Each piece with a number that no other version of it had.
        self._pieces: dict[str, tuple[int, bytes | NDArray[Any]]] = {}
        self._written = 0

    def read(self, name: str) -> bytes | None:
        """Return a piece, or None."""
        _, piece = self._pieces.get(name, (0, None))
        return piece.tobytes() if isinstance(piece, np.ndarray) else piece

    def write(self, name: str, data: bytes) -> None:
        """Replace a piece."""
        self._put(name, bytes(data))

    def append(self, name: str, data: bytes) -> None:
        """Add to the end of a piece."""
        self._put(name, (self.read(name) or b"") + data)

    def delete(self, name: str) -> None:
        """Remove a piece, if it is there."""
        self._pieces.pop(name, None)

    def names(self, folder: str) -> list[str]:
        """Return the names of all pieces in a folder, in order."""
        return sorted(name for name in self._pieces if name.startswith(f"{folder}/"))

    def stamp(self, name: str) -> Hashable:
        """Return a stamp that changes whenever the piece is replaced; None if it is missing."""
        number, _ = self._pieces.get(name, (None, None))
        return number

    def read_array(self, name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Return a piece as rows; no rows if it is missing or has another type."""
        _, piece = self._pieces.get(name, (0, None))
        is_wanted = isinstance(piece, np.ndarray) and piece.dtype == dtype and piece.ndim == 1
        return piece if isinstance(piece, np.ndarray) and is_wanted else np.zeros(0, dtype)

    def write_array(self, name: str, array: NDArray[Any]) -> None:
        """Replace a piece by rows; readers keep the rows they have."""
        kept = array.copy()
        kept.flags.writeable = False
        self._put(name, kept)

    def _put(self, name: str, piece: bytes | NDArray[Any]) -> None:
        self._written += 1
        self._pieces[name] = (self._written, piece)

    @contextmanager
    def scratch(self) -> Iterator[IO[bytes]]:
        """Open a temporary file for work that does not fit into memory, for a `with` block."""
        with tempfile.TemporaryFile() as file:
            yield file

    def place_of(self, name: str) -> str:
        """Return the location of a piece, for messages."""
        return f"{name} in memory"
