"""The frontier in SQLite: every URL and its state on disk, nothing of it kept in memory."""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from telusur.crawl.frontier import Added, HostLease, LeasedUrl, NewUrl, Verdict
from telusur.models import Counts, Reason, State

STATES = (State.WAITING, State.LEASED, State.DONE, State.FAILED, State.SKIPPED)
CODE_OF = {state: code for code, state in enumerate(STATES)}
WAITING, LEASED, DONE, FAILED, SKIPPED = range(5)
CHUNK = 500

# Reasons that depend on the way a URL was reached; a better way lets it in.
_REASONS_OF_THE_WAY = (Reason.DEPTH, Reason.FRONTIER_FULL)
# Most links of a page are known from the page before it: so many are remembered with their depth.
REMEMBERED_URLS = 50_000


class SqliteFrontier:
    """Implements `telusur.crawl.frontier.Frontier`; the caller owns the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._depths: dict[bytes, int] = {}

    def add(self, urls: Sequence[NewUrl], now: float) -> Added:
        """Remember the URLs, and say which were known.

        A known URL that is seen nearer to a start URL takes the smaller depth, so that a depth
        limit means the same in whatever order the pages came.
        """
        best = _nearest_of_each(urls, self._depths)
        known = self._known(list(best))
        self._remember(best.values())
        fresh = [new for new in best.values() if new.url_id not in known]
        self._insert(fresh, now)
        waiting = [new for new in fresh if not new.skip_reason]
        nearer = {}
        for url_id, (code, depth, reason) in known.items():
            new = best[url_id]
            if code == SKIPPED and not new.skip_reason and reason.startswith(_REASONS_OF_THE_WAY):
                self._admit(new, now)
                waiting.append(new)
            elif new.depth < depth:
                self._db.execute("UPDATE urls SET depth = ? WHERE url_id = ?", (new.depth, url_id))
                if code == WAITING:
                    self._rescore(new)
                elif code in (LEASED, DONE):
                    nearer[url_id] = new.depth
        hosts = {new.host for new in waiting}
        return Added(len(fresh), len(waiting), len(fresh) - len(waiting), hosts, nearer)

    def _remember(self, urls: Iterable[NewUrl]) -> None:
        """Note that these are known; found again no nearer than this, nothing changes."""
        if len(self._depths) > REMEMBERED_URLS:
            self._depths.clear()
        for new in urls:
            self._depths[new.url_id] = new.depth

    def add_start(self, urls: Sequence[NewUrl], now: float) -> Added:
        """Add start URLs: one that had been skipped, or failed, is tried again."""
        added = self.add(urls, now)
        again = 0
        for new in urls:
            code, _, _ = self._known([new.url_id])[new.url_id]
            if code in (SKIPPED, FAILED):
                self._admit(new, now)
                again += 1
        return replace(added, waiting=added.waiting + again)

    def _known(self, url_ids: Sequence[bytes]) -> dict[bytes, tuple[int, int, str]]:
        known = {}
        for chunk in _chunks(url_ids):
            rows = self._db.execute(
                f"SELECT url_id, state, depth, reason FROM urls WHERE url_id IN ({_marks(chunk)})",  # noqa: S608 - only question marks
                chunk,
            )
            known.update({url_id: (code, depth, reason) for url_id, code, depth, reason in rows})
        return known

    def depth_of(self, url_id: bytes) -> int:
        """Return how far a URL is from a start URL as known by now."""
        row = self._db.execute("SELECT depth FROM urls WHERE url_id = ?", (url_id,)).fetchone()
        return int(row[0])

    def known_ids(self, url_ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the ids that the frontier knows."""
        return set(self._known(url_ids))

    def _insert(self, fresh: Iterable[NewUrl], now: float) -> None:
        waiting: Counter[int] = Counter()
        rows = []
        host_ids: dict[str, int] = {}
        for new in fresh:
            if new.host not in host_ids:
                host_ids[new.host] = self._host_id(new.host, new.site)
            host_id = host_ids[new.host]
            code = SKIPPED if new.skip_reason else WAITING
            waiting[host_id] += code == WAITING
            rows.append(
                (new.url_id, new.url, host_id, code, new.skip_reason, new.score, new.depth,
                 new.hops, new.parent, new.anchor, now, now)
            )  # fmt: skip
        self._db.executemany(
            "INSERT INTO urls (url_id, url, host_id, state, reason, score, depth, hops,"
            " parent, anchor, found_at, changed_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            rows,
        )
        self._add_waiting(waiting)

    def _host_id(self, host: str, site: str) -> int:
        row = self._db.execute("SELECT id FROM hosts WHERE host = ?", (host,)).fetchone()
        if row:
            return int(row[0])
        self._db.execute("INSERT OR IGNORE INTO sites (site) VALUES (?)", (site,))
        cursor = self._db.execute(
            "INSERT INTO hosts (host, site_id) SELECT ?, id FROM sites WHERE site = ?", (host, site)
        )
        return int(cursor.lastrowid or 0)

    def _add_waiting(self, changes: Counter[int]) -> None:
        self._db.executemany(
            "UPDATE hosts SET waiting = waiting + ? WHERE id = ?",
            [(change, host_id) for host_id, change in changes.items() if change],
        )

    def _admit(self, new: NewUrl, now: float) -> None:
        """Let a URL in that had been skipped."""
        self._db.execute(
            "UPDATE urls SET state = 0, reason = '', depth = min(depth, ?), score = ?,"
            " hops = ?, tries = 0, retry_at = 0, changed_at = ? WHERE url_id = ?",
            (new.depth, new.score, new.hops, now, new.url_id),
        )
        self._db.execute(
            "UPDATE hosts SET waiting = waiting + 1"
            " WHERE id = (SELECT host_id FROM urls WHERE url_id = ?)",
            (new.url_id,),
        )

    def _rescore(self, new: NewUrl) -> None:
        self._db.execute(
            "UPDATE urls SET score = ? WHERE url_id = ?",
            (new.score, new.url_id),
        )

    def admit_again(
        self, reasons: tuple[str, ...], judge: Callable[[str, int], str | None], now: float
    ) -> int:
        """Judge URLs skipped for these reasons anew; return how many of them wait again."""
        admitted: Counter[int] = Counter()
        for seq, host_id, url, depth, reason in self._skipped():
            if reason.startswith(reasons) and judge(url, depth) is None:
                self._db.execute(
                    "UPDATE urls SET state = 0, reason = '', tries = 0, changed_at = ?"
                    " WHERE seq = ?",
                    (now, seq),
                )
                admitted[host_id] += 1
        self._add_waiting(admitted)
        return admitted.total()

    def _skipped(self) -> Iterator[tuple[int, int, str, int, str]]:
        """Walk over the skipped URLs that were never fetched, a bounded number at a time."""
        last = -1
        while rows := self._db.execute(
            "SELECT seq, host_id, url, depth, reason FROM urls WHERE state = 4 AND seq > ?"
            " AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.url_id = urls.url_id)"
            " ORDER BY seq LIMIT 5000",
            (last,),
        ).fetchall():
            yield from rows
            last = rows[-1][0]

    def lease(self, hosts: int, k: int, now: float) -> list[HostLease]:
        """Hand out up to `hosts` hosts that may be fetched from, each with up to `k` URLs.

        Sites that had the fewest pages come first.
        """
        ready = self._db.execute(
            "SELECT hosts.id, host, site, taken FROM hosts JOIN sites ON sites.id = site_id"
            " WHERE waiting > 0 AND leased = 0 AND not_before <= ?"
            " ORDER BY taken, not_before LIMIT ?",
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
        rows = self._db.execute(
            "SELECT seq, url_id, url, depth, hops, tries FROM urls"
            " WHERE host_id = ? AND state = 0 AND retry_at <= ? ORDER BY score DESC, seq LIMIT ?",
            (host_id, now, k),
        ).fetchall()
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
        return tuple(LeasedUrl(*row[1:]) for row in rows)

    def settle(self, verdicts: Sequence[Verdict], now: float) -> None:
        """Record how leased URLs ended; one that shall be tried again waits until its time."""
        self._db.executemany(
            "UPDATE urls SET state = ?, reason = ?, retry_at = ?, tries = tries + 1,"
            " changed_at = ? WHERE url_id = ?",
            [(CODE_OF[v.state], v.reason, v.retry_at, now, v.url_id) for v in verdicts],
        )
        self._db.executemany(
            "UPDATE urls SET url = ?, hops = hops + 1, tries = tries - 1 WHERE url_id = ?",
            [(v.moved_to, v.url_id) for v in verdicts if v.moved_to],
        )
        self._db.executemany(
            "UPDATE hosts SET waiting = waiting + 1"
            " WHERE id = (SELECT host_id FROM urls WHERE url_id = ?)",
            [(v.url_id,) for v in verdicts if v.state is State.WAITING],
        )

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


def _nearest_of_each(urls: Sequence[NewUrl], depths: Mapping[bytes, int]) -> dict[bytes, NewUrl]:
    """Keep one of each URL that is nearer than known: one to be followed, then the nearest."""
    best: dict[bytes, NewUrl] = {}
    for new in urls:
        if depths.get(new.url_id, new.depth + 1) <= new.depth:
            continue
        old = best.get(new.url_id)
        if old is None or (bool(new.skip_reason), new.depth) < (bool(old.skip_reason), old.depth):
            best[new.url_id] = new
    return best


def _chunks(items: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]


def _marks(items: Sequence[bytes]) -> str:
    return ",".join("?" * len(items))
