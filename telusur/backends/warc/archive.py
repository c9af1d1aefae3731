"""The archive as WARC 1.1 files: every response as received, one gzip member per record."""

import os
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, NamedTuple

from telusur.backends.files.private import archive_file, make_directory, open_private
from telusur.backends.warc.fields import read_member, view_record
from telusur.backends.warc.record import (
    Exchange,
    Original,
    PackedExchange,
    digest_of,
    info_record,
    pack_exchange,
    read_record,
)
from telusur.backends.warc.rendered import read_rendered
from telusur.errors import CollectionError
from telusur.models import Page
from telusur.store.archive import Packer
from telusur.store.records import ArchiveKey, ArchiveMark
from telusur.store.views import RecordView

LARGEST_FILE_BYTES = 1_000_000_000
REMEMBERED_PAYLOADS = 5000
# A revisit record is not much shorter than a small page.
LEAST_PAYLOAD_BYTES = 500


class WarcPlace(NamedTuple):
    """The location of a record: file name, and offset and length of its gzip member."""

    file: str
    offset: int
    length: int

    @property
    def key(self) -> ArchiveKey:
        """Return the location as an opaque key."""
        return ArchiveKey(f"{self.file}:{self.offset}:{self.length}")


class WarcArchive:
    """Implements `telusur.store.archive.Archive`: appends pages to the newest file."""

    def __init__(self, directory: Path, software: str = "telusur") -> None:
        self._directory = directory
        self._software = software
        self._file: IO[bytes] | None = None
        self._name = ""
        self._end = 0
        self._originals: OrderedDict[str, Original] = OrderedDict()

    def cut_behind(self, mark: ArchiveMark | None) -> None:
        """Drop what was written after the last commit, which ended at this file and offset."""
        file, end = ("", 0) if mark is None else end_of(mark)
        for path in sorted(self._directory.glob("*.warc.gz")):
            if path.name > file:
                path.unlink()
            elif path.name == file and path.stat().st_size > end:
                os.truncate(path, end)

    @property
    def packer(self) -> Packer | None:
        """Return what compresses responses and computes their digests, in any process."""
        return pack_exchange

    def append(self, page: Page, rendered: bytes = b"", packed: object = None) -> ArchiveKey:
        """Write request and response of one page; return the key of the response.

        A payload that is already archived is not stored again: a revisit record refers to it.
        The rendered page follows as a conversion record of the response.
        """
        file = self._open_for_append()
        digest = packed.digest if isinstance(packed, PackedExchange) else digest_of(page.body)
        original = self._originals.get(digest) if page.body else None
        if original is not None or not isinstance(packed, PackedExchange):
            exchange = Exchange(page, digest)
            packed = exchange.packed(
                exchange.response() if original is None else exchange.revisit(original)
            )
        key = WarcPlace(self._name, self._end, len(packed.response)).key
        if original is None and len(page.body) >= LEAST_PAYLOAD_BYTES:
            self._remember(digest, Original(packed.response_id, page.url, packed.date, key))
        conversion = Exchange(page, digest).conversion(rendered) if rendered else b""
        for record in (packed.response, packed.request, conversion):
            file.write(record)
            self._end += len(record)
        return key

    def _remember(self, digest: str, original: Original) -> None:
        self._originals[digest] = original
        if len(self._originals) > REMEMBERED_PAYLOADS:
            self._originals.popitem(last=False)

    def sync(self) -> ArchiveMark | None:
        """Flush everything to disk; return the end of the archive."""
        if self._file is None:
            return None
        self._file.flush()
        os.fsync(self._file.fileno())
        return ArchiveMark(f"{self._name}:{self._end}")

    def read(self, key: ArchiveKey, url: str) -> Page:
        """Return the page with a key; its payload may be stored with another page."""
        page, elsewhere = self._read(_parse_place(key, url), url)
        if not elsewhere:
            return page
        original, _ = self._read(_parse_place(elsewhere, url), url)
        return replace(page, body=original.body)

    def rendered(self, key: ArchiveKey) -> bytes | None:
        """Return the rendered page with a key; None if it was not rendered."""
        place = _parse_place(key, str(self._directory))
        path = archive_file(self._directory, place.file)
        return read_rendered(path, place.offset + place.length)

    def record(self, key: ArchiveKey) -> RecordView:
        """Return the record of a response without its body."""
        place = _parse_place(key, str(self._directory))
        path = archive_file(self._directory, place.file)
        return view_record(path, place.offset, place.length)

    def record_bytes(self, key: ArchiveKey) -> bytes:
        """Return the record as stored."""
        place = _parse_place(key, str(self._directory))
        return read_member(archive_file(self._directory, place.file), place.offset, place.length)

    def _read(self, place: WarcPlace, url: str) -> tuple[Page, str]:
        path = archive_file(self._directory, place.file)
        try:
            with open_private(path, "rb") as file:
                file.seek(place.offset)
                return read_record(file.read(place.length), url)
        except (OSError, ValueError, IndexError) as error:
            raise CollectionError(f"{path}: the page of {url} cannot be read ({error}).") from None

    def close(self) -> None:
        """Close the current file; what was not synced is lost, and truncated next time."""
        if self._file is not None:
            # A full disk, which the failed write has already reported.
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _open_for_append(self) -> IO[bytes]:
        if self._file is not None and self._end < LARGEST_FILE_BYTES:
            return self._file
        self.sync()
        self.close()
        make_directory(self._directory)
        newest = max((path.name for path in self._directory.glob("*.warc.gz")), default="")
        name = newest or _file_name(1)
        if newest and (self._directory / newest).stat().st_size >= LARGEST_FILE_BYTES:
            name = _file_name(int(newest.split("-")[1].split(".")[0]) + 1)
        self._name, self._file = name, open_private(self._directory / name, "ab")
        if self._file.tell() == 0:
            self._file.write(info_record(self._software, name))
        self._end = self._file.tell()
        return self._file


def key_of(file: str | None, offset: int | None, length: int | None) -> ArchiveKey | None:
    """Return the key of a record by its location; None if it was not archived."""
    return None if file is None else WarcPlace(file, offset or 0, length or 0).key


def place_of(key: str) -> WarcPlace:
    """Return the location that a key names."""
    file, offset, length = key.rsplit(":", 2)
    return WarcPlace(file, int(offset), int(length))


def end_of(mark: ArchiveMark) -> tuple[str, int]:
    """Return the file and the offset that a mark names."""
    file, _, offset = mark.rpartition(":")
    return file, int(offset)


def _parse_place(text: str, url: str) -> WarcPlace:
    try:
        return place_of(text)
    except ValueError:
        raise CollectionError(f"{url}: {text[:100]!r} is not a location in an archive.") from None


def _file_name(number: int) -> str:
    return f"telusur-{number:05d}.warc.gz"
