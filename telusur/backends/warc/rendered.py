"""Read back from the archive what a browser made of a page."""

import gzip
import zlib
from pathlib import Path

LONGEST_HEAD_LINES = 50


def read_rendered(path: Path, end_of_response: int) -> bytes | None:
    """Return the conversion of the response that ends there, in UTF-8; None when there is none.

    A page is written as response, request and, if it was rendered, conversion: in this order.
    """
    try:
        with path.open("rb") as file:
            file.seek(end_of_response)
            with gzip.GzipFile(fileobj=file) as records:
                _, length = _read_head(records)
                records.read(length + len(b"\r\n\r\n"))
                kind, length = _read_head(records)
                return records.read(length) if kind == "conversion" else None
    except (OSError, EOFError, ValueError, zlib.error):  # then the page counts as it came
        return None


def _read_head(records: gzip.GzipFile) -> tuple[str, int]:
    """Return kind and length of the next record."""
    fields = {}
    for _ in range(LONGEST_HEAD_LINES):
        line = records.readline(10_000).strip()
        if not line:
            break
        name, _, value = line.decode("utf-8", "replace").partition(":")
        fields[name.lower()] = value.strip()
    return fields.get("warc-type", ""), int(fields.get("content-length", "0"))
