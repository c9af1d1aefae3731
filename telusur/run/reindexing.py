"""Extracting again what the archive has: new documents of old pages, and nothing is fetched."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

from telusur.adapters.document_row import unpack_fields
from telusur.adapters.sqlite_catalogue import SqliteCatalogue
from telusur.adapters.sqlite_reader import SqliteReader
from telusur.crawl.discovery import Discovery
from telusur.crawl.scope import Scope
from telusur.run.parsing import PageParser, ParseJob
from telusur.settings import CrawlSettings

BATCH = 100
_NEXT = "SELECT * FROM documents WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"


def extract_again(
    directory: Path, connection: sqlite3.Connection, report: Callable[[int], None] | None = None
) -> int:
    """Extract every document anew from its archived page; return how many.

    Whether a page is indexed, and why not, stays as it is. Documents that did not come from a
    crawl stay too. Killed midway, some documents are new and some old; each is whole.
    """
    parser = _make_parser(connection)
    catalogue = SqliteCatalogue(connection)
    reader = SqliteReader(directory)
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    (newest,) = connection.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
    position = count = 0
    try:
        while rows := cursor.execute(_NEXT, (position, newest, BATCH)).fetchall():
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                count += sum(_renew(row, parser, catalogue, reader) for row in rows)
            position = rows[-1]["seq"]
            if report is not None:
                report(count)
    finally:
        reader.close()
    return count


def _make_parser(connection: sqlite3.Connection) -> PageParser:
    """Return a parser with the settings of the last crawl that matter to it."""
    row = connection.execute("SELECT settings FROM crawls ORDER BY id DESC LIMIT 1").fetchone()
    content = json.loads(row[0]).get("content", "") if row else ""
    settings = CrawlSettings(scope="any")
    return PageParser(
        Discovery(Scope([], settings)),
        content or settings.content,
        settings.max_bytes,
        wants_signature=False,
    )


def _renew(
    row: sqlite3.Row, parser: PageParser, catalogue: SqliteCatalogue, reader: SqliteReader
) -> bool:
    """Write a document anew; tell whether the archive has its page."""
    url_id = row["url_id"]
    page = reader.page(url_id, row["url"])
    if page is None:
        return False
    job = ParseJob.of(page, 0, wants_sample=False)
    rendered = reader.rendered(url_id)
    if rendered is not None:
        job = job._replace(rendered=rendered.decode("utf-8", "replace"))
    parsed = parser.parse(job)
    if parsed.document is None:
        return False
    parsed.document.url = row["url"]
    parsed.document.fields = unpack_fields(row["fields"])
    catalogue.put_document(
        url_id, parsed.document, site=row["site"], fetched_at=row["fetched_at"],
        digest=parsed.digest, canonical=row["canonical"], not_indexed=row["not_indexed"],
    )  # fmt: skip
    if parsed.links:
        catalogue.put_links(url_id, parsed.targets, parsed.links)
    return True
