"""Keeps an indexer process running beside the crawl: replaced when it dies, awaited at the end."""

import asyncio
import contextlib
import time
from asyncio.subprocess import Process
from pathlib import Path

from telusur.errors import StorageError
from telusur.run.children import end_child, start_child
from telusur.run.index_position import read_position
from telusur.run.vectors import AUTO

MOST_DEATHS = 5
"""In a row without a step forward, in more than a moment: then it cannot be done."""
LEAST_SECONDS = 60.0
"""So long it is tried at least: one that is killed from outside may not have come to work yet."""
PAUSE_SECONDS = 1.0


class IndexerProcess:
    """Runs `telusur.run.indexer` on a collection."""

    def __init__(self, directory: Path, vectors: str = AUTO) -> None:
        self._directory = directory
        self._vectors = vectors
        self._process: Process | None = None
        self._deaths = 0
        self._position = 0
        self._stuck_since = time.monotonic()

    @property
    def pid(self) -> int | None:
        """Return the number of the process that indexes now."""
        return self._process.pid if self._process else None

    async def watch(self) -> None:
        """Start the process and replace it when it dies; raise when it cannot run at all."""
        while True:
            process = await self._start()
            await process.wait()
            await self._count_death(process)

    async def finish(self) -> None:
        """Wait until everything is indexed; a process that dies meanwhile is replaced."""
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
        """End the process now; what it has not indexed is indexed next time."""
        if self._process is not None:
            await end_child(self._process)

    async def _start(self) -> Process:
        self._process = await start_child(
            "telusur.run.indexer", str(self._directory), self._vectors
        )
        return self._process

    async def _count_death(self, process: Process) -> None:
        self._process = None
        position = read_position(self._directory)
        now = time.monotonic()
        if position != self._position:
            self._deaths, self._position, self._stuck_since = 0, position, now
        self._deaths += 1
        words = await end_child(process)
        is_stuck = self._deaths >= MOST_DEATHS and now - self._stuck_since >= LEAST_SECONDS
        if process.returncode == 2 or is_stuck:
            last = words.splitlines()[-1] if words else f"exit code {process.returncode}"
            raise StorageError(f"{self._directory}: the index cannot be written: {last}")
        await asyncio.sleep(PAUSE_SECONDS)
