"""What a crawl has learned about traps, as bytes, so that a restart does not learn it again.

A record is a length, then compressed JSON (families and parameters, oldest first), then the hashes
of all lines. If it is too large, the newest families are kept.
"""

import json
import struct
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Any

from telusur.crawl.rules.traps import (
    BARREN_LIMIT_SOON,
    COPIES_LIMIT,
    MOST_FAMILIES,
    RICH_LINES,
    Yields,
    _Family,
)

VERSION = 1
MOST_BYTES = 1_000_000
_LENGTH = struct.Struct("<I")
_LINE = struct.calcsize("<I")
_MOST_PARAMETERS = 10


def save_yields(yields: Yields) -> bytes:
    """Return what was learned, at most about a megabyte."""
    families = list(_newest_families(yields))[::-1]
    copies = list(islice(reversed(yields._copies.items()), MOST_FAMILIES))[::-1]
    lines = [sorted(family.lines) for _, family in families]
    rows = [
        (name, family.barren, family.is_rich, sorted(family.parameters), len(family.lines))
        for name, family in families
    ]
    known = [(name, number) for name, number in copies if number]
    record = {"version": VERSION, "families": rows, "copies": _fitting(known)}
    head = zlib.compress(json.dumps(record, separators=(",", ":")).encode(), 1)
    numbers = [struct.pack(f"<{len(found)}I", *found) for found in lines]
    return b"".join((_LENGTH.pack(len(head)), head, *numbers))


def _newest_families(yields: Yields) -> Iterator[tuple[str, _Family]]:
    room = MOST_BYTES
    for name, family in reversed(yields._families.items()):
        room -= len(name) + sum(map(len, family.parameters)) + _LINE * len(family.lines)
        if room < 0:
            return
        yield name, family


def _fitting(known: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the newest entries that fit into a tenth of the space."""
    room = MOST_BYTES // 10
    first = len(known)
    while first and room >= len(known[first - 1][0]):
        first -= 1
        room -= len(known[first][0])
    return known[first:]


def restore_yields(yields: Yields, data: bytes) -> bool:
    """Restore what was saved; return whether it could be read, and change nothing if not."""
    try:
        families, copies = _read(data)
    except (ValueError, TypeError, KeyError, struct.error, zlib.error, RecursionError):
        return False
    yields._families.update(families)
    yields._copies.update(copies)
    yields._has_suspects = any(
        family.barren >= BARREN_LIMIT_SOON for family in yields._families.values()
    ) or any(number >= COPIES_LIMIT for number in yields._copies.values())
    return True


def _read(data: bytes) -> tuple[dict[str, _Family], dict[str, int]]:
    (length,) = _LENGTH.unpack_from(data)
    start = _LENGTH.size + length
    stream = zlib.decompressobj()
    record = json.loads(stream.decompress(data[_LENGTH.size : start], 4 * MOST_BYTES))
    if not stream.eof or record["version"] != VERSION:
        raise ValueError("cut off, or of another version")
    families = {}
    for row in record["families"][-MOST_FAMILIES:]:
        name, family, size = _family_of(row, data, start)
        families[name] = family
        start += size
    copies = {str(name): int(number) for name, number in record["copies"][-MOST_FAMILIES:]}
    return families, copies


def _family_of(row: Any, data: bytes, start: int) -> tuple[str, _Family, int]:
    name, barren, is_rich, parameters, number = row
    if not 0 <= number <= RICH_LINES:
        raise ValueError("more lines than there can be")
    lines = set(struct.unpack_from(f"<{number}I", data, start))
    kept = {str(parameter) for parameter in parameters[:_MOST_PARAMETERS]}
    return str(name), _Family(lines, kept, int(barren), bool(is_rich)), _LINE * number
