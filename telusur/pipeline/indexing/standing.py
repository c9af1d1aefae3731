"""Static rank: how pages stand by their links, worked out piece by piece beside the index."""

import sqlite3
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from telusur.adapters.array_file import read_array, write_array
from telusur.adapters.sqlite_graph import Pages, read_edges
from telusur.graph.pagerank import count_edges, pagerank_rounds
from telusur.index.standing import STANDING, Standings

STANDING_FILE = "standing.npy"

Places = NDArray[np.uint32]


def work_out_standings(
    index: Path, connection: sqlite3.Connection, pages: Pages
) -> Generator[None, None, NDArray[np.int64]]:
    """Write the standing of every page, with pauses; return how many pages link to each.

    Edges lie in files meanwhile.
    """
    with tempfile.TemporaryFile(dir=index) as from_, tempfile.TemporaryFile(dir=index) as to:
        for sources, targets in read_edges(connection, pages):
            from_.write(sources.tobytes())
            to.write(targets.tobytes())
            yield
        sources, targets = _map(from_), _map(to)
        links = count_edges(targets, len(pages))
        yield
        ranks = np.zeros(len(pages))
        for ranks in pagerank_rounds(sources, targets, len(pages)):  # noqa: B007
            yield
    write_array(index / STANDING_FILE, _make_table(pages, ranks, links))
    return links


def _map(file: IO[bytes]) -> Places:
    """Return what was written to a file as numbers, without reading it."""
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


class StandingFile:
    """The standings as last worked out, read again when the file is another one."""

    def __init__(self, index: Path) -> None:
        self._path = index / STANDING_FILE
        self._seen: tuple[int, int] | None = None
        self._standings = Standings.of(np.zeros(0, STANDING))

    def read(self) -> Standings:
        """Return the standing of every page."""
        try:
            found = self._path.stat()
        except OSError:
            return self._standings
        seen = (found.st_ino, found.st_mtime_ns)
        if seen != self._seen:
            self._standings = Standings.of(read_array(self._path, STANDING))
            self._seen = seen
        return self._standings
