"""From rows of the catalogue to what the index takes: only the columns that it needs."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from telusur.adapters.document_row import unpack_headings
from telusur.index.contract import Anchor, IndexItem
from telusur.models import Document


class Row(NamedTuple):
    """A document of the catalogue, as far as the index is concerned."""

    seq: int
    not_indexed: str
    url_id: bytes
    url: str
    site: str
    fetched_at: float
    title: str
    date: str | None
    description: str
    keywords: str
    text: str
    language: str
    page_type: str
    headings: str
    topic: str


_SELECT = f"SELECT {', '.join(Row._fields)} FROM documents"  # noqa: S608 - names of ours


def read_rows_after(connection: sqlite3.Connection, seq: int, most: int) -> Iterator[Row]:
    """Yield the documents that changed after the one of this number, in the order of changes."""
    query = f"{_SELECT} WHERE seq > ? ORDER BY seq LIMIT ?"
    return map(Row._make, connection.execute(query, (seq, most)))


def read_rows_of(connection: sqlite3.Connection, url_ids: Iterable[bytes]) -> Iterator[Row]:
    """Yield documents as they are now, those that there are."""
    for url_id in url_ids:
        yield from map(
            Row._make, connection.execute(f"{_SELECT} WHERE url_id = ?", (url_id,)).fetchall()
        )


def make_item(row: Row, anchors: tuple[Anchor, ...] = ()) -> IndexItem:
    """Return a document as the index takes it."""
    document = Document(
        url=row.url, title=row.title, date=row.date, description=row.description,
        keywords=row.keywords, text=row.text, language=row.language, page_type=row.page_type,
        headings=unpack_headings(row.headings), topic=row.topic,
    )  # fmt: skip
    return IndexItem(row.url_id, row.url, document, row.site, row.fetched_at, anchors)
