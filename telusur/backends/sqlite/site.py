"""Rows for an audit: one table of what was fetched of a site, and bounded lists."""
# ruff: noqa: S608 - all that is put into queries is written here; values are bound

import sqlite3
from collections.abc import Iterator
from typing import Any

from telusur.backends.sqlite.coverage import SqliteCoverage
from telusur.backends.sqlite.frontier.intake import STATES
from telusur.models import Reason, State
from telusur.store.sites import AuditedFetch

_HOSTS = "SELECT hosts.id FROM hosts JOIN sites ON sites.id = hosts.site_id WHERE site = ?"
_KIND = "rtrim(substr(reason, 1, instr(replace(reason, ',', ':') || ':', ':') - 1))"
# The newest response of each URL. SQLite takes bare columns from the row with max().
_FETCHED = """
CREATE TEMP TABLE fetched AS
SELECT urls.url_id, url, urls.state, urls.reason, urls.parent, status, seconds, content_type,
       size_bytes, max(pages.seq) AS seq
FROM urls JOIN pages ON pages.url_id = urls.url_id
WHERE urls.state IN (2, 3, 4) {of_site} GROUP BY urls.seq
"""
# A site is small if the collection has this many times its documents.
_FEW = 10
# Its column is stored behind the text; the partial index avoids reading that.
_IS_INDEXED = "seq NOT IN (SELECT seq FROM documents WHERE not_indexed != '')"


