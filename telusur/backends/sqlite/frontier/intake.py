"""Adding URLs to the frontier in SQLite: new ones, known ones, and those beyond its limit."""

import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from telusur.backends.sqlite.frontier.scores import Sight, SqliteScores
from telusur.backends.sqlite.seen.known_urls import SeenSet
from telusur.backends.sqlite.seen.lookup import DEPTH_BITS
from telusur.backends.sqlite.seen.runs import DEEPEST, pack_value
from telusur.crawl.frontier_records import Added, Drawn, NewUrl
from telusur.crawl.hosts.politeness import Clock
from telusur.crawl.strategies.contract import Again, Strategy
from telusur.crawl.urls.identity import former_key_of, key_of, normalize_url
from telusur.models import Reason, State, url_id_of
from telusur.store.frontier import MayTry

STATES = (State.WAITING, State.LEASED, State.DONE, State.FAILED, State.SKIPPED)
CODE_OF = {state: code for code, state in enumerate(STATES)}
WAITING, LEASED, DONE, FAILED, SKIPPED = range(5)

# Most links of a page are known from the page before, so many are cached with their depth.
REMEMBERED_URLS = 50_000
ROWS_AT_ONCE = 1000


class UrlRow(NamedTuple):
    """The row of a known URL."""

    seq: int
    state: int
    depth: int
    reason: str
    score: float


