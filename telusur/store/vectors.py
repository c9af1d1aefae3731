"""Vectors of passages, for search by meaning."""

from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from telusur.store.records import Cursor

# The two halves of a `url_id`, a number that differs between versions of the document, and what the
# largest 8-bit number stands for; 0 when the document is gone.
ROW = np.dtype([("number", ">u8"), ("low", ">u8"), ("seq", "<i8"), ("scale", "<f4")])


class VectorRows(NamedTuple):
    """Rows of passages, and where the rows of each current document begin."""

    rows: NDArray[np.void]
    vectors: NDArray[np.int8]
    starts: NDArray[np.int64]
    # Which of the runs that begin at `starts` belong to current documents, in order.
    living: NDArray[np.int64]


class VectorStore(Protocol):
    """The vectors of one model, up to date with the changes up to a cursor."""

    def cursor(self) -> Cursor:
        """Return the cursor up to which changes have vectors."""

    def read(self) -> VectorRows:
        """Return the valid rows."""

    def append(self, rows: NDArray[np.void], vectors: NDArray[np.int8], cursor: Cursor) -> None:
        """Add rows, all or none of them, and move the cursor; the caller is `writing`."""

    def compact(self) -> bool:
        """Drop rows of old versions if there are many; tell whether any were dropped."""

    def clear(self) -> None:
        """Forget all vectors."""

    def writing(self) -> AbstractContextManager[bool]:
        """Own the vectors within a `with` block; gives False if another writer has them."""
