"""The suites of index, maps and whole stores find what is wrong with copies that are broken."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from telusur import testing
from telusur.graph.outline import NO_PARENT
from telusur.index.contract import Found
from telusur.index.fields import make_fields
from telusur.index.query import Query
from telusur.memory import IndexShelf, MemoryStore
from telusur.memory.index.index import Commit, MemoryIndex
from telusur.memory.index.matching import Matcher
from telusur.memory.index.view import MemoryView
from telusur.memory.reading.graph import MemoryWebGraph
from telusur.models import Explanation
from telusur.store.problems import Verification
from telusur.testing.index.cases import word
from tests.memory.test_broken_copies import assert_fails

# Writing


class LosesCommit(MemoryIndex):
    """Every third commit is lost."""

    commits = 0

    def commit(self, cursor=None):
        self.commits += 1
        if self.commits % 3:
            super().commit(cursor)
        else:
            self._copy = self._shelf.last_commit.documents.copy()


class AddsAgain(MemoryIndex):
    """A document that is replaced stays beside the new one."""

    def replace(self, items):
        for item in items:
            copy = self._write()
            copy[b"%d " % len(copy) + item.url_id] = make_fields(item)


class CursorSkips(MemoryIndex):
    """The cursor moves on before what it stands for is committed."""

    def replace(self, items):
        super().replace(items)
        last = self._shelf.last_commit
        self._shelf.last_commit = replace(last, cursor=f"{last.cursor}+")


class ForgetsCursor(MemoryIndex):
    """A commit without a cursor goes back to the beginning."""

    def commit(self, cursor=None):
        super().commit(cursor or "")


class NeverGoesBack(MemoryIndex):
    """A cursor only grows."""

    def commit(self, cursor=None):
        super().commit(max(self.cursor(), cursor or ""))


class ShowsUncommitted(MemoryIndex):
    """Everybody sees what is not committed."""

    def view(self):
        return MemoryView(tuple(self._copy.values()))


class ViewMoves(MemoryIndex):
    """A view shows later commits."""

    def view(self):
        shelf = self._shelf

        class Moving(MemoryView):
            _documents = property(
                lambda self: tuple(shelf.last_commit.documents.values()), lambda self, value: None
            )

            def _postings_of(self, place):
                self._postings.clear()
                self._matcher = Matcher(self._documents, super()._postings_of)
                return super()._postings_of(place)

        return Moving(())


class KeepsDeleted(MemoryIndex):
    """What is deleted stays."""

    def delete(self, url_ids):
        self._write()


class ClearsAtOnce(MemoryIndex):
    """Whoever clears the index clears it for everybody."""

    def clear(self):
        super().clear()
        self._shelf.last_commit = Commit(cursor=self.cursor())


class CommitsWhenClosed(MemoryIndex):
    """Closing commits what nobody committed."""

    def close(self):
        self.commit()
        super().close()


class LetsReadersWrite(MemoryIndex):
    """A reader may write."""

    def _write(self):
        return self._copy


class SkipsBetweenPages(MemoryIndex):
    """A further page of hits begins one too far."""

    def search(self, query, offset=0, limit=10):
        return super().search(query, offset + (offset > 0), limit)


class CountsShown(MemoryIndex):
    """The total counts what is shown."""

    def search(self, query, offset=0, limit=10):
        found = super().search(query, offset, limit)
        return Found(len(found.entries), found.entries)


# Reading


class CountsEverything(MemoryView):
    """Facets count documents that do not match."""

    def facets(self, query, names):
        everything = Query(required=(word("cat", "dog"),))
        return super().facets(query if query.is_empty else everything, names)


class ExplainsEverybody(MemoryView):
    """A document that does not match is explained."""

    def explain(self, query, candidate):
        return super().explain(query, candidate) or Explanation(1.0, "it is there")


class CountsOccurrences(MemoryView):
    """Terms are counted where they occur, and not in how many documents."""

    def frequency(self, term, place="everywhere"):
        found = self._postings_of(place).positions.get(term, {})
        return sum(len(positions) for positions in found.values())


class _WithMatcher(MemoryView):
    kind = Matcher

    def __init__(self, documents):
        super().__init__(documents)
        self._matcher = self.kind(documents, self._postings_of)


class FindsByBonus(Matcher):
    """What is only a bonus finds documents."""

    def _query(self, query):
        return super()._query(replace(query, wanted=(*query.wanted, *query.bonus), bonus=()))


class IgnoresExclusion(Matcher):
    """Excluded words exclude nothing."""

    def _query(self, query):
        return super()._query(replace(query, excluded=()))


class FindsBodiesOnly(Matcher):
    """A title counts no more than the text."""

    def _words(self, words):
        return super()._words(replace(words, place="exact"))


class CountsRareForms(Matcher):
    """A rare form of a word counts for more than the frequent one."""

    def _words(self, words):
        if len(words.variants) == 1:
            return super()._words(words)
        return self._query(
            Query(wanted=tuple(replace(words, variants=(v,)) for v in words.variants))
        )


class IgnoresSlop(Matcher):
    """Words near each other are not found."""

    def _words(self, words):
        return super()._words(replace(words, slop=0))


# Maps and whole stores


class LosesParents(MemoryWebGraph):
    """A page without an answer is missing on the path to another one."""

    def outline(self):
        outline = super().outline()
        return replace(outline, parents=np.full(len(outline), NO_PARENT, np.int32))


class LinksTwice(MemoryWebGraph):
    """A link that stands on a page twice is two links."""

    def _pairs(self, outline, sources):
        return np.repeat(super()._pairs(outline, sources), 2, axis=0)


class GivesAllLinks(MemoryWebGraph):
    """The links of all pages are those of some."""

    def links_of(self, outline, places):
        return super().links_of(outline, np.arange(len(outline), dtype=np.int32))


class SharesIndex(MemoryStore):
    """All stores have one index."""

    shelf = IndexShelf()

    def __init__(self, clock):
        super().__init__(clock)
        self._index = self.shelf


class FindsNothingWrong(MemoryStore):
    """Whatever is broken, it is fine."""

    def verify(self, watch):
        return Verification(looked_at=super().verify(watch).looked_at)


class BlamesWhoIsLate(MemoryStore):
    """What is not indexed yet is a fault."""

    def verify(self, watch):
        found = super().verify(watch)
        found.problems += found.notes
        found.notes.clear()
        return found


def with_view(kind):
    """Return a kind of index whose views are broken."""

    class Broken(MemoryIndex):
        def view(self):
            return kind(tuple(self._shelf.last_commit.documents.values()))

    return Broken


def with_matcher(kind):
    """Return a kind of index that matches wrongly."""
    return with_view(type(kind.__name__, (_WithMatcher,), {"kind": kind}))


def with_graph(kind):
    """Return a kind of store whose maps are broken."""

    class Broken(MemoryStore):
        def graph(self, standings):
            return kind(self.committed, standings)

    return Broken


BROKEN_INDEXES = [
    (LosesCommit, "every_commit_counts"),
    (AddsAgain, "replaced_again_is_there_once"),
    (AddsAgain, "takes_the_place_of_the_old"),
    (CursorSkips, "cursor_moves_with_the_commit"),
    (CursorSkips, "closing_drops_what_is_not"),
    (ForgetsCursor, "without_a_cursor_leaves"),
    (NeverGoesBack, "commit_keeps_its_cursor"),
    (NeverGoesBack, "empty_cursor_is_the_beginning"),
    (ShowsUncommitted, "seen_before_the_commit"),
    (ViewMoves, "view_stays_as_of_its_commit"),
    (KeepsDeleted, "deleted_documents_are_gone"),
    (ClearsAtOnce, "clearing_is_seen_after"),
    (CommitsWhenClosed, "closing_drops_what_is_not"),
    (LetsReadersWrite, "reader_does_not_write"),
    (SkipsBetweenPages, "join_without_gaps"),
    (CountsShown, "join_without_gaps"),
    (with_view(CountsEverything), "facets_count_what_matches"),
    (with_view(ExplainsEverybody), "known_by_its_number_and_explained"),
    (with_view(CountsOccurrences), "terms_and_their_frequency"),
    (with_matcher(FindsByBonus), "bonus_ranks_but_finds_nothing"),
    (with_matcher(IgnoresExclusion), "test_excluded_words"),
    (with_matcher(FindsBodiesOnly), "title_weighs_more"),
    (with_matcher(CountsRareForms), "rare_variant_counts_no_more"),
    (with_matcher(IgnoresSlop), "near_each_other_in_any_order"),
]

BROKEN_STORES = [
    (with_graph(LosesParents), testing.WebGraphSuite, "has_the_page_it_was_found_on"),
    (with_graph(LinksTwice), testing.WebGraphSuite, "each_pair_once"),
    (with_graph(GivesAllLinks), testing.WebGraphSuite, "each_pair_once"),
    (SharesIndex, testing.WholeStoreSuite, "two_stores_are_two"),
    (FindsNothingWrong, testing.WholeStoreSuite, "index_lost_is_found"),
    (BlamesWhoIsLate, testing.WholeStoreSuite, "behind_the_cursor"),
]


def case_of(kind):
    """Return the suite of an index of this kind."""

    class Case(testing.IndexSuite):
        def make_index(self):
            self.shelf = IndexShelf()
            self.shelf._writer.acquire()
            self.open = partial(kind, self.shelf)
            return self.open(read_only=False)

        def reopen(self, index):
            return self.open(read_only=True)

    return Case


@pytest.mark.parametrize(("kind", "test"), BROKEN_INDEXES)
def test_a_broken_index_fails_the_suite(kind, test):
    assert_fails(case_of(kind), test)


@pytest.mark.parametrize(("kind", "suite", "test"), BROKEN_STORES)
def test_a_broken_store_fails_the_suite(kind, suite, test):
    class Case(suite):
        def make_store(self, clock):
            return kind(clock)

    assert_fails(Case, test)


def test_an_index_that_is_not_broken_fails_nothing():
    assert testing.failures_of(case_of(MemoryIndex)) == {}
