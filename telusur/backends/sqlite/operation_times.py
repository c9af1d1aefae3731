"""How long each operation on a page took, as a column of `pages`."""

import re
import sqlite3
from collections.abc import Mapping

_PAIR = re.compile(r"\b([a-z]{1,20}) ([0-9]{1,9}\.[0-9]{6})\b")


def pack_operations(seconds: Mapping[str, float]) -> str:
    """Return seconds by operation for storage, to the microsecond."""
    return ",".join([f"{name} {time:.6f}" for name, time in seconds.items()])


def unpack_operations(stored: str) -> dict[str, float]:
    """Return the seconds by operation; older pages have none.

    Invalid values are left out: a collection may come from a stranger.
    """
    return {name: float(time) for name, time in _PAIR.findall(stored)}


def operations_column(connection: sqlite3.Connection) -> str:
    """Return the column to select; an older collection that was not migrated has none."""
    columns = {row[1] for row in connection.execute("PRAGMA table_info(pages)")}
    return "operations" if "operations" in columns else "'' AS operations"
