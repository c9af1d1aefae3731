"""Bringing into the index what only the whole collection knows: static rank and link texts.

In the background it works for a little while at a time, and re-indexes documents whose in-links
have doubled. `settle` brings everything up to date at once, so that the index is the same however
it came about.
"""

import sqlite3
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from telusur.adapters.array_file import read_array, write_array
from telusur.adapters.sqlite_graph import Pages, read_pages
from telusur.adapters.tantivy_index import TantivyIndex
from telusur.index.contract import Anchor, IndexItem
from telusur.run.anchors import AnchorFiles, digest_of
from telusur.run.index_items import make_item, read_rows_of
from telusur.run.standing import work_out_standings

ANCHORED_FILE = "anchored.npy"
ANCHORED = np.dtype([("number", "<u8"), ("seq", "<i8"), ("links", "<u4"), ("digest", "<u4")])
"""Of a page whose link texts are in the index: which document it was, how many pages linked to it,
and which texts they were."""
BATCH = 500
STEP = 50
"""Documents re-indexed at a time in the background."""
FIRST_PASS = 500
"""Of fewer documents the crawl is soon over."""

Told = NDArray[np.void]


class Background:
    """Keeps static rank and link texts following, a little at a time.

    A pass begins when there are twice as many documents as at the last one, so that all passes
    together cost about as much as two.
    """

    def __init__(
        self,
        index_directory: Path,
        connection: sqlite3.Connection,
        index: TantivyIndex,
        clock: Callable[[], float] = time.process_time,  # tantivy's threads included
    ) -> None:
        self._directory = index_directory
        self._db = connection
        self._index = index
        self._clock = clock
        self._begun_with = len(read_array(index_directory / ANCHORED_FILE, ANCHORED))
        self._pass: Iterator[None] | None = None
        self._credit = 0.0

    def work(self, seconds: float, *, is_last: bool = False) -> None:
        """Go on for a while; `is_last` begins a pass also when little has changed.

        A step that took longer than it may is paid for by the next times.
        """
        self._credit = min(self._credit, 0.0) + seconds
        if self._pass is None and not self._is_due(is_last):
            return
        if self._pass is None:
            self._pass = self._make_pass()
        while self._credit > 0:
            started = self._clock()
            if next(self._pass, self) is self:
                self._pass = None
                return
            self._credit -= self._clock() - started

    def _is_due(self, is_last: bool) -> bool:
        count = self._index.count()
        has_doubled = count >= max(2 * self._begun_with, FIRST_PASS)
        is_due = has_doubled or (is_last and count != self._begun_with)
        if is_due:
            self._begun_with = count
        return is_due

    def _make_pass(self) -> Iterator[None]:
        work = _Pass(self._directory, self._db, self._index)
        with closing(work):
            yield from work.gather()
            yield from work.fold_doubled()


def settle(index_directory: Path, connection: sqlite3.Connection, index: TantivyIndex) -> bool:
    """Bring static rank and link texts up to date; tell whether documents had to be re-indexed."""
    work = _Pass(index_directory, connection, index)
    with closing(work):
        for _ in work.gather():
            pass
        if work.is_up_to_date() and not index.has_leftovers():
            return False
        work.index_all()
    return True


class _Pass:
    """One pass over the links of the collection."""

    def __init__(
        self, directory: Path, connection: sqlite3.Connection, index: TantivyIndex
    ) -> None:
        self._directory = directory
        self._db = connection
        self._index = index
        self._pages: Pages
        self._links: NDArray[np.int64]
        self._anchors: AnchorFiles | None = None

    def close(self) -> None:
        if self._anchors is not None:
            self._anchors.close()

    def gather(self) -> Generator[None, None, None]:
        """Read documents, links and link texts, and write the static rank."""
        self._pages = yield from read_pages(self._db)
        self._links = yield from work_out_standings(self._directory, self._db, self._pages)
        self._anchors = AnchorFiles(self._directory, self._pages)
        yield from self._anchors.fill(self._db)

    def is_up_to_date(self) -> bool:
        """Tell whether the index has the link texts of every document as they are now."""
        assert self._anchors is not None
        told = self._told()
        for stretch, anchors in zip(self._anchors.stretches(), self._anchors.read(), strict=True):
            for place in stretch:
                digest = digest_of(anchors.get(place, ()))
                is_other = told["seq"][place] != self._pages.seqs[place]
                if told["digest"][place] != digest or (is_other and digest):
                    return False
        return True

    def fold_doubled(self) -> Iterator[None]:
        """Re-index documents whose in-links have doubled since their link texts were indexed."""
        assert self._anchors is not None
        told = self._told()
        for anchors in self._anchors.read():
            due = [place for place in anchors if self._is_due(told[place], place, anchors[place])]
            for start in range(0, len(due), BATCH):
                places = due[start : start + BATCH]
                for at in range(0, len(places), STEP):
                    self._index.replace(self._items(places[at : at + STEP], anchors))
                    yield
                self._index.commit()
                self._tell(told, places, anchors)
        self._remember(told)

    def index_all(self) -> None:
        """Make the index anew with all link texts, in one commit."""
        assert self._anchors is not None
        told = self._told()
        self._index.clear()
        for stretch, anchors in zip(self._anchors.stretches(), self._anchors.read(), strict=True):
            for start in range(stretch.start, stretch.stop, BATCH):
                places = range(start, min(start + BATCH, stretch.stop))
                self._index.replace(self._items(places, anchors))
                self._tell(told, places, anchors)
        self._index.commit()
        self._remember(told)

    def _is_due(self, told: np.void, place: int, anchors: tuple[Anchor, ...]) -> bool:
        if told["seq"] != self._pages.seqs[place]:
            return True
        has_doubled = self._links[place] >= 2 * max(1, int(told["links"]))
        return has_doubled and int(told["digest"]) != digest_of(anchors)

    def _items(
        self, places: "range | list[int]", anchors: dict[int, tuple[Anchor, ...]]
    ) -> Iterator[IndexItem]:
        """Yield documents as they are now; one that has just left the index is left out."""
        place_of = {self._pages.ids[place].tobytes(): place for place in places}
        for row in read_rows_of(self._db, place_of):
            if not row.not_indexed:
                yield make_item(row, anchors.get(place_of[row.url_id], ()))

    def _told(self) -> Told:
        """Return what the index has, a row for each page of now."""
        told = np.zeros(len(self._pages), ANCHORED)
        told["number"] = self._pages.numbers
        before = read_array(self._directory / ANCHORED_FILE, ANCHORED)
        if len(before) and len(told):
            at = np.minimum(np.searchsorted(before["number"], told["number"]), len(before) - 1)
            known = before["number"][at] == told["number"]
            told[known] = before[at[known]]
        return told

    def _tell(
        self, told: Told, places: "range | list[int]", anchors: dict[int, tuple[Anchor, ...]]
    ) -> None:
        for place in places:
            told["seq"][place] = self._pages.seqs[place]
            told["links"][place] = self._links[place]
            told["digest"][place] = digest_of(anchors.get(place, ()))

    def _remember(self, told: Told) -> None:
        write_array(self._directory / ANCHORED_FILE, told)


def forget_anchors(index_directory: Path) -> None:
    """Forget which link texts are in the index: they are looked at again."""
    (index_directory / ANCHORED_FILE).unlink(missing_ok=True)
