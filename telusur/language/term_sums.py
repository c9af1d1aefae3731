"""Sums over the terms of many texts: of term values by text, and of text values by term.

Texts are concatenated runs of term numbers, with the length of each run. The compiled version is
used if Telusur was installed with a compiler.
"""

import numpy as np

from telusur.arrays import Doubles, Floats, Ints32
from telusur.language.compiled import native


def sums_of_runs(
    table: Doubles, terms: Ints32, lengths: Ints32, weights: Floats | None = None
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
    values: Doubles, terms: Ints32, lengths: Ints32, size: int, weights: Floats | None = None
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
