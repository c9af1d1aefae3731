"""Migrates an older collection to the current format, in one transaction."""

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from telusur.backends.sqlite.database.links_format_1 import unpack_links_1
from telusur.backends.sqlite.database.tables import (
    COPIES,
    CRAWL_BY_TIME,
    FORMAT,
    LINKS,
    SEEN,
    SITE_RECORDS,
    SITEMAPS,
    STRATEGY,
    URL_INDEXES,
    URLS,
)
from telusur.backends.sqlite.document_row import STORED, column_type
from telusur.backends.sqlite.seen.known_urls import GATHERED, SeenSet
from telusur.backends.sqlite.seen.runs import pack_value
from telusur.crawl.urls.link_record import pack_links

_LOG = logging.getLogger(__name__)
#: The tables and indexes that came with a format.
_NEW_TABLES = {3: COPIES, 4: STRATEGY, 5: SITEMAPS, 7: SITE_RECORDS}
_COLUMNS = (
    "seq, url_id, url, host_id, state, reason, score, depth, hops, tries, retry_at,"
    " parent, anchor, found_at, changed_at"
)


def migrate(connection: sqlite3.Connection, directory: Path) -> None:
    """Migrate step by step; a kill midway leaves the collection unchanged."""
    (urls,) = connection.execute("SELECT count(*) FROM urls").fetchone()
    _LOG.warning(
        "%s: converting %d URLs to format %d, once; you may interrupt it.", directory, urls, FORMAT
    )
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        (number,) = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        if number < 2:
            _from_1_to_2(connection)
        _add_document_columns(connection, number)
        for format_number, tables in _NEW_TABLES.items():
            if number < format_number:
                _execute_all(connection, tables)
        if number < 6:
            connection.execute("ALTER TABLE pages ADD COLUMN operations TEXT NOT NULL DEFAULT ''")
            _name_crawls(connection)
        connection.execute("UPDATE meta SET value = ? WHERE name = 'format'", (FORMAT,))


def _from_1_to_2(connection: sqlite3.Connection) -> None:
    _move_ids_into_runs(connection)
    _repack_links(connection)


def _add_document_columns(connection: sqlite3.Connection, number: int) -> None:
    """Add document fields that are newer than a format; old rows get the default."""
    for field in STORED:
        if field.since > number:
            connection.execute(
                f"ALTER TABLE documents ADD COLUMN {field.name} {column_type(field)}"
            )


def _name_crawls(connection: sqlite3.Connection) -> None:
    """Store which crawl fetched each page: the last one started before; one runs at a time."""
    connection.execute("ALTER TABLE pages ADD COLUMN crawl_id INTEGER")
    connection.execute(f"UPDATE pages SET crawl_id = {CRAWL_BY_TIME}")  # noqa: S608 - ours


def _move_ids_into_runs(connection: sqlite3.Connection) -> None:
    for index in ("urls_waiting", "urls_leased"):
        connection.execute(f"DROP INDEX {index}")
    connection.execute("ALTER TABLE urls RENAME TO urls_of_format_1")
    _execute_all(connection, URLS + SEEN)
    connection.execute(
        f"INSERT INTO urls ({_COLUMNS}) SELECT {_COLUMNS} FROM urls_of_format_1 ORDER BY seq"  # noqa: S608 - names of ours
    )
    connection.execute("DROP TABLE urls_of_format_1")
    _execute_all(connection, URL_INDEXES)
    seen = SeenSet(connection)
    for rows in _rows(connection):
        seen.add({url_id: pack_value(seq, depth) for seq, url_id, depth in rows}, rows[-1][0])


def _repack_links(connection: sqlite3.Connection) -> None:
    """Move the ids out of the link records, so that the graph is read without unpacking."""
    connection.execute("ALTER TABLE links RENAME TO links_of_format_1")
    _execute_all(connection, LINKS)
    last = b""
    while rows := connection.execute(
        "SELECT url_id, links FROM links_of_format_1 WHERE url_id > ? ORDER BY url_id LIMIT 500",
        (last,),
    ).fetchall():
        connection.executemany(
            "INSERT INTO links (url_id, targets, links) VALUES (?, ?, ?)",
            [(url_id, *_repacked(record)) for url_id, record in rows],
        )
        last = rows[-1][0]
    connection.execute("DROP TABLE links_of_format_1")


def _repacked(record: bytes) -> tuple[bytes, bytes]:
    targets, links = unpack_links_1(record)
    return targets, pack_links(links)


def _execute_all(connection: sqlite3.Connection, statements: str) -> None:
    """Execute one by one: `executescript` would end the transaction."""
    for statement in statements.split(";\n"):
        if statement.strip():
            connection.execute(statement)


def _rows(connection: sqlite3.Connection) -> Iterator[list[tuple[int, bytes, int]]]:
    last = -1
    while rows := connection.execute(
        "SELECT seq, url_id, depth FROM urls WHERE seq > ? ORDER BY seq LIMIT ?", (last, GATHERED)
    ).fetchall():
        yield rows
        last = rows[-1][0]
