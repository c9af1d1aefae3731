"""An array in a file: written atomically, memory-mapped when read."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.backends.files.private import open_private


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Replace the file; a kill leaves the old one."""
    unfinished = path.with_suffix(".new")
    with open_private(unfinished, "wb") as file:
        np.save(file, array, allow_pickle=False)
    os.replace(unfinished, path)


def read_array(path: Path, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the array in the file; an empty one if it is missing or has another type."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return np.zeros(0, dtype)
    return array if array.dtype == dtype and array.ndim == 1 else np.zeros(0, dtype)
