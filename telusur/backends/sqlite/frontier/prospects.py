"""What a strategy reads and has learned, in SQLite: waiting URLs, known links, its state."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import WaitingUrl, numbers_of

PAGES_AT_ONCE = 500
_WAITING = (
    "SELECT urls.seq, url_id, url, depth, score, coalesce(note, x'') FROM urls"
    " LEFT JOIN notes ON notes.seq = urls.seq WHERE state = 0"
)


class SqliteProspects:
    """Implements `telusur.store.catalogue.StrategyState`; the caller owns transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def count(self) -> int:
        """Return how many URLs wait."""
        (number,) = self._db.execute("SELECT coalesce(sum(waiting), 0) FROM hosts").fetchone()
        return int(number)

    def best(self, limit: int) -> list[WaitingUrl]:
        """Return waiting URLs with the best scores, best first."""
        rows = self._db.execute(f"{_WAITING} ORDER BY score DESC, urls.seq LIMIT ?", (limit,))
        return [WaitingUrl(*row) for row in rows]

    def walk(self, batch: int = 5000) -> Iterator[list[WaitingUrl]]:
        """Walk over all waiting URLs in the order they were found, some at a time."""
        last = 0
        query = f"{_WAITING} AND urls.seq > ? ORDER BY urls.seq LIMIT ?"
        while rows := self._db.execute(query, (last, batch)).fetchall():
            yield [WaitingUrl(*row) for row in rows]
            last = rows[-1][0]

    def walk_ids(self, batch: int = 5000) -> Iterator[tuple[list[int], bytes]]:
        """Walk over rows and joined url_ids only."""
        last = 0
        query = "SELECT seq, url_id FROM urls WHERE state = 0 AND seq > ? ORDER BY seq LIMIT ?"
        while rows := self._db.execute(query, (last, batch)).fetchall():
            yield [row[0] for row in rows], b"".join([row[1] for row in rows])
            last = rows[-1][0]

    def put_scores(self, rows: Sequence[int], scores: Sequence[float]) -> None:
        """Give waiting URLs new scores."""
        self._db.executemany(
            "UPDATE urls SET score = ? WHERE seq = ? AND state < 2",
            [(float(score), int(row)) for row, score in zip(rows, scores, strict=True)],
        )

    def put_scores_of(self, url_ids: Sequence[bytes], scores: Sequence[float]) -> None:
        """Give waiting URLs new scores, by id."""
        self._db.executemany(
            "UPDATE urls SET score = ? WHERE seq = seq_of(?) AND state < 2",
            [(float(score), url_id) for url_id, score in zip(url_ids, scores, strict=True)],
        )

    def edges(self) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
        """Yield the links of fetched pages, from and to, by the numbers of their url_ids."""
        last = b""
        query = "SELECT url_id, targets FROM links WHERE url_id > ? ORDER BY url_id LIMIT ?"
        while rows := self._db.execute(query, (last, PAGES_AT_ONCE)).fetchall():
            targets = numbers_of(b"".join(row[1] for row in rows))
            sources = numbers_of(b"".join(row[0] for row in rows))
            yield np.repeat(sources, [len(row[1]) // 16 for row in rows]), targets
            last = rows[-1][0]

    # State

    def state(self) -> dict[str, bytes]:
        """Return what was saved, by part."""
        return dict(self._db.execute("SELECT part, value FROM strategy_state"))

    def put_state(self, parts: Mapping[str, bytes]) -> None:
        """Save parts of what was learned."""
        self._db.executemany("INSERT OR REPLACE INTO strategy_state VALUES (?, ?)", parts.items())

    def start_over(self, score_at: Mapping[int, float]) -> None:
        """Forget what another strategy learned; score waiting URLs by their depth."""
        self._db.execute("DELETE FROM strategy_state")
        self._db.execute("DELETE FROM notes")
        self._db.executemany(
            "UPDATE urls SET score = ? WHERE state < 2 AND depth = ?",
            [(score, depth) for depth, score in score_at.items()],
        )

    def depths(self) -> list[int]:
        """Return the depths at which URLs wait."""
        return [depth for (depth,) in self._db.execute(
            "SELECT DISTINCT depth FROM urls WHERE state < 2"
        )]  # fmt: skip
