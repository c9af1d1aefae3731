"""Fetches and duplicates of one page."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from telusur.backends.sqlite.operation_times import operations_column, unpack_operations
from telusur.backends.warc.archive import key_of
from telusur.crawl.urls.identity import normalize_url
from telusur.models import Reason, url_id_of
from telusur.store.views import CopyView, FetchView

MOST_COPIES = 50
_NEAR, _SAME, _CANONICAL = (
    f"{Reason.DUPLICATE}: near ",
    f"{Reason.DUPLICATE}: ",
    f"{Reason.CANONICAL}: ",
)


def read_fetches(connection: sqlite3.Connection, url_id: bytes, most: int) -> list[FetchView]:
    """Return the last fetches of a URL, the newest first."""
    rows = connection.execute(
        "SELECT fetched_at, seconds, status, reason, content_type, size_bytes,"  # noqa: S608
        f" warc_file, warc_offset, warc_length, {operations_column(connection)} FROM pages"
        " WHERE url_id = ? ORDER BY seq DESC LIMIT ?",
        (url_id, most),
    ).fetchall()
    return [_fetch_of(row) for row in rows]


def _fetch_of(row: tuple[Any, ...]) -> FetchView:
    *fetch, operations = row
    view = replace(FetchView(*fetch), key=key_of(*fetch[6:9]))
    view.operations.update(unpack_operations(operations))
    return view


def find_copies(connection: sqlite3.Connection, url_id: bytes) -> Iterator[CopyView]:
    """Yield duplicates and near-duplicates of a page, and the original that it repeats."""
    own = connection.execute(
        "SELECT url, digest, not_indexed FROM documents WHERE url_id = ?", (url_id,)
    ).fetchone()
    if own is None:
        return
    url, digest, not_indexed = own
    seen = {url}
    if original := _original_in(not_indexed):
        seen.add(original)
        yield CopyView(original, _title_of(connection, original), "original")
    queries = (
        ("same", "digest = ?", digest),
        ("near", "not_indexed = ?", f"{_NEAR}{url}"),
        ("same", "not_indexed = ?", f"{_SAME}{url}"),
        ("canonical", "not_indexed = ?", f"{_CANONICAL}{url}"),
    )
    for how, condition, value in queries:
        rows = connection.execute(
            f"SELECT url, title FROM documents WHERE {condition} AND url_id != ?"  # noqa: S608 - ours
            + (" AND not_indexed != ''" if "not_indexed" in condition else "")
            + " LIMIT ?",
            (value, url_id, MOST_COPIES),
        )
        for each, title in rows:
            if each not in seen:
                seen.add(each)
                yield CopyView(each, title, how)


def _original_in(not_indexed: str) -> str:
    """Return the URL of the original that a reason names; empty if it names none."""
    starts = (start for start in (_NEAR, _SAME, _CANONICAL) if not_indexed.startswith(start))
    return next((not_indexed.removeprefix(start) for start in starts), "")


def _title_of(connection: sqlite3.Connection, url: str) -> str:
    key = normalize_url(url)
    row = connection.execute(
        "SELECT title FROM documents WHERE url_id = ?", (url_id_of(key) if key else b"",)
    ).fetchone()
    return str(row[0]) if row else ""
