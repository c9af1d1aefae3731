"""Compares sitemaps with what was fetched, inside the database."""
# ruff: noqa: S608 - all that is put into queries is written here; values are bound

import sqlite3

from telusur.backends.sqlite.frontier.intake import STATES
from telusur.backends.sqlite.sitemaps import has_sitemaps

_OF_SITE = (
    "host_id IN (SELECT hosts.id FROM hosts JOIN sites ON sites.id = hosts.site_id WHERE site = ?)"
)
_LISTED = "FROM listed JOIN urls ON urls.seq = listed.seq WHERE {of_site}"
_IS_FETCHED = "EXISTS (SELECT 1 FROM pages WHERE pages.url_id = urls.url_id AND status IS NOT NULL)"
_IS_INDEXED = "seq NOT IN (SELECT seq FROM documents WHERE not_indexed != '')"


class SqliteCoverage:
    """Reads one site, or all for an empty name; the caller owns the connection."""

    def __init__(self, connection: sqlite3.Connection, site: str = "") -> None:
        self._db = connection
        self._about = (site,) if site else ()
        self._of_site = _OF_SITE if site else "1"
        self._of_document = "site = ?" if site else "1"
        self._listed = _LISTED.format(of_site=self._of_site)
        self._is_known = has_sitemaps(connection)

    def sitemaps(self, limit: int) -> list[tuple[str, int | None, str, str]]:
        """Return the sitemaps: URL, how many URLs each names, state and reason."""
        if not self._is_known:
            return []
        rows = self._db.execute(
            "SELECT url, urls, state, reason FROM sitemaps JOIN urls ON urls.seq = sitemaps.seq"
            f" WHERE {self._of_site} ORDER BY level, sitemaps.seq LIMIT ?",
            (*self._about, limit),
        )
        return [(url, number, STATES[state].value, reason) for url, number, state, reason in rows]

    def count_listed(self) -> int:
        """Return how many URLs are in sitemaps."""
        return self._count(f"SELECT count(*) {self._listed}") if self._is_known else 0

    def count_listed_fetched(self) -> int:
        """Return how many of them were fetched."""
        return self._count(f"SELECT count(*) {self._listed} AND {_IS_FETCHED}")

    def not_fetched(self, limit: int) -> list[tuple[str, str, str]]:
        """Return URLs in sitemaps that were not fetched: URL, state and reason."""
        rows = self._db.execute(
            f"SELECT url, state, reason {self._listed} AND NOT {_IS_FETCHED}"
            " ORDER BY urls.seq LIMIT ?",
            (*self._about, limit),
        )
        return [(url, STATES[state].value, reason) for url, state, reason in rows]

    def not_listed(self, limit: int) -> tuple[int, list[str]]:
        """Return how many indexed documents are in no sitemap, and the first ones."""
        self._db.execute(
            "CREATE TEMP TABLE IF NOT EXISTS listed_ids (url_id BLOB PRIMARY KEY) WITHOUT ROWID"
        )
        self._db.execute(
            "INSERT OR IGNORE INTO listed_ids"
            " SELECT url_id FROM listed JOIN urls ON urls.seq = listed.seq"
        )
        where = (
            f"FROM documents WHERE {self._of_document} AND {_IS_INDEXED}"
            " AND url_id NOT IN (SELECT url_id FROM listed_ids)"
        )
        rows = self._db.execute(
            f"SELECT url {where} ORDER BY seq LIMIT ?", (*self._about, limit)
        ).fetchall()
        return self._count(f"SELECT count(*) {where}"), [url for (url,) in rows]

    def _count(self, query: str) -> int:
        return int(self._db.execute(query, self._about).fetchone()[0])
