"""Single WARC 1.1 records, each a gzip member of its own: writing them, and reading a page back."""

import base64
import datetime
import hashlib
import uuid
from functools import lru_cache
from typing import NamedTuple

from isal import isal_zlib

from telusur.crawl.secrets import shown_value
from telusur.crawl.unpacking import unpack
from telusur.models import Page, url_id_of

# zlib's number for a whole gzip member.
_GZIP = 31
_IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
# Headers that describe the framing of the connection, which is removed (RFC 9112 7).
_FRAMING = {"transfer-encoding": "X-Archive-Orig-Transfer-Encoding"}
_PLACE_FIELD = "Telusur-Refers-To-Place"


class Original(NamedTuple):
    """The record that has the payload of a revisit."""

    record_id: str
    url: str
    date: str
    place: str


class PackedExchange(NamedTuple):
    """The records of a response and its request, ready to be appended."""

    digest: str
    response_id: str
    date: str
    response: bytes
    request: bytes


def pack_exchange(page: Page) -> PackedExchange:
    """Return the records of one page, for an archive that does not have its payload yet."""
    exchange = Exchange(page)
    return exchange.packed(exchange.response())


class Exchange:
    """One page, with the fields that its records share."""

    def __init__(self, page: Page, digest: str = "") -> None:
        """Take the digest of the payload, if it is known."""
        self._page = page
        identity = url_id_of(f"{page.url} {page.fetched_at!r}")
        self.date = _timestamp(page.fetched_at)
        self.response_id = _record_id(identity)
        self._request_id = _record_id(identity[:-1] + bytes((identity[-1] ^ 1,)))
        self._conversion_id = _record_id(identity[:-1] + bytes((identity[-1] ^ 2,)))
        self._common = f"WARC-Target-URI: {page.url}\r\nWARC-Date: {self.date}\r\n"
        self.digest = digest or digest_of(page.body)

    def packed(self, response: bytes) -> PackedExchange:
        """Return this record of the response together with that of the request."""
        return PackedExchange(self.digest, self.response_id, self.date, response, self.request())

    def response(self) -> bytes:
        """Return the response record."""
        return _record(self._response_fields("response"), _http_response(self._page))

    def revisit(self, original: Original) -> bytes:
        """Return the revisit record: the response without its payload."""
        fields = (
            f"{self._response_fields('revisit')}WARC-Profile: {_IDENTICAL}\r\n"
            f"WARC-Refers-To: {original.record_id}\r\n"
            f"WARC-Refers-To-Target-URI: {original.url}\r\n"
            f"WARC-Refers-To-Date: {original.date}\r\n{_PLACE_FIELD}: {original.place}\r\n"
        )
        return _record(fields, (*_http_response(self._page)[:-1], b""))

    def request(self) -> bytes:
        """Return the request record."""
        fields = (
            f"WARC-Type: request\r\nWARC-Record-ID: {self._request_id}\r\n{self._common}"
            f"WARC-Concurrent-To: {self.response_id}\r\n"
            "Content-Type: application/http; msgtype=request\r\n"
        )
        return _record(fields, (_http_request(self._page),))

    def conversion(self, html: bytes) -> bytes:
        """Return the conversion record: the rendered page, in UTF-8."""
        fields = (
            f"WARC-Type: conversion\r\nWARC-Record-ID: {self._conversion_id}\r\n{self._common}"
            f"WARC-Refers-To: {self.response_id}\r\nWARC-Block-Digest: {digest_of(html)}\r\n"
            "Content-Type: text/html; charset=utf-8\r\n"
        )
        return _record(fields, (html,))

    def _response_fields(self, kind: str) -> str:
        page = self._page
        address = f"WARC-IP-Address: {page.address}\r\n" if page.address else ""
        truncated = "WARC-Truncated: length\r\n" if page.truncated else ""
        return (
            f"WARC-Type: {kind}\r\nWARC-Record-ID: {self.response_id}\r\n{self._common}"
            "Content-Type: application/http; msgtype=response\r\n"
            f"WARC-Payload-Digest: {self.digest}\r\n{address}{truncated}"
        )


def info_record(software: str, name: str) -> bytes:
    """Return the record that begins a file."""
    now = _timestamp(datetime.datetime.now(datetime.UTC).timestamp())
    fields = (
        f"WARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid4()}>\r\n"
        f"WARC-Date: {now}\r\nWARC-Filename: {name}\r\nContent-Type: application/warc-fields\r\n"
    )
    info = f"software: {software}\r\nformat: WARC File Format 1.1\r\n"
    return _record(fields, (info.encode(),))


def read_record(member: bytes, url: str) -> tuple[Page, str]:
    """Return the page of a record, and where its payload is if another record has it.

    Raises ValueError if the bytes are not a record.
    """
    record = unpack(member, _GZIP)
    fields, _, block = record.partition(b"\r\n\r\n")
    head, _, body = block[:-4].partition(b"\r\n\r\n")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    headers = tuple((n, v.strip()) for n, _, v in (line.partition(":") for line in lines))
    status = int(status_line.split(" ", 2)[1])
    page = Page(url=url, status=status, headers=headers, body=body, status_line=status_line)
    _, _, place = fields.decode("utf-8", "replace").partition(f"\r\n{_PLACE_FIELD}: ")
    return page, place.partition("\r\n")[0]


def _record(fields: str, block: tuple[bytes, ...]) -> bytes:
    length = sum(map(len, block))
    head = f"WARC/1.1\r\n{fields}Content-Length: {length}\r\n\r\n".encode()
    return isal_zlib.compress(b"".join((head, *block, b"\r\n\r\n")), 1, _GZIP)


def _timestamp(seconds: float) -> str:
    whole = int(seconds // 1)
    return f"{_second(whole)}.{int((seconds - whole) * 1_000_000):06d}Z"


@lru_cache(maxsize=64)
def _second(seconds: int) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _record_id(identity: bytes) -> str:
    """Return 128 bits as the name of a record, in the form of a random UUID."""
    digits = identity.hex()
    tail = f"{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
    return f"<urn:uuid:{digits[:8]}-{digits[8:12]}-4{tail}>"


def digest_of(data: bytes) -> str:
    """Return the digest of a payload as records name it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def _http_response(page: Page) -> tuple[bytes, bytes]:
    lines = [f"{page.status_line or f'HTTP/1.1 {page.status}'}\r\n"]
    lines += [f"{_FRAMING.get(k.lower(), k)}: {v}\r\n" for k, v in page.headers]
    lines.append("\r\n")
    return "".join(lines).encode("latin-1", "replace"), page.body


def _http_request(page: Page) -> bytes:
    host, _, path = page.url.split("://", 1)[1].partition("/")
    lines = [f"GET /{path} HTTP/1.1\r\nHost: {host}\r\n"]
    lines += [
        f"{name}: {shown_value(name, value)}\r\n"
        for name, value in page.request_headers
        # A header without a value is not sent.
        if value
    ]
    return "".join(lines).encode("utf-8") + b"\r\n"
