"""A collection in a directory passes every suite: SQLite and WARC files."""

import shutil

import pytest

from telusur import testing
from telusur.backends.sqlite.database.schema import create_database
from telusur.backends.sqlite.store import SqliteStore


class HoldingStore(SqliteStore):
    """Holds what the tests open, so that it is closed with the store and not before."""

    def __init__(self, directory, clock):
        super().__init__(directory, clock)
        self.directory, self.clock = directory, clock
        self.held = []

    def _keep(self, opened):
        self.held.append(opened)
        return super()._keep(opened)


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A collection that stores are copied from: making one takes longer than most of the tests."""
    directory = tmp_path_factory.mktemp("empty")
    create_database(directory)
    return directory


class InDirectory:
    @pytest.fixture(autouse=True)
    def _directory(self, empty, tmp_path):
        self.empty, self.directory, self.stores = empty, tmp_path, 0

    def make_store(self, clock):
        self.stores += 1
        directory = self.directory / str(self.stores)
        shutil.copytree(self.empty, directory)
        return HoldingStore(directory, clock)

    def reopen(self, store):
        store.close()
        return HoldingStore(store.directory, store.clock)

    def kill(self, session):
        session._db.close()


class TestFrontier(InDirectory, testing.FrontierSuite):
    pass


class TestCommittedFrontier(InDirectory, testing.CommittedFrontierSuite):
    pass


class TestCatalogue(InDirectory, testing.CatalogueSuite):
    pass


class TestNearDuplicates(InDirectory, testing.NearDuplicatesSuite):
    pass


class TestSitemaps(InDirectory, testing.SitemapsSuite):
    pass


class TestStrategyState(InDirectory, testing.StrategyStateSuite):
    pass


class TestArchive(InDirectory, testing.ArchiveSuite):
    pass


class TestChanges(InDirectory, testing.ChangesSuite):
    pass


class TestReader(InDirectory, testing.ReaderSuite):
    pass


class TestCrawlReader(InDirectory, testing.CrawlReaderSuite):
    pass


class TestSiteReader(InDirectory, testing.SiteReaderSuite):
    pass


class TestWholeWeb(InDirectory, testing.WholeWebSuite):
    pass


class TestStore(InDirectory, testing.ExclusiveStoreSuite):
    pass
