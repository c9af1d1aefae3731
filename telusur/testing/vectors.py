"""What every vector store must do: `VectorsSuite`."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from telusur.models import url_id_of
from telusur.store.records import BEGINNING, Cursor
from telusur.store.vectors import ROW, VectorRows, VectorStore

#: Opens vectors by name, model and number of dimensions.
Opener = Callable[[str, str, int], VectorStore]

DIMENSIONS = 3


class VectorsSuite:
    """Rows are added all or none, and the newest version of a document counts."""

    def make_opener(self) -> Opener:
        """Return what opens the vectors of an empty collection, as any process would."""
        raise NotImplementedError

    def test_there_are_no_vectors_at_first(self) -> None:
        vectors = self._open()
        found = vectors.read()
        assert vectors.cursor() == BEGINNING
        assert (len(found.rows), found.vectors.shape) == (0, (0, DIMENSIONS))
        assert (len(found.starts), len(found.living)) == (0, 0)

    def test_what_was_added_is_read_back(self) -> None:
        open_vectors = self.make_opener()
        vectors = open_vectors("m", "model", DIMENSIONS)
        rows, values = make_passages("a", 1, 3)
        vectors.append(rows, values, Cursor("5"))
        more, others = make_passages("b", 2, 1)
        vectors.append(more, others, Cursor("7"))
        for each in (vectors, open_vectors("m", "model", DIMENSIONS)):
            found = each.read()
            assert each.cursor() == "7"
            assert (found.rows.dtype, found.vectors.dtype) == (ROW, np.dtype(np.int8))
            assert (found.rows == np.concatenate([rows, more])).all()
            assert (found.vectors == np.concatenate([values, others])).all()
            assert (found.starts.tolist(), found.living.tolist()) == ([0, 3], [0, 1])

    def test_a_cursor_moves_without_rows_too(self) -> None:
        open_vectors = self.make_opener()
        vectors = open_vectors("m", "model", DIMENSIONS)
        add(vectors, "5", ("a", 1, 2))
        vectors.append(np.zeros(0, ROW), np.zeros((0, DIMENSIONS), np.int8), Cursor("a:9"))
        assert (vectors.cursor(), len(vectors.read().rows)) == ("a:9", 2)
        assert open_vectors("m", "model", DIMENSIONS).cursor() == "a:9"

    def test_the_newest_version_of_a_document_counts(self) -> None:
        vectors = self._open()
        add(vectors, "1", ("a", 1, 2), ("b", 2, 1))
        add(vectors, "2", ("a", 3, 1), ("c", 4, 2))
        found = vectors.read()
        assert found.starts.tolist() == [0, 2, 3, 4]
        assert sorted(found.living.tolist()) == [1, 2, 3]
        assert living_of(found) == {"b": [2], "a": [3], "c": [4, 5]}

    def test_a_document_that_is_gone_does_not_count(self) -> None:
        vectors = self._open()
        add(vectors, "1", ("a", 1, 2), ("b", 2, 1))
        add(vectors, "2", ("a", 3, 0))
        assert living_of(vectors.read()) == {"b": [2]}
        add(vectors, "3", ("a", 4, 1))
        assert living_of(vectors.read()) == {"b": [2], "a": [4]}

    def test_who_has_rows_keeps_them(self) -> None:
        vectors = self._open()
        rows, values = make_passages("a", 1, 3)
        vectors.append(rows, values, Cursor("1"))
        old = vectors.read()
        kept = old.vectors.copy()
        values[:] = 0
        add(vectors, "2", ("b", 2, 1))
        vectors.clear()
        assert (old.vectors == kept).all()
        assert len(old.rows) == 3

    def test_vectors_of_another_model_are_none(self) -> None:
        open_vectors = self.make_opener()
        add(open_vectors("m", "model", DIMENSIONS), "1", ("a", 1, 2))
        for other in (open_vectors("m", "better", DIMENSIONS), open_vectors("m", "model", 5)):
            assert (other.cursor(), len(other.read().rows)) == (BEGINNING, 0)
        better = open_vectors("m", "better", DIMENSIONS)
        add(better, "2", ("b", 2, 1))
        assert living_of(better.read()) == {"b": [0]}
        assert better.cursor() == "2"
        assert open_vectors("m", "model", DIMENSIONS).cursor() == BEGINNING

    def test_vectors_of_another_name_are_others(self) -> None:
        open_vectors = self.make_opener()
        one, other = open_vectors("m", "model", DIMENSIONS), open_vectors("n", "model", DIMENSIONS)
        add(one, "1", ("a", 1, 2))
        add(other, "2", ("b", 2, 1))
        assert (one.cursor(), living_of(one.read())) == ("1", {"a": [0, 1]})
        other.clear()
        assert (one.cursor(), len(one.read().rows)) == ("1", 2)

    def test_cleared_vectors_are_gone(self) -> None:
        open_vectors = self.make_opener()
        vectors = open_vectors("m", "model", DIMENSIONS)
        vectors.clear()
        add(vectors, "1", ("a", 1, 2))
        vectors.clear()
        for each in (vectors, open_vectors("m", "model", DIMENSIONS)):
            assert (each.cursor(), len(each.read().rows)) == (BEGINNING, 0)
        add(vectors, "2", ("b", 2, 1))
        assert living_of(vectors.read()) == {"b": [0]}

    # Compacting

    def test_rows_of_former_versions_are_dropped(self) -> None:
        open_vectors = self.make_opener()
        vectors = open_vectors("m", "model", DIMENSIONS)
        versions = [("a", version, 2) for version in range(1, 1_000)]
        add(vectors, "1", ("gone", 1_000, 3), *versions, ("b", 1_001, 3), ("gone", 1_002, 0))
        before = vectors.read()
        alive = [place for places in living_of(before).values() for place in places]
        rows, values = before.rows[alive].copy(), before.vectors[alive].copy()
        assert vectors.compact()
        for each in (vectors, open_vectors("m", "model", DIMENSIONS)):
            found = each.read()
            assert (each.cursor(), living_of(found)) == ("1", {"a": [0, 1], "b": [2, 3, 4]})
            assert (found.rows == rows).all()
            assert (found.vectors == values).all()
        assert not vectors.compact()
        add(vectors, "2", ("a", 2_000, 1))
        assert living_of(vectors.read()) == {"b": [2, 3, 4], "a": [5]}

    def test_living_rows_are_not_dropped(self) -> None:
        vectors = self._open()
        assert not vectors.compact()
        add(vectors, "1", *((f"page {number}", number, 3) for number in range(500)))
        assert not vectors.compact()
        assert len(vectors.read().rows) == 1_500

    # Writers

    def test_one_writes_at_a_time(self) -> None:
        open_vectors = self.make_opener()
        one, other = (open_vectors("m", "model", DIMENSIONS) for _ in range(2))
        with one.writing() as is_first:
            with other.writing() as is_second:
                assert (is_first, is_second) == (True, False)
            with other.writing() as is_second:
                assert not is_second
        with other.writing() as is_free:
            assert is_free

    def _open(self) -> VectorStore:
        return self.make_opener()("m", "model", DIMENSIONS)


def make_passages(page: str, seq: int, number: int) -> tuple[NDArray[np.void], NDArray[np.int8]]:
    """Return the rows and vectors of a version of a document; without passages it is gone."""
    url_id = url_id_of(page)
    rows = np.zeros(max(number, 1), ROW)
    rows["number"] = int.from_bytes(url_id[:8], "big")
    rows["low"] = int.from_bytes(url_id[8:], "big")
    rows["seq"] = seq
    rows["scale"] = 0.5 if number else 0.0
    values = (np.arange(rows.size * DIMENSIONS) * 7 + seq * 31) % 255 - 127
    return rows, values.reshape(-1, DIMENSIONS).astype(np.int8)


def add(vectors: VectorStore, cursor: str, *documents: tuple[str, int, int]) -> None:
    """Add versions of documents: name, number of the version, number of passages."""
    parts = [make_passages(*document) for document in documents]
    rows, values = zip(*parts, strict=True)
    vectors.append(np.concatenate(rows, dtype=ROW), np.concatenate(values), Cursor(cursor))


def living_of(found: VectorRows) -> dict[str, list[int]]:
    """Return the current documents of a test by name, with the places of their rows."""
    ends = [*found.starts[1:].tolist(), len(found.rows)]
    names = {int.from_bytes(url_id_of(name)[:8], "big"): name for name in "abc"}
    runs = [range(found.starts[run], ends[run]) for run in found.living]
    return {names[int(found.rows["number"][run.start])]: list(run) for run in runs}
