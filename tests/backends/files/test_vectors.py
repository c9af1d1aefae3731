"""Vectors on disk: what a kill, a change, another model or damage leaves of them."""

import numpy as np
import pytest

from telusur.backends.files import vectors as vector_file
from telusur.backends.files.vectors import VectorFile
from telusur.pipeline.indexing.packed_vectors import cosines_by_document, ids_of, pack_vectors
from telusur.store.vectors import ROW

DIMENSIONS = 8


@pytest.fixture
def file(tmp_path):
    return VectorFile(tmp_path, "m", "model-1", DIMENSIONS)


def unit(place):
    return np.eye(DIMENSIONS, dtype=np.float32)[place]


def add(file, seq, *documents):
    """Append documents given as a number and the places of its vectors; None: it is gone."""
    rows, vectors = [], []
    for number, places in documents:
        for place in [0] if places is None else places:
            rows.append((number, 7, seq, 0.0 if places is None else 1.0))
            vectors.append(unit(place))
    packed, scales = pack_vectors(np.array(vectors))
    table = np.array(rows, ROW)
    table["scale"] *= scales
    file.append(table, packed, str(seq))


def found(file, place):
    """Return the numbers of living documents by their cosine with one direction."""
    read = file.read()
    cosines = cosines_by_document(read, unit(place))
    numbers = read.rows["number"][read.starts[read.living]].tolist()
    return {
        number: round(float(cosine), 2) for number, cosine in zip(numbers, cosines, strict=True)
    }


def test_nothing_is_found_before_anything_is_there(file):
    assert found(file, 0) == {}
    assert (file.state().rows, file.cursor()) == (0, "")


def test_the_best_passage_of_a_document_counts(file):
    add(file, 3, (1, [0, 1]), (2, [2]))
    add(file, 9, (5, [1]))
    assert found(file, 1) == {1: 1.0, 2: 0.0, 5: 1.0}
    assert file.cursor() == "9"


def test_a_change_replaces_and_what_is_gone_is_gone(file):
    add(file, 1, (1, [0, 1]), (2, [0]), (3, [0]))
    add(file, 2, (1, [2]), (2, None))
    assert found(file, 0) == {1: 0.0, 3: 1.0}
    add(file, 3, (2, [0]))
    assert found(file, 0) == {1: 0.0, 2: 1.0, 3: 1.0}


def test_identities_come_back_as_they_were(file):
    number = int.from_bytes(b"\x00\xff234567", "big")
    add(file, 1, (number, [0]))
    assert ids_of(file.read().rows) == [b"\x00\xff234567" + (7).to_bytes(8, "big")]


def test_what_a_kill_left_behind_the_last_row_is_written_over(file, tmp_path):
    add(file, 1, (1, [0]))
    for path in (*tmp_path.glob("*.rows"), *tmp_path.glob("*.vectors")):
        with path.open("ab") as opened:
            opened.write(b"half a row")
    assert found(file, 0) == {1: 1.0}
    add(file, 2, (2, [0]))
    assert found(VectorFile(tmp_path, "m", "model-1", DIMENSIONS), 0) == {1: 1.0, 2: 1.0}


def test_files_that_are_cut_or_damaged_count_as_none(file, tmp_path):
    add(file, 1, (1, [0]), (2, [1]))
    (vectors,) = tmp_path.glob("*.vectors")
    vectors.write_bytes(vectors.read_bytes()[:-1])
    assert found(file, 0) == {}
    add(file, 2, (3, [0]))
    assert found(file, 0) == {3: 1.0}
    (tmp_path / "m.json").write_text("{")
    assert (found(file, 0), file.cursor()) == ({}, "")


def test_vectors_of_another_model_count_as_none_and_are_removed(file, tmp_path):
    add(file, 1, (1, [0]))
    newer = VectorFile(tmp_path, "m", "model-2", DIMENSIONS)
    assert found(newer, 0) == {}
    add(newer, 1, (2, [0]))
    assert found(newer, 0) == {2: 1.0}
    assert len(list(tmp_path.glob("*.vectors"))) == 1


def test_changed_rows_are_dropped_when_they_are_most(file, tmp_path, monkeypatch):
    monkeypatch.setattr(vector_file, "_FEWEST_TO_COMPACT", 4)
    add(file, 1, (1, [0, 1]), (2, [2]))
    assert not file.compact()
    mapped = file.read()
    add(file, 2, (1, [3]), (2, None))
    add(file, 3, (1, [4]))
    assert file.compact()
    assert (file.state().rows, file.cursor()) == (1, "3")
    assert found(file, 4) == {1: 1.0}
    assert len(list(tmp_path.glob("*.rows"))) == 1
    assert len(mapped.vectors.sum(axis=1)) == 3  # who had it mapped can go on reading


def test_one_writes_at_a_time(file, tmp_path):
    other = VectorFile(tmp_path, "m", "model-1", DIMENSIONS)
    with file.writing() as first, other.writing() as second:
        assert (first, second) == (True, False)
    with other.writing() as later:
        assert later


def test_eight_bits_are_enough():
    vectors = np.random.default_rng(1).normal(size=(50, 256)).astype(np.float32)
    vectors /= np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    packed, scales = pack_vectors(vectors)
    again = packed * scales[:, None] / 127
    assert np.abs(again @ again.T - vectors @ vectors.T).max() < 0.005
