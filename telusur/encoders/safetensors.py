"""Arrays of a `.safetensors` file, memory-mapped: a header in JSON, then plain numbers."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1"}


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file by name; raise ValueError or OSError if it is invalid."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > path.stat().st_size:
            raise ValueError(f"{path} is not a safetensors file")
        header = json.loads(file.read(size))
    data = np.memmap(path, np.uint8, "r", offset=8 + size)
    return {
        name: data[slice(*about["data_offsets"])]
        .view(_KINDS[about["dtype"]])
        .reshape(about["shape"])
        for name, about in header.items()
        if name != "__metadata__" and about["dtype"] in _KINDS
    }
