"""The frontier in SQLite: every URL and its state on disk, a bounded part of it in memory."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from telusur.adapters.seen_lookup import DEPTH_BITS
from telusur.adapters.sqlite_intake import (
    CODE_OF,
    DONE,
    FAILED,
    LEASED,
    SKIPPED,
    STATES,
    WAITING,
)
from telusur.adapters.sqlite_second_look import SqliteSecondLook
from telusur.crawl.frontier import HostLease, LeasedUrl, Verdict
from telusur.models import Counts, State

__all__ = ["DONE", "FAILED", "LEASED", "SKIPPED", "STATES", "WAITING", "SqliteFrontier"]

# Rows of URLs that were handed out; so many need not be looked for when they come back.
REMEMBERED_ROWS = 20_000

_COLUMNS = "SELECT urls.seq, url_id, url, depth, hops, tries, score"
_SITEMAPS = "LEFT JOIN sitemaps ON sitemaps.seq = urls.seq"
_PLAIN = f"{_COLUMNS}, x'', coalesce(level, 0) FROM urls {_SITEMAPS}"
_WITH_NOTES = (
    f"{_COLUMNS}, coalesce(note, x''), coalesce(level, 0) FROM urls {_SITEMAPS}"
    " LEFT JOIN notes ON notes.seq = urls.seq"
)
_BEST = " WHERE host_id = ? AND state = 0 AND retry_at <= ? ORDER BY score DESC, urls.seq LIMIT ?"
_BY_SCORE = (
    "(SELECT score FROM urls WHERE host_id = hosts.id AND state = 0"
    " ORDER BY score DESC LIMIT 1) DESC, hosts.id"
)


class SqliteFrontier(SqliteSecondLook):
    """Implements `telusur.crawl.frontier.Frontier`; the caller owns the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._rows_out: dict[bytes, int] = {}

    @property
    def _columns(self) -> str:
        return _WITH_NOTES if self._scores.keeps_notes else _PLAIN

    def lease(self, hosts: int, k: int, now: float) -> list[HostLease]:
        """Hand out up to `hosts` hosts that may be fetched from, each with up to `k` URLs.

        Sites that had the fewest pages come first; or hosts with the best URLs, if the strategy
        is an ordered one.
        """
        if not hosts:
            return []
        order = _BY_SCORE if self._scores.is_ordered else "taken, not_before, hosts.id"
        ready = self._db.execute(
            "SELECT hosts.id, host, site, taken FROM hosts JOIN sites ON sites.id = site_id"  # noqa: S608 - words of ours
            " WHERE waiting > 0 AND leased = 0 AND not_before <= ?"
            f" ORDER BY {order} LIMIT ?",
            (now, hosts),
        ).fetchall()
        leases = []
        for host_id, host, site, taken in ready:
            urls = self._take(host_id, k, now)
            if urls:
                leases.append(HostLease(host, site, taken, urls))
        return leases

    def top_up(self, host: str, k: int, now: float) -> tuple[LeasedUrl, ...]:
        """Hand out more URLs of a host that is leased already."""
        row = self._db.execute("SELECT id FROM hosts WHERE host = ?", (host,)).fetchone()
        return self._take(row[0], k, now) if row else ()

    def _take(self, host_id: int, k: int, now: float) -> tuple[LeasedUrl, ...]:
        rows = self._db.execute(self._columns + _BEST, (host_id, now, k)).fetchall()
        if not rows:  # everything that waits here shall be tried again later
            self._db.execute(
                "UPDATE hosts SET not_before = coalesce("
                "(SELECT min(retry_at) FROM urls WHERE host_id = hosts.id AND state = 0),"
                " not_before) WHERE id = ?",
                (host_id,),
            )
            return ()
        self._db.executemany(
            "UPDATE urls SET state = 1, changed_at = ? WHERE seq = ?",
            [(now, row[0]) for row in rows],
        )
        self._db.execute(
            "UPDATE hosts SET leased = 1, waiting = waiting - ? WHERE id = ?", (len(rows), host_id)
        )
        return self._hand_out(rows)

    def _hand_out(self, rows: Sequence[tuple[Any, ...]]) -> tuple[LeasedUrl, ...]:
        if len(self._rows_out) > REMEMBERED_ROWS:
            self._rows_out.clear()
        self._rows_out.update((row[1], row[0]) for row in rows)
        return tuple(LeasedUrl(*row[1:]) for row in rows)

    def settle(self, verdicts: Sequence[Verdict], now: float) -> None:
        """Record how leased URLs ended; one that shall be tried again waits until its time."""
        self._open()
        seqs = self._rows_of([v.url_id for v in verdicts])
        self._db.executemany(
            "UPDATE urls SET state = ?, reason = ?, retry_at = ?, tries = tries + 1,"
            " changed_at = ? WHERE seq = ?",
            [(CODE_OF[v.state], v.reason, v.retry_at, now, seqs[v.url_id]) for v in verdicts],
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
        """Add to the number of pages each site has had."""
        self._db.executemany(
            "UPDATE sites SET taken = taken + ? WHERE site = ?",
            [(pages, site) for site, pages in sites.items()],
        )

    def release(self, host: str, not_before: float, now: float) -> None:
        """Give a host back; its leased URLs wait again, and nobody gets it before that time."""
        (host_id,) = self._db.execute("SELECT id FROM hosts WHERE host = ?", (host,)).fetchone()
        given_back = self._db.execute(
            "UPDATE urls SET state = 0, changed_at = ? WHERE host_id = ? AND state = 1",
            (now, host_id),
        ).rowcount
        self._db.execute(
            "UPDATE hosts SET leased = 0, not_before = max(not_before, ?), waiting = waiting + ?"
            " WHERE id = ?",
            (not_before, given_back, host_id),
        )

    def exchange(
        self, host: str, url_ids: Sequence[bytes], k: int, now: float
    ) -> tuple[LeasedUrl, ...]:
        """Let leased URLs of a host wait again, and hand out its best `k` instead.

        Mostly they are the best still, and nothing is written.
        """
        self._open()
        (host_id,) = self._db.execute("SELECT id FROM hosts WHERE host = ?", (host,)).fetchone()
        seqs = list(self._rows_of(url_ids).values())
        marks = ",".join("?" * len(seqs))
        found = self._db.execute(self._columns + _BEST, (host_id, now, k)).fetchall()
        found += self._db.execute(f"{self._columns} WHERE urls.seq IN ({marks})", seqs).fetchall()
        found.sort(key=lambda row: (-row[6], row[0]))
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

    def give_back(self, host: str, url_ids: Sequence[bytes], now: float) -> None:
        """Let leased URLs of a host wait again; the host stays leased."""
        self._open()
        rows = self._rows_of(url_ids)
        self._db.executemany(
            "UPDATE urls SET state = 0, changed_at = ? WHERE seq = ?",
            [(now, row) for row in rows.values()],
        )
        self._db.execute("UPDATE hosts SET waiting = waiting + ? WHERE host = ?", (len(rows), host))

    def release_all(self, now: float) -> int:
        """Free every lease: their owner is dead, or stops now. Return how many URLs wait again."""
        given_back = self._db.execute(
            "UPDATE urls SET state = 0, changed_at = ? WHERE state = 1", (now,)
        ).rowcount
        self._db.execute("UPDATE hosts SET leased = 0 WHERE leased = 1")
        self._db.execute(
            "UPDATE hosts SET waiting ="
            " (SELECT count(*) FROM urls WHERE host_id = hosts.id AND state = 0)"
        )
        return given_back

    def next_ready_at(self) -> float | None:
        """Return when the next free host with waiting URLs may be fetched from, if there is one."""
        row = self._db.execute(
            "SELECT min(not_before) FROM hosts WHERE waiting > 0 AND leased = 0"
        ).fetchone()
        return None if row[0] is None else float(row[0])

    def counts(self) -> Counts:
        """Count the URLs by state."""
        numbers = dict(self._db.execute("SELECT state, count(*) FROM urls GROUP BY state"))
        by_name = {str(state): numbers.get(code, 0) for code, state in enumerate(STATES)}
        return Counts(**by_name)
