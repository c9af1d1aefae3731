import numpy as np

from telusur.backends.files.arrays import read_array, write_array

PAIR = np.dtype([("a", "<u4"), ("b", "<u4")])


def test_an_array_comes_back_as_it_was_written(tmp_path):
    rows = np.array([(1, 2), (3, 4)], PAIR)
    write_array(tmp_path / "x.npy", rows)
    write_array(tmp_path / "x.npy", rows[:1])
    assert read_array(tmp_path / "x.npy", PAIR).tolist() == [(1, 2)]
    assert [path.name for path in tmp_path.iterdir()] == ["x.npy"]


def test_what_is_missing_broken_or_of_another_kind_is_empty(tmp_path):
    path = tmp_path / "x.npy"
    assert len(read_array(path, PAIR)) == 0
    path.write_bytes(b"")
    assert len(read_array(path, PAIR)) == 0
    path.write_bytes(b"\x93NUMPY not really")
    assert len(read_array(path, PAIR)) == 0
    np.save(path, np.arange(3))
    assert len(read_array(path, PAIR)) == 0
