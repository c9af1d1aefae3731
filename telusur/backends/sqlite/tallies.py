"""Counts of a collection's URLs, by reason and by site."""

import json
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from telusur.backends.sqlite.database.schema import connect
from telusur.backends.sqlite.frontier.intake import STATES
from telusur.backends.sqlite.frontier.parked import holds_now
from telusur.backends.sqlite.starts import find_failed_starts
from telusur.crawl.hosts.politeness import Clock
from telusur.models import State
from telusur.store.views import SiteTally, Tallies

# A result is kept this many times as long as it took: watching costs at most 5 % of a core.
REST = 20.0

# A reason without its details: `robots` of `robots: Disallow: /a`, `http 500` of `http 500, ...`.
KIND_OF_REASON = "rtrim(substr(reason, 1, instr(replace(reason, ',', ':') || ':', ':') - 1))"

_ENDED = f"""
SELECT site_id, state, {KIND_OF_REASON}, count(*) FROM urls JOIN hosts ON hosts.id = urls.host_id
WHERE state IN ({STATES.index(State.FAILED)}, {STATES.index(State.SKIPPED)}) GROUP BY 1, 2, 3
"""  # noqa: S608 - numbers of ours

# Sites with fetched or waiting pages; a site whose URLs were all skipped is left out.
_SITES = f"""
WITH under_way AS (
    SELECT host_id, count(*) AS urls FROM urls
    WHERE state = {STATES.index(State.LEASED)} GROUP BY host_id
)
SELECT sites.id, site, taken, sum(waiting + coalesce(under_way.urls, 0)) AS left,
       count(*) OVER () AS all_of_them
FROM sites JOIN hosts ON hosts.site_id = sites.id
LEFT JOIN under_way ON under_way.host_id = hosts.id
GROUP BY sites.id
HAVING taken > 0 OR left > 0 OR sites.id IN (SELECT value FROM json_each(?))
ORDER BY taken DESC, left DESC, site LIMIT ?
"""  # noqa: S608 - numbers of ours


class SqliteTallies:
    """Reads the tallies of a collection, and caches them while that saves time."""

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
        self._kept: Tallies | None = None
        self._good_until = 0.0

    def read(self, limit: int) -> Tallies:
        """Return the tallies with the `limit` largest sites; they may be a few seconds old.

        They are read again once a crawl has begun or ended, so its final numbers are exact.
        """
        with self._lock, closing(connect(self._directory, read_only=True)) as connection:
            started = self._clock()
            kept = self._kept
            is_old = kept is None or started >= self._good_until or _last(connection) != (
                kept.last_outcome, kept.last_started_at, kept.last_ended_at
            )  # fmt: skip
            if kept is None or is_old:
                self._kept = kept = read_tallies(connection, limit, self._store_clock())
                now = self._clock()
                self._good_until = now + REST * (now - started)
            return kept


def _last(connection: sqlite3.Connection) -> tuple[str, float | None, float | None]:
    """Return how the last crawl ended, when it began, and when it ended."""
    row = connection.execute(
        "SELECT outcome, started_at, ended_at FROM crawls ORDER BY id DESC LIMIT 1"
    ).fetchone()
    return row or ("", None, None)


def read_tallies(connection: sqlite3.Connection, limit: int, now: float) -> Tallies:
    """Count failed and skipped URLs by reason and by site, in one walk over the URLs.

    `now` is the time by the clock of the store, which decides whether hosts are still parked.
    """
    by_reason: dict[State, Counter[str]] = {State.FAILED: Counter(), State.SKIPPED: Counter()}
    by_site: Counter[tuple[int, State]] = Counter()
    for site_id, code, kind, number in connection.execute(_ENDED):
        by_reason[STATES[code]][kind] += number
        by_site[site_id, STATES[code]] += number
    with_failed = json.dumps([site_id for site_id, state in by_site if state is State.FAILED])
    rows = connection.execute(_SITES, (with_failed, limit)).fetchall()
    sites = tuple(
        SiteTally(site, pages, waiting,
                  by_site[site_id, State.FAILED], by_site[site_id, State.SKIPPED])
        for site_id, site, pages, waiting, _ in rows
    )  # fmt: skip
    site_count = rows[0][-1] if rows else 0
    last = _last(connection)
    failed, skipped = by_reason[State.FAILED], by_reason[State.SKIPPED]
    harvest = _harvest(connection) if last[1] is not None else (None, None)
    holds = tuple(holds_now(connection, now))
    return Tallies(failed, skipped, sites, site_count, *last, *harvest, holds=holds,
                   failed_starts=find_failed_starts(connection))  # fmt: skip


def _harvest(connection: sqlite3.Connection) -> tuple[int | None, float | None]:
    """Return how many documents of the last crawl are relevant, and their share."""
    (started_at,) = connection.execute(
        "SELECT started_at FROM crawls ORDER BY id DESC LIMIT 1"
    ).fetchone()
    known = {row[1] for row in connection.execute("PRAGMA table_info(documents)")}
    if "topic_score" not in known:
        return None, None
    judged, relevant = connection.execute(
        "SELECT count(*), coalesce(sum(topic <> ''), 0) FROM documents"
        " WHERE topic_score IS NOT NULL AND fetched_at >= ?",
        (started_at,),
    ).fetchone()
    return (relevant, round(relevant / judged, 4)) if judged else (None, None)
