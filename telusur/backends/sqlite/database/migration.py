"""Bringing an older collection to the format of today: in one transaction, or not at all."""

import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from telusur.adapters.links_format_1 import unpack_links_1
from telusur.adapters.seen_runs import pack_value
from telusur.adapters.seen_set import GATHERED, SeenSet
from telusur.adapters.sqlite_tables import (
    COPIES,
    FORMAT,
    LINKS,
    SEEN,
    SITEMAPS,
    STRATEGY,
    URL_INDEXES,
    URLS,
)
from telusur.crawl.link_record import pack_links

_LOG = logging.getLogger(__name__)
_COLUMNS = (
    "seq, url_id, url, host_id, state, reason, score, depth, hops, tries, retry_at,"
    " parent, anchor, found_at, changed_at"
)


def migrate(connection: sqlite3.Connection, directory: Path) -> None:
    """Migrate step by step; killed midway, the collection is as it was before."""
    (urls,) = connection.execute("SELECT count(*) FROM urls").fetchone()
    _LOG.warning(
        "%s: bringing %d URLs to format %d, once; it may be interrupted.", directory, urls, FORMAT
    )
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        (number,) = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        if number < 2:
            _from_1_to_2(connection)
        if number < 3:
            _from_2_to_3(connection)
        if number < 4:
            _from_3_to_4(connection)
        if number < 5:
            _execute_all(connection, SITEMAPS)
        connection.execute("UPDATE meta SET value = ? WHERE name = 'format'", (FORMAT,))


def _from_1_to_2(connection: sqlite3.Connection) -> None:
    _move_ids_into_runs(connection)
    _repack_links(connection)


def _from_2_to_3(connection: sqlite3.Connection) -> None:
    for column in ("page_type", "fields", "headings"):
        connection.execute(f"ALTER TABLE documents ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
    _execute_all(connection, COPIES)


def _from_3_to_4(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE documents ADD COLUMN topic_score REAL")
    connection.execute("ALTER TABLE documents ADD COLUMN topic TEXT NOT NULL DEFAULT ''")
    _execute_all(connection, STRATEGY)


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
    """Take the ids out of the records, so that the graph can be read without unpacking them."""
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
