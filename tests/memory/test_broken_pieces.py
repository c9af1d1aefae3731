"""The suites of control, pieces and vectors find what is wrong with copies that are broken."""

import contextlib
import json
import time
from dataclasses import replace

import numpy as np
import pytest

from telusur import testing
from telusur.errors import CollectionBusy
from telusur.memory import MemoryBlobs, MemoryControl, VectorShelf
from telusur.memory.vectors import MemoryVectors
from telusur.store.records import BEGINNING
from tests.memory.test_broken_copies import assert_fails

# Control


class LetsEverybodyIn(MemoryControl):
    """Ownership is given twice."""

    @contextlib.contextmanager
    def own(self):
        free = not self._owner.locked() and self._owner.acquire(blocking=False)
        yield
        if free:
            self._owner.release()


class KeepsOwnershipAfterErrors(MemoryControl):
    """A crawl that raises stays the owner."""

    @contextlib.contextmanager
    def own(self):
        self.owning = super().own()
        self.owning.__enter__()
        yield
        self.owning.__exit__(None, None, None)


class FreesTheOwner(MemoryControl):
    """Whoever is refused takes the collection from its owner."""

    @contextlib.contextmanager
    def own(self):
        if self._owner.locked():
            self._owner.release()
            raise CollectionBusy("Somebody else has it.")
        self._owner.acquire()
        try:
            yield
        finally:
            if self._owner.locked():
                self._owner.release()


class AnswersWhenItIsOver(MemoryControl):
    """A crawl that has ended is said to be fine."""

    def ask(self, wish, **more):
        return super().ask(wish, **more) or {"ok": True}


class ForgetsWhatWasAsked(MemoryControl):
    """Only the wish arrives."""

    def ask(self, wish, **more):
        return super().ask(wish)


class AnswersInAnotherThread(MemoryControl):
    """The crawl is told in the thread of whoever asks."""

    def ask(self, wish, **more):
        if self._answering is None:
            return None
        return self._answering[0](json.dumps({"do": wish, **more}).encode())


class LosesTheLastSample(MemoryControl):
    """The last sample of a crawl has to wait for its time like any other."""

    def add_sample(self, sample, *, is_last=False):
        super().add_sample(sample)


class KeepsEverySample(MemoryControl):
    """No sample comes too soon."""

    def add_sample(self, sample, *, is_last=False):
        super().add_sample(sample, is_last=True)


class ReversesTime(MemoryControl):
    """The newest sample comes first."""

    def timeline(self, since=float("-inf")):
        return super().timeline(since)[::-1]


class GoesOnWithTheLog(MemoryControl):
    """The words of the crawl before are still there."""

    def log(self):
        old = self.last_words().encode()
        log = super().log()
        log.write(old)
        log.flush()
        return log


# Pieces


