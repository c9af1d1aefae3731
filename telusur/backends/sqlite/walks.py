"""Long walks over the catalogue, for exports and search in columns."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from telusur.backends.sqlite.database.tables import CRAWL_BY_TIME
from telusur.backends.sqlite.document_row import STORED, decode, selected
from telusur.backends.sqlite.frontier.intake import STATES
from telusur.backends.sqlite.sitemaps import has_sitemaps
from telusur.document_table import SEARCHED
from telusur.documents import as_json

# Where each of `PAGE_FIELDS` comes from.
_OF_PAGES = {
    "url": "urls.url", "status": "last.status", "state": "urls.state", "reason": "urls.reason",
    "depth": "urls.depth", "parent": "parents.url", "fetched_at": "last.fetched_at",
    "download_seconds": "last.seconds", "content_type": "last.content_type",
    "size_bytes": "last.size_bytes", "crawl_id": "last.crawl_id",
}  # fmt: skip
_EXPORTED = {field.name: field for field in STORED if field.name not in _OF_PAGES}
_PAGES = """
SELECT {columns}
FROM pages AS last
JOIN urls ON urls.seq = seq_of(last.url_id)
LEFT JOIN urls AS parents ON parents.seq = seq_of(urls.parent)
LEFT JOIN documents ON documents.url_id = last.url_id
WHERE last.final = 1 {no_sitemaps}
  AND NOT EXISTS (
    SELECT 1 FROM pages AS later WHERE later.url_id = last.url_id AND later.seq > last.seq
  )
ORDER BY last.seq
"""


def walk_pages(cursor: sqlite3.Cursor, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the fetched pages in fetch order: these fields of each, names of `EXPORTED`."""
    fields = [_EXPORTED[name] for name in names if name in _EXPORTED]
    found = selected(fields, cursor.connection)
    sources = _OF_PAGES | {f.name: sql for f, sql in zip(fields, found, strict=True)}
    if "crawl_id" not in {row[1] for row in cursor.execute("PRAGMA table_info(pages)")}:
        sources["crawl_id"] = CRAWL_BY_TIME.replace("fetched_at", "last.fetched_at")
    columns = ", ".join(f"{sources[name]} AS {name}" for name in names)
    known = has_sitemaps(cursor.connection)
    no_sitemaps = "AND urls.seq NOT IN (SELECT seq FROM sitemaps)" if known else ""
    for row in cursor.execute(_PAGES.format(columns=columns, no_sitemaps=no_sitemaps)):
        record = dict(row)
        for field in fields:
            record[field.name] = as_json(decode(field.name, record[field.name]))
        if "state" in record:
            record["state"] = str(STATES[record["state"]])
        yield record


def walk_columns(cursor: sqlite3.Cursor, names: Sequence[str]) -> Iterator[sqlite3.Row]:
    """Yield the indexed documents in the order they came in: these columns, by name."""
    wanted = dict.fromkeys(("url", "title", "date", "language", *names))
    fields = [SEARCHED[name] for name in wanted]
    sources = zip(selected(fields, cursor.connection), wanted, strict=True)
    listed = ", ".join(f"{source} AS {name}" for source, name in sources)
    yield from cursor.execute(
        f"SELECT {listed} FROM documents WHERE not_indexed = '' ORDER BY seq"  # noqa: S608
    )


def walk_urls(cursor: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    """Yield all known URLs, in the order they were found."""
    for row in cursor.execute("SELECT url, state, reason FROM urls ORDER BY seq"):
        yield {"url": row["url"], "state": str(STATES[row["state"]]), "reason": row["reason"]}
