"""One stored record of the archive: its location, fields, headers and bytes."""

import zlib
from pathlib import Path

from telusur.backends.files.private import open_private
from telusur.errors import CollectionError
from telusur.store.views import RecordView

_MOST_HEAD = 200_000
_MOST_FIELDS = 200


def read_member(path: Path, offset: int, length: int) -> bytes:
    """Return the gzip member of a record, which is a WARC file by itself."""
    try:
        with open_private(path, "rb") as file:
            file.seek(offset)
            member: bytes = file.read(length)
    except OSError as error:
        raise CollectionError(f"{path}: the record cannot be read ({error}).") from None
    if len(member) < length:
        raise CollectionError(f"{path}: it ends before the record does; try `telusur verify`.")
    return member


def view_record(path: Path, offset: int, length: int) -> RecordView:
    """Return the fields and headers of a record; the body is unpacked only as far as needed."""
    try:
        head = zlib.decompressobj(31).decompress(read_member(path, offset, length), _MOST_HEAD)
    except zlib.error as error:
        raise CollectionError(f"{path}: damaged at {offset} ({error}).") from None
    fields, _, block = head.partition(b"\r\n\r\n")
    status_line, *lines = block.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    return RecordView(
        path.name, offset, length,
        _pairs(fields.decode("utf-8", "replace").split("\r\n")[1:]), status_line, _pairs(lines),
    )  # fmt: skip


def _pairs(lines: list[str]) -> tuple[tuple[str, str], ...]:
    split = (line.partition(":") for line in lines[:_MOST_FIELDS])
    return tuple((name.strip(), value.strip()) for name, colon, value in split if colon)
