"""Vectors of passages on disk: appended, mapped when read, whole after any kill.

`NAME-G.vectors` has a row of 8-bit numbers for each passage, `NAME-G.rows` has its document, and
`NAME.json` the number of valid rows. `NAME.json` is replaced last, so rows that a kill left behind
the valid ones are overwritten. Old rows of changed documents stay until they are half of all rows.
Then the others are rewritten as generation G + 1.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from telusur.backends.files.private import make_directory, open_private, write_whole
from telusur.backends.files.rights import is_refused
from telusur.store.records import BEGINNING, Cursor
from telusur.store.vectors import ROW, VectorRows

FORMAT = 1
_FEWEST_TO_COMPACT = 1_000
ROWS_AT_ONCE = 16_384


@dataclass(slots=True, frozen=True)
class FileState:
    """The valid part of the files: the model, the number of rows, the cursor."""

    model: str
    dimensions: int
    generation: int = 0
    rows: int = 0
    # The cursor of the changes; earlier versions wrote a number.
    seq: str | int = BEGINNING
    format: int = FORMAT


class VectorFile:
    """Implements `telusur.store.vectors.VectorStore` in a directory."""

    def __init__(self, directory: Path, name: str, model: str, dimensions: int) -> None:
        self._directory = directory
        self._name = name
        self._new = FileState(model, dimensions)
        self._read: tuple[FileState, VectorRows] | None = None

    def state(self) -> FileState:
        """Return the valid part; files of another model and damaged files have none."""
        try:
            found = FileState(**json.loads(self._path(".json").read_text(encoding="ascii")))
        except (OSError, ValueError, TypeError):
            return self._new
        same = (found.model, found.dimensions, found.format)
        is_ours = same == (self._new.model, self._new.dimensions, self._new.format)
        return found if is_ours and self._is_whole(found) else self._new

    def cursor(self) -> Cursor:
        """Return the cursor up to which changes have vectors."""
        seq = self.state().seq
        return Cursor(str(seq)) if seq else BEGINNING

    def read(self) -> VectorRows:
        """Return the valid rows, mapped; read again after a change."""
        state = self.state()
        if self._read is None or self._read[0] != state:
            self._read = (state, self._map(state))
        return self._read[1]

    def append(self, rows: NDArray[np.void], vectors: NDArray[np.int8], cursor: Cursor) -> None:
        """Write rows after the valid ones, then make them valid."""
        state = self.state()
        if state == self._new:
            state = replace(state, generation=self._unused_generation())
        self._write(state, ".rows", state.rows * ROW.itemsize, rows.tobytes())
        self._write(state, ".vectors", state.rows * state.dimensions, vectors.tobytes())
        self._commit(replace(state, rows=state.rows + len(rows), seq=cursor))

    def compact(self) -> bool:
        """Rewrite the current rows if they are less than half; tell whether that was done."""
        state, found = self.state(), self.read()
        kept = _rows_of(found)
        if state.rows < _FEWEST_TO_COMPACT or 2 * len(kept) >= state.rows:
            return False
        new = replace(state, generation=self._unused_generation(), rows=len(kept))
        self._write(new, ".rows", 0, b"")
        self._write(new, ".vectors", 0, b"")
        for start in range(0, len(kept), ROWS_AT_ONCE):
            part = kept[start : start + ROWS_AT_ONCE]
            self._write(new, ".rows", start * ROW.itemsize, found.rows[part].tobytes())
            self._write(new, ".vectors", start * new.dimensions, found.vectors[part].tobytes())
        self._commit(new)
        return True

    def clear(self) -> None:
        """Forget all vectors."""
        self._path(".json").unlink(missing_ok=True)
        self._remove_others(None)

    @contextmanager
    def writing(self) -> Iterator[bool]:
        """Own the vectors within a `with` block; gives False if another process writes.

        It also gives False where nobody may write; the old vectors can still be read.
        """
        try:
            make_directory(self._directory)
            file = open_private(self._path(".lock"), "a")
        except OSError as error:
            if not is_refused(error):
                raise
            yield False
            return
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                is_free = False
            else:
                is_free = True
            yield is_free

    def _path(self, ending: str, state: FileState | None = None) -> Path:
        generation = f"-{state.generation}" if state is not None else ""
        return self._directory / f"{self._name}{generation}{ending}"

    def _is_whole(self, state: FileState) -> bool:
        sizes = {".rows": ROW.itemsize, ".vectors": state.dimensions}
        try:
            return all(
                self._path(ending, state).stat().st_size >= size * state.rows
                for ending, size in sizes.items()
            )
        except OSError:
            return False

    def _map(self, state: FileState) -> VectorRows:
        if not state.rows:
            empty = np.zeros(0, np.int64)
            return VectorRows(
                np.zeros(0, ROW), np.zeros((0, state.dimensions), np.int8), empty, empty
            )
        rows = np.memmap(self._path(".rows", state), ROW, "r", shape=(state.rows,))
        shape = (state.rows, state.dimensions)
        vectors = np.memmap(self._path(".vectors", state), np.int8, "r", shape=shape)
        return VectorRows(rows, vectors, *_runs_of(rows))

    def _write(self, state: FileState, ending: str, offset: int, data: bytes) -> None:
        path = self._path(ending, state)
        with open_private(path, "r+b" if path.exists() else "w+b") as file:
            file.truncate(offset)
            file.seek(offset)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def _commit(self, state: FileState) -> None:
        write_whole(self._path(".json"), json.dumps(asdict(state)), self._path(".json.new"))
        self._remove_others(state)

    def _unused_generation(self) -> int:
        used = [0, *(int(path.stem.rpartition("-")[2]) for path in self._generations())]
        return max(used) + 1

    def _generations(self) -> Iterator[Path]:
        for ending in (".rows", ".vectors"):
            for path in self._directory.glob(f"{self._name}-*{ending}"):
                if path.stem.rpartition("-")[2].isdecimal():
                    yield path

    def _remove_others(self, state: FileState | None) -> None:
        """Remove files of other generations; readers that have mapped them can go on."""
        kept = f"{self._name}-{state.generation}" if state is not None else None
        for path in self._generations():
            if path.stem != kept:
                path.unlink(missing_ok=True)


def _runs_of(rows: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the rows of each document begin, and which runs are current."""
    numbers, seqs = np.asarray(rows["number"]), np.asarray(rows["seq"])
    is_new = np.ones(len(rows), bool)
    is_new[1:] = (numbers[1:] != numbers[:-1]) | (seqs[1:] != seqs[:-1])
    starts = np.flatnonzero(is_new)
    _, from_end = np.unique(numbers[starts][::-1], return_index=True)
    newest = np.sort(len(starts) - 1 - from_end)
    return starts, newest[rows["scale"][starts[newest]] > 0]


def _rows_of(found: VectorRows) -> NDArray[np.int64]:
    """Return the places of all rows of current documents, in order."""
    ends = np.append(found.starts[1:], len(found.rows))
    is_living = np.zeros(len(found.starts), bool)
    is_living[found.living] = True
    return np.flatnonzero(np.repeat(is_living, ends - found.starts))
