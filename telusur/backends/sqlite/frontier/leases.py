"""The frontier in SQLite: all URLs and states on disk, a bounded part in memory."""

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from telusur.backends.sqlite.frontier.intake import (
    CODE_OF,
    DONE,
    FAILED,
    LEASED,
    SKIPPED,
    STATES,
    WAITING,
)
from telusur.backends.sqlite.frontier.rejudging import SqliteSecondLook
from telusur.backends.sqlite.seen.lookup import DEPTH_BITS
from telusur.crawl.frontier_records import HostLease, LeasedUrl, Verdict
from telusur.crawl.hosts.politeness import Clock
from telusur.models import Counts, State

__all__ = ["DONE", "FAILED", "LEASED", "SKIPPED", "STATES", "WAITING", "SqliteFrontier"]

# The number of leased URLs whose rows are cached until they are settled.
REMEMBERED_ROWS = 20_000

_COLUMNS = "SELECT urls.seq, url_id, url, depth, hops, tries, score"
_SITEMAPS = "LEFT JOIN sitemaps ON sitemaps.seq = urls.seq"
_PLAIN = f"{_COLUMNS}, x'', coalesce(level, 0) FROM urls {_SITEMAPS}"
_WITH_NOTES = (
    f"{_COLUMNS}, coalesce(note, x''), coalesce(level, 0) FROM urls {_SITEMAPS}"
    " LEFT JOIN notes ON notes.seq = urls.seq"
)
_MAY_BE_TRIED = " AND retry_at <= ? ORDER BY score DESC, urls.seq LIMIT ?"
_NEW = f" WHERE host_id = ? AND state = 0 AND tries = 0{_MAY_BE_TRIED}"
_AGAIN = f" WHERE host_id = ? AND state = 0 AND tries > 0{_MAY_BE_TRIED}"
_BY_SCORE = (
    "(SELECT score FROM urls WHERE host_id = hosts.id AND state = 0"
    " ORDER BY score DESC LIMIT 1) DESC, hosts.id"
)


