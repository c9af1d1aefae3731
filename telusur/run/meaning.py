"""Keeps the vectors of a collection level with its catalogue, and finds what is near a query."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from telusur.adapters.encoders import DEFAULT, ENCODERS, get_encoder
from telusur.adapters.sqlite_schema import connect, storage_errors
from telusur.adapters.vector_file import (
    ROW,
    VectorFile,
    cosines_by_document,
    ids_of,
    pack_vectors,
)
from telusur.errors import UsageError
from telusur.search.meaning import Encoder, Meaning, Near, split_passages

MEANING = "meaning"
SETTING = "model"
BATCH = 200
_NEWER = (
    "SELECT seq, url_id, title, text, not_indexed FROM documents WHERE seq > ? ORDER BY seq LIMIT ?"
)
_UNREAD = "SELECT count(*) FROM documents WHERE seq > ?"


class MeaningStore:
    """The vectors of one collection by one model, in its directory `meaning`."""

    def __init__(self, directory: Path, encoder: Encoder) -> None:
        self._directory = directory
        self._encoder = encoder
        self._file = VectorFile(
            directory / MEANING, encoder.name, encoder.version, encoder.dimensions
        )

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self._encoder.name

    def meaning(self) -> Meaning:
        """Return what a search asks, with the vectors that there are."""
        return Meaning(self.find_near, self._encoder.weight)

    def catch_up(
        self,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        with_tidying: bool = True,
    ) -> int:
        """Add vectors of documents that are new or have changed; return how many were looked at.

        `seconds` is about how long that may take; tidying looks at all rows. When another process
        is at it, what that has done so far is what there is.
        """
        with storage_errors(self._directory), self._file.writing() as is_ours:
            if not is_ours:
                return 0
            with closing(connect(self._directory, read_only=True)) as connection:
                connection.row_factory = sqlite3.Row
                ends_at = None if seconds is None else clock() + seconds
                seen = self._follow(connection, lambda: ends_at is None or clock() < ends_at)
            if seen and with_tidying:
                self._file.compact()
            return seen

    def count_unread(self) -> int:
        """Return how many documents have no vectors yet."""
        reading = closing(connect(self._directory, read_only=True))
        with storage_errors(self._directory), reading as connection:
            (count,) = connection.execute(_UNREAD, (self._file.state().seq,)).fetchone()
        return int(count)

    def _follow(self, connection: sqlite3.Connection, has_time: Callable[[], bool]) -> int:
        (newest,) = connection.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
        if self._file.state().seq > newest:  # after a power cut numbers come again
            self._file.clear()
        # How long a model reads is not known: each time at most as much as before, and one more.
        seen = 0
        while has_time() and (batch := self._next(connection, min(seen + 1, BATCH))):
            self._append(batch)
            seen += len(batch)
        return seen

    def _next(self, connection: sqlite3.Connection, most: int) -> list[sqlite3.Row]:
        return connection.execute(_NEWER, (self._file.state().seq, most)).fetchall()

    def _append(self, batch: Sequence[sqlite3.Row]) -> None:
        """Add the passages of documents; one that left the index gets a row that says so."""
        left = self._left(batch)
        texts: list[str] = []
        rows: list[tuple[int, int, int, float]] = []
        for row in batch:
            identity = _halves(row["url_id"])
            is_gone = bool(row["not_indexed"])
            passages = [] if is_gone else split_passages(row["title"], row["text"])
            if identity[0] in left:
                passages = [""]
            texts += passages
            rows += [(*identity, row["seq"], 0.0 if is_gone else 1.0)] * len(passages)
        table = np.array(rows, ROW)
        packed, scales = pack_vectors(self._encode(texts))
        table["scale"] *= scales
        self._file.append(table, packed, batch[-1]["seq"])

    def _left(self, batch: Sequence[sqlite3.Row]) -> set[int]:
        """Return the numbers of documents that have vectors and are no longer in the index."""
        gone = [_halves(row["url_id"])[0] for row in batch if row["not_indexed"]]
        if not gone:
            return set()
        known = self._file.read().rows["number"]
        return set(np.intersect1d(np.array(gone, np.uint64), known).tolist())

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self._encoder.dimensions), np.float32)
        return self._encoder.encode(texts)

    def find_near(self, words: str, limit: int) -> list[Near]:
        """Return the documents nearest to some words in meaning, nearest first."""
        found = self._file.read()
        (query,) = self._encoder.encode([words])
        cosines = cosines_by_document(found, query)
        order = np.argsort(-cosines, kind="stable")[:limit]
        order = order[cosines[order] >= self._encoder.least_cosine]
        rows = found.rows[found.starts[found.living[order]]]
        return [
            Near(url_id, float(cosine))
            for url_id, cosine in zip(ids_of(rows), cosines[order], strict=True)
        ]


def _halves(url_id: bytes) -> tuple[int, int]:
    return int.from_bytes(url_id[:8], "big"), int.from_bytes(url_id[8:], "big")


class Meanings:
    """The models a collection is searched by, and which of them it uses by itself."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._setting_file = str(directory / MEANING / SETTING)
        self._stores: dict[str, MeaningStore] = {}

    def choose(self, wish: bool | str | None) -> MeaningStore | None:
        """Return the store a search wishes for; None searches by words only.

        True is the model of the collection, or the default one; None is what the collection is
        set to, if that model is installed here.
        """
        if wish is False:
            return None
        if wish is None:
            name = self.setting()
            try:
                return self.store(name) if name else None
            except UsageError:
                return None
        return self.store(wish if isinstance(wish, str) else self.setting() or DEFAULT)

    def store(self, name: str) -> MeaningStore:
        """Return the vectors by one model."""
        if name not in self._stores:
            self._stores[name] = MeaningStore(self._directory, get_encoder(name))
        return self._stores[name]

    def has_vectors(self, name: str) -> bool:
        """Tell whether there are vectors by a model, of an older version perhaps."""
        return (self._directory / MEANING / f"{name}.json").exists()

    def setting(self) -> str:
        """Return the model that searches of this collection use by themselves, or nothing."""
        if not os.path.exists(self._setting_file):  # cheap: every search asks
            return ""
        try:
            return Path(self._setting_file).read_text(encoding="utf-8").strip()
        except (OSError, ValueError):
            return ""

    def put_setting(self, name: str) -> int:
        """Have searches use a model, and work out all vectors; "" goes back to words only.

        Returns how many documents were looked at.
        """
        path = self._directory / MEANING / SETTING
        with storage_errors(self._directory):
            if not name:
                path.unlink(missing_ok=True)
                return 0
            seen = self.store(name).catch_up()
            path.write_text(f"{name}\n", encoding="utf-8")
        return seen


def known_models() -> Iterator[str]:
    """Return the names of all models."""
    return iter(ENCODERS)
