"""The cursor of the index, in a file beside it."""

import json
from pathlib import Path

from telusur.backends.files.private import write_whole

POSITION = "indexed.json"


def read_position(index: Path) -> str:
    """Return the cursor up to which changes are in the index; empty is the beginning."""
    try:
        # Earlier versions wrote a number, which they also read from a text.
        return str(json.loads((index / POSITION).read_text())["seq"])
    except (OSError, ValueError, KeyError, TypeError):
        # Everything is indexed again: each document replaces itself.
        return ""


def write_position(index: Path, cursor: str) -> None:
    """Store the cursor, atomically."""
    write_whole(index / POSITION, json.dumps({"seq": cursor}))
