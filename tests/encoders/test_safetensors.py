import json

import numpy as np
import pytest

from telusur.encoders.safetensors import read_tensors


def write(path, **arrays):
    """Write arrays in the format, as its specification describes it."""
    kinds = {"float32": "F32", "float16": "F16", "int64": "I64"}
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        end = len(data) + array.nbytes
        header[name] = {
            "dtype": kinds[array.dtype.name], "shape": array.shape,
            "data_offsets": [len(data), end],
        }  # fmt: skip
        data += array.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def test_arrays_come_back(tmp_path):
    arrays = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "b": np.array([1.5], np.float16),
        "c": np.arange(3),
    }
    write(tmp_path / "x", **arrays)
    found = read_tensors(tmp_path / "x")
    assert list(found) == list(arrays)
    assert all(np.array_equal(found[name], arrays[name]) for name in arrays)


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04 something else altogether", b"\x02" + b"\0" * 7 + b"{]"]
)
def test_other_files_are_refused(tmp_path, data):
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(ValueError):  # noqa: PT011 - JSON has its own sentence
        read_tensors(tmp_path / "x")
