"""The indexer process: follows the catalogue by itself, seconds behind the crawl.

It reads documents by their growing number, replaces them in the index, commits, and only then
remembers the number, so that a kill at any moment repeats work and never loses any. It ends when
the process that started it does, or after catching up when told to finish.
"""

import select
import signal
import sqlite3
import sys
import time
from pathlib import Path

from telusur.adapters.memory import return_large_blocks, seek_garbage_seldom
from telusur.adapters.sqlite_schema import connect, storage_errors
from telusur.adapters.tantivy_index import TantivyIndex
from telusur.errors import TelusurError
from telusur.run.commit_pace import CommitPace
from telusur.run.index_items import Row, make_item, read_rows_after
from telusur.run.index_position import INDEX, read_position, write_position
from telusur.run.settling import Background, forget_anchors
from telusur.run.vectors import AUTO, VectorWork

BATCH = 500
FIRST_BATCH = 30
"""One that is killed again and again gets further all the same."""
BATCH_CHARACTERS = 5_000_000
PAUSE_SECONDS = 0.3
BACKGROUND_SHARE = 0.05
"""Of the time that passes, for static rank and link texts."""
BUSY_SHARE = 0.02
"""The same while documents keep coming."""
VECTOR_SHARE = 0.2
"""The same for vectors, if they are wanted: some 50 pages a second."""
LAST_SECONDS = 1.0
"""The same when the crawl has ended; `telusur index --settle` brings the rest."""
MERGE_SECONDS = 10.0
"""So long the end of a crawl waits for segments that are being merged; `telusur index` goes on."""


class Follower:
    """Brings an index level with the catalogue, a batch at a time."""

    def __init__(
        self, directory: Path, connection: sqlite3.Connection, index: TantivyIndex
    ) -> None:
        self._directory = directory
        self._db = connection
        self._index = index
        self._pace = CommitPace(time.monotonic)
        self._position = read_position(directory)
        self._batch = FIRST_BATCH
        if not self._position:  # documents are indexed again that are there, without link texts
            forget_anchors(directory / INDEX)

    def catch_up(self) -> int:
        """Take in what is there; return how many documents were looked at.

        What is large is committed in parts, and the last part when its time has come.
        """
        seen = 0
        while rows := _changed_after(self._db, self._position, self._batch):
            self._index.delete(row.url_id for row in rows if row.not_indexed)
            self._index.replace(make_item(row) for row in rows if not row.not_indexed)
            self._position = rows[-1].seq
            self._pace.note_change()
            if self._pace.is_due(is_behind=len(rows) == self._batch):
                self.commit()
            self._batch = min(2 * self._batch, BATCH)
            seen += len(rows)
        if self._pace.is_due():
            self.commit()
        return seen

    def commit(self) -> None:
        """Make the changes durable, then remember how far they go."""
        if self._pace.has_changes:
            self._index.commit()
            write_position(self._directory, self._position)
            self._pace.note_commit()


def catch_up(directory: Path, connection: sqlite3.Connection, index: TantivyIndex) -> int:
    """Bring the index level with the catalogue; return how many documents were looked at."""
    follower = Follower(directory, connection, index)
    seen = follower.catch_up()
    follower.commit()
    return seen


def correct_position(directory: Path, connection: sqlite3.Connection) -> None:
    """Bring the position back to the catalogue's end before anything is added.

    After a power cut the catalogue may be a second behind the index, and its numbers come again.
    """
    (newest,) = connection.execute("SELECT coalesce(max(seq), 0) FROM documents").fetchone()
    if read_position(directory) > newest:
        forget_anchors(directory / INDEX)
        write_position(directory, newest)


def _changed_after(connection: sqlite3.Connection, position: int, most: int) -> list[Row]:
    """Return the next documents, as many as fit into a batch and into memory."""
    rows: list[Row] = []
    characters = 0
    for row in read_rows_after(connection, position, most):
        rows.append(row)
        characters += len(row.text)
        if characters > BATCH_CHARACTERS:
            break
    return rows


def follow(directory: Path, vectors: str = AUTO) -> None:
    """Index what arrives until standard input closes (stop at once) or says so (catch up first)."""
    connection = connect(directory, read_only=True)
    index = TantivyIndex(directory / INDEX)
    follower = Follower(directory, connection, index)
    background = Background(directory / INDEX, connection, index)
    vector_work = VectorWork(directory, vectors)
    pause, worked_at = 0.0, time.monotonic()  # begin at once
    with storage_errors(directory):
        while True:
            ready, _, _ = select.select([sys.stdin], [], [], pause)
            pause = PAUSE_SECONDS
            word = sys.stdin.readline() if ready else "go on\n"
            if not word:
                return
            is_busy = follower.catch_up() > 0
            if word == "finish\n":
                follower.commit()
                background.work(LAST_SECONDS, is_last=True)
                vector_work.finish(LAST_SECONDS)
                index.close_within(MERGE_SECONDS)
                return
            passed = time.monotonic() - worked_at
            background.work(passed * (BUSY_SHARE if is_busy else BACKGROUND_SHARE))
            vector_work.work(passed * VECTOR_SHARE)
            worked_at = time.monotonic()


def main() -> None:
    """Run as `python -m telusur.run.indexer DIRECTORY [VECTORS]`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    return_large_blocks()
    seek_garbage_seldom()
    try:
        follow(Path(sys.argv[1]), *sys.argv[2:3])
    except TelusurError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
