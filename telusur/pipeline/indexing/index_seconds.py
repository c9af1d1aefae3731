"""The indexing time of each document, stored beside the index."""

from collections.abc import Sequence

import numpy as np

from telusur.store.blobs import Blobs

SECONDS_BLOB = "index/seconds.bin"
_ENTRY = np.dtype([("number", "<u8"), ("seconds", "<f4")])


def append_index_seconds(blobs: Blobs, entries: Sequence[tuple[int, float]]) -> None:
    """Store the indexing times of documents, by their numbers."""
    if entries:
        blobs.append(SECONDS_BLOB, np.array(entries, _ENTRY).tobytes())


def find_index_seconds(blobs: Blobs, number: int) -> float | None:
    """Return the last indexing time of a document, or None."""
    data = blobs.read(SECONDS_BLOB) or b""
    whole = len(data) // _ENTRY.itemsize * _ENTRY.itemsize
    entries = np.frombuffer(data[:whole], _ENTRY)
    found = np.flatnonzero(entries["number"] == number)
    return float(entries["seconds"][found[-1]]) if len(found) else None


def forget_index_seconds(blobs: Blobs) -> None:
    """Delete the times of an index that is rebuilt."""
    blobs.delete(SECONDS_BLOB)
