"""Vectors packed as 8-bit numbers, and their cosines with a query."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats
from telusur.store.vectors import VectorRows

LARGEST = 127
_ROWS_AT_ONCE = 16_384


def pack_vectors(vectors: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Return vectors as 8-bit numbers, and the scale of each."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-9).astype(np.float32)
    packed = np.rint(vectors / scales[:, None] * LARGEST).astype(np.int8)
    return packed, scales


def cosines_by_document(found: VectorRows, query: Floats) -> Floats:
    """Return the largest cosine of a passage with the query, for each document in the index."""
    cosines = np.empty(len(found.rows), np.float32)
    for start in range(0, len(cosines), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        scales = found.rows["scale"][part] / np.float32(LARGEST)
        cosines[part] = (found.vectors[part].astype(np.float32) @ query) * scales
    if not len(cosines):
        return cosines
    best: Floats = np.maximum.reduceat(cosines, found.starts)[found.living]
    return best


def ids_of(rows: NDArray[Any]) -> list[bytes]:
    """Return the `url_id` of each row."""
    halves = zip(rows["number"].tolist(), rows["low"].tolist(), strict=True)
    return [number.to_bytes(8, "big") + low.to_bytes(8, "big") for number, low in halves]
