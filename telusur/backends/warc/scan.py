"""Reads a WARC file from start to end, one record at a time, and checks each record."""

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from isal import isal_zlib

from telusur.store.problems import Tick

_READ_BYTES = 64 * 1024
_PIECE_BYTES = 1024 * 1024
_MOST_OF_HEAD = 1024 * 1024
_END = b"\r\n\r\n"
_MEMBER = b"\x1f\x8b\x08"
# Python refuses to read numbers of thousands of digits.
_MOST_DIGITS = 18
# Digests that are as long for every input; a stranger may name any other.
_ALGORITHMS = frozenset(("md5", "sha1", "sha224", "sha256", "sha384", "sha512"))
_BROKEN: Any = isal_zlib.error


@dataclass(slots=True)
class ScannedRecord:
    """A record in its file; `problem` says what is wrong with it, if anything."""

    offset: int
    length: int = 0
    kind: str = ""
    url: str = ""
    status: int | None = None
    problem: str = ""


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def digest(self) -> bytes: ...


class _DamageError(Exception):
    """The bytes are not a record."""


def scan_records(path: Path, end: int, tick: Tick) -> Iterator[ScannedRecord]:
    """Yield each record up to byte `end`; after a damaged one, continue at the next.

    Memory is bounded: a record is inflated in pieces, and its payload only hashed.
    """
    with path.open("rb") as file:
        offset = 0
        while offset < end:
            record = ScannedRecord(offset)
            try:
                record.length = _read_record(file, record, end)
            except _DamageError as error:
                record.problem = str(error)
                record.length = _find_member(file, offset + 1, end) - offset
            yield record
            tick(record.length)
            offset += record.length


def _read_record(file: IO[bytes], record: ScannedRecord, end: int) -> int:
    """Fill in the fields of the record; return the length of its gzip member."""
    member = _Member(file, record.offset, end)
    fields = _fields(member.take_head())
    if not fields.pop("", "").startswith("WARC/1."):
        raise _DamageError("does not start like a WARC record")
    record.kind = fields.get("warc-type", "")
    record.url = fields.get("warc-target-uri", "").strip("<>")
    digest = fields.get("warc-payload-digest", "") if record.kind == "response" else ""
    length = fields.get("content-length", "")
    if not length.isdecimal() or len(length) > _MOST_DIGITS:
        raise _DamageError("has no length")
    left = int(length)
    if record.kind in ("response", "revisit"):
        head = member.take_head()
        left -= len(head) + len(_END)
        record.status = _status(head)
    _read_payload(member, left, digest, record)
    if member.rest() != _END:
        raise _DamageError("does not have the length it states")
    return member.length


def _read_payload(member: "_Member", left: int, digest: str, record: ScannedRecord) -> None:
    algorithm, _, stated = digest.partition(":")
    known: _Hash | None = None
    if algorithm in _ALGORITHMS:
        known = hashlib.new(algorithm, usedforsecurity=False)
    while left > 0:
        piece = member.take(min(left, _PIECE_BYTES))
        left -= len(piece)
        if known is not None:
            known.update(piece)
    if known is not None and stated not in _spellings(known.digest()):
        record.problem = "has content that does not match its digest"


def _spellings(digest: bytes) -> tuple[str, str]:
    return base64.b32encode(digest).decode(), digest.hex()


def _fields(head: bytes) -> dict[str, str]:
    """Return header fields by lower-case name; the first line is under the empty one."""
    first, *lines = head.decode("utf-8", "replace").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return {"": first} | {name.strip().lower(): value.strip() for name, _, value in pairs}


def _status(head: bytes) -> int | None:
    words = head[:200].split(None, 2)
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else None


class _Member:
    """One gzip member, inflated on demand."""

    def __init__(self, file: IO[bytes], offset: int, end: int) -> None:
        self._file = file
        self._start = self._at = offset
        self._end = end
        self._stream = isal_zlib.decompressobj(wbits=31)
        self._feed = b""
        self._buffer = bytearray()
        self.length = 0
        file.seek(offset)

    def take_head(self) -> bytes:
        """Return the bytes before the next empty line."""
        searched = 0
        while (at := self._buffer.find(_END, max(0, searched - 3))) < 0:
            searched = len(self._buffer)
            if searched > _MOST_OF_HEAD or not self._more():
                raise _DamageError("has a header without an end")
        head = bytes(self._buffer[:at])
        del self._buffer[: at + len(_END)]
        return head

    def take(self, most: int) -> bytes:
        """Return some bytes, at least one."""
        if not self._buffer and not self._more():
            raise _DamageError("does not have the length it states")
        piece = bytes(self._buffer[:most])
        del self._buffer[:most]
        return piece

    def rest(self) -> bytes:
        """Return the rest; afterwards the length of the member is known."""
        while len(self._buffer) < _MOST_OF_HEAD and self._more():
            pass
        self.length = self._at - len(self._stream.unused_data) - self._start
        return bytes(self._buffer)

    def _more(self) -> bool:
        """Inflate another piece; False at the end of the member."""
        while not self._stream.eof:
            feed = self._feed or self._read()
            try:
                piece = self._stream.decompress(feed, _PIECE_BYTES)
            except _BROKEN as error:
                raise _DamageError("cannot be decompressed") from error
            self._feed = self._stream.unconsumed_tail
            if piece:
                self._buffer += piece
                return True
        return False

    def _read(self) -> bytes:
        data = self._file.read(min(_READ_BYTES, self._end - self._at))
        if not data:
            raise _DamageError("is cut off")
        self._at += len(data)
        return data


def _find_member(file: IO[bytes], start: int, end: int) -> int:
    """Return where the next record begins, or the end."""
    file.seek(start)
    before, at = b"", start
    while at < end and (data := file.read(min(_READ_BYTES, end - at))):
        window, base = before + data, at - len(before)
        found = window.find(_MEMBER)
        while found >= 0:
            if _is_record(file, base + found, end):
                return base + found
            found = window.find(_MEMBER, found + 1)
        at += len(data)
        before = window[-2:]
        file.seek(at)
    return end


def _is_record(file: IO[bytes], offset: int, end: int) -> bool:
    try:
        return _Member(file, offset, end).take(5) == b"WARC/"
    except _DamageError:
        return False
