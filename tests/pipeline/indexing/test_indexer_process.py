import asyncio
import os
import signal

import pytest

import telusur
from telusur.backends import open_store
from telusur.backends.embedded.places import INDEX
from telusur.backends.tantivy.position import read_position, write_position
from telusur.errors import StorageError
from telusur.pipeline.indexing import indexer_process
from telusur.pipeline.indexing.indexer_process import IndexerProcess


async def kill(indexer: IndexerProcess) -> None:
    """Kill the process that indexes, and wait until another one does."""
    while indexer.pid is None:
        await asyncio.sleep(0.01)
    before = indexer.pid
    os.kill(before, signal.SIGKILL)
    while indexer.pid in (before, None):
        await asyncio.sleep(0.01)


def test_only_deaths_without_a_step_forward_end_a_crawl(tmp_path, monkeypatch):
    monkeypatch.setattr(indexer_process, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(indexer_process, "MOST_DEATHS", 3)
    monkeypatch.setattr(indexer_process, "LEAST_SECONDS", 0.0)
    with telusur.open(tmp_path / "c") as collection:
        collection.add([telusur.Document("http://a.example/", "A", text="a")])
    position = read_position(tmp_path / "c" / INDEX)

    async def go() -> None:
        indexer = IndexerProcess(open_store(tmp_path / "c"))
        watching = asyncio.create_task(indexer.watch())
        for step in range(6):
            write_position(tmp_path / "c" / INDEX, f"{position}{step}")
            await kill(indexer)
        await kill(indexer)
        os.kill(indexer.pid, signal.SIGKILL)
        with pytest.raises(StorageError, match="cannot be written"):
            await watching

    asyncio.run(go())


def test_a_moment_of_many_deaths_is_not_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(indexer_process, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(indexer_process, "MOST_DEATHS", 2)
    with telusur.open(tmp_path / "c") as collection:
        collection.add([telusur.Document("http://a.example/", "A", text="a")])

    async def go() -> None:
        indexer = IndexerProcess(open_store(tmp_path / "c"))
        watching = asyncio.create_task(indexer.watch())
        for _ in range(4):
            await kill(indexer)
        assert not watching.done()
        watching.cancel()
        await indexer.finish()

    asyncio.run(go())
