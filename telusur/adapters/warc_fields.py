"""One record of the archive as it lies there: its place, its fields, its headers, its bytes."""

import zlib
from dataclasses import dataclass
from pathlib import Path

from telusur.adapters.warc import Place
from telusur.errors import CollectionError

_MOST_HEAD = 200_000
_MOST_FIELDS = 200


@dataclass(slots=True, frozen=True)
class RecordView:
    """A record of a WARC file; `fields` are of the record, `headers` of the answer in it."""

    file: str
    offset: int
    length: int
    fields: tuple[tuple[str, str], ...]
    status_line: str
    headers: tuple[tuple[str, str], ...]

    @property
    def digest(self) -> str:
        """Return the digest of the payload, as the record states it."""
        return next((v for k, v in self.fields if k.lower() == "warc-payload-digest"), "")


def read_member(archive: Path, place: Place) -> bytes:
    """Return the gzip member of a record: by itself it is a WARC file, too."""
    path = archive / place.file
    try:
        with path.open("rb") as file:
            file.seek(place.offset)
            member = file.read(place.length)
    except OSError as error:
        raise CollectionError(f"{path}: the record cannot be read ({error}).") from None
    if len(member) < place.length:
        raise CollectionError(f"{path}: it ends before the record does; try `telusur verify`.")
    return member


def view_record(archive: Path, place: Place) -> RecordView:
    """Return what a record says about itself; the body is not unpacked further than need be."""
    try:
        head = zlib.decompressobj(31).decompress(read_member(archive, place), _MOST_HEAD)
    except zlib.error as error:
        raise CollectionError(
            f"{archive / place.file}: damaged at {place.offset} ({error})."
        ) from None
    fields, _, block = head.partition(b"\r\n\r\n")
    status_line, *lines = block.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    return RecordView(
        place.file, place.offset, place.length,
        _pairs(fields.decode("utf-8", "replace").split("\r\n")[1:]), status_line, _pairs(lines),
    )  # fmt: skip


def _pairs(lines: list[str]) -> tuple[tuple[str, str], ...]:
    split = (line.partition(":") for line in lines[:_MOST_FIELDS])
    return tuple((name.strip(), value.strip()) for name, colon, value in split if colon)
