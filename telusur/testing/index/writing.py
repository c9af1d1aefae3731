"""What every index must do with what is written to it; part of `IndexSuite`."""

import pytest

from telusur.errors import CollectionError
from telusur.index.contract import Index
from telusur.index.query import Query
from telusur.models import url_id_of
from telusur.testing.index.cases import fill, make_item, names_of, word

CAT = Query(wanted=(word("cat"),))


class IndexWritingSuite:
    """Replacing, deleting, clearing, and what a commit keeps."""

    def make_index(self) -> Index:
        """Return an empty index, opened for writing."""
        raise NotImplementedError

    def reopen(self, index: Index) -> Index:
        """Return the same index as another process opens it for reading."""
        raise NotImplementedError

    def test_nothing_is_seen_before_the_commit(self) -> None:
        index = self.make_index()
        index.replace([make_item("a", "cat")])
        assert index.count() == 0
        index.commit()
        assert index.count() == 1

    def test_the_same_url_id_takes_the_place_of_the_old_document(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat"), make_item("b", "cow"))
        fill(index, make_item("a", "dog"), make_item("a", "bird"))
        assert index.count() == 2
        assert names_of(index, Query(wanted=(word("cat"), word("dog")))) == []
        assert names_of(index, Query(wanted=(word("bird"),))) == ["a"]

    def test_deleted_documents_are_gone(self) -> None:
        index = self.make_index()
        first, second = make_item("a", "cat"), make_item("b", "cat")
        fill(index, first, second)
        index.delete([first.url_id, url_id_of("never seen")])
        index.commit()
        assert index.count() == 1
        assert names_of(index, Query(wanted=(word("cat"),))) == ["b"]

    def test_a_document_that_is_replaced_again_is_there_once(self) -> None:
        """A follower that was killed before its commit repeats what it did."""
        index = self.make_index()
        for _ in range(3):
            fill(index, make_item("a", "cat"), make_item("b", "cat"))
        assert index.count() == index.search(CAT).total == 2
        assert sorted(names_of(index, CAT)) == ["a", "b"]
        (site,) = index.view().facets(CAT, ("site",))["site"]
        assert site.count == 2

    def test_every_commit_counts(self) -> None:
        index = self.make_index()
        for number in range(5):
            fill(index, make_item(f"p{number}", "cat"))
        assert index.count() == self.reopen(index).count() == 5
        assert self.reopen(index).search(CAT).total == 5

    def test_a_commit_keeps_its_cursor(self) -> None:
        index = self.make_index()
        assert index.cursor() == ""
        fill(index, make_item("a", "cat"))
        assert index.cursor() == ""
        for cursor in ("5", "x:9/\u00e9", "4"):
            index.replace([make_item("b", "cat")])
            index.commit(cursor)
            assert index.cursor() == self.reopen(index).cursor() == cursor

    def test_a_commit_without_a_cursor_leaves_the_cursor(self) -> None:
        index = self.make_index()
        index.commit("7")
        fill(index, make_item("a", "cat"))
        assert index.cursor() == self.reopen(index).cursor() == "7"

    def test_an_empty_cursor_is_the_beginning_again(self) -> None:
        index = self.make_index()
        index.commit("7")
        index.commit("")
        assert index.cursor() == self.reopen(index).cursor() == ""

    def test_the_cursor_moves_with_the_commit(self) -> None:
        index = self.make_index()
        index.commit("7")
        index.replace([make_item("a", "cat")])
        assert (index.cursor(), index.count()) == ("7", 0)

    def test_clearing_is_seen_after_the_commit(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat"), make_item("b", "cat"))
        index.clear()
        assert index.count() == 2
        index.replace([make_item("c", "cat")])
        index.commit()
        assert (index.count(), names_of(index, CAT)) == (1, ["c"])

    def test_an_index_that_was_emptied_answers(self) -> None:
        index = self.make_index()
        item = make_item("a", "cat")
        fill(index, item)
        index.delete([item.url_id])
        index.commit()
        assert index.count() == 0
        assert index.search(Query(wanted=(word("cat", "katz"),), bonus=(word("cat"),))).total == 0
        assert dict(index.languages()) == {}

    def test_a_view_stays_as_of_its_commit(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat"))
        view = index.view()
        (before,) = view.rank(CAT, 9).candidates
        fill(index, make_item("a", "dog"), make_item("b", "cat"))
        assert (view.count(), view.frequency("cat")) == (1, 1)
        assert view.rank(CAT, 9).total == 1
        assert view.entries([before])[0].text == "cat"
        assert names_of(index, CAT) == ["b"]

    def test_closing_drops_what_is_not_committed(self) -> None:
        index = self.make_index()
        index.commit("7")
        index.replace([make_item("a", "cat")])
        index.close()
        reader = self.reopen(index)
        assert (reader.cursor(), reader.count()) == ("7", 0)

    def test_closing_may_wait_for_work_in_the_background(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat"))
        assert index.close_within(60.0)
        assert self.reopen(index).count() == 1

    def test_a_reader_does_not_write(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat"))
        reader = self.reopen(index)
        with pytest.raises(CollectionError):
            reader.replace([make_item("b", "cat")])
        with pytest.raises(CollectionError):
            reader.delete([make_item("a").url_id])
        for write in (reader.clear, reader.commit):
            with pytest.raises(CollectionError):
                write()
        assert names_of(index, CAT) == names_of(reader, CAT) == ["a"]

    def test_a_new_index_is_up_to_date(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat"))
        assert not index.is_outdated()
        assert not index.has_leftovers()