class SqliteIntake:
    """Adds URLs; the caller owns the transaction."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock = time.time) -> None:
        self._db = connection
        self._clock = clock
        self._seen = SeenSet(connection)
        self._scores = SqliteScores(connection, self._seen)
        self._depths: dict[bytes, int] = {}
        # Free hosts, by row, with nothing to fetch before this time: all their waiting URLs are
        # retries.
        self._retry_at: dict[int, float] = {}
        self._most_waiting: int | None = None

    def order_by(self, strategy: Strategy) -> None:
        """Score and order URLs as this strategy wants."""
        self._scores.order_by(strategy)

    def gather_again(self, totals: dict[bytes, Sight], seen: Mapping[bytes, Sight]) -> None:
        """Combine further links to known URLs with those of other pages of the group."""
        self._scores.gather(totals, seen)

    def see_again(self, scored: Mapping[bytes, Sight]) -> None:
        """Record further links to known URLs, with score and note."""
        self._open()
        self._scores.see_again(scored)

    def limit_waiting(self, most: int | None) -> None:
        """Limit waiting URLs to `most` from the next `add` on; None means no limit."""
        self._most_waiting = most
        if most is None:
            self._db.execute("DROP INDEX IF EXISTS urls_worst")
        else:
            self._db.execute(
                "CREATE INDEX IF NOT EXISTS urls_worst ON urls (score, seq DESC) WHERE state = 0"
            )

    def forget(self) -> None:
        """Clear all caches: a transaction was rolled back."""
        self._depths.clear()
        self._retry_at.clear()
        self._scores.forget()

    def _open(self) -> None:
        """Load the known URLs, also after a failed transaction."""
        if self._seen.open():
            self.forget()
            self._db.create_function("seq_of", 1, self._seq_of)

    def add(self, urls: Sequence[NewUrl]) -> Added:
        """Add URLs, and return which were known.

        A known URL that is found closer to a start URL takes the smaller depth, so that a depth
        limit does not depend on the order of pages.
        """
        self._open()
        urls = self._as_known(urls)
        now = self._clock()
        counts_again = self._scores.counts_again
        best = _nearest_of_each(urls, {} if counts_again else self._depths)
        known = self._seen.find(best)
        if counts_again:
            self._scores.combine(urls, best, known)
        self._remember(best.values())
        fresh = [new for url_id, new in best.items() if url_id not in known]
        self._insert(fresh, now)
        waiting = [new for new in fresh if not new.skip_reason]
        nearer: list[tuple[NewUrl, UrlRow]] = []
        for new, row in self._worth_a_look(best, known):
            if _is_let_in(new, row):
                self._admit(new, row.seq, now)
                waiting.append(new)
            elif new.depth < row.depth:
                nearer.append((new, row))
        self._move_nearer((new.depth, new.score, row.seq) for new, row in nearer)
        pushed_out = self._push_out(now)
        return Added(
            fresh=len(fresh),
            waiting=len(waiting) - pushed_out,
            skipped=len(fresh) - len(waiting) + pushed_out,
            hosts={new.host for new in waiting},
            nearer={new.url_id: new.depth for new, row in nearer if row.state in (LEASED, DONE)},
        )

    def _as_known(self, urls: Sequence[NewUrl]) -> Sequence[NewUrl]:
        """Give pages the id that an older collection uses for them: see `former_key_of`."""
        return [
            new._replace(url_id=self._former_id(new) or new.url_id) if "efault." in new.url else new
            for new in urls
        ]

    def _former_id(self, new: NewUrl) -> bytes | None:
        key = key_of(new.url)
        former = former_key_of(key) if key else None
        if former is None:
            return None
        former_id = url_id_of(former)
        row = self._db.execute("SELECT url FROM urls WHERE seq = ?", (self._seq_of(former_id),))
        (url,) = row.fetchone() or ("",)
        return former_id if normalize_url(url) == key else None

    def draw_nearer(self, url_ids: Sequence[bytes], depth: int, score: float) -> Drawn:
        """Lower the depth of known URLs to this one: a page that links to them moved closer.

        The depth at which a URL was found is cached, and its depth never grows.
        """
        self._open()
        known = self._seen.find(url_ids).values()
        may_be_farther = min(depth, DEEPEST - 1)
        seqs = [value >> DEPTH_BITS for value in known if value & DEEPEST > may_be_farther]
        marks = ",".join("?" * len(seqs))
        rows = self._db.execute(
            "SELECT seq, url_id, url, state, reason FROM urls"  # noqa: S608 - only question marks
            f" WHERE depth > ? AND seq IN ({marks})",
            [depth, *seqs],
        ).fetchall()
        self._move_nearer((depth, score, row[0]) for row in rows)
        return Drawn(
            {url_id: depth for _, url_id, _, state, _ in rows if state in (LEASED, DONE)},
            [
                url
                for _, _, url, state, reason in rows
                if state == SKIPPED and reason.startswith(Reason.DEPTH)
            ],
        )

    def _remember(self, urls: Iterable[NewUrl]) -> None:
        """Cache these as known; links at this depth or deeper change nothing."""
        if len(self._depths) > REMEMBERED_URLS:
            self._depths.clear()
        self._depths.update((new.url_id, new.depth) for new in urls)

    def _worth_a_look(
        self, best: Mapping[bytes, NewUrl], known: Mapping[bytes, int]
    ) -> Iterator[tuple[NewUrl, UrlRow]]:
        """Return known URLs, with their rows, that may change."""
        looked_at = {}
        for url_id, value in known.items():
            new, depth = best[url_id], value & DEEPEST
            is_nearer = new.depth < depth or depth == DEEPEST
            if is_nearer or new.is_wanted or self._most_waiting is not None:
                looked_at[value >> DEPTH_BITS] = new
        for row in self._rows(list(looked_at)):
            new = looked_at[row.seq]
            if row.reason == Reason.FRONTIER_FULL:
                # Every link to it counts.
                self._depths.pop(new.url_id, None)
            yield new, row

    def _rows(self, seqs: Sequence[int]) -> Iterator[UrlRow]:
        for start in range(0, len(seqs), ROWS_AT_ONCE):
            some = seqs[start : start + ROWS_AT_ONCE]
            marks = ",".join("?" * len(some))
            rows = self._db.execute(
                "SELECT seq, state, depth, reason, score FROM urls"  # noqa: S608 - only question marks
                f" WHERE seq IN ({marks})",
                some,
            )
            yield from map(UrlRow._make, rows.fetchall())

    def _insert(self, fresh: Sequence[NewUrl], now: float) -> None:
        if not fresh:
            return
        waiting: Counter[int] = Counter()
        rows = []
        notes = []
        values = {}
        host_ids: dict[str, int] = {}
        for seq, new in enumerate(fresh, self._seen.last_seq + 1):
            host_id = host_ids.get(new.host)
            if host_id is None:
                host_id = host_ids[new.host] = self._host_id(new.host, new.site)
            code = SKIPPED if new.skip_reason else WAITING
            waiting[host_id] += code == WAITING
            values[new.url_id] = pack_value(seq, new.depth)
            if new.note:
                notes.append((seq, new.note))
            rows.append(
                (seq, new.url_id, new.url, host_id, code, new.skip_reason, new.score, new.depth,
                 new.hops, new.parent, new.anchor, now, now)
            )  # fmt: skip
        self._db.executemany(
            "INSERT INTO urls (seq, url_id, url, host_id, state, reason, score, depth, hops,"
            " parent, anchor, found_at, changed_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            rows,
        )
        self._scores.put_notes(notes)
        self._add_waiting(waiting)
        self._seen.add(values, seq)

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
        """Update the numbers of waiting URLs by host."""
        self._db.executemany(
            "UPDATE hosts SET waiting = waiting + ? WHERE id = ?",
            [(change, host_id) for host_id, change in changes.items() if change],
        )
        for host_id in changes.keys() & self._retry_at.keys():
            del self._retry_at[host_id]

    def _admit(self, new: NewUrl, seq: int, now: float) -> None:
        """Return a skipped URL to waiting."""
        self._db.execute(
            "UPDATE urls SET state = 0, reason = '', depth = min(depth, ?), score = ?,"
            " hops = ?, tries = 0, retry_at = 0, changed_at = ? WHERE seq = ?",
            (new.depth, new.score, new.hops, now, seq),
        )
        query = "SELECT host_id FROM urls WHERE seq = ?"
        (host_id,) = self._db.execute(query, (seq,)).fetchone()
        self._add_waiting(Counter({host_id: 1}))
        self._scores.begin_again(new.url_id)
        self._scores.put_notes([(seq, new.note)] if new.note else [])

    def _move_nearer(self, moves: Iterable[tuple[int, float, int]]) -> None:
        """Give rows a new depth, and a new score if the strategy goes by depth alone."""
        if self._scores.again is Again.NEAREST:
            change = "depth = ?1, score = CASE state WHEN 0 THEN ?2 ELSE score END"
        else:
            change = "depth = ?1"
        self._db.executemany(f"UPDATE urls SET {change} WHERE seq = ?3", moves)  # noqa: S608 - ours

    def _push_out(self, now: float) -> int:
        """Skip the worst of the waiting URLs when there are too many; return how many."""
        if self._most_waiting is None:
            return 0
        (waiting,) = self._db.execute("SELECT coalesce(sum(waiting), 0) FROM hosts").fetchone()
        worst = self._db.execute(
            "SELECT seq, url_id, host_id FROM urls WHERE state = 0"
            " ORDER BY score, seq DESC LIMIT ?",
            (max(0, waiting - self._most_waiting),),
        ).fetchall()
        self._db.executemany(
            "UPDATE urls SET state = 4, reason = ?, changed_at = ? WHERE seq = ?",
            [(Reason.FRONTIER_FULL, now, seq) for seq, _, _ in worst],
        )
        self._scores.end([(url_id, seq) for seq, url_id, _ in worst])
        self._add_waiting(Counter({host: -count for host, count in _by_host(worst).items()}))
        for _, url_id, _ in worst:
            self._depths.pop(url_id, None)
        return len(worst)

    def add_again(self, urls: Sequence[NewUrl], may_try: MayTry) -> Added:
        """Add URLs; those that have ended and may be retried wait again."""
        self._open()
        urls = self._as_known(urls)
        added = self.add(urls)
        again: Counter[int] = Counter()
        hosts = set(added.hosts)
        for new in urls:
            (row,) = self._rows([self.rows_of([new.url_id])[new.url_id]])
            has_ended = row.state in (DONE, FAILED, SKIPPED)
            if has_ended and not new.skip_reason and may_try(STATES[row.state], row.reason):
                self._admit(new, row.seq, self._clock())
                again[row.state] += 1
                hosts.add(new.host)
        return replace(
            added,
            waiting=added.waiting + again.total(),
            skipped=added.skipped - again[SKIPPED],
            failed=-again[FAILED],
            hosts=hosts,
        )

    def rows_of(self, url_ids: Sequence[bytes]) -> dict[bytes, int]:
        """Return the row numbers of those of the URLs that are known."""
        self._open()
        return {id_: value >> DEPTH_BITS for id_, value in self._seen.find(url_ids).items()}

    def known_ids(self, url_ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the ids that the frontier knows."""
        self._open()
        return set(self._seen.find(url_ids))

    def depths_of(self, url_ids: Sequence[bytes]) -> dict[bytes, int]:
        """Return the depths of known URLs."""
        self._open()
        seqs = {value >> DEPTH_BITS: url_id for url_id, value in self._seen.find(url_ids).items()}
        marks = ",".join("?" * len(seqs))
        rows = self._db.execute(f"SELECT seq, depth FROM urls WHERE seq IN ({marks})", list(seqs))  # noqa: S608 - only question marks
        return {seqs[seq]: depth for seq, depth in rows}

    def _seq_of(self, url_id: bytes | None) -> int | None:
        """Return the row number of a URL, or None when it is not known."""
        value = self._seen.find([url_id]).get(url_id) if url_id is not None else None
        return None if value is None else value >> DEPTH_BITS


