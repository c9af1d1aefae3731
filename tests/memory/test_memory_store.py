"""The store in memory passes every suite."""

import pytest

from telusur import testing
from telusur.errors import UsageError
from telusur.memory import IndexShelf, MemoryBlobs, MemoryControl, MemoryStore, VectorShelf


class InMemory:
    def make_store(self, clock):
        return MemoryStore(clock)


class TestFrontier(InMemory, testing.FrontierSuite):
    pass


class TestCommittedFrontier(InMemory, testing.CommittedFrontierSuite):
    pass


class TestCatalogue(InMemory, testing.CatalogueSuite):
    pass


class TestNearDuplicates(InMemory, testing.NearDuplicatesSuite):
    pass


class TestSitemaps(InMemory, testing.SitemapsSuite):
    pass


class TestStrategyState(InMemory, testing.StrategyStateSuite):
    pass


class TestArchive(InMemory, testing.ArchiveSuite):
    pass


class TestChanges(InMemory, testing.ChangesSuite):
    pass


class TestReader(InMemory, testing.ReaderSuite):
    pass


class TestCrawlReader(InMemory, testing.CrawlReaderSuite):
    pass


class TestSiteReader(InMemory, testing.SiteReaderSuite):
    pass


class TestWholeWeb(InMemory, testing.WholeWebSuite):
    pass


class TestWebGraph(InMemory, testing.WebGraphSuite):
    pass


class TestWholeStore(InMemory, testing.WholeStoreSuite):
    pass


class TestIndex(testing.IndexSuite):
    def make_index(self):
        self.shelf = IndexShelf()
        return self.shelf.open()

    def reopen(self, index):
        return self.shelf.open(read_only=True)


class TestControl(testing.ControlSuite):
    def make_control(self):
        return MemoryControl()


class TestBlobs(testing.BlobsSuite):
    def make_blobs(self):
        return MemoryBlobs()


class TestVectors(testing.VectorsSuite):
    def make_opener(self):
        return VectorShelf().open


class TestSharedStore(InMemory, testing.SharedStoreSuite):
    pass


class TestExclusiveStore(testing.ExclusiveStoreSuite):
    def make_store(self, clock):
        return MemoryStore(clock, is_shared=False)


def test_writing_needs_a_transaction():
    session = MemoryStore().session()
    with pytest.raises(UsageError, match=r"begin\(\)"):
        session.frontier.lease(1, 1)
    with pytest.raises(UsageError, match=r"begin\(\)"):
        session.commit()


def test_a_thread_that_would_wait_for_itself_is_told():
    store = MemoryStore()
    one, other = store.session(), store.session()
    one.begin()
    with pytest.raises(UsageError, match="end that one first"):
        other.begin()
    one.rollback()
    other.begin()