class SqliteSite(SqliteCoverage):
    """Implements `telusur.store.sites.SiteReader`; the caller gives it a connection of its own."""

    def __init__(self, connection: sqlite3.Connection, site: str = "") -> None:
        super().__init__(connection, site)
        self._site = site
        self._of_host = f"host_id IN ({_HOSTS})" if site else "1"
        connection.execute("PRAGMA temp_store = FILE")
        of_site = f"AND {self._of_host}" if site else ""
        connection.execute(_FETCHED.format(of_site=of_site), self._about)

    def hosts(self, limit: int) -> list[tuple[str, int | None, float | None, bytes]]:
        """Return hosts with their robots.txt: name, status, time of the request, content."""
        where = f"WHERE id IN ({_HOSTS})" if self._site else ""
        return self._all(
            "SELECT host, robots_status, robots_at, coalesce(robots, x'') FROM hosts"
            f" {where} ORDER BY host LIMIT ?", *self._about, limit
        )  # fmt: skip

    def count_hosts(self) -> int:
        """Return how many hosts there are."""
        where = f"WHERE id IN ({_HOSTS})" if self._site else ""
        return int(self._all(f"SELECT count(*) FROM hosts {where}", *self._about)[0][0])

    def states(self) -> list[tuple[State, str, int]]:
        """Count URLs by state and kind of reason."""
        rows = self._all(
            f"SELECT state, {_KIND}, count(*) FROM urls WHERE {self._of_host} GROUP BY 1, 2",
            *self._about,
        )
        return [(STATES[code], kind, number) for code, kind, number in rows]

    def count_fetched(self, column: str) -> dict[str, int]:
        """Count responses by status or content_type, the most frequent first."""
        rows = self._all(
            f"SELECT coalesce({column}, 'none'), count(*) AS n FROM fetched"
            " GROUP BY 1 ORDER BY n DESC, 1 LIMIT 50"
        )
        return {str(value) or "unknown": number for value, number in rows}

    def median_seconds(self) -> float:
        """Return the median response time in seconds."""
        rows = self._all(
            "SELECT seconds FROM fetched WHERE status IS NOT NULL ORDER BY seconds"
            " LIMIT 1 OFFSET (SELECT count(*) / 2 FROM fetched WHERE status IS NOT NULL)"
        )
        return float(rows[0][0]) if rows else 0.0

    def slow(self, seconds: float, limit: int) -> tuple[int, list[AuditedFetch]]:
        """Return how many responses took at least so long, and the slowest ones."""
        return self._fetched("seconds >= ?", (seconds,), "seconds DESC", limit)

    def redirects(self, limit: int) -> tuple[int, list[AuditedFetch]]:
        """Return redirects."""
        return self._fetched("status IN (301, 302, 303, 307, 308)", (), "url", limit)

    def failed(self, limit: int) -> tuple[int, list[tuple[str, str, int | None, str]]]:
        """Return failed URLs: URL, reason, status, and where the URL was found."""
        total, rows = self._fetched(f"state = {STATES.index(State.FAILED)}", (), "url", limit)
        return total, [(r.url, r.reason, r.status, self._parent_of(r.url_id)) for r in rows]

    def broken_ids(self) -> Iterator[bytes]:
        """Yield the ids of all failed URLs, of any site."""
        for query in (
            f"SELECT url_id FROM urls WHERE state = {STATES.index(State.FAILED)}",
            f"SELECT url_id FROM documents WHERE not_indexed = '{Reason.SOFT_404}'",
        ):
            for (url_id,) in self._db.execute(query):
                yield url_id

    def link_records(self) -> Iterator[tuple[str, bytes]]:
        """Yield URL and packed links of each document with links."""
        yield from self._db.execute(
            "SELECT documents.url, links FROM documents"
            f" JOIN links ON links.url_id = documents.url_id WHERE {self._of_document}",
            self._about,
        )

    def link_targets(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield id and targets of each document with links, without reading the link records.

        Of a small site its documents are looked up. For a large one the whole table is read in its
        own order, which costs a tenth of looking up each.
        """
        (whole,), (own,) = (
            self._all("SELECT count(*) FROM documents")[0],
            self._all(f"SELECT count(*) FROM documents WHERE {self._of_document}", *self._about)[0],
        )
        if own * _FEW < whole:
            yield from self._db.execute(
                "SELECT links.url_id, targets FROM documents"
                f" JOIN links ON links.url_id = documents.url_id WHERE {self._of_document}",
                self._about,
            )
            return
        query = f"SELECT url_id FROM documents WHERE {self._of_document}"
        of_site = {row[0] for row in self._db.execute(query, self._about)} if own < whole else None
        for url_id, targets in self._db.execute("SELECT url_id, targets FROM links"):
            if of_site is None or url_id in of_site:
                yield url_id, targets

    def page_and_links(self, url_id: bytes) -> tuple[str, bytes]:
        """Return URL and packed links of a document."""
        row = self._db.execute(
            "SELECT url, links FROM links JOIN documents USING (url_id) WHERE links.url_id = ?",
            (url_id,),
        ).fetchone()
        return (row[0], row[1]) if row else ("", b"")

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def fate_of(self, url_id: bytes) -> tuple[str, str, int | None]:
        """Return state, reason and last status of any URL."""
        row = self._db.execute(
            "SELECT state, reason FROM urls WHERE seq = seq_of(?)", (url_id,)
        ).fetchone()
        if row is None:
            return "", "", None
        page = self._db.execute(
            "SELECT status FROM pages WHERE url_id = ? ORDER BY seq DESC LIMIT 1", (url_id,)
        ).fetchone()
        return STATES[row[0]].value, row[1], page[0] if page else None

    def copies(self, limit: int) -> tuple[int, list[tuple[str, str]]]:
        """Return duplicates: URL, and the reason that names the original."""
        where = f"not_indexed != '' AND not_indexed LIKE 'duplicate:%' AND {self._of_document}"
        total = self._all(f"SELECT count(*) FROM documents WHERE {where}", *self._about)[0][0]
        return total, self._all(
            f"SELECT url, not_indexed FROM documents WHERE {where} ORDER BY url LIMIT ?",
            *self._about, limit
        )  # fmt: skip

    def count_documents(self) -> tuple[int, int]:
        """Return how many documents there are, and how many of them are in the index."""
        query = f"SELECT count(*) FROM documents WHERE {self._of_document}"
        (whole,), (indexed,) = (
            self._all(each, *self._about)[0] for each in (query, f"{query} AND {_IS_INDEXED}")
        )
        return whole, indexed

    def without(self, column: str, limit: int) -> tuple[int, list[tuple[str, str]]]:
        """Return indexed documents whose title or description is empty: URL and title."""
        where = f"{self._of_document} AND {column} = '' AND {_IS_INDEXED}"
        total = self._all(f"SELECT count(*) FROM documents WHERE {where}", *self._about)[0][0]
        return total, self._all(
            f"SELECT url, title FROM documents WHERE {where} ORDER BY url LIMIT ?",
            *self._about, limit
        )  # fmt: skip

    def shared(self, column: str, limit: int) -> tuple[int, list[tuple[str, int, str]]]:
        """Return titles or descriptions that several documents share: text, count, URLs."""
        grouped = (
            f"SELECT {column} AS said, count(*) AS n, substr(group_concat(url, char(10)), 1, 9000)"
            f" FROM documents WHERE {self._of_document} AND {column} != '' AND {_IS_INDEXED}"
            f" GROUP BY {column} HAVING n > 1"
        )
        total = self._all(f"SELECT count(*) FROM ({grouped})", *self._about)[0][0]
        return total, self._all(f"{grouped} ORDER BY n DESC, said LIMIT ?", *self._about, limit)

    def excluded(self, limit: int) -> list[tuple[str, str]]:
        """Return URLs that robots.txt disallows: URL and reason."""
        skipped = STATES.index(State.SKIPPED)
        return self._all(
            f"SELECT url, reason FROM urls WHERE state = {skipped} AND reason LIKE 'robots%'"
            f" AND {self._of_host} LIMIT ?", *self._about, limit
        )  # fmt: skip

    def indexed_urls(self) -> Iterator[tuple[str, str | None]]:
        """Yield URL and date of each indexed document, in the order they came in."""
        yield from self._db.execute(
            f"SELECT url, date FROM documents WHERE {self._of_document} AND {_IS_INDEXED}"
            " ORDER BY seq",
            self._about,
        )

    def files_fetched(self, like: str) -> Iterator[tuple[str, str, int, int | None]]:
        """Yield URL, type, size and status of responses whose type has this prefix."""
        yield from self._db.execute(
            "SELECT url, content_type, size_bytes, status FROM fetched"
            " WHERE substr(content_type, 1, length(?)) = ? ORDER BY url",
            (like, like),
        )

    def _fetched(
        self, where: str, values: tuple[Any, ...], order: str, limit: int
    ) -> tuple[int, list[AuditedFetch]]:
        total = self._all(f"SELECT count(*) FROM fetched WHERE {where}", *values)[0][0]
        rows = self._all(
            "SELECT url_id, url, state, reason, status, seconds, size_bytes"
            f" FROM fetched WHERE {where} ORDER BY {order} LIMIT ?",
            *values, limit
        )  # fmt: skip
        return total, [
            AuditedFetch(url_id, url, STATES[state], *rest) for url_id, url, state, *rest in rows
        ]

    def _parent_of(self, url_id: bytes) -> str:
        row = self._db.execute(
            "SELECT parents.url FROM urls JOIN urls AS parents ON parents.seq = seq_of(urls.parent)"
            " WHERE urls.seq = seq_of(?)", (url_id,),
        ).fetchone()  # fmt: skip
        return row[0] if row else ""

    def _all(self, query: str, *values: Any) -> list[Any]:
        return self._db.execute(query, values).fetchall()
