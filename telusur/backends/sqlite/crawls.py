"""What the database tells of the crawls of a collection: runs, answers, the last pages, URLs."""

import json
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from telusur.adapters.sqlite_intake import CODE_OF
from telusur.adapters.sqlite_schema import connect
from telusur.adapters.sqlite_tallies import KIND_OF_REASON, REST
from telusur.models import State

RECENT_PAGES = 5_000
"""Hosts are called slow by their answers among so many last pages, so that it costs the same in
every collection."""
LAST_PAGES = 15
SLOWEST_HOSTS = 8


@dataclass(slots=True, frozen=True)
class Run:
    """One crawl of a collection: when, how it ended, and what it was told."""

    started_at: float
    ended_at: float | None
    outcome: str
    start_urls: tuple[str, ...]
    settings: dict[str, Any]


@dataclass(slots=True, frozen=True)
class LastPage:
    """A page that was fetched lately."""

    url: str
    title: str
    status: int | None
    reason: str
    seconds: float
    fetched_at: float
    size_bytes: int


@dataclass(slots=True, frozen=True)
class SlowHost:
    """A host and how long it takes to answer, among the last pages."""

    host: str
    answers: int
    seconds: float
    """On average."""


@dataclass(slots=True, frozen=True)
class Answers:
    """How servers answered: pages by status (`none` where there was no answer), and slow hosts."""

    statuses: dict[str, int] = field(default_factory=dict)
    slowest: tuple[SlowHost, ...] = ()


@dataclass(slots=True, frozen=True)
class ListedUrl:
    """A URL in a list; `seq` is where the next part of the list begins."""

    seq: int
    url: str
    state: str
    reason: str
    depth: int
    changed_at: float


class SqliteCrawls:
    """Reads what the pages about crawls show; what is costly, only as often as it is worth."""

    def __init__(self, directory: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._directory = directory
        self._clock = clock
        self._lock = threading.Lock()
        self._answers = Answers()
        self._good_until = float("-inf")

    def last_run(self) -> Run | None:
        """Return the crawl that was started last, or None."""
        with closing(connect(self._directory, read_only=True)) as connection:
            row = connection.execute(
                "SELECT started_at, ended_at, outcome, start_urls, settings FROM crawls"
                " ORDER BY id DESC LIMIT 1"
            ).fetchone()
        if row is None:
            return None
        started_at, ended_at, outcome, start_urls, settings = row
        urls = tuple(json.loads(start_urls))
        return Run(started_at, ended_at, outcome, urls, json.loads(settings))

    def start_urls(self) -> list[str]:
        """Return the start URLs of all crawls, in the order they were first named."""
        with closing(connect(self._directory, read_only=True)) as connection:
            rows = connection.execute("SELECT start_urls FROM crawls ORDER BY id").fetchall()
        return list(dict.fromkeys(url for (urls,) in rows for url in json.loads(urls)))

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

    def answers(self) -> Answers:
        """Return how servers answered, in a large collection a bit old."""
        with self._lock:
            started = self._clock()
            if started >= self._good_until:
                with closing(connect(self._directory, read_only=True)) as connection:
                    self._answers = _read_answers(connection)
                now = self._clock()
                self._good_until = now + REST * (now - started)
            return self._answers

    def list_urls(self, state: State, reason: str, after: int, limit: int) -> list[ListedUrl]:
        """Return URLs of a state, and with a reason of this kind unless it is empty."""
        query = (
            "SELECT urls.seq, url, reason, depth, changed_at FROM urls"  # noqa: S608 - ours
            f" WHERE state = ? AND seq > ? AND (? = '' OR {KIND_OF_REASON} = ?)"
            " ORDER BY seq LIMIT ?"
        )
        with closing(connect(self._directory, read_only=True)) as connection:
            rows = connection.execute(query, (CODE_OF[state], after, reason, reason, limit))
            return [ListedUrl(seq, url, state.value, *rest) for seq, url, *rest in rows]


def _read_answers(connection: sqlite3.Connection) -> Answers:
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
    return Answers(
        {str(status): number for status, number in statuses},
        tuple(SlowHost(*row) for row in slowest),
    )
