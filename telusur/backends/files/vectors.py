"""Vectors of passages on disk: appended, mapped when read, whole after any kill.

`NAME-G.vectors` has a row of 8-bit numbers for each passage, `NAME-G.rows` tells which document it
is of; `NAME.json` says how many rows count. It is replaced last, so what a kill leaves behind them
is written over. Rows of a document that has changed stay until half of all are such; the rest is
then written anew as generation G + 1.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

ROW = np.dtype([("number", ">u8"), ("low", ">u8"), ("seq", "<i8"), ("scale", "<f4")])
"""The two halves of a `url_id`, the document's `seq`, and what the largest 8-bit number stands for;
0 when the document is gone."""
FORMAT = 1
LARGEST = 127
_FEWEST_TO_COMPACT = 1_000
_ROWS_AT_ONCE = 16_384

Floats = NDArray[np.float32]


@dataclass(slots=True, frozen=True)
class FileState:
    """What counts of the files: the model, how many rows, up to which document."""

    model: str
    dimensions: int
    generation: int = 0
    rows: int = 0
    seq: int = 0
    format: int = FORMAT


class VectorRows(NamedTuple):
    """Rows of passages as they lie on disk, and where the rows of each living document begin."""

    rows: NDArray[np.void]
    vectors: NDArray[np.int8]
    starts: NDArray[np.int64]
    living: NDArray[np.int64]
    """Which of the runs that begin at `starts` are of a document as it is now."""


class VectorFile:
    """The vectors of one collection by one model."""

    def __init__(self, directory: Path, name: str, model: str, dimensions: int) -> None:
        self._directory = directory
        self._name = name
        self._new = FileState(model, dimensions)
        self._read: tuple[FileState, VectorRows] | None = None

    def state(self) -> FileState:
        """Return what counts; files of another model, or damaged ones, count as none."""
        try:
            found = FileState(**json.loads(self._path(".json").read_text(encoding="ascii")))
        except (OSError, ValueError, TypeError):
            return self._new
        same = (found.model, found.dimensions, found.format)
        is_ours = same == (self._new.model, self._new.dimensions, self._new.format)
        return found if is_ours and self._is_whole(found) else self._new

    def read(self) -> VectorRows:
        """Return the rows that count, mapped; read again when there are others."""
        state = self.state()
        if self._read is None or self._read[0] != state:
            self._read = (state, self._map(state))
        return self._read[1]

    def append(self, rows: NDArray[np.void], vectors: NDArray[np.int8], seq: int) -> None:
        """Add rows behind those that count, then let them count."""
        state = self.state()
        if state == self._new:
            state = replace(state, generation=self._unused_generation())
        self._write(state, ".rows", state.rows * ROW.itemsize, rows.tobytes())
        self._write(state, ".vectors", state.rows * state.dimensions, vectors.tobytes())
        self._commit(replace(state, rows=state.rows + len(rows), seq=seq))

    def compact(self) -> bool:
        """Write the living rows anew if they are less than half; tell whether that was done."""
        state, found = self.state(), self.read()
        kept = _rows_of(found)
        if state.rows < _FEWEST_TO_COMPACT or 2 * len(kept) >= state.rows:
            return False
        new = replace(state, generation=self._unused_generation(), rows=len(kept))
        self._write(new, ".rows", 0, b"")
        self._write(new, ".vectors", 0, b"")
        for start in range(0, len(kept), _ROWS_AT_ONCE):
            part = kept[start : start + _ROWS_AT_ONCE]
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
        """Be the one that writes, within a `with` block; False when another process is.

        Also where nobody may write: what was written before is still there to be read.
        """
        try:
            self._directory.mkdir(exist_ok=True)
            file = self._path(".lock").open("a")
        except PermissionError:
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
        with path.open("r+b" if path.exists() else "w+b") as file:
            file.truncate(offset)
            file.seek(offset)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def _commit(self, state: FileState) -> None:
        unfinished = self._path(".json.new")
        unfinished.write_text(json.dumps(asdict(state)), encoding="ascii")
        os.replace(unfinished, self._path(".json"))
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
        """Remove files of other generations; who has them mapped can go on reading."""
        kept = f"{self._name}-{state.generation}" if state is not None else None
        for path in self._generations():
            if path.stem != kept:
                path.unlink(missing_ok=True)


def _runs_of(rows: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the rows of each document begin, and which of the runs are the newest of it."""
    numbers, seqs = np.asarray(rows["number"]), np.asarray(rows["seq"])
    is_new = np.ones(len(rows), bool)
    is_new[1:] = (numbers[1:] != numbers[:-1]) | (seqs[1:] != seqs[:-1])
    starts = np.flatnonzero(is_new)
    _, from_end = np.unique(numbers[starts][::-1], return_index=True)
    newest = np.sort(len(starts) - 1 - from_end)
    return starts, newest[rows["scale"][starts[newest]] > 0]


def _rows_of(found: VectorRows) -> NDArray[np.int64]:
    """Return the places of all rows of living documents, in order."""
    ends = np.append(found.starts[1:], len(found.rows))
    is_living = np.zeros(len(found.starts), bool)
    is_living[found.living] = True
    return np.flatnonzero(np.repeat(is_living, ends - found.starts))


def pack_vectors(vectors: Floats) -> tuple[NDArray[np.int8], Floats]:
    """Return vectors as 8-bit numbers, and what the largest of each stands for."""
    scales = np.maximum(np.abs(vectors).max(axis=1), 1e-9).astype(np.float32)
    packed = np.rint(vectors / scales[:, None] * LARGEST).astype(np.int8)
    return packed, scales


def cosines_by_document(found: VectorRows, query: Floats) -> Floats:
    """Return, for each living document, the largest cosine of one of its passages with a query."""
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
