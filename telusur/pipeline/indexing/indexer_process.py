"""Runs an indexer process beside the crawl: replaced when it dies, awaited at the end."""

import asyncio
import contextlib
import time
from asyncio.subprocess import Process

from telusur.errors import StorageError
from telusur.pipeline.children import end_child, start_child
from telusur.pipeline.indexing.vectors import AUTO
from telusur.store.store import Store

# Give up after this many deaths in a row without progress.
MOST_DEATHS = 5
# Do not give up earlier: an indexer killed from outside may not have started to work.
LEAST_SECONDS = 60.0
PAUSE_SECONDS = 1.0


class IndexerProcess:
    """Runs `telusur.pipeline.indexing.indexer` on a collection."""

    def __init__(self, store: Store, vectors: str = AUTO) -> None:
        self._store = store
        self._index = store.index(read_only=True)
        self._vectors = vectors
        self._process: Process | None = None
        self._deaths = 0
        self._position = ""
        self._stuck_since = time.monotonic()

    @property
    def pid(self) -> int | None:
        """Return the id of the indexer process."""
        return self._process.pid if self._process else None

    async def watch(self) -> None:
        """Start the process and replace it when it dies; raise if it cannot run."""
        while True:
            process = await self._start()
            await process.wait()
            await self._count_death(process)

    async def finish(self) -> None:
        """Wait until everything is indexed; replace a process that dies meanwhile."""
        while True:
            process = self._process or await self._start()
            assert process.stdin is not None
            with contextlib.suppress(ConnectionError):
                process.stdin.write(b"finish\n")
                await process.stdin.drain()
            if await process.wait() == 0:
                await self.stop()
                return
            await self._count_death(process)

    async def stop(self) -> None:
        """End the process now; the rest is indexed next time."""
        if self._process is not None:
            await end_child(self._process)

    async def _start(self) -> Process:
        self._process = await start_child(
            "telusur.pipeline.indexing.indexer", self._store.address, self._vectors
        )
        return self._process

    async def _count_death(self, process: Process) -> None:
        self._process = None
        position = self._index.cursor()
        now = time.monotonic()
        if position != self._position:
            self._deaths, self._position, self._stuck_since = 0, position, now
        self._deaths += 1
        words = await end_child(process)
        is_stuck = self._deaths >= MOST_DEATHS and now - self._stuck_since >= LEAST_SECONDS
        if process.returncode == 2 or is_stuck:
            last = words.splitlines()[-1] if words else f"exit code {process.returncode}"
            raise StorageError(f"{self._store.address}: the index cannot be written: {last}")
        await asyncio.sleep(PAUSE_SECONDS)
