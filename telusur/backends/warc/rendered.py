"""Reads rendered pages from the archive."""

import gzip
import zlib
from pathlib import Path

from telusur.backends.files.private import open_private

LONGEST_HEAD_LINES = 50
LARGEST_REQUEST = 10_000_000
LARGEST_RENDERED = 200_000_000


def read_rendered(path: Path, end_of_response: int) -> bytes | None:
    """Return the conversion after a response that ends there, in UTF-8; None if there is none.

    A page is written as response, request and, if it was rendered, conversion: in this order.
    """
    try:
        with open_private(path, "rb") as file:
            file.seek(end_of_response)
            with gzip.GzipFile(fileobj=file) as records:
                _, length = _read_head(records, LARGEST_REQUEST)
                records.read(length + len(b"\r\n\r\n"))
                kind, length = _read_head(records, LARGEST_RENDERED)
                return records.read(length) if kind == "conversion" else None
    # Without the rendered page, the response itself counts.
    except (OSError, EOFError, ValueError, zlib.error):
        return None


def _read_head(records: gzip.GzipFile, largest: int) -> tuple[str, int]:
    """Return type and length of the next record; an impossible length is an error."""
    fields = {}
    for _ in range(LONGEST_HEAD_LINES):
        line = records.readline(10_000).strip()
        if not line:
            break
        name, _, value = line.decode("utf-8", "replace").partition(":")
        fields[name.lower()] = value.strip()
    length = int(fields.get("content-length", "0"))
    if not 0 <= length <= largest:
        raise ValueError(f"a record of {length} bytes")
    return fields.get("warc-type", ""), length