def _is_let_in(new: NewUrl, row: UrlRow) -> bool:
    """Tell whether a URL that was skipped for its path has a better path now."""
    if row.state != SKIPPED or new.skip_reason:
        return False
    if row.reason == Reason.FRONTIER_FULL:
        return new.score > row.score
    if row.reason.startswith((Reason.HOOKS, Reason.STRATEGY)):
        return new.is_wanted
    return row.reason.startswith(Reason.DEPTH)


def _by_host(rows: Iterable[tuple[int, bytes, int]]) -> Counter[int]:
    return Counter(host_id for _, _, host_id in rows)


def _nearest_of_each(urls: Sequence[NewUrl], depths: Mapping[bytes, int]) -> dict[bytes, NewUrl]:
    """Keep one link per URL that is closer than known: one that may be followed, then the closest.

    The link counts as wanted if any link to the URL that may be followed is wanted.
    """
    best: dict[bytes, NewUrl] = {}
    wanted = set()
    for new in urls:
        if new.is_wanted:
            if not new.skip_reason:
                wanted.add(new.url_id)
        elif depths.get(new.url_id, new.depth + 1) <= new.depth:
            continue
        old = best.get(new.url_id)
        if old is None or (bool(new.skip_reason), new.depth) < (bool(old.skip_reason), old.depth):
            best[new.url_id] = new
    for url_id in wanted:
        if not best[url_id].is_wanted:
            best[url_id] = best[url_id]._replace(is_wanted=True)
    return best
