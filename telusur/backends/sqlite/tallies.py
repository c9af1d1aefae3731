"""What became of a collection's URLs, by reason and by site: read from the database, exactly."""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from telusur.adapters.sqlite_intake import STATES
from telusur.adapters.sqlite_schema import connect
from telusur.models import State

REST = 20.0
"""How much longer than it took a reading stays good: watching costs at most 5 % of a core."""

# A reason without its details: `robots` of `robots: Disallow: /a`, `http 500` of `http 500, ...`.
KIND_OF_REASON = "rtrim(substr(reason, 1, instr(replace(reason, ',', ':') || ':', ':') - 1))"

_ENDED = f"""
SELECT site_id, state, {KIND_OF_REASON}, count(*) FROM urls JOIN hosts ON hosts.id = urls.host_id
WHERE state IN ({STATES.index(State.FAILED)}, {STATES.index(State.SKIPPED)}) GROUP BY 1, 2, 3
"""  # noqa: S608 - numbers of ours

_SITES = f"""
WITH under_way AS (
    SELECT host_id, count(*) AS urls FROM urls
    WHERE state = {STATES.index(State.LEASED)} GROUP BY host_id
)
SELECT sites.id, site, taken, sum(waiting + coalesce(under_way.urls, 0)) AS left
FROM sites JOIN hosts ON hosts.site_id = sites.id
LEFT JOIN under_way ON under_way.host_id = hosts.id
GROUP BY sites.id ORDER BY taken DESC, left DESC, site LIMIT ?
"""  # noqa: S608 - numbers of ours


@dataclass(slots=True, frozen=True)
class SiteTally:
    """A site: pages fetched, URLs waiting (or under way), failed and skipped."""

    site: str
    pages: int
    waiting: int
    failed: int
    skipped: int


@dataclass(slots=True, frozen=True)
class Tallies:
    """Why URLs failed and were skipped, the largest sites, and how the last crawl ended."""

    failed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    sites: tuple[SiteTally, ...] = ()
    site_count: int = 0
    last_outcome: str = ""
    last_started_at: float | None = None
    last_ended_at: float | None = None
    relevant: int | None = None
    """Documents that the last crawl fetched and that are about its topic, if it had one."""
    harvest_rate: float | None = None


class SqliteTallies:
    """Reads the tallies of a collection, and again only when that is worth its cost."""

    def __init__(self, directory: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._directory = directory
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: Tallies | None = None
        self._good_until = 0.0

    def read(self, limit: int) -> Tallies:
        """Return the tallies with the `limit` largest sites, in a large collection a bit old."""
        with self._lock:
            started = self._clock()
            if self._kept is None or started >= self._good_until:
                with closing(connect(self._directory, read_only=True)) as connection:
                    self._kept = read_tallies(connection, limit)
                now = self._clock()
                self._good_until = now + REST * (now - started)
            return self._kept


def read_tallies(connection: sqlite3.Connection, limit: int) -> Tallies:
    """Count failed and skipped URLs by reason and by site, in one walk over the URLs."""
    by_reason: dict[State, Counter[str]] = {State.FAILED: Counter(), State.SKIPPED: Counter()}
    by_site: Counter[tuple[int, State]] = Counter()
    for site_id, code, kind, number in connection.execute(_ENDED):
        by_reason[STATES[code]][kind] += number
        by_site[site_id, STATES[code]] += number
    sites = tuple(
        SiteTally(site, pages, waiting,
                  by_site[site_id, State.FAILED], by_site[site_id, State.SKIPPED])
        for site_id, site, pages, waiting in connection.execute(_SITES, (limit,))
    )  # fmt: skip
    (site_count,) = connection.execute("SELECT count(*) FROM sites").fetchone()
    last = connection.execute(
        "SELECT outcome, started_at, ended_at FROM crawls ORDER BY id DESC LIMIT 1"
    ).fetchone()
    failed, skipped = by_reason[State.FAILED], by_reason[State.SKIPPED]
    harvest = _harvest(connection) if last is not None else (None, None)
    outcome, started_at, ended_at = last or ("", None, None)
    return Tallies(
        failed, skipped, sites, site_count, outcome, started_at, ended_at, *harvest
    )  # fmt: skip


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
