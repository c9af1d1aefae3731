"""Static rank: PageRank and other standings of pages, computed in steps."""

from collections.abc import Generator, Hashable
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from telusur.graph.pagerank import count_edges, pagerank_rounds
from telusur.graph.pages import Pages
from telusur.index.standing import STANDING, Standings
from telusur.store.blobs import Blobs
from telusur.store.web import WholeWeb

STANDING_BLOB = "index/standing.npy"

Places = NDArray[np.uint32]


def work_out_standings(
    blobs: Blobs, web: WholeWeb, pages: Pages
) -> Generator[None, None, NDArray[np.int64]]:
    """Write the standing of every page, in steps; return the number of in-links of each.

    The edges are kept in files meanwhile.
    """
    with blobs.scratch() as from_, blobs.scratch() as to:
        for sources, targets in web.edges(pages):
            from_.write(sources.tobytes())
            to.write(targets.tobytes())
            yield
        sources, targets = _map(from_), _map(to)
        links = count_edges(targets, len(pages))
        yield
        ranks = np.zeros(len(pages))
        for ranks in pagerank_rounds(sources, targets, len(pages)):  # noqa: B007
            yield
    blobs.write_array(STANDING_BLOB, _make_table(pages, ranks, links))
    return links


def _map(file: IO[bytes]) -> Places:
    """Return the numbers in a file as a memory map."""
    file.flush()
    if not file.tell():
        return np.zeros(0, np.uint32)
    return np.memmap(file, np.uint32, "r")


def _make_table(pages: Pages, ranks: NDArray[np.float64], links: NDArray[Any]) -> NDArray[np.void]:
    table = np.zeros(len(pages), STANDING)
    table["number"] = pages.numbers
    table["rank"] = ranks * len(pages)
    table["links"] = links
    table["depth"] = pages.depths
    table["day"] = pages.days
    return table


class LatestStandings:
    """The latest standings, reloaded when they change."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._seen: Hashable = None
        self._standings = Standings.of(np.zeros(0, STANDING))

    def read(self) -> Standings:
        """Return the standing of every page."""
        seen = self._blobs.stamp(STANDING_BLOB)
        if seen is not None and seen != self._seen:
            self._standings = Standings.of(self._blobs.read_array(STANDING_BLOB, STANDING))
            self._seen = seen
        return self._standings
