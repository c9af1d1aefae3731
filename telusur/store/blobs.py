"""Named pieces of data beside the catalogue: ranks, positions, word lists, corrected labels."""

from collections.abc import Hashable
from contextlib import AbstractContextManager
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Blobs(Protocol):
    """Pieces by name, `folder/name`: each is replaced whole or not at all.

    Pieces in the folder `index` are removed together with the index.
    """

    def read(self, name: str) -> bytes | None:
        """Return a piece, or None."""

    def write(self, name: str, data: bytes) -> None:
        """Replace a piece; a kill leaves the old one."""

    def append(self, name: str, data: bytes) -> None:
        """Add to the end of a piece; a kill may leave a part of it."""

    def delete(self, name: str) -> None:
        """Remove a piece; a missing one is ignored."""

    def names(self, folder: str) -> list[str]:
        """Return the names of all pieces in a folder, `folder/name`, in order."""

    def stamp(self, name: str) -> Hashable:
        """Return a stamp that changes whenever the piece is replaced; None if it is missing."""

    def read_array(self, name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Return a piece as rows, read on demand; no rows if it is missing or has another type."""

    def write_array(self, name: str, array: NDArray[Any]) -> None:
        """Replace a piece by rows."""

    def scratch(self) -> AbstractContextManager[IO[bytes]]:
        """Open a temporary file for work that does not fit into memory, for a `with` block."""

    def place_of(self, name: str) -> str:
        """Return the location of a piece, for messages."""
