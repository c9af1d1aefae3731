"""Runs the indexer in a thread, for a store that no other process can open."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from telusur.pipeline.indexing.indexer import PAUSE_SECONDS, Indexing
from telusur.pipeline.indexing.vectors import AUTO
from telusur.store.store import Store


class IndexerThread:
    """Does what `IndexerProcess` does, in this process."""

    # There is no process that could be looked at.
    pid: int | None = None

    def __init__(self, store: Store, vectors: str = AUTO) -> None:
        self._store = store
        self._vectors = vectors
        self._indexing: Indexing | None = None
        self._thread = ThreadPoolExecutor(1, "indexer")

    async def watch(self) -> None:
        """Index changes until cancelled; raise if the index cannot be written."""
        while True:
            await self._in_thread(self._work)
            await asyncio.sleep(PAUSE_SECONDS)

    async def finish(self) -> None:
        """Wait until everything is indexed."""
        await self._in_thread(self._finish)

    async def stop(self) -> None:
        """End after the present step; the rest is indexed next time."""
        await self._in_thread(self._close)
        self._thread.shutdown()

    async def _in_thread(self, work: Callable[[], None]) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _work(self) -> None:
        with self._store.guard():
            self._opened().work()

    def _finish(self) -> None:
        with self._store.guard():
            self._opened().finish()
            self._indexing = None

    def _close(self) -> None:
        if self._indexing is not None:
            self._indexing.close()

    def _opened(self) -> Indexing:
        if self._indexing is None:
            self._indexing = Indexing(self._store, self._vectors, time.thread_time)
        return self._indexing
