"""Reading crawls from the database: runs, responses, the last pages, URLs."""

import json
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from telusur.backends.sqlite.database.schema import connect
from telusur.backends.sqlite.frontier.intake import CODE_OF
from telusur.backends.sqlite.tallies import KIND_OF_REASON, REST, SqliteTallies
from telusur.crawl.hosts.politeness import Clock
from telusur.crawl.secrets import without_secrets
from telusur.errors import UsageError
from telusur.models import State
from telusur.store.records import CrawlRecord, Cursor
from telusur.store.views import LastPage, ListedUrl, ServerAnswers, SlowHost, Tallies

# Slow hosts are searched among this many of the last pages, so that it costs the same in
# every collection.
RECENT_PAGES = 5_000
LAST_PAGES = 15
SLOWEST_HOSTS = 8
_MOST_DIGITS = 18


class SqliteCrawls:
    """Reads what the pages about crawls show; costly parts are read less often."""

    def __init__(
        self,
        directory: Path,
        clock: Callable[[], float] = time.monotonic,
        store_clock: Clock = time.time,
    ) -> None:
        self._directory = directory
        self._clock = clock
        self._store_clock = store_clock
        self._lock = threading.Lock()
        self._answers = ServerAnswers()
        self._good_until = float("-inf")
        # By the number of sites listed; few numbers are ever requested.
        self._tallies: dict[int, SqliteTallies] = {}

    def last_run(self) -> CrawlRecord | None:
        """Return the crawl that was started last, or None."""
        with closing(connect(self._directory, read_only=True)) as connection:
            row = connection.execute(
                "SELECT started_at, ended_at, outcome, start_urls, settings FROM crawls"
                " ORDER BY id DESC LIMIT 1"
            ).fetchone()
        return None if row is None else _record_of(*row)

    def runs(self) -> list[CrawlRecord]:
        """Return all crawls, the oldest first."""
        with closing(connect(self._directory, read_only=True)) as connection:
            rows = connection.execute(
                "SELECT started_at, ended_at, outcome, start_urls, settings FROM crawls ORDER BY id"
            ).fetchall()
        return [_record_of(*row) for row in rows]

    def tallies(self, limit: int) -> Tallies:
        """Count failed and skipped URLs by reason, and the `limit` largest sites."""
        new = SqliteTallies(self._directory, store_clock=self._store_clock)
        return self._tallies.setdefault(limit, new).read(limit)

    def start_urls(self) -> list[str]:
        """Return the start URLs of all crawls, in the order they were first named."""
        with closing(connect(self._directory, read_only=True)) as connection:
            rows = connection.execute("SELECT start_urls FROM crawls ORDER BY id").fetchall()
        return list(dict.fromkeys(url for (urls,) in rows for url in json.loads(urls)))

    def hosts_to_ask(self) -> set[str]:
        """Return the hosts with waiting or leased URLs."""
        with closing(connect(self._directory, read_only=True)) as connection:
            rows = connection.execute(
                "SELECT host FROM hosts WHERE waiting > 0 UNION SELECT host FROM urls"
                " JOIN hosts ON hosts.id = urls.host_id WHERE state = 1"
            )
            return {host for (host,) in rows}

    def last_pages(self) -> tuple[LastPage, ...]:
        """Return the pages fetched last, the newest first."""
        with closing(connect(self._directory, read_only=True)) as connection:
            rows = connection.execute(
                "SELECT urls.url, coalesce(title, ''), status, pages.reason, seconds,"
                " pages.fetched_at, size_bytes"
                " FROM (SELECT * FROM pages ORDER BY seq DESC LIMIT ?) AS pages"
                " JOIN urls ON urls.seq = seq_of(pages.url_id)"
                " LEFT JOIN documents ON documents.url_id = pages.url_id ORDER BY pages.seq DESC",
                (LAST_PAGES,),
            ).fetchall()
        return tuple(LastPage(*row) for row in rows)

    def answers(self) -> ServerAnswers:
        """Return statistics of responses; in a large collection they may be a few seconds old."""
        with self._lock:
            started = self._clock()
            if started >= self._good_until:
                with closing(connect(self._directory, read_only=True)) as connection:
                    self._answers = _read_answers(connection)
                now = self._clock()
                self._good_until = now + REST * (now - started)
            return self._answers

    def list_urls(self, state: State, reason: str, after: Cursor, limit: int) -> list[ListedUrl]:
        """Return URLs in a state, and with a kind of reason unless it is empty."""
        place = read_place(after)
        query = (
            "SELECT urls.seq, url, reason, depth, changed_at FROM urls"  # noqa: S608 - ours
            f" WHERE state = ? AND seq > ? AND (? = '' OR {KIND_OF_REASON} = ?)"
            " ORDER BY seq LIMIT ?"
        )
        with closing(connect(self._directory, read_only=True)) as connection:
            rows = connection.execute(query, (CODE_OF[state], place, reason, reason, limit))
            return [
                ListedUrl(Cursor(str(seq)), url, state.value, *rest) for seq, url, *rest in rows
            ]


def read_place(cursor: Cursor) -> int:
    """Return the place in a list that a cursor names; it may come from anyone, so it is checked."""
    if not cursor:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) <= _MOST_DIGITS):
        raise UsageError(
            f"after: {cursor[:40]!r} is not a position in this list; start without it."
        )
    return int(cursor)


def _record_of(
    started_at: float, ended_at: float | None, outcome: str, start_urls: str, settings: str
) -> CrawlRecord:
    urls = tuple(json.loads(start_urls))
    return CrawlRecord(started_at, ended_at, outcome, urls, without_secrets(json.loads(settings)))


def _read_answers(connection: sqlite3.Connection) -> ServerAnswers:
    statuses = connection.execute(
        "SELECT coalesce(status, 'none'), count(*) AS number FROM pages GROUP BY status"
        " ORDER BY number DESC"
    ).fetchall()
    slowest = connection.execute(
        "SELECT host, count(*), avg(seconds) AS mean"
        " FROM (SELECT url_id, seconds FROM pages ORDER BY seq DESC LIMIT ?) AS pages"
        " JOIN urls ON urls.seq = seq_of(pages.url_id) JOIN hosts ON hosts.id = urls.host_id"
        " GROUP BY hosts.id ORDER BY mean DESC LIMIT ?",
        (RECENT_PAGES, SLOWEST_HOSTS),
    ).fetchall()
    return ServerAnswers(
        {str(status): number for status, number in statuses},
        tuple(SlowHost(*row) for row in slowest),
    )
