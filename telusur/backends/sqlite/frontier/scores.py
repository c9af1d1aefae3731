"""Scores and notes of waiting URLs in SQLite, and how further links change them."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from telusur.backends.sqlite.seen.known_urls import SeenSet
from telusur.backends.sqlite.seen.lookup import DEPTH_BITS
from telusur.crawl.frontier_records import NewUrl
from telusur.crawl.strategies.contract import Again, Scored, Strategy

REMEMBERED_ROWS = 100_000
_AT_ONCE = 500

# Score and note of a further link to a URL.
Sight = tuple[float, bytes]
# Instead of a row: this URL no longer waits.
_ENDED = 0


class SqliteScores:
    """Keeps scores as a strategy wants; the caller owns the transaction."""

    def __init__(self, connection: sqlite3.Connection, seen: SeenSet) -> None:
        self._db = connection
        self._seen = seen
        self._strategy: Strategy | None = None
        self._rows: dict[bytes, int] = {}

    def order_by(self, strategy: Strategy) -> None:
        """Use this strategy from now on."""
        self._strategy = strategy

    @property
    def again(self) -> Again:
        """Return what a further link to a waiting URL means; by default the closest counts."""
        return Again.NEAREST if self._strategy is None else self._strategy.again

    @property
    def is_ordered(self) -> bool:
        """Tell whether the best score over all hosts comes next."""
        return self._strategy is not None and self._strategy.is_ordered

    @property
    def keeps_notes(self) -> bool:
        """Tell whether waiting URLs have notes."""
        return self._strategy is not None and self._strategy.keeps_notes

    @property
    def counts_again(self) -> bool:
        """Tell whether a further link that is no closer matters."""
        return self.again.counts

    def forget(self) -> None:
        """Clear the caches of rows and of ended URLs: both may have changed."""
        self._rows.clear()

    def begin_again(self, url_id: bytes) -> None:
        """Forget that a URL had ended: it waits again."""
        self._rows.pop(url_id, None)

    def put_notes(self, notes: Sequence[tuple[int, bytes]]) -> None:
        """Store notes on waiting URLs, by row."""
        if notes:
            self._db.executemany("INSERT OR REPLACE INTO notes VALUES (?, ?)", notes)

    def end(self, urls: Iterable[tuple[bytes, int]]) -> None:
        """Remove the notes of URLs that no longer wait: id and row of each."""
        urls = list(urls)
        if self.keeps_notes:
            self._db.executemany("DELETE FROM notes WHERE seq = ?", [(row,) for _, row in urls])
        for url_id, _ in urls:
            if url_id in self._rows:
                self._rows[url_id] = _ENDED

    def combine(
        self, urls: Sequence[NewUrl], best: dict[bytes, NewUrl], known: Mapping[bytes, int]
    ) -> None:
        """Score each new URL of a group by all links to it; for known URLs, record further links.

        `best`, with one link per URL, is changed in place.
        """
        if len(urls) > len(best):
            totals: dict[bytes, Sight] = {}
            for new in urls:
                if not new.skip_reason:
                    one = (new.score, new.note)
                    old = totals.get(new.url_id)
                    totals[new.url_id] = one if old is None else self._merged(old, one)
            for url_id, (score, note) in totals.items():
                kept = best[url_id]
                if not kept.skip_reason and (kept.score != score or kept.note != note):
                    best[url_id] = kept._replace(score=score, note=note)
        self.see_again(
            {
                url_id: (best[url_id].score, best[url_id].note)
                for url_id in known
                if not best[url_id].skip_reason
            }
        )

    def gather(self, totals: dict[bytes, Sight], seen: Mapping[bytes, Sight]) -> None:
        """Add further links, one per URL, to those of a group."""
        if not self.counts_again:
            return
        merged = {}
        if self.again is not Again.LATEST or self.keeps_notes:
            both = totals.keys() & seen.keys()
            merged = {url_id: self._merged(totals[url_id], seen[url_id]) for url_id in both}
        totals.update(seen)
        totals.update(merged)

    def _merged(self, old: Sight, new: Sight) -> Sight:
        if self.again is Again.SUM:
            return old[0] + new[0], old[1]
        if self.again is Again.LATEST:
            return new[0], old[1]
        if self.again is Again.BEST:
            return new if new[0] > old[0] else old
        if self.again is Again.ASK and self._strategy is not None:
            return self._strategy.merge([(Scored(*old), Scored(*new))])[0]
        return old

    def see_again(self, scored: Mapping[bytes, Sight]) -> None:
        """Change the scores of waiting URLs as the strategy wants."""
        if not scored or not self.counts_again:
            return
        row_of = self._rows_of(scored)
        seen = [(row, *one) for url_id, one in scored.items() if (row := row_of.get(url_id))]
        if self.again is Again.SUM:
            self._db.executemany(
                "UPDATE urls SET score = score + ? WHERE seq = ? AND state < 2",
                [(score, row) for row, score, _ in seen],
            )
        elif self.again is Again.LATEST:
            self._db.executemany(
                "UPDATE urls SET score = ? WHERE seq = ? AND state < 2",
                [(score, row) for row, score, _ in seen],
            )
        elif self.again is Again.BEST:
            self._keep_best(seen)
        else:
            self._ask(seen)

    def _keep_best(self, seen: Sequence[tuple[int, float, bytes]]) -> None:
        if self.keeps_notes:
            self._db.executemany(
                "INSERT OR REPLACE INTO notes"
                " SELECT seq, ? FROM urls WHERE seq = ? AND state < 2 AND score < ?",
                [(note, row, score) for row, score, note in seen],
            )
        self._db.executemany(
            "UPDATE urls SET score = ? WHERE seq = ? AND state < 2 AND score < ?",
            [(score, row, score) for row, score, _ in seen],
        )

    def _ask(self, seen: Sequence[tuple[int, float, bytes]]) -> None:
        assert self._strategy is not None
        by_row = {row: Scored(score, note) for row, score, note in seen}
        for start in range(0, len(seen), _AT_ONCE):
            rows = [row for row, _, _ in seen[start : start + _AT_ONCE]]
            marks = ",".join("?" * len(rows))
            waiting = self._db.execute(
                "SELECT urls.seq, score, coalesce(note, x'') FROM urls"  # noqa: S608 - only question marks
                " LEFT JOIN notes ON notes.seq = urls.seq"
                f" WHERE urls.seq IN ({marks}) AND state < 2 ORDER BY urls.seq",
                rows,
            ).fetchall()
            merged = self._strategy.merge(
                [(Scored(score, note), by_row[row]) for row, score, note in waiting]
            )
            pairs = list(zip(waiting, merged, strict=True))
            self._db.executemany(
                "UPDATE urls SET score = ? WHERE seq = ?",
                [(now.score, row) for (row, score, _), now in pairs if now.score != score],
            )
            self.put_notes([(row, now.note) for (row, _, note), now in pairs if now.note != note])

    def _rows_of(self, url_ids: Mapping[bytes, Sight]) -> dict[bytes, int]:
        """Return the rows of URLs and of others; recent ones are cached."""
        known = self._rows
        lacking = [url_id for url_id in url_ids if url_id not in known]
        if lacking:
            if len(known) + len(lacking) > REMEMBERED_ROWS:
                known.clear()
                lacking = list(url_ids)
            found = self._seen.find(lacking)
            known.update({url_id: value >> DEPTH_BITS for url_id, value in found.items()})
        return known
