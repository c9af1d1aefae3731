"""The indexer process: follows the catalogue, seconds behind the crawl.

It reads the changes after its cursor, replaces those documents in the index, commits, and then
advances the cursor. A kill at any moment repeats work and never loses any. It ends with its parent
process, or after catching up when told to finish.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing

from telusur.backends import open_store
from telusur.errors import TelusurError
from telusur.index.contract import Index, IndexItem, number_of
from telusur.machine.memory import FreedMemory, return_large_blocks, seek_garbage_seldom
from telusur.pipeline.indexing.commit_pace import CommitPace
from telusur.pipeline.indexing.index_seconds import append_index_seconds, forget_index_seconds
from telusur.pipeline.indexing.items import make_item
from telusur.pipeline.indexing.vectors import AUTO, VectorWork
from telusur.pipeline.indexing.whole_collection import (
    Background,
    forget_anchors,
    last_seconds,
)
from telusur.store.blobs import Blobs
from telusur.store.changes import Changes
from telusur.store.records import Change, Cursor
from telusur.store.store import Store

BATCH = 500
# Small first batches let an indexer that is killed repeatedly still make progress.
FIRST_BATCH = 30
BATCH_CHARACTERS = 5_000_000
PAUSE_SECONDS = 0.3
# The share of time for static rank and link texts.
BACKGROUND_SHARE = 0.05
# The same share while documents keep arriving.
BUSY_SHARE = 0.02
# The share of time for vectors, if they are wanted: about 50 pages per second.
VECTOR_SHARE = 0.2
# Seconds for vectors at the end of a crawl.
LAST_VECTOR_SECONDS = 1.0
# How long the end of a crawl waits for merging segments; `telusur index` finishes the merge.
MERGE_SECONDS = 10.0


class Follower:
    """Brings an index up to date with the catalogue, a batch at a time."""

    def __init__(self, blobs: Blobs, changes: Changes, index: Index) -> None:
        self._blobs = blobs
        self._changes = changes
        self._index = index
        self._pace = CommitPace(time.monotonic)
        self._position = Cursor(index.cursor())
        self.freed = FreedMemory()
        self._batch = FIRST_BATCH
        self._seconds: list[tuple[int, float]] = []
        # A new index gets all documents again, without link texts.
        if not self._position:
            forget_anchors(blobs)
            forget_index_seconds(blobs)

    def catch_up(self) -> int:
        """Index all changes; return the number of documents read.

        Large backlogs are committed in parts, the last part when it is due.
        """
        seen = 0
        while changed := _changed_after(self._changes, self._position, self._batch):
            self._index.delete(change.url_id for change, _ in changed if change.not_indexed)
            self._index.replace(
                self._timed(change for change, _ in changed if not change.not_indexed)
            )
            _, self._position = changed[-1]
            self._pace.note_change()
            if self._pace.is_due(is_behind=len(changed) == self._batch):
                self.commit()
            self._batch = min(2 * self._batch, BATCH)
            seen += len(changed)
        if self._pace.is_due():
            self.commit()
        return seen

    def _timed(self, changes: Iterable[Change]) -> Iterator[IndexItem]:
        """Yield documents to the index, and measure the time it spends on each."""
        for change in changes:
            started_at = time.perf_counter()
            yield make_item(change)
            self._seconds.append((number_of(change.url_id), time.perf_counter() - started_at))

    def commit(self) -> None:
        """Commit the changes, and the cursor behind them."""
        if self._pace.has_changes:
            append_index_seconds(self._blobs, self._seconds)
            self._seconds.clear()
            self._index.commit(self._position)
            self._pace.note_commit()
            self.freed.give_back()


def catch_up(store: Store, index: Index) -> int:
    """Bring the index up to date with the catalogue; return the number of documents read."""
    with closing(store.changes()) as changes:
        follower = Follower(store.blobs, changes, index)
        seen = follower.catch_up()
        follower.commit()
    return seen


def _changed_after(changes: Changes, cursor: Cursor, most: int) -> list[tuple[Change, Cursor]]:
    """Return the next changes, limited by batch size and memory."""
    changed = []
    characters = 0
    for change, behind in changes.after(cursor, most):
        changed.append((change, behind))
        characters += len(change.document.text)
        if characters > BATCH_CHARACTERS:
            break
    return changed


class Indexing:
    """Updates an index during a crawl: documents first, then ranks, link texts and vectors."""

    def __init__(
        self, store: Store, vectors: str = AUTO, clock: Callable[[], float] = time.process_time
    ) -> None:
        self._index = store.index()
        self._changes = store.changes()
        self._follower = Follower(store.blobs, self._changes, self._index)
        self._background = Background(store, self._index, clock)
        self._vector_work = VectorWork(store, vectors, clock)
        self._worked_at = time.monotonic()
        # Documents read since the start.
        self._seen = 0

    def work(self) -> None:
        """Index all changes; a share of the time since the last call goes to ranks and vectors."""
        seen = self._follower.catch_up()
        self._seen += seen
        is_busy = seen > 0
        passed = time.monotonic() - self._worked_at
        self._background.work(passed * (BUSY_SHARE if is_busy else BACKGROUND_SHARE))
        self._vector_work.work(passed * VECTOR_SHARE)
        self._follower.freed.give_back()
        self._worked_at = time.monotonic()

    def finish(self) -> None:
        """Index the last changes and close the index."""
        self._seen += self._follower.catch_up()
        self._follower.commit()
        seconds = last_seconds(self._seen, self._index.count())
        self._background.work(seconds, is_last=True)
        self._vector_work.finish(LAST_VECTOR_SECONDS)
        self._index.close_within(MERGE_SECONDS)
        self._changes.close()

    def close(self) -> None:
        """Close the index at once; the rest is indexed next time."""
        self._index.close()
        self._changes.close()


def follow(store: Store, vectors: str = AUTO) -> None:
    """Index changes until standard input closes (stop at once) or says "finish" (catch up)."""
    indexing = Indexing(store, vectors)
    # The first round starts at once.
    pause = 0.0
    with store.guard():
        while True:
            ready, _, _ = select.select([sys.stdin], [], [], pause)
            pause = PAUSE_SECONDS
            word = sys.stdin.readline() if ready else "go on\n"
            if not word:
                return
            if word == "finish\n":
                indexing.finish()
                return
            indexing.work()


def main() -> None:
    """Run as `python -m telusur.pipeline.indexing.indexer ADDRESS [VECTORS]`."""
    # Ctrl-C is meant for the parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # tantivy creates files with the default mode; this keeps them private.
    os.umask(0o077)
    return_large_blocks()
    seek_garbage_seldom()
    try:
        follow(open_store(sys.argv[1]), *sys.argv[2:3])
    except TelusurError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
