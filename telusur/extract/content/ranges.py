"""Ranges of rows, such as the lines within each element: sums over them, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats, Ints
from telusur.extract.compiled import native


class Ranges:
    """The ranges `starts[n]` to `ends[n]` (not included) of `count` rows, ordered by their starts.

    Sums are differences of running sums, so a range costs the same whatever its length, and nested
    ranges cost nothing extra.
    """

    def __init__(self, starts: Ints, ends: Ints, count: int) -> None:
        rows = np.arange(count)
        self.starts, self.ends, self.count = starts, ends, count
        self.sizes = (ends - starts).astype(np.float32)[:, None]
        self._by_end = np.argsort(ends, kind="stable")
        self._opened = np.searchsorted(starts, rows, "right")
        self._closed = np.searchsorted(ends[self._by_end], rows, "right")

    def sum_within(self, values: Floats) -> Floats:
        """Return for each range the sum of its rows."""
        if len(self.starts) == 1:  # a whole page
            rows = values[self.starts[0] : self.ends[0]]
            total: Floats = rows.sum(axis=0, keepdims=True, dtype=np.float64).astype(np.float32)
            return total
        if native is not None:
            return self._natively(
                native.sum_within, values, len(self.starts), self.starts, self.ends
            )
        sums = _running_sums(values)
        return (sums[self.ends] - sums[self.starts]).astype(np.float32)

    def sum_around(self, values: Floats) -> Floats:
        """Return for each row the sum of the values of the ranges that hold it."""
        if native is not None:
            steps = (self._by_end, self._opened, self._closed)
            return self._natively(native.sum_around, values, self.count, *steps)
        opened, closed = _running_sums(values), _running_sums(values[self._by_end])
        return (opened[self._opened] - closed[self._closed]).astype(np.float32)

    @staticmethod
    def _natively(sum_up: Any, values: Floats, rows: int, *steps: Ints) -> Floats:
        columns = values.shape[1]
        result = np.empty((rows, columns), np.float32)
        sum_up(np.ascontiguousarray(values, np.float32), columns, *steps, result)
        return result


def _running_sums(values: Floats) -> NDArray[np.float64]:
    """Return the sums of the first 0, 1, 2 ... rows; in double, since they are subtracted later."""
    sums = np.zeros((len(values) + 1, values.shape[1]))
    np.cumsum(values, axis=0, out=sums[1:], dtype=np.float64)
    return sums
