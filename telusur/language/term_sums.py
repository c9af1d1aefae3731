"""Sums over the terms of many texts: of what each term is worth by text, and the other way round.

Texts are runs of the numbers of their terms, one behind the other, with the length of each run.
Compiled where Telusur was installed with a compiler.
"""

import numpy as np
from numpy.typing import NDArray

from telusur.language.compiled import native

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]


def sums_of_runs(
    table: Doubles, terms: Ints, lengths: Ints, weights: Floats | None = None
) -> Doubles:
    """Return for each run the sums of its terms' rows in a table, each times its weight."""
    sums = np.zeros((len(lengths), table.shape[1]))
    if native is not None:
        native.sum_runs(table, table.shape[1], terms, lengths, weights, sums)
    elif len(terms):
        rows = table[terms] if weights is None else table[terms] * weights[:, None]
        starts = np.cumsum(lengths) - lengths
        is_any = lengths > 0
        sums[is_any] = np.add.reduceat(rows, starts[is_any], axis=0)
    return sums


def sums_of_terms(
    values: Doubles, terms: Ints, lengths: Ints, size: int, weights: Floats | None = None
) -> Doubles:
    """Return for each of `size` terms the sum over the runs that have it, each times its weight."""
    sums = np.zeros((size, values.shape[1]))
    if native is not None:
        native.sum_terms(values, values.shape[1], terms, lengths, weights, sums)
    else:
        for column in range(values.shape[1]):
            parts = np.repeat(values[:, column], lengths)
            parts = parts if weights is None else parts * weights
            sums[:, column] = np.bincount(terms, parts, size)
    return sums
