"""Sitemaps in SQLite: which URLs are sitemaps, and what they say about others."""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence

from telusur.backends.sqlite.frontier.intake import SqliteIntake
from telusur.crawl.frontier_records import Added, NewUrl
from telusur.crawl.rules.sitemap_listing import MOST_FILES, Listed
from telusur.models import Reason, State


class SqliteSitemaps:
    """Stores sitemaps and what they say; the caller owns the transaction."""

    def __init__(self, connection: sqlite3.Connection, frontier: SqliteIntake) -> None:
        self._db = connection
        self._frontier = frontier

    def add(self, urls: Sequence[NewUrl], level: int) -> Added | None:
        """Queue sitemaps that are not yet known as sitemaps, up to the limit of their site.

        One that was fetched as a page before, and skipped for its content type, is retried.
        """
        rows = self._frontier.rows_of([new.url_id for new in urls])
        known = {row for row in rows.values() if self._is_known(row)}
        urls = list(self._with_room([new for new in urls if rows.get(new.url_id) not in known]))
        if not urls:
            return None
        added = self._frontier.add_again(urls, _was_no_page)
        rows = self._frontier.rows_of([new.url_id for new in urls])
        self._db.executemany(
            "INSERT INTO sitemaps (seq, site_id, level)"
            " SELECT urls.seq, site_id, ? FROM urls JOIN hosts ON hosts.id = host_id"
            " WHERE urls.seq = ?",
            [(level, row) for row in rows.values()],
        )
        return added

    def named(self, url_ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the URLs that are known as sitemaps."""
        rows = self._frontier.rows_of(url_ids)
        return {url_id for url_id, row in rows.items() if self._is_known(row)}

    def _is_known(self, row: int) -> bool:
        query = "SELECT 1 FROM sitemaps WHERE seq = ?"
        return self._db.execute(query, (row,)).fetchone() is not None

    def _with_room(self, urls: Sequence[NewUrl]) -> Iterator[NewUrl]:
        """Yield the new sitemaps that their sites have room for, each once."""
        once = {new.url_id: new for new in urls}
        room: Counter[str] = Counter()
        for site in {new.site for new in urls}:
            query = "SELECT count(*) FROM sitemaps JOIN sites ON sites.id = site_id WHERE site = ?"
            room[site] = MOST_FILES - self._db.execute(query, (site,)).fetchone()[0]
        for new in once.values():
            room[new.site] -= 1
            if room[new.site] >= 0:
                yield new

    def put_listed(self, sitemap: bytes, listed: Sequence[Listed]) -> None:
        """Store what a sitemap says about known URLs."""
        rows = self._frontier.rows_of([sitemap, *(one.found.url_id for one in listed)])
        self._db.executemany(
            "INSERT OR REPLACE INTO listed VALUES (?, ?, ?, ?, ?)",
            [
                (rows[one.found.url_id], rows[sitemap], one.lastmod, one.changefreq, one.priority)
                for one in listed
                if one.found.url_id in rows
            ],
        )

    def end(self, sitemap: bytes, level: int, named: int) -> None:
        """Store how many URLs a sitemap names, even if it was not known as a sitemap."""
        self._db.execute(
            "INSERT INTO sitemaps SELECT urls.seq, site_id, ?, ?"
            " FROM urls JOIN hosts ON hosts.id = host_id WHERE urls.seq = ?"
            " ON CONFLICT (seq) DO UPDATE SET urls = excluded.urls",
            (level, named, self._frontier.rows_of([sitemap])[sitemap]),
        )


def has_sitemaps(connection: sqlite3.Connection) -> bool:
    """Tell whether a collection can have sitemaps; one of an older format cannot."""
    query = "SELECT 1 FROM sqlite_master WHERE name = 'sitemaps'"
    return connection.execute(query).fetchone() is not None


def _was_no_page(state: State, reason: str) -> bool:
    return state is State.SKIPPED and reason.startswith(Reason.CONTENT_TYPE)
