"""The archive as WARC 1.1 files: every response as received, one gzip member a record."""

import os
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from telusur.adapters.warc_record import Exchange, Original, info_record, read_record
from telusur.errors import CollectionError
from telusur.models import Page

LARGEST_FILE_BYTES = 1_000_000_000
REMEMBERED_PAYLOADS = 5000
LEAST_PAYLOAD_BYTES = 500
"""A revisit record is not much shorter than a small page."""


@dataclass(slots=True, frozen=True)
class Place:
    """Where a record lies: file name, and first byte and length of its gzip member."""

    file: str
    offset: int
    length: int


class WarcArchive:
    """Appends pages to the newest file and reads any page back by its place."""

    def __init__(self, directory: Path, software: str = "telusur") -> None:
        self._directory = directory
        self._software = software
        self._file: IO[bytes] | None = None
        self._name = ""
        self._end = 0
        self._originals: OrderedDict[str, Original] = OrderedDict()

    def cut_behind(self, end: tuple[str, int] | None) -> None:
        """Drop what was written after the last commit: `end` is the file and offset it named."""
        for path in sorted(self._directory.glob("*.warc.gz")):
            if end is None or path.name > end[0]:
                path.unlink()
            elif path.name == end[0] and path.stat().st_size > end[1]:
                os.truncate(path, end[1])

    def append(self, page: Page, rendered: bytes = b"") -> Place:
        """Write request and response of one page; return the place of the response.

        A payload that was archived a while ago is not stored again: a revisit record refers to it.
        What a browser made of the page follows as a conversion of the response.
        """
        file = self._open_for_append()
        exchange = Exchange(page)
        original = self._originals.get(exchange.digest) if page.body else None
        response = exchange.revisit(original) if original else exchange.response()
        place = Place(self._name, self._end, len(response))
        if original is None and len(page.body) >= LEAST_PAYLOAD_BYTES:
            self._remember(exchange, page.url, place)
        request = exchange.request()
        file.write(response)
        conversion = exchange.conversion(rendered) if rendered else b""
        file.write(request)
        file.write(conversion)
        self._end += len(response) + len(request) + len(conversion)
        return place

    def _remember(self, exchange: Exchange, url: str, place: Place) -> None:
        self._originals[exchange.digest] = Original(
            exchange.response_id, url, exchange.date, f"{place.file}:{place.offset}:{place.length}"
        )
        if len(self._originals) > REMEMBERED_PAYLOADS:
            self._originals.popitem(last=False)

    def sync(self) -> tuple[str, int] | None:
        """Force everything to disk; return the end of the archive: file name and offset."""
        if self._file is None:
            return None
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._name, self._end

    def read(self, place: Place, url: str) -> Page:
        """Return the page stored at `place`; its payload may be stored with another page."""
        page, elsewhere = self._read(place, url)
        if not elsewhere:
            return page
        file, offset, length = elsewhere.rsplit(":", 2)
        original, _ = self._read(Place(file, int(offset), int(length)), url)
        return replace(page, body=original.body)

    def _read(self, place: Place, url: str) -> tuple[Page, str]:
        path = self._directory / place.file
        try:
            with path.open("rb") as file:
                file.seek(place.offset)
                return read_record(file.read(place.length), url)
        except (OSError, ValueError, IndexError) as error:
            raise CollectionError(f"{path}: the page of {url} cannot be read ({error}).") from None

    def close(self) -> None:
        """Close the file being written; what was not synced is lost, and cut off next time."""
        if self._file is not None:
            with suppress(OSError):  # a full disk, which the failed write has told already
                self._file.close()
            self._file = None

    def _open_for_append(self) -> IO[bytes]:
        if self._file is not None and self._end < LARGEST_FILE_BYTES:
            return self._file
        self.sync()
        self.close()
        self._directory.mkdir(exist_ok=True)
        newest = max((path.name for path in self._directory.glob("*.warc.gz")), default="")
        name = newest or _file_name(1)
        if newest and (self._directory / newest).stat().st_size >= LARGEST_FILE_BYTES:
            name = _file_name(int(newest.split("-")[1].split(".")[0]) + 1)
        self._name, self._file = name, (self._directory / name).open("ab")
        if self._file.tell() == 0:
            self._file.write(info_record(self._software, name))
        self._end = self._file.tell()
        return self._file


def _file_name(number: int) -> str:
    return f"telusur-{number:05d}.warc.gz"
