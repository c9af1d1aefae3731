"""All documents and links of a collection as arrays, for ranks and link texts."""

from collections.abc import Generator, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from telusur.graph.pages import Pages


class WholeWeb(Protocol):
    """All documents and links, read in pieces, with pauses between them."""

    def pages(self) -> Generator[None, None, Pages]:
        """Read the documents in the index, with a pause after every few hundred."""

    def edges(self, pages: Pages) -> Iterator[tuple[NDArray[np.uint32], NDArray[np.uint32]]]:
        """Yield links between documents as pairs of places; each pair comes once.

        A copy stands at the place of its original: a link that both have is one pair.
        """

    def link_records(self, pages: Pages) -> Iterator[list[tuple[int, NDArray[np.uint32], bytes]]]:
        """Yield for each page with links: its place, the places of targets, the packed links."""

    def close(self) -> None:
        """Close what is open."""
