"""A collection in a directory passes the suites of a whole store."""

import pytest

from telusur import testing
from telusur.backends.embedded.store import EmbeddedStore, create_collection


class HoldingStore(EmbeddedStore):
    """Holds what the tests open, so that it is closed with the store and not before."""

    def __init__(self, directory, clock):
        super().__init__(directory, clock)
        self.held = []

    def _keep(self, opened):
        self.held.append(opened)
        return super()._keep(opened)


class InDirectory:
    @pytest.fixture(autouse=True)
    def _directory(self, tmp_path):
        self.directory, self.stores = tmp_path, 0

    def make_store(self, clock):
        self.stores += 1
        directory = self.directory / str(self.stores)
        create_collection(directory)
        return HoldingStore(directory, clock)

    def reopen(self, store):
        store.close()
        return HoldingStore(self.directory / store.name, self.clock)


class TestWholeStore(InDirectory, testing.WholeStoreSuite):
    pass


class TestWebGraph(InDirectory, testing.WebGraphSuite):
    pass
