"""Keeps the vectors of a collection up to date, and finds documents near a query."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from telusur.encoders.by_name import DEFAULT, get_encoder
from telusur.errors import UsageError
from telusur.pipeline.indexing.packed_vectors import cosines_by_document, ids_of, pack_vectors
from telusur.search.rank.meaning import Encoder, Meaning, Near, split_passages
from telusur.store.changes import Changes
from telusur.store.records import Change, Cursor
from telusur.store.store import Store
from telusur.store.vectors import ROW

SETTING_BLOB = "meaning/model"
BATCH = 200
Batch = Sequence[tuple[Change, Cursor]]


class MeaningStore:
    """The vectors of one collection by one model."""

    def __init__(self, store: Store, encoder: Encoder) -> None:
        self._store = store
        self._encoder = encoder
        self._vectors = store.vectors(encoder.name, encoder.version, encoder.dimensions)

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self._encoder.name

    def meaning(self) -> Meaning:
        """Return the interface for a search, with the vectors so far."""
        return Meaning(self.find_near, self._encoder.weight)

    def catch_up(
        self,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        with_tidying: bool = True,
    ) -> int:
        """Add vectors for new and changed documents; return the number of documents read.

        `seconds` limits the time, roughly; compacting reads all rows. If another process is adding
        vectors, its results so far are used.
        """
        with self._store.guard(), self._vectors.writing() as is_ours:
            if not is_ours:
                return 0
            with closing(self._store.changes()) as changes:
                ends_at = None if seconds is None else clock() + seconds
                seen = self._follow(changes, lambda: ends_at is None or clock() < ends_at)
            if seen and with_tidying:
                self._vectors.compact()
            return seen

    def count_unread(self) -> int:
        """Return how many documents have no vectors yet."""
        with self._store.guard(), closing(self._store.changes()) as changes:
            return changes.count_after(self._vectors.cursor())

    def _follow(self, changes: Changes, has_time: Callable[[], bool]) -> int:
        cursor = self._vectors.cursor()
        # After a power cut the catalogue may reuse cursors.
        if changes.latest(cursor) != cursor:
            self._vectors.clear()
        # The speed of the model is unknown, so batches grow: at most as many as before, plus one.
        seen = 0
        while has_time() and (batch := self._next(changes, min(seen + 1, BATCH))):
            self._append(batch)
            seen += len(batch)
        return seen

    def _next(self, changes: Changes, most: int) -> Batch:
        return list(changes.after(self._vectors.cursor(), most))

    def _append(self, batch: Batch) -> None:
        """Add the passages of documents; a document that left the index gets an empty row."""
        left = self._left(batch)
        texts: list[str] = []
        rows: list[tuple[int, int, int, float]] = []
        for change, cursor in batch:
            identity = _halves(change.url_id)
            is_gone = bool(change.not_indexed)
            document = change.document
            passages = [] if is_gone else split_passages(document.title, document.text)
            if identity[0] in left:
                passages = [""]
            texts += passages
            version = _number_of(cursor)
            rows += [(*identity, version, 0.0 if is_gone else 1.0)] * len(passages)
        table = np.array(rows, ROW)
        packed, scales = pack_vectors(self._encode(texts))
        table["scale"] *= scales
        self._vectors.append(table, packed, batch[-1][1])

    def _left(self, batch: Batch) -> set[int]:
        """Return the numbers of documents that have vectors and are no longer in the index."""
        gone = [_halves(change.url_id)[0] for change, _ in batch if change.not_indexed]
        if not gone:
            return set()
        known = self._vectors.read().rows["number"]
        return set(np.intersect1d(np.array(gone, np.uint64), known).tolist())

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self._encoder.dimensions), np.float32)
        return self._encoder.encode(texts)

    def find_near(self, words: str, limit: int) -> list[Near]:
        """Return the documents nearest in meaning to some words, nearest first."""
        found = self._vectors.read()
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


def _number_of(cursor: Cursor) -> int:
    """Return a number that identifies a version of a document."""
    return int(cursor) if cursor.isdecimal() else crc32(cursor.encode())


class Meanings:
    """The models of a collection, and its default for searches."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stores: dict[str, MeaningStore] = {}

    def choose(self, wish: bool | str | None) -> MeaningStore | None:
        """Return the vectors for a search; None searches by words only.

        True asks for the model of the collection, or else the default one. None asks for the model
        the collection is set to, if it is installed.
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
        """Return the vectors of one model."""
        if name not in self._stores:
            self._stores[name] = MeaningStore(self._store, get_encoder(name))
        return self._stores[name]

    def has_vectors(self, name: str) -> bool:
        """Tell whether there are vectors of a model, possibly of an older version."""
        return self._store.has_vectors(name)

    def setting(self) -> str:
        """Return the default model of this collection for searches, or ""."""
        blobs = self._store.blobs
        # Every search asks, so this must be cheap.
        if blobs.stamp(SETTING_BLOB) is None:
            return ""
        return (blobs.read(SETTING_BLOB) or b"").decode("utf-8", "replace").strip()

    def put_setting(self, name: str) -> int:
        """Set the default model and compute all vectors; "" searches by words only.

        Returns the number of documents read.
        """
        with self._store.guard():
            if not name:
                self._store.blobs.delete(SETTING_BLOB)
                return 0
            seen = self.store(name).catch_up()
            self._store.blobs.write(SETTING_BLOB, f"{name}\n".encode())
        return seen
