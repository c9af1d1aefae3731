"""The documents of a collection as arrays: a page's place in them is its id for ranks and links."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Unsigned64

# The place of a page that is not among the documents.
NOWHERE = np.uint32(0xFFFFFFFF)


@dataclass(slots=True)
class Pages:
    """The documents in the index, sorted by number: a page's place in it is its id here."""

    ids: NDArray[np.void]
    numbers: Unsigned64
    # A number that differs between the versions of a document.
    seqs: NDArray[np.int64]
    days: NDArray[np.uint32]
    depths: NDArray[np.uint16]
    # Pages that say the same as another one, sorted, and which one that is.
    aliases: tuple[Unsigned64, Unsigned64]

    def __len__(self) -> int:
        return len(self.numbers)

    def places_of(self, numbers: Unsigned64) -> NDArray[np.uint32]:
        """Return the place of each page, by itself or by what it is a copy of, or `NOWHERE`."""
        copies, originals = self.aliases
        numbers = _look_up(copies, numbers, originals, numbers)
        places = np.arange(len(self.numbers), dtype=np.uint32)
        return _look_up(self.numbers, numbers, places, np.full(len(numbers), NOWHERE))


def _look_up(keys: Unsigned64, wanted: Unsigned64, values: NDArray, otherwise: NDArray) -> NDArray:  # type: ignore[type-arg]
    if not len(keys):
        return otherwise
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[at] == wanted, values[at], otherwise)