class WritesHalf(MemoryBlobs):
    """A reader may see a piece that is half written."""

    def write(self, name, data):
        super().write(name, data[: len(data) // 2])
        time.sleep(0.001)
        super().write(name, data)


class WritesOver(MemoryBlobs):
    """A shorter piece leaves the end of the longer one before."""

    def write(self, name, data):
        super().write(name, data + (self.read(name) or b"")[len(data) :])


class StampsByContent(MemoryBlobs):
    """The same bytes once more are no other version."""

    def stamp(self, name):
        return self.read(name)


class NamesAll(MemoryBlobs):
    """The pieces of all folders are named."""

    def names(self, folder):
        return sorted(self._pieces)


class GivesAnyRows(MemoryBlobs):
    """Rows of another kind are given as they are."""

    def read_array(self, name, dtype):
        rows = super().read_array(name, dtype)
        piece = self._pieces.get(name, (0, rows))[1]
        return piece if isinstance(piece, np.ndarray) else rows


class SharesRows(MemoryBlobs):
    """Rows change with the array that they were written from."""

    def write_array(self, name, array):
        self._put(name, array)


class LeavesFilesOpen(MemoryBlobs):
    """A file for work is still there behind the block."""

    @contextlib.contextmanager
    def scratch(self):
        with super().scratch() as file:
            other = open(file.fileno(), "r+b", closefd=False)  # noqa: SIM115 - what is broken
            yield other


# Vectors


class AppendsRowsOnly(MemoryVectors):
    """Of what is added, rows count before there are vectors."""

    def read(self):
        found = super().read()
        return found._replace(vectors=found.vectors[: max(0, len(found.vectors) - 1)])


class ForgetsTheCursor(MemoryVectors):
    """The cursor stays at the beginning."""

    def append(self, rows, vectors, cursor):
        super().append(rows, vectors, BEGINNING)


class KeepsFormerVersions(MemoryVectors):
    """Every version of a document counts."""

    def read(self):
        found = super().read()
        return found._replace(living=np.arange(len(found.starts)))


class TakesAnyModel(MemoryVectors):
    """Vectors by another model are taken for its own."""

    def _kept(self):
        return replace(self._shelf.kept.get(self._name, self._none), model=self._none.model)


class DropsTheLiving(MemoryVectors):
    """Compacting loses the first living row."""

    def compact(self):
        is_done = super().compact()
        if is_done:
            kept = self._shelf.kept[self._name]
            less = replace(kept, rows=kept.rows[1:], vectors=kept.vectors[1:])
            self._shelf.kept[self._name] = less
        return is_done


class LetsAllWrite(MemoryVectors):
    """Several write at once."""

    @contextlib.contextmanager
    def writing(self):
        yield True


CONTROL = [
    (LetsEverybodyIn, "only_one_owns"),
    (LetsEverybodyIn, "one_of_many_gets"),
    (KeepsOwnershipAfterErrors, "an_error_ends_ownership"),
    (FreesTheOwner, "only_one_owns"),
    (AnswersWhenItIsOver, "nobody_answers_when_a_crawl_has_ended"),
    (ForgetsWhatWasAsked, "is_asked_and_answers"),
    (AnswersInAnotherThread, "is_asked_and_answers"),
    (LosesTheLastSample, "last_sample_of_a_crawl_is_always_kept"),
    (KeepsEverySample, "too_soon_after_another"),
    (ReversesTime, "samples_come_oldest_first"),
    (GoesOnWithTheLog, "each_crawl_begins_a_new_file"),
]
BLOBS = [
    (WritesHalf, "never_see_half_a_piece"),
    (WritesOver, "a_piece_is_replaced_whole"),
    (StampsByContent, "a_stamp_tells"),
    (NamesAll, "pieces_of_a_folder"),
    (GivesAnyRows, "missing_or_of_another_kind"),
    (SharesRows, "who_has_rows_keeps_them"),
    (LeavesFilesOpen, "gone_behind_the_block"),
]
VECTORS = [
    (AppendsRowsOnly, "what_was_added_is_read_back"),
    (ForgetsTheCursor, "a_cursor_moves"),
    (KeepsFormerVersions, "newest_version_of_a_document"),
    (TakesAnyModel, "another_model_are_none"),
    (DropsTheLiving, "former_versions_are_dropped"),
    (LetsAllWrite, "one_writes_at_a_time"),
]


@pytest.mark.parametrize(("kind", "test"), CONTROL)
def test_broken_control_fails_the_suite(kind, test):
    class Case(testing.ControlSuite):
        def make_control(self):
            return kind()

    assert_fails(Case, test)


@pytest.mark.parametrize(("kind", "test"), BLOBS)
def test_broken_pieces_fail_the_suite(kind, test):
    class Case(testing.BlobsSuite):
        def make_blobs(self):
            return kind()

    assert_fails(Case, test)


@pytest.mark.parametrize(("kind", "test"), VECTORS)
def test_broken_vectors_fail_the_suite(kind, test):
    class Shelf(VectorShelf):
        def open(self, name, model, dimensions):
            return kind(self, name, model, dimensions)

    class Case(testing.VectorsSuite):
        def make_opener(self):
            return Shelf().open

    assert_fails(Case, test)
