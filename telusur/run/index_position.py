"""How far the index has come: the number of the last document it has, in a file beside it."""

import json
import os
from pathlib import Path

INDEX = "index"
POSITION = "indexed.json"


def read_position(directory: Path) -> int:
    """Return the number of the last document the index has."""
    try:
        return int(json.loads((directory / INDEX / POSITION).read_text())["seq"])
    except (OSError, ValueError, KeyError):
        return 0  # everything is indexed anew: each document replaces itself


def write_position(directory: Path, seq: int) -> None:
    """Remember it, whole or not at all."""
    path = directory / INDEX / POSITION
    half_written = path.with_suffix(".new")
    half_written.write_text(json.dumps({"seq": seq}))
    os.replace(half_written, path)
