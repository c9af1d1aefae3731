"""The catalogue in SQLite: pages, documents and links as the recorder writes them."""

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from telusur.backends.sqlite.database.links_format_1 import unpack_links_1
from telusur.backends.sqlite.database.tables import BY_TOPIC
from telusur.backends.sqlite.document_row import put_statement, values_of
from telusur.backends.sqlite.marks import put_mark
from telusur.backends.sqlite.operation_times import pack_operations
from telusur.backends.warc.archive import place_of
from telusur.crawl.hosts.politeness import Clock
from telusur.crawl.urls.link_record import unpack_links
from telusur.models import Document, MarkedPage, Page, Reason
from telusur.store.records import (
    NO_OPERATIONS,
    ArchiveKey,
    ArchiveMark,
    CrawlRecord,
    StoredLink,
    StoredRobots,
    Twin,
)

#: Facts about style sheets begin with this.
STYLE_SHEET = "style sheet "
_PUT_DOCUMENT = put_statement(
    ("url_id", "site", "fetched_at", "digest", "canonical", "not_indexed")
)


class SqliteCatalogue:
    """Implements `telusur.store.catalogue.Catalogue`; the caller owns transactions."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock = time.time) -> None:
        self._db = connection
        self._clock = clock

    def put_fetch(
        self, url_id: bytes, page: Page, key: ArchiveKey | None, *, size_bytes: int, reason: str,
        is_final: bool, operations: Mapping[str, float] = NO_OPERATIONS,
        crawl_id: int | None = None,
    ) -> None:  # fmt: skip
        """Record a finished fetch; it is not final if the URL will be retried."""
        file, offset, length = (None, None, None) if key is None else place_of(key)
        self._db.execute(
            "INSERT INTO pages (url_id, fetched_at, seconds, status, reason, content_type,"
            " size_bytes, truncated, final, warc_file, warc_offset, warc_length, operations,"
            " crawl_id) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (url_id, page.fetched_at, page.seconds, page.status, reason, page.content_type,
             size_bytes, page.truncated, is_final, file, offset, length,
             pack_operations(operations), crawl_id),
        )  # fmt: skip

    # Crawls

    def begin_crawl(
        self, settings: Mapping[str, Any], start_urls: Sequence[str], *, has_topic: bool
    ) -> int:
        """Record a crawl that starts now; return its id."""
        if has_topic:
            self._db.execute(BY_TOPIC)
        cursor = self._db.execute(
            "INSERT INTO crawls (started_at, settings, start_urls) VALUES (?, ?, ?)",
            (self._clock(), json.dumps(settings), json.dumps(start_urls)),
        )
        return int(cursor.lastrowid or 0)

    def end_crawl(self, crawl_id: int, outcome: str) -> None:
        """Record how a crawl ended."""
        self._db.execute(
            "UPDATE crawls SET ended_at = ?, outcome = ? WHERE id = ?",
            (self._clock(), outcome, crawl_id),
        )

    def last_crawl(self) -> CrawlRecord | None:
        """Return the crawl that was started last."""
        row = self._db.execute(
            "SELECT started_at, ended_at, outcome, start_urls, settings FROM crawls"
            " ORDER BY id DESC LIMIT 1"
        ).fetchone()
        if row is None:
            return None
        started_at, ended_at, outcome, start_urls, settings = row
        urls = tuple(json.loads(start_urls))
        return CrawlRecord(started_at, ended_at, outcome, urls, json.loads(settings))

    def answered_urls(self) -> Iterator[str]:
        """Walk over the URLs of pages that were answered and will not be retried."""
        rows = self._db.execute(
            "SELECT url FROM urls WHERE state IN (2, 3, 4)"
            " AND seq NOT IN (SELECT seq FROM sitemaps)"
            " AND url_id IN (SELECT url_id FROM pages WHERE status IS NOT NULL)"
        )
        for (url,) in rows:
            yield url

    def put_limits(self, limits: Mapping[str, Any]) -> None:
        """Change settings of the crawl that was started last."""
        (settings,) = self._db.execute(
            "SELECT settings FROM crawls ORDER BY id DESC LIMIT 1"
        ).fetchone()
        self._db.execute(
            "UPDATE crawls SET settings = ? WHERE id = (SELECT max(id) FROM crawls)",
            (json.dumps(json.loads(settings) | dict(limits)),),
        )

    def put_document(
        self, url_id: bytes, document: Document, *, site: str, fetched_at: float, digest: bytes,
        canonical: bytes | None, not_indexed: str,
    ) -> None:  # fmt: skip
        """Store the current document of a URL; the indexer sees it by its new number."""
        row = (url_id, site, fetched_at, digest, canonical, not_indexed)
        self._db.execute(_PUT_DOCUMENT, (*row, *values_of(document, url_id)))

    # Documents

    def renew_document(self, url_id: bytes, document: Document, digest: bytes) -> None:
        """Replace a document by a new extraction of the same page; followers see it."""
        site, fetched_at, canonical, not_indexed = self._db.execute(
            "SELECT site, fetched_at, canonical, not_indexed FROM documents WHERE url_id = ?",
            (url_id,),
        ).fetchone()
        self.put_document(
            url_id, document, site=site, fetched_at=fetched_at, digest=digest,
            canonical=canonical, not_indexed=not_indexed,
        )  # fmt: skip

    def depth_of(self, url_id: bytes) -> int | None:
        """Return the depth of a URL; None if no crawl found it."""
        row = self._db.execute("SELECT depth FROM urls WHERE seq = seq_of(?)", (url_id,)).fetchone()
        return None if row is None else int(row[0])

    def put_mark(self, url_id: bytes, mark: MarkedPage) -> None:
        """Store that the user marked a page as good or bad."""
        put_mark(self._db, url_id, mark)

    def forget_mark(self, url_id: bytes) -> None:
        """Remove the mark of a page."""
        self._db.execute("DELETE FROM marks WHERE url_id = ?", (url_id,))

    def twin_of(self, url_id: bytes, digest: bytes) -> Twin | None:
        """Return another indexed document with the same title and text."""
        row = self._db.execute(
            "SELECT url_id, url, canonical FROM documents"
            " WHERE digest = ? AND url_id != ? AND not_indexed = ''",
            (digest, url_id),
        ).fetchone()
        return Twin(*row) if row else None

    def take_out_of_index(self, url_id: bytes, reason: str) -> None:
        """Take a document out of the index; the indexer sees it by its new number."""
        newest_query = "SELECT coalesce(max(seq), 0) FROM documents"
        (newest,) = self._db.execute(newest_query).fetchone()
        self._db.execute(
            "UPDATE documents SET not_indexed = ?, seq = ? WHERE url_id = ?",
            (reason, newest + 1, url_id),
        )
        self._db.execute("UPDATE urls SET reason = ? WHERE seq = seq_of(?)", (reason, url_id))

    def settle_canonicals(self) -> int:
        """Take pages that name another page as their original out of the index.

        The name is a hint: it counts when that page was fetched, is a document of its own, and
        does not point back. Return how many documents changed.
        """
        rows = self._db.execute(
            "SELECT copy.url_id, original.url FROM documents AS copy"
            " JOIN documents AS original ON original.url_id = copy.canonical"
            " WHERE copy.not_indexed = '' AND original.not_indexed = ''"
            " AND original.canonical IS NULL"
        ).fetchall()
        for url_id, original in rows:
            self.take_out_of_index(url_id, f"{Reason.CANONICAL}: {original}")
        return len(rows)

    def put_links(self, url_id: bytes, targets: bytes, record: bytes) -> None:
        """Store the links of a page: the ids of the targets, and the packed links."""
        self._db.execute(
            "INSERT OR REPLACE INTO links (url_id, targets, links) VALUES (?, ?, ?)",
            (url_id, targets, record),
        )

    def links_of(self, url_id: bytes) -> list[StoredLink]:
        """Return the links of a page."""
        row = self._db.execute("SELECT * FROM links WHERE url_id = ?", (url_id,)).fetchone()
        if row is None:
            return []
        # A collection of format 1 that was not migrated.
        if len(row) == 2:
            targets, links = unpack_links_1(row[1])
        else:
            targets, links = row[1], unpack_links(row[2])
        return [
            StoredLink(targets[16 * number : 16 * number + 16], link)
            for number, link in enumerate(links)
        ]

    def targets_of(self, url_id: bytes) -> list[bytes]:
        """Return the ids of the pages that a page links to, for the writer."""
        row = self._db.execute("SELECT targets FROM links WHERE url_id = ?", (url_id,)).fetchone()
        targets = row[0] if row else b""
        return [targets[at : at + 16] for at in range(0, len(targets), 16)]

    def put_robots(self, host: str, data: bytes, status: int | None, at: float) -> None:
        """Store a host's robots.txt and the status of the response."""
        self._db.execute(
            "UPDATE hosts SET robots = ?, robots_status = ?, robots_at = ? WHERE host = ?",
            (data, status, at, host),
        )

    def robots_of(self, host: str) -> StoredRobots | None:
        """Return a host's robots.txt, if it was ever requested."""
        row = self._db.execute(
            "SELECT robots, robots_status, robots_at FROM hosts"
            " WHERE host = ? AND robots_at IS NOT NULL",
            (host,),
        ).fetchone()
        return StoredRobots(row[0] or b"", row[1], row[2]) if row else None

    def put_style_sheet(self, url: str, key: ArchiveKey | None) -> None:
        """Store that a style sheet was asked for, and its response."""
        self.put_fact(f"{STYLE_SHEET}{url}", (key or "").encode())

    def has_style_sheet(self, url: str) -> bool:
        """Tell whether a style sheet was asked for under this URL."""
        return self.fact(f"{STYLE_SHEET}{url}") is not None

    def fact(self, name: str) -> bytes | None:
        """Return a fact about the collection, if it is known."""
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def put_fact(self, name: str, value: bytes) -> None:
        """Store a fact about the collection."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def site_record(self, site: str) -> bytes | None:
        """Return what was learned about a site, if anything was."""
        query = "SELECT record FROM site_records WHERE site = ?"
        row = self._db.execute(query, (site,)).fetchone()
        return row[0] if row else None

    def put_site_record(self, site: str, record: bytes) -> None:
        """Store what was learned about a site."""
        self._db.execute("INSERT OR REPLACE INTO site_records VALUES (?, ?)", (site, record))

    # The archive

    def archive_end(self) -> ArchiveMark | None:
        """Return the end of the archive as of the last commit."""
        row = self._db.execute("SELECT value FROM meta WHERE name = 'archive_end'").fetchone()
        return ArchiveMark(row[0]) if row else None

    def put_archive_end(self, end: ArchiveMark) -> None:
        """Store the end of the archive together with what refers to it."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES ('archive_end', ?)", (end,))
