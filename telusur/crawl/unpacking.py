"""Unpacks records of a collection: one from a stranger may unpack to any number of bytes."""

from typing import Any

from isal import isal_zlib

# zlib's number for a record without a gzip header.
ZLIB = 15
ALWAYS_BYTES = 64_000_000
# Text shrinks to a tenth, logs and tables to a fiftieth; a bomb to a thousandth.
MOST_TIMES = 100
_BROKEN: Any = isal_zlib.error


def unpack(record: bytes, kind: int = ZLIB) -> bytes:
    """Return the bytes in a record; raise ValueError if it is damaged or has far too many."""
    stream = isal_zlib.decompressobj(kind)
    most = ALWAYS_BYTES + MOST_TIMES * len(record)
    try:
        data: bytes = stream.decompress(record, most)
    except _BROKEN as error:
        raise ValueError(str(error)) from error
    if not stream.eof:
        raise ValueError("it is cut off, or larger than it may be")
    return data
