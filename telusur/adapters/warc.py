"""The archive as WARC 1.1 files: every response as received, one gzip member a record."""

import base64
import datetime
import hashlib
import os
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from isal import igzip

from telusur.errors import CollectionError
from telusur.models import Page, url_id_of

LARGEST_FILE_BYTES = 1_000_000_000
# Headers that describe the connection's framing; the stored body has lost it (RFC 9112 7).
_FRAMING = {"transfer-encoding": "X-Archive-Orig-Transfer-Encoding"}


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

    def cut_behind(self, end: tuple[str, int] | None) -> None:
        """Drop what was written after the last commit: `end` is the file and offset it named."""
        for path in sorted(self._directory.glob("*.warc.gz")):
            if end is None or path.name > end[0]:
                path.unlink()
            elif path.name == end[0] and path.stat().st_size > end[1]:
                os.truncate(path, end[1])

    def append(self, page: Page) -> Place:
        """Write request and response of one page; return the place of the response."""
        file = self._open_for_append()
        target, when = page.url, _timestamp(page.fetched_at)
        fetch_id = url_id_of(f"{target} {page.fetched_at!r}")
        response_id = _record_id(fetch_id, b"response")
        common = {"WARC-Target-URI": target, "WARC-Date": when}
        response = _http_response(page)
        fields = {
            "WARC-Type": "response",
            "WARC-Record-ID": response_id,
            **common,
            "Content-Type": "application/http; msgtype=response",
            "WARC-Payload-Digest": _digest(page.body),
        }
        if page.address:
            fields["WARC-IP-Address"] = page.address
        if page.truncated:
            fields["WARC-Truncated"] = "length"
        offset = file.tell()
        _write_record(file, fields, response)
        place = Place(Path(file.name).name, offset, file.tell() - offset)
        request_fields = {
            "WARC-Type": "request",
            "WARC-Record-ID": _record_id(fetch_id, b"request"),
            **common,
            "WARC-Concurrent-To": response_id,
            "Content-Type": "application/http; msgtype=request",
        }
        _write_record(file, request_fields, _http_request(page))
        return place

    def sync(self) -> tuple[str, int] | None:
        """Force everything to disk; return the end of the archive: file name and offset."""
        if self._file is None:
            return None
        self._file.flush()
        os.fsync(self._file.fileno())
        return Path(self._file.name).name, self._file.tell()

    def read(self, place: Place, url: str) -> Page:
        """Return the page stored at `place`."""
        path = self._directory / place.file
        try:
            with path.open("rb") as file:
                file.seek(place.offset)
                record: bytes = igzip.decompress(file.read(place.length))  # type: ignore[no-untyped-call]
        except (OSError, EOFError) as error:
            raise CollectionError(f"{path}: the page of {url} cannot be read ({error}).") from None
        _, _, block = record.partition(b"\r\n\r\n")
        return _page_of(block[:-4], url)

    def close(self) -> None:
        """Close the file being written; what was not synced is lost, and cut off next time."""
        if self._file is not None:
            with suppress(OSError):  # a full disk, which the failed write has told already
                self._file.close()
            self._file = None

    def _open_for_append(self) -> IO[bytes]:
        if self._file is not None and self._file.tell() < LARGEST_FILE_BYTES:
            return self._file
        self.close()
        self._directory.mkdir(exist_ok=True)
        newest = max((path.name for path in self._directory.glob("*.warc.gz")), default="")
        name = newest or _file_name(1)
        if newest and (self._directory / newest).stat().st_size >= LARGEST_FILE_BYTES:
            name = _file_name(int(newest.split("-")[1].split(".")[0]) + 1)
        self._file = (self._directory / name).open("ab")
        if self._file.tell() == 0:
            self._write_info(self._file, name)
        return self._file

    def _write_info(self, file: IO[bytes], name: str) -> None:
        info = f"software: {self._software}\r\nformat: WARC File Format 1.1\r\n"
        fields = {
            "WARC-Type": "warcinfo",
            "WARC-Record-ID": f"<urn:uuid:{uuid.uuid4()}>",
            "WARC-Date": _timestamp(datetime.datetime.now(datetime.UTC).timestamp()),
            "WARC-Filename": name,
            "Content-Type": "application/warc-fields",
        }
        _write_record(file, fields, info.encode())


def _file_name(number: int) -> str:
    return f"telusur-{number:05d}.warc.gz"


def _write_record(file: IO[bytes], fields: dict[str, str], block: bytes) -> None:
    fields["Content-Length"] = str(len(block))
    head = "WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    file.write(igzip.compress(b"".join((head.encode(), b"\r\n", block, b"\r\n\r\n")), 1))


def _timestamp(seconds: float) -> str:
    moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _record_id(fetch_id: bytes, kind: bytes) -> str:
    return f"<urn:uuid:{uuid.uuid5(uuid.UUID(bytes=fetch_id), kind.decode())}>"


def _digest(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def _http_response(page: Page) -> bytes:
    lines = [f"{page.status_line or f'HTTP/1.1 {page.status}'}\r\n"]
    lines += [f"{_FRAMING.get(k.lower(), k)}: {v}\r\n" for k, v in page.headers]
    return "".join(lines).encode("latin-1", "replace") + b"\r\n" + page.body


def _http_request(page: Page) -> bytes:
    path = "/" + page.url.split("://", 1)[1].partition("/")[2]
    host = page.url.split("://", 1)[1].partition("/")[0]
    lines = [f"GET {path} HTTP/1.1\r\nHost: {host}\r\n"]
    lines += [f"{name}: {value}\r\n" for name, value in page.request_headers]
    return "".join(lines).encode("utf-8") + b"\r\n"


def _page_of(block: bytes, url: str) -> Page:
    head, _, body = block.partition(b"\r\n\r\n")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = tuple((n, v.strip()) for n, _, v in (line.partition(":") for line in lines))
    status = int(status_line.split(" ", 2)[1])
    return Page(url=url, status=status, headers=headers, body=body, status_line=status_line)
