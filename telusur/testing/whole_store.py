"""What a whole store must do besides its catalogue: `WholeStoreSuite`."""

from typing import cast

import numpy as np
import pytest

from telusur.index.contract import IndexItem
from telusur.store.problems import Verification
from telusur.store.records import BEGINNING, Cursor
from telusur.store.store import Store
from telusur.store.vectors import ROW
from telusur.testing.cases import StoreCase
from telusur.testing.reading.filling import FilledStore


class WholeStoreSuite(StoreCase):
    """Each part has a suite of its own; this one checks that they form one collection."""

    def open_whole(self) -> Store:
        """Make a store that is closed after the test."""
        return cast(Store, self.open_store())

    def test_it_has_a_name_and_an_address(self) -> None:
        store = self.open_whole()
        assert store.name
        assert store.address
        assert store.may_write()
        assert store.is_for_one_process in (True, False)
        free = store.free_bytes()
        assert free is None or free > 0

    def test_what_lies_beside_the_catalogue_is_kept_with_it(self) -> None:
        store = self.open_whole()
        store.session().close()
        store.blobs.write("index/words", b"owls")
        vectors = store.vectors("m", "model", 3)
        assert not store.has_vectors("m")
        with vectors.writing() as may_write:
            assert may_write
            vectors.append(np.zeros(0, ROW), np.zeros((0, 3), np.int8), Cursor("5"))
        again = cast(Store, self.reopened(store))
        assert again.blobs.read("index/words") == b"owls"
        assert again.has_vectors("m")
        assert again.vectors("m", "model", 3).cursor() == "5"
        assert not again.has_vectors("other")

    def test_a_reader_of_the_index_sees_what_its_writer_commits(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/1", text="owls")
        store = cast(Store, filled.store)
        bring_up(store)
        reader = store.index(read_only=True)
        assert (reader.count(), bool(reader.cursor())) == (1, True)
        bring_up(store)
        assert store.index(read_only=True).count() == 1

    def test_two_stores_are_two_collections(self) -> None:
        one, other = self.open_whole(), self.open_whole()
        one.blobs.write("index/words", b"owls")
        index = one.index()
        index.commit("5")
        index.close()
        assert other.blobs.read("index/words") is None
        assert other.index(read_only=True).cursor() == ""

    def test_errors_that_are_not_the_engines_pass_the_guard(self) -> None:
        with pytest.raises(KeyError), self.open_whole().guard():
            raise KeyError

    def test_one_at_a_time_owns_the_collection(self) -> None:
        store = self.open_whole()
        with store.control.own():
            assert store.control.is_owned()
        assert not store.control.is_owned()

    def test_a_collection_that_tells_one_story_is_fine(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", is_archived=True)
        filled.put_document("a.example/1")
        filled.put_document("a.example/2", not_indexed="noindex")
        store = cast(Store, filled.store)
        bring_up(store)
        found = verify(store)
        assert (found.problems, found.notes, found.is_fine) == ([], [], True)
        assert found.looked_at["documents"] == 2

    def test_documents_behind_the_cursor_of_the_index_are_no_fault(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/1")
        found = verify(cast(Store, filled.store))
        assert (found.problems, [note.part for note in found.notes]) == ([], ["index"])

    def test_a_document_that_the_index_lost_is_found(self) -> None:
        filled = FilledStore(self)
        url_id = filled.put_document("a.example/1")
        store = cast(Store, filled.store)
        bring_up(store)
        index = store.index()
        index.delete([url_id])
        index.commit()
        index.close()
        assert [problem.part for problem in verify(store).problems] == ["index"]

    def test_a_document_that_does_not_belong_into_the_index_is_found(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/1", not_indexed="noindex")
        store = cast(Store, filled.store)
        bring_up(store, with_hidden=True)
        assert [problem.part for problem in verify(store).problems] == ["index"]


def bring_up(store: Store, *, with_hidden: bool = False) -> None:
    """Index all changes since the cursor of the index, as its follower does."""
    index, changes = store.index(), store.changes()
    for change, behind in changes.after(Cursor(index.cursor()) or BEGINNING, 1_000):
        if with_hidden or not change.not_indexed:
            index.replace([IndexItem(change.url_id, change.document.url, change.document)])
        index.commit(behind)
    index.close()
    changes.close()


def verify(store: Store) -> Verification:
    """Check a store; nobody watches."""
    return store.verify(lambda step, done, total: None)
