"""Reads rendered pages from the archive."""

import gzip
import zlib
from pathlib import Path
from typing import IO, Any

from isal import isal_zlib

from telusur.backends.files.private import open_private

LONGEST_HEAD_LINES = 50
LARGEST_REQUEST = 10_000_000
LARGEST_RENDERED = 200_000_000
_BROKEN: Any = isal_zlib.error
# zlib's number for a whole gzip member.
_GZIP = 31
# Long enough for a usual request and for the head of the next record.
_GLANCE_BYTES = 8_192
_HEAD_BYTES = 2_000


def read_rendered(path: Path, end_of_response: int) -> bytes | None:
    """Return the conversion after a response that ends there, in UTF-8; None if there is none.

    A page is written as response, request and, if it was rendered, conversion: in this order.
    """
    try:
        with open_private(path, "rb") as file:
            file.seek(end_of_response)
            if not _may_be_rendered(file):
                return None
            file.seek(end_of_response)
            with gzip.GzipFile(fileobj=file) as records:
                _, length = _read_head(records, LARGEST_REQUEST)
                records.read(length + len(b"\r\n\r\n"))
                kind, length = _read_head(records, LARGEST_RENDERED)
                return records.read(length) if kind == "conversion" else None
    # Without the rendered page, the response itself counts.
    except (OSError, EOFError, ValueError, zlib.error):
        return None


def _may_be_rendered(file: IO[bytes]) -> bool:
    """Tell whether the second record from here may be a conversion, in a quarter of the time.

    Most pages are not rendered; the record after their request is the response of another page.
    """
    request, head = isal_zlib.decompressobj(_GZIP), b""
    try:
        request.decompress(file.read(_GLANCE_BYTES))
        if request.unused_data:
            head = isal_zlib.decompressobj(_GZIP).decompress(request.unused_data, _HEAD_BYTES)
    except _BROKEN:
        return True
    fields, blank, _ = head.partition(b"\r\n\r\n")
    return not blank or b"conversion" in fields


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
