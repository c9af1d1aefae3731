"""Judging known URLs again after limits changed, in SQLite."""

from collections import Counter
from collections.abc import Callable, Iterator

from telusur.backends.sqlite.frontier.intake import FAILED, SKIPPED, WAITING, SqliteIntake
from telusur.crawl.frontier_records import LIMITS
from telusur.store.frontier import Judge

_Looked = tuple[int, int, str, int, str]

_WALK = (
    "SELECT seq, host_id, url, depth, reason FROM urls WHERE state = ? AND seq > ?"
    # The reason of a fetched URL comes from its response, except for limits, which never do.
    " AND (state IN (0, 3) OR reason = 'depth' OR reason LIKE 'scope:%'"
    " OR NOT EXISTS (SELECT 1 FROM pages WHERE pages.url_id = urls.url_id))"
    " ORDER BY seq LIMIT 5000"
)


class SqliteSecondLook(SqliteIntake):
    """Judges known URLs again; the caller owns the transaction.

    A URL that is skipped keeps its score and its note.
    """

    def admit_again(
        self, reasons: tuple[str, ...], judge: Judge, score: Callable[[int], float]
    ) -> int:
        """Return URLs skipped for these reasons to waiting; return how many more URLs wait.

        A URL without a score gets the `score` of its depth.
        """
        now = self._clock()
        admitted: Counter[int] = Counter()
        for seq, host_id, url, depth, reason in self._walk(SKIPPED):
            if not reason.startswith(reasons):
                continue
            objection = judge(url, depth)
            if objection is None:
                self._db.execute(
                    "UPDATE urls SET state = 0, reason = '', tries = 0, retry_at = 0,"
                    " changed_at = ?, score = CASE score WHEN 0 THEN ? ELSE score END"
                    " WHERE seq = ?",
                    (now, score(depth), seq),
                )
                admitted[host_id] += 1
            elif objection != reason and reason.startswith(LIMITS):
                self._db.execute("UPDATE urls SET reason = ? WHERE seq = ?", (objection, seq))
        self._scores.forget()
        self._add_waiting(admitted)
        return admitted.total() - self._push_out(now)

    def retry_failed(
        self, is_to_retry: Callable[[str], bool], judge: Judge, score: Callable[[int], float]
    ) -> int:
        """Retry URLs that failed for such a reason; return how many more URLs wait."""
        now = self._clock()
        again: Counter[int] = Counter()
        for seq, host_id, url, depth, reason in self._walk(FAILED):
            if is_to_retry(reason) and judge(url, depth) is None:
                self._db.execute(
                    "UPDATE urls SET state = 0, reason = '', tries = 0, retry_at = 0,"
                    " changed_at = ?, score = CASE score WHEN 0 THEN ? ELSE score END"
                    " WHERE seq = ?",
                    (now, score(depth), seq),
                )
                again[host_id] += 1
        self._scores.forget()
        self._add_waiting(again)
        return again.total() - self._push_out(now)

    def keep_out(self, judge: Judge) -> int:
        """Skip waiting URLs that may no longer be fetched; return how many."""
        now = self._clock()
        kept_out: Counter[int] = Counter()
        for seq, host_id, url, depth, _ in self._walk(WAITING):
            reason = judge(url, depth)
            if reason is not None:
                self._db.execute(
                    "UPDATE urls SET state = 4, reason = ?, changed_at = ? WHERE seq = ?",
                    (reason, now, seq),
                )
                kept_out[host_id] -= 1
        self._add_waiting(kept_out)
        return -kept_out.total()

    def _walk(self, state: int) -> Iterator[_Looked]:
        """Walk over the URLs in a state, a bounded number at a time."""
        last = -1
        while rows := self._db.execute(_WALK, (state, last)).fetchall():
            yield from rows
            last = rows[-1][0]
