"""What is known of pages before any query: their rank, links and depth, in a sorted table."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

STANDING = np.dtype(
    [("number", "<u8"), ("rank", "<f4"), ("links", "<u4"), ("depth", "<u2"), ("day", "<u4")]
)
"""A page by its number: its PageRank times the number of pages, the pages that link to it, its
distance from a start URL, the day of its date as 20240131."""
UNKNOWN_DEPTH = 0xFFFF

Table = NDArray[np.void]


@dataclass(slots=True, frozen=True)
class Standings:
    """The standing of every page, sorted by number; a page not in it has none."""

    table: Table
    newest: int = 0
    """The last day any page has."""

    @classmethod
    def of(cls, table: Table) -> "Standings":
        """Make it of a table in order of numbers."""
        return cls(table, int(table["day"].max()) if len(table) else 0)

    def look_up(self, numbers: NDArray[np.uint64]) -> Table:
        """Return the rows of pages, zeros for those that are not known."""
        found = np.zeros(len(numbers), STANDING)
        found["depth"] = UNKNOWN_DEPTH
        if len(self.table):
            keys = self.table["number"]
            at = np.minimum(np.searchsorted(keys, numbers), len(keys) - 1)
            known = keys[at] == numbers
            found[known] = self.table[at[known]]
        return found


NO_STANDINGS = Standings(np.zeros(0, STANDING))
