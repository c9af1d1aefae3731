"""A second look at URLs in SQLite when limits changed: who is let in again, who is kept out."""

from collections import Counter
from collections.abc import Callable, Iterator

from telusur.adapters.sqlite_intake import SKIPPED, WAITING, SqliteIntake
from telusur.models import Reason

LIMITS = (Reason.SCOPE, Reason.DEPTH)
"""Why URLs are skipped that a limit keeps out which may be changed while a crawl runs."""

Judge = Callable[[str, int], str | None]
"""Takes a URL and its depth, returns why it may not be fetched, or None."""
_Looked = tuple[int, int, str, int, str]

_WALK = (
    "SELECT seq, host_id, url, depth, reason FROM urls WHERE state = ? AND seq > ?"
    # What was fetched has its reason from that; a limit alone never follows from a fetch.
    " AND (state = 0 OR reason = 'depth' OR reason LIKE 'scope:%'"
    " OR NOT EXISTS (SELECT 1 FROM pages WHERE pages.url_id = urls.url_id))"
    " ORDER BY seq LIMIT 5000"
)


class SqliteSecondLook(SqliteIntake):
    """Judges URLs anew that are known already; the caller owns the transaction.

    A URL that is kept out loses neither its score nor what the strategy noted about it.
    """

    def admit_again(
        self, reasons: tuple[str, ...], judge: Judge, score: Callable[[int], float], now: float
    ) -> int:
        """Let URLs in that were skipped for these reasons; return how many more of all wait now.

        One that was never scored is worth what `score` says of its depth.
        """
        admitted: Counter[int] = Counter()
        for seq, host_id, url, depth, reason in self._walk(SKIPPED):
            if not reason.startswith(reasons):
                continue
            objection = judge(url, depth)
            if objection is None:
                self._db.execute(
                    "UPDATE urls SET state = 0, reason = '', tries = 0, changed_at = ?,"
                    " score = CASE score WHEN 0 THEN ? ELSE score END WHERE seq = ?",
                    (now, score(depth), seq),
                )
                admitted[host_id] += 1
            elif objection != reason and reason.startswith(LIMITS):
                self._db.execute("UPDATE urls SET reason = ? WHERE seq = ?", (objection, seq))
        self._add_waiting(admitted)
        return admitted.total() - self._push_out(now)

    def keep_out(self, judge: Judge, now: float) -> int:
        """Skip URLs that wait and may not be fetched any more; return how many."""
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
