"""A response as a WARC 1.1 record, to look at or download."""

import base64
import datetime
import hashlib
import uuid

from telusur.models import Page, url_id_of

Pairs = tuple[tuple[str, str], ...]

_LINE = "\r\n"
_END = b"\r\n\r\n"


def make_record(page: Page) -> bytes:
    """Return a response record: fields, status line, headers, and the body as received."""
    headers = [f"{name}: {value}" for name, value in page.headers]
    head = _LINE.join([page.status_line, *headers]).encode("latin-1", "replace")
    block = head + _END + page.body
    digest = base64.b32encode(hashlib.sha1(page.body, usedforsecurity=False).digest()).decode()
    date = datetime.datetime.fromtimestamp(page.fetched_at, datetime.UTC)
    identity = url_id_of(f"{page.url} {page.fetched_at!r}")
    fields = [
        "WARC/1.1",
        "WARC-Type: response",
        f"WARC-Record-ID: <urn:uuid:{uuid.UUID(bytes=identity)}>",
        f"WARC-Target-URI: {page.url}",
        f"WARC-Date: {date:%Y-%m-%dT%H:%M:%SZ}",
        f"WARC-Payload-Digest: sha1:{digest}",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(block)}",
    ]
    return _LINE.join(fields).encode() + _END + block + _END


def split_record(record: bytes) -> tuple[Pairs, str, Pairs]:
    """Return the fields of a record, and the status line and headers of the response in it."""
    fields, _, block = record.partition(_END)
    head, _, _ = block.partition(_END)
    status_line, *headers = head.decode("latin-1").split(_LINE)
    return _pairs(fields.decode().split(_LINE)[1:]), status_line, _pairs(headers)


def _pairs(lines: list[str]) -> Pairs:
    split = (line.partition(":") for line in lines)
    return tuple((name.strip(), value.strip()) for name, _, value in split)
