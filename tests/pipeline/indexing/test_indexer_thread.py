import asyncio
import threading
from contextlib import suppress

import telusur
from telusur.collection import Collection
from telusur.memory import MemoryStore
from telusur.pipeline.indexing.indexer_thread import IndexerThread
from telusur.pipeline.indexing.vectors import NEVER


def make_store():
    """Return a store with one document that is not indexed yet."""
    store = MemoryStore()
    collection = Collection(store)
    collection.add([telusur.Document("http://a.example/", "Owls", text="An owl.")])
    index = store.index()
    index.clear()
    index.commit("")
    index.close()
    return store, collection


def test_a_finished_indexer_has_indexed_all_and_lets_others_write():
    store, collection = make_store()

    async def go():
        indexer = IndexerThread(store, NEVER)
        await indexer.finish()
        await indexer.stop()

    asyncio.run(go())
    assert [hit.title for hit in collection.search("owl").hits] == ["Owls"]
    store.index().close()


def test_a_stopped_indexer_ends_its_step_and_lets_others_write():
    store, _ = make_store()
    begun, may_end = threading.Event(), threading.Event()
    after = store.changes().__class__.after

    class Slow(type(store.changes())):
        def after(self, cursor, most):
            begun.set()
            may_end.wait(100)
            return after(self, cursor, most)

    store.changes = lambda: Slow(store.committed)

    async def go():
        indexer = IndexerThread(store, NEVER)
        watching = asyncio.create_task(indexer.watch())
        await asyncio.to_thread(begun.wait, 100)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        stopping = asyncio.create_task(indexer.stop())
        await asyncio.sleep(0.05)
        assert not stopping.done()
        may_end.set()
        await stopping
        assert [one.name for one in threading.enumerate() if one.name.startswith("indexer")] == []

    asyncio.run(go())
    store.index().close()
