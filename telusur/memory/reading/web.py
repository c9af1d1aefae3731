"""All documents and links of a store in memory, as arrays."""

from collections.abc import Generator, Iterator

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Unsigned64
from telusur.crawl.urls.identity import normalize_url
from telusur.graph.pages import NOWHERE, Pages
from telusur.index.contract import number_of
from telusur.index.fields import day_of
from telusur.index.standing import UNKNOWN_DEPTH
from telusur.memory.reading.committed import Committed, documents_of, indexed_of
from telusur.memory.state import Tables
from telusur.models import Reason, url_id_of

_COPY_OF = (f"{Reason.DUPLICATE}: near ", f"{Reason.DUPLICATE}: ", f"{Reason.CANONICAL}: ")


class MemoryWeb:
    """Implements `telusur.store.web.WholeWeb`: everything in one piece."""

    def __init__(self, committed: Committed) -> None:
        self._committed = committed

    def pages(self) -> Generator[None, None, Pages]:
        """Read the documents in the index, with one pause."""
        tables = self._committed()
        found = sorted(indexed_of(tables), key=lambda one: one.url_id)
        ids = [one.url_id for one in found]
        copies = _copies(tables)
        yield
        return Pages(
            ids=np.frombuffer(b"".join(ids), "V16"),
            numbers=_numbers(b"".join(ids)),
            seqs=np.array([one.number for one in found], np.int64),
            days=np.array([day_of(one.document.date) for one in found], np.uint32),
            depths=np.array([_depth(tables, url_id) for url_id in ids], np.uint16),
            aliases=(
                np.array(list(copies), np.uint64), np.array(list(copies.values()), np.uint64)
            ),
        )  # fmt: skip

    def edges(self, pages: Pages) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
        """Yield links between documents as pairs of places; each pair comes once."""
        pairs = {
            (source, int(target))
            for records in self.link_records(pages)
            for source, targets, _ in records
            for target in targets
            if target not in (source, NOWHERE)
        }
        rows = np.array(sorted(pairs), np.uint32).reshape(-1, 2)
        yield rows[:, 0], rows[:, 1]

    def link_records(self, pages: Pages) -> Iterator[list[tuple[int, NDArray[np.uint32], bytes]]]:
        """Yield for each page with links: its place, the places of targets, the packed links."""
        links = self._committed().links
        sources = pages.places_of(_numbers(b"".join(links)))
        yield [
            (int(source), pages.places_of(_numbers(targets)), record)
            for source, (targets, record) in zip(sources, links.values(), strict=True)
            if source != NOWHERE
        ]

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _copies(tables: Tables) -> dict[int, int]:
    """Return the numbers of duplicates in order, each with the number of its original."""
    found = {}
    for one in documents_of(tables):
        kind = next((kind for kind in _COPY_OF if one.not_indexed.startswith(kind)), None)
        key = kind and normalize_url(one.not_indexed.removeprefix(kind))
        if key:
            found[number_of(one.url_id)] = number_of(url_id_of(key))
    return dict(sorted(found.items()))


def _depth(tables: Tables, url_id: bytes) -> int:
    url = tables.urls.get(url_id)
    return UNKNOWN_DEPTH if url is None else min(url.depth, UNKNOWN_DEPTH)


def _numbers(ids: bytes) -> Unsigned64:
    """Return the numbers of joined ids."""
    return np.frombuffer(ids, ">u8")[::2].astype(np.uint64)
