"""The catalogue in SQLite: pages, documents and links as the recorder writes them."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from telusur.adapters.document_row import pack_fields, pack_headings
from telusur.adapters.links_format_1 import unpack_links_1
from telusur.adapters.warc import Place
from telusur.crawl.link_record import unpack_links
from telusur.models import Document, Link, Page, Reason


@dataclass(slots=True, frozen=True)
class StoredLink:
    """A link as it lies in the catalogue: its target's id, and what the page says about it."""

    url_id: bytes
    link: Link


@dataclass(slots=True, frozen=True)
class StoredRobots:
    """A host's robots.txt as it was last answered."""

    data: bytes
    status: int | None
    at: float


class SqliteCatalogue:
    """Writes and reads pages, documents, links and robots files; the caller owns transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def add_page(
        self, url_id: bytes, page: Page, place: Place | None, *, size_bytes: int, reason: str,
        is_final: bool,
    ) -> None:  # fmt: skip
        """Record one finished fetch."""
        self._db.execute(
            "INSERT INTO pages (url_id, fetched_at, seconds, status, reason, content_type,"
            " size_bytes, truncated, final, warc_file, warc_offset, warc_length)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (url_id, page.fetched_at, page.seconds, page.status, reason, page.content_type,
             size_bytes, page.truncated, is_final, place and place.file, place and place.offset,
             place and place.length),
        )  # fmt: skip

    def put_limits(self, limits: Mapping[str, float | int | str | None]) -> None:
        """Write down with the crawl that runs what its limits were changed to."""
        (settings,) = self._db.execute(
            "SELECT settings FROM crawls ORDER BY id DESC LIMIT 1"
        ).fetchone()
        self._db.execute(
            "UPDATE crawls SET settings = ? WHERE id = (SELECT max(id) FROM crawls)",
            (json.dumps(json.loads(settings) | limits),),
        )

    def put_document(
        self, url_id: bytes, document: Document, *, site: str, fetched_at: float, digest: bytes,
        canonical: bytes | None, not_indexed: str,
    ) -> None:  # fmt: skip
        """Store the current document of a URL; the indexer sees it by its new number."""
        self._db.execute(
            "INSERT OR REPLACE INTO documents (url_id, url, site, fetched_at, title, author, date,"
            " description, keywords, text, language, html5, digest, canonical, not_indexed,"
            " page_type, fields, headings, topic_score, topic)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
            " coalesce(?, (SELECT topic_score FROM documents WHERE url_id = ?)),"
            " coalesce(?, (SELECT topic FROM documents WHERE url_id = ?), ''))",
            (url_id, document.url, site, fetched_at, document.title, document.author,
             document.date, document.description, document.keywords, document.text,
             document.language, document.html5, digest, canonical, not_indexed,
             document.page_type, pack_fields(document.fields), pack_headings(document.headings),
             document.topic_score, url_id,
             None if document.topic_score is None else document.topic, url_id),
        )  # fmt: skip

    def twin_of(self, url_id: bytes, digest: bytes) -> tuple[bytes, str, bytes | None] | None:
        """Return an indexed document with the same title and text: id, URL, id of its original."""
        row = self._db.execute(
            "SELECT url_id, url, canonical FROM documents"
            " WHERE digest = ? AND url_id != ? AND not_indexed = ''",
            (digest, url_id),
        ).fetchone()
        return (row[0], row[1], row[2]) if row else None

    def take_out_of_index(self, url_id: bytes, reason: str) -> None:
        """Keep a document but not in the index; the indexer sees it by its new number."""
        (newest,) = self._db.execute("SELECT max(seq) FROM documents").fetchone()
        self._db.execute(
            "UPDATE documents SET not_indexed = ?, seq = ? WHERE url_id = ?",
            (reason, newest + 1, url_id),
        )
        self._db.execute("UPDATE urls SET reason = ? WHERE seq = seq_of(?)", (reason, url_id))

    def settle_canonicals(self) -> int:
        """Take pages out of the index that name another page as their original.

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
        """Store what a page links to: the identities, and the packed links."""
        self._db.execute(
            "INSERT OR REPLACE INTO links (url_id, targets, links) VALUES (?, ?, ?)",
            (url_id, targets, record),
        )

    def links_of(self, url_id: bytes) -> list[StoredLink]:
        """Return what a page links to."""
        row = self._db.execute("SELECT * FROM links WHERE url_id = ?", (url_id,)).fetchone()
        if row is None:
            return []
        if len(row) == 2:  # a collection of format 1 that nobody has written to since
            targets, links = unpack_links_1(row[1])
        else:
            targets, links = row[1], unpack_links(row[2])
        return [
            StoredLink(targets[16 * number : 16 * number + 16], link)
            for number, link in enumerate(links)
        ]

    def targets_of(self, url_id: bytes) -> list[bytes]:
        """Return the identities of what a page links to, for the writer."""
        row = self._db.execute("SELECT targets FROM links WHERE url_id = ?", (url_id,)).fetchone()
        targets = row[0] if row else b""
        return [targets[at : at + 16] for at in range(0, len(targets), 16)]

    def put_robots(self, host: str, data: bytes, status: int | None, at: float) -> None:
        """Remember a host's robots.txt and how it was answered."""
        self._db.execute(
            "UPDATE hosts SET robots = ?, robots_status = ?, robots_at = ? WHERE host = ?",
            (data, status, at, host),
        )

    def robots_of(self, host: str) -> StoredRobots | None:
        """Return a host's robots.txt, if it was ever asked for."""
        row = self._db.execute(
            "SELECT robots, robots_status, robots_at FROM hosts"
            " WHERE host = ? AND robots_at IS NOT NULL",
            (host,),
        ).fetchone()
        return StoredRobots(row[0] or b"", row[1], row[2]) if row else None

    def fact(self, name: str) -> bytes | None:
        """Return a fact about the collection, if it is known."""
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def put_fact(self, name: str, value: bytes) -> None:
        """Remember a fact about the collection."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def archive_end(self) -> tuple[str, int] | None:
        """Return the end of the archive as of the last commit: file and offset."""
        row = self._db.execute("SELECT value FROM meta WHERE name = 'archive_end'").fetchone()
        if row is None:
            return None
        file, _, offset = row[0].rpartition(":")
        return file, int(offset)

    def put_archive_end(self, end: tuple[str, int]) -> None:
        """Remember the end of the archive together with what refers to it."""
        self._db.execute(
            "INSERT OR REPLACE INTO meta VALUES ('archive_end', ?)", (f"{end[0]}:{end[1]}",)
        )
