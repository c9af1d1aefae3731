"""The static rank of pages: PageRank, links, depth and date, in a sorted table."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

# A row: the number of the page, its PageRank times the number of pages, the pages that link to it,
# its depth, the day of its date as 20240131.
STANDING = np.dtype(
    [("number", "<u8"), ("rank", "<f4"), ("links", "<u4"), ("depth", "<u2"), ("day", "<u4")]
)
UNKNOWN_DEPTH = 0xFFFF

Table = NDArray[np.void]
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Standings:
    """The standing of every page, sorted by number; a page not in it has none."""

    table: Table
    # The last day any page has.
    newest: int = 0

    @classmethod
    def of(cls, table: Table) -> "Standings":
        """Make it from a table sorted by number."""
        return cls(table, int(table["day"].max()) if len(table) else 0)

    @cached_property
    def numbers(self) -> NDArray[np.uint64]:
        """The numbers of the pages as one array, so that searching them copies nothing."""
        return np.ascontiguousarray(self.table["number"])

    def find(self, numbers: NDArray[np.uint64]) -> tuple[Places, NDArray[np.bool_]]:
        """Return the row of each page, and whether it really is that page; there must be rows."""
        at = np.minimum(self.numbers.searchsorted(numbers), len(self.numbers) - 1)
        return at, self.numbers[at] == numbers

    def look_up(self, numbers: NDArray[np.uint64]) -> Table:
        """Return the rows of pages, zeros for unknown ones."""
        found = np.zeros(len(numbers), STANDING)
        found["depth"] = UNKNOWN_DEPTH
        if len(self.table):
            at, known = self.find(numbers)
            found[known] = self.table[at[known]]
        return found


NO_STANDINGS = Standings(np.zeros(0, STANDING))
