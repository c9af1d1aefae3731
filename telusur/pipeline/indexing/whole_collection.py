"""Brings static rank and link texts into the index, which need the whole collection.

The background work runs in short steps, and re-indexes documents whose in-links have doubled.
`settle` brings everything up to date at once, so that the index does not depend on the order of
events.
"""

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from telusur.graph.pages import Pages
from telusur.index.contract import Anchor, Index, IndexItem
from telusur.pipeline.indexing.anchors import AnchorFiles, digest_of
from telusur.pipeline.indexing.items import make_item
from telusur.pipeline.indexing.standing import work_out_standings
from telusur.store.blobs import Blobs
from telusur.store.store import Store

ANCHORED_BLOB = "index/anchored.npy"
# A page whose link texts are in the index: its document, its number of in-links, and a hash of the
# texts.
ANCHORED = np.dtype([("number", "<u8"), ("seq", "<i8"), ("links", "<u4"), ("digest", "<u4")])
BATCH = 500
# Documents re-indexed per background step.
STEP = 50
# No pass below this many documents: a small crawl ends soon.
FIRST_PASS = 500
# The end of a crawl has this much CPU time for a new document: to index it with its link texts.
LAST_SECONDS_A_DOCUMENT = 0.001
# Link texts of more documents take too long; `telusur index --settle` reads them. Ranks take a
# hundredth of that.
MOST_WITH_LINK_TEXTS = 1_000
LAST_RANK_SECONDS_A_DOCUMENT = 0.00003
LEAST_LAST_SECONDS, MOST_LAST_SECONDS = 0.15, 10.0

Told = NDArray[np.void]


class Background:
    """Keeps static rank and link texts roughly up to date during a crawl.

    A pass starts when the number of documents has doubled since the last one, so all passes
    together cost about as much as two.
    """

    def __init__(
        self,
        store: Store,
        index: Index,
        # CPU time, which includes tantivy's threads.
        clock: Callable[[], float] = time.process_time,
    ) -> None:
        self._store = store
        self._index = index
        self._clock = clock
        self._begun_with = len(store.blobs.read_array(ANCHORED_BLOB, ANCHORED))
        self._pass: Generator[None, None, None] | None = None
        self._credit = 0.0

    def work(self, seconds: float, *, is_last: bool = False) -> None:
        """Work for this long; `is_last` starts a pass even after few changes.

        Overtime of a step is subtracted from the next calls, but not from the last one. The last
        call also gives up a pass that lacks the newest documents. Its own pass reads link texts
        only in small collections.
        """
        self._credit = (0.0 if is_last else min(self._credit, 0.0)) + seconds
        if is_last and self._pass is not None and self._index.count() != self._begun_with:
            self._pass.close()
            self._pass = None
        if self._pass is None and not self._is_due(is_last):
            return
        if self._pass is None:
            has_time = not is_last or self._begun_with <= MOST_WITH_LINK_TEXTS
            self._pass = self._make_pass(with_link_texts=has_time)
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

    def _make_pass(self, *, with_link_texts: bool) -> Generator[None, None, None]:
        work = _Pass(self._store, self._index)
        with closing(work):
            yield from work.gather(with_link_texts=with_link_texts)
            if with_link_texts:
                yield from work.fold_doubled()


def last_seconds(new: int, count: int) -> float:
    """Return how much CPU time the end of a crawl has for new documents, of so many in all."""
    is_small = count <= MOST_WITH_LINK_TEXTS
    a_document = LAST_SECONDS_A_DOCUMENT if is_small else LAST_RANK_SECONDS_A_DOCUMENT
    return min(max(a_document * new, LEAST_LAST_SECONDS), MOST_LAST_SECONDS)


def settle(store: Store, index: Index) -> bool:
    """Bring static rank and link texts up to date; return whether documents were re-indexed."""
    work = _Pass(store, index)
    with closing(work):
        for _ in work.gather():
            pass
        if work.is_up_to_date() and not index.has_leftovers():
            return False
        work.index_all()
    return True


class _Pass:
    """One pass over the links of the collection."""

    def __init__(self, store: Store, index: Index) -> None:
        self._blobs = store.blobs
        self._web = store.web()
        self._changes = store.changes()
        self._index = index
        self._pages: Pages
        self._links: NDArray[np.int64]
        self._anchors: AnchorFiles | None = None

    def close(self) -> None:
        self._web.close()
        self._changes.close()
        if self._anchors is not None:
            self._anchors.close()

    def gather(self, *, with_link_texts: bool = True) -> Generator[None, None, None]:
        """Read documents and links, write the static rank, and read link texts."""
        self._pages = yield from self._web.pages()
        self._links = yield from work_out_standings(self._blobs, self._web, self._pages)
        if with_link_texts:
            self._anchors = AnchorFiles(self._blobs, self._pages)
            yield from self._anchors.fill(self._web)

    def is_up_to_date(self) -> bool:
        """Tell whether the link texts in the index are current."""
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
        """Rebuild the index with all link texts, in one commit."""
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
        """Yield the current documents, without those that have just left the index."""
        place_of = {self._pages.ids[place].tobytes(): place for place in places}
        for change in self._changes.documents(place_of):
            if not change.not_indexed:
                yield make_item(change, anchors.get(place_of[change.url_id], ()))

    def _told(self) -> Told:
        """Return the link texts in the index, a row for each current page."""
        told = np.zeros(len(self._pages), ANCHORED)
        told["number"] = self._pages.numbers
        before = self._blobs.read_array(ANCHORED_BLOB, ANCHORED)
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
        self._blobs.write_array(ANCHORED_BLOB, told)


def forget_anchors(blobs: Blobs) -> None:
    """Forget which link texts are in the index, so that they are indexed again."""
    blobs.delete(ANCHORED_BLOB)
