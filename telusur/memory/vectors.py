"""Vectors of passages in memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from telusur.store.records import BEGINNING, Cursor
from telusur.store.vectors import ROW, VectorRows

FEWEST_TO_COMPACT = 1_000


@dataclass(slots=True, frozen=True)
class KeptVectors:
    """The rows of one model, as of one moment."""

    model: str
    rows: NDArray[np.void]
    vectors: NDArray[np.int8]
    cursor: Cursor = BEGINNING


class VectorShelf:
    """The vectors of a collection by name, for all who open them."""

    def __init__(self) -> None:
        self.kept: dict[str, KeptVectors] = {}
        self.writers: dict[str, Lock] = {}

    def open(self, name: str, model: str, dimensions: int) -> "MemoryVectors":
        """Open the vectors of one model."""
        return MemoryVectors(self, name, model, dimensions)


class MemoryVectors:
    """Implements `telusur.store.vectors.VectorStore`."""

    def __init__(self, shelf: VectorShelf, name: str, model: str, dimensions: int) -> None:
        self._shelf = shelf
        self._name = name
        self._none = KeptVectors(
            model, np.zeros(0, ROW), np.zeros((0, dimensions), np.int8)
        )  # fmt: skip

    def _kept(self) -> KeptVectors:
        """Return the vectors; those of another model or length count as none."""
        kept = self._shelf.kept.get(self._name, self._none)
        is_ours = kept.model == self._none.model
        return (
            kept
            if is_ours and kept.vectors.shape[1:] == self._none.vectors.shape[1:]
            else self._none
        )

    def cursor(self) -> Cursor:
        """Return the cursor up to which changes have vectors."""
        return self._kept().cursor

    def read(self) -> VectorRows:
        """Return the valid rows."""
        kept = self._kept()
        starts, living = _runs_of(kept.rows)
        return VectorRows(kept.rows, kept.vectors, starts, living)

    def append(self, rows: NDArray[np.void], vectors: NDArray[np.int8], cursor: Cursor) -> None:
        """Add rows, all or none of them, and move the cursor."""
        kept = self._kept()
        self._shelf.kept[self._name] = replace(
            kept,
            rows=np.concatenate([kept.rows, rows], dtype=ROW),
            vectors=np.concatenate([kept.vectors, vectors]),
            cursor=cursor,
        )

    def compact(self) -> bool:
        """Drop rows of old versions if there are many; tell whether any were dropped."""
        kept, found = self._kept(), self.read()
        ends = np.append(found.starts[1:], len(kept.rows))
        runs = [np.arange(found.starts[run], ends[run]) for run in found.living]
        alive = np.concatenate([np.zeros(0, np.int64), *runs])
        if len(kept.rows) < FEWEST_TO_COMPACT or 2 * len(alive) >= len(kept.rows):
            return False
        self._shelf.kept[self._name] = replace(
            kept, rows=kept.rows[alive], vectors=kept.vectors[alive]
        )
        return True

    def clear(self) -> None:
        """Forget all vectors."""
        self._shelf.kept.pop(self._name, None)

    @contextmanager
    def writing(self) -> Iterator[bool]:
        """Own the vectors within a `with` block; gives False if another writer has them."""
        lock = self._shelf.writers.setdefault(self._name, Lock())
        is_free = lock.acquire(blocking=False)
        try:
            yield is_free
        finally:
            if is_free:
                lock.release()


def _runs_of(rows: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the rows of each version of a document begin, and which are current.

    The last version of a document counts, unless its scale says that the document is gone.
    """
    versions = [(int(row["number"]), int(row["seq"])) for row in rows]
    starts = [at for at, one in enumerate(versions) if at == 0 or versions[at - 1] != one]
    last = {versions[at][0]: run for run, at in enumerate(starts)}
    living = sorted(run for run in last.values() if rows["scale"][starts[run]] > 0)
    return np.array(starts, np.int64), np.array(living, np.int64)