class SqliteFrontier(SqliteSecondLook):
    """Implements `telusur.store.frontier.Frontier`; the caller owns the transaction."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock = time.time) -> None:
        super().__init__(connection, clock)
        self._rows_out: dict[bytes, int] = {}

    def forget(self) -> None:
        """Clear all caches: a transaction was rolled back."""
        super().forget()
        self._rows_out.clear()

    @property
    def _columns(self) -> str:
        return _WITH_NOTES if self._scores.keeps_notes else _PLAIN

    def lease(self, hosts: int, k: int) -> list[HostLease]:
        """Lease up to `hosts` hosts that are due, each with up to `k` URLs.

        Sites with the fewest pages come first; or hosts with the best URLs, if the strategy
        is an ordered one.
        """
        if not hosts:
            return []
        now = self._clock()
        later = {host_id for host_id, at in self._retry_at.items() if at > now}
        order = _BY_SCORE if self._scores.is_ordered else "taken, not_before, hosts.id"
        ready = self._db.execute(
            "SELECT hosts.id, host, site, taken FROM hosts JOIN sites ON sites.id = site_id"  # noqa: S608 - words of ours
            " WHERE waiting > 0 AND leased = 0 AND not_before <= ?"
            f" ORDER BY {order} LIMIT ?",
            (now, hosts + len(later)),
        ).fetchall()
        leases = []
        for host_id, host, site, taken in [row for row in ready if row[0] not in later][:hosts]:
            urls = self._take(host_id, k, now)
            if not urls:
                self._retry_at[host_id] = self._first_retry(host_id)
            else:
                leases.append(HostLease(host, site, taken, urls))
        return leases

    def top_up(self, host: str, k: int) -> tuple[LeasedUrl, ...]:
        """Lease more URLs of a leased host."""
        row = self._db.execute("SELECT id FROM hosts WHERE host = ?", (host,)).fetchone()
        return self._take(row[0], k, self._clock()) if row else ()

    def _take(self, host_id: int, k: int, now: float) -> tuple[LeasedUrl, ...]:
        rows = self._best(host_id, k, now)
        if not rows:
            return ()
        self._db.executemany(
            "UPDATE urls SET state = 1, changed_at = ? WHERE seq = ?",
            [(now, row[0]) for row in rows],
        )
        self._db.execute(
            "UPDATE hosts SET leased = 1, waiting = waiting - ? WHERE id = ?", (len(rows), host_id)
        )
        return self._hand_out(rows)

    def _first_retry(self, host_id: int) -> float:
        """Return when the next waiting URL of a host may be tried."""
        query = "SELECT coalesce(min(retry_at), 0) FROM urls WHERE host_id = ? AND state = 0"
        (retry_at,) = self._db.execute(query, (host_id,)).fetchone()
        return float(retry_at)

    def _best(self, host_id: int, k: int, now: float) -> list[tuple[Any, ...]]:
        """Return the best URLs of a host; retries only when nothing else is left.

        So the second query reads few rows: all that wait then are retries.
        """
        rows = self._db.execute(self._columns + _NEW, (host_id, now, k)).fetchall()
        if len(rows) < k:
            more = (host_id, now, k - len(rows))
            rows += self._db.execute(self._columns + _AGAIN, more).fetchall()
        return rows

    def _hand_out(self, rows: Sequence[tuple[Any, ...]]) -> tuple[LeasedUrl, ...]:
        if len(self._rows_out) > REMEMBERED_ROWS:
            self._rows_out.clear()
        self._rows_out.update((row[1], row[0]) for row in rows)
        return tuple(LeasedUrl(*row[1:]) for row in rows)

    def settle(self, verdicts: Sequence[Verdict]) -> None:
        """Record how leased URLs ended; a retry waits until its time."""
        self._open()
        now = self._clock()
        seqs = self._rows_of([v.url_id for v in verdicts])
        self._db.executemany(
            "UPDATE urls SET state = ?, reason = ?, retry_at = ?, tries = tries + ?,"
            " changed_at = ? WHERE seq = ?",
            [
                (CODE_OF[v.state], v.reason, now + v.retry_after, v.tries, now, seqs[v.url_id])
                for v in verdicts
            ],
        )
        self._db.executemany(
            "UPDATE urls SET url = ?, hops = hops + 1, tries = tries - 1 WHERE seq = ?",
            [(v.moved_to, seqs[v.url_id]) for v in verdicts if v.moved_to],
        )
        self._scores.end(
            (v.url_id, seqs[v.url_id]) for v in verdicts if v.state is not State.WAITING
        )
        self._db.executemany(
            "UPDATE hosts SET waiting = waiting + 1"
            " WHERE id = (SELECT host_id FROM urls WHERE seq = ?)",
            [(seqs[v.url_id],) for v in verdicts if v.state is State.WAITING],
        )

    def _rows_of(self, url_ids: Sequence[bytes]) -> dict[bytes, int]:
        rows = {url_id: self._rows_out.pop(url_id, 0) for url_id in url_ids}
        forgotten = [url_id for url_id, seq in rows.items() if not seq]
        found = self._seen.find(forgotten)
        return rows | {url_id: value >> DEPTH_BITS for url_id, value in found.items()}

    def count_taken(self, sites: Mapping[str, int]) -> None:
        """Add to the number of pages fetched from each site."""
        self._db.executemany(
            "UPDATE sites SET taken = taken + ? WHERE site = ?",
            [(pages, site) for site, pages in sites.items()],
        )

    def release(self, host: str, rest_seconds: float) -> None:
        """Release a host; its leased URLs wait again, and it rests for that time."""
        now = self._clock()
        (host_id,) = self._db.execute("SELECT id FROM hosts WHERE host = ?", (host,)).fetchone()
        given_back = self._db.execute(
            "UPDATE urls SET state = 0, changed_at = ? WHERE host_id = ? AND state = 1",
            (now, host_id),
        ).rowcount
        self._db.execute(
            "UPDATE hosts SET leased = 0, not_before = max(not_before, ?), waiting = waiting + ?"
            " WHERE id = ?",
            (now + rest_seconds, given_back, host_id),
        )
        self._retry_at.pop(host_id, None)

    def exchange(self, host: str, url_ids: Sequence[bytes], k: int) -> tuple[LeasedUrl, ...]:
        """Return leased URLs of a host to waiting, and lease its best `k` instead.

        Mostly they are still the best, and nothing is written.
        """
        self._open()
        now = self._clock()
        (host_id,) = self._db.execute("SELECT id FROM hosts WHERE host = ?", (host,)).fetchone()
        seqs = list(self._rows_of(url_ids).values())
        marks = ",".join("?" * len(seqs))
        found = self._best(host_id, k, now)
        found += self._db.execute(f"{self._columns} WHERE urls.seq IN ({marks})", seqs).fetchall()
        found.sort(key=lambda row: (row[5] > 0, -row[6], row[0]))
        best, leased = found[:k], set(seqs)
        taken = [row[0] for row in best if row[0] not in leased]
        returned = leased.difference(row[0] for row in best)
        self._db.executemany(
            "UPDATE urls SET state = ?, changed_at = ? WHERE seq = ?",
            [(LEASED, now, seq) for seq in taken] + [(WAITING, now, seq) for seq in returned],
        )
        if len(taken) != len(returned):
            self._db.execute(
                "UPDATE hosts SET waiting = waiting + ? WHERE id = ?",
                (len(returned) - len(taken), host_id),
            )
        return self._hand_out(best)

    def give_back(self, host: str, url_ids: Sequence[bytes]) -> None:
        """Return leased URLs of a host to waiting; the host stays leased."""
        self._open()
        now = self._clock()
        rows = self._rows_of(url_ids)
        self._db.executemany(
            "UPDATE urls SET state = 0, changed_at = ? WHERE seq = ?",
            [(now, row) for row in rows.values()],
        )
        self._db.execute("UPDATE hosts SET waiting = waiting + ? WHERE host = ?", (len(rows), host))

    def release_all(self) -> int:
        """Free all leases: their owner is dead or stops. Return how many URLs wait again."""
        now = self._clock()
        given_back = self._db.execute(
            "UPDATE urls SET state = 0, changed_at = ? WHERE state = 1", (now,)
        ).rowcount
        self._retry_at.clear()
        self._db.execute("UPDATE hosts SET leased = 0 WHERE leased = 1")
        self._db.execute(
            "UPDATE hosts SET waiting ="
            " (SELECT count(*) FROM urls WHERE host_id = hosts.id AND state = 0)"
        )
        return given_back

    def rest(self, hosts: Mapping[str, float]) -> None:
        """Park these hosts, and no others, for so many seconds."""
        now = self._clock()
        self._db.execute("UPDATE hosts SET not_before = 0 WHERE not_before != 0")
        self._db.executemany(
            "UPDATE hosts SET not_before = ? WHERE host = ?",
            [(now + seconds, host) for host, seconds in hosts.items()],
        )

    def seconds_until_ready(self) -> float | None:
        """Return when the next free host with waiting URLs is due; None if there is none."""
        soonest = float("inf")
        free = "SELECT id, not_before FROM hosts WHERE waiting > 0 AND leased = 0"
        for host_id, not_before in self._db.execute(f"{free} ORDER BY not_before"):
            if not_before >= soonest:
                break
            soonest = min(soonest, max(not_before, self._retry_at.get(host_id, 0.0)))
        return None if soonest == float("inf") else max(0.0, soonest - self._clock())

    def with_waiting(self, hosts: Iterable[str]) -> set[str]:
        """Return those of the hosts that have waiting URLs."""
        query = "SELECT 1 FROM hosts WHERE host = ? AND waiting > 0"
        return {host for host in hosts if self._db.execute(query, (host,)).fetchone()}

    def counts(self) -> Counts:
        """Count the URLs by state."""
        numbers = dict(self._db.execute("SELECT state, count(*) FROM urls GROUP BY state"))
        by_name = {str(state): numbers.get(code, 0) for code, state in enumerate(STATES)}
        return Counts(**by_name)
