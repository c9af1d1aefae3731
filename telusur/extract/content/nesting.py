"""Which elements are around lines, and which lines are within elements."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Ints
from telusur.extract.page.layout import Layout


def elements_around(elements: Iterable[int], parents: list[int]) -> set[int]:
    """Return these elements and all elements around them, given the parent of each element."""
    around: set[int] = set()
    for element in elements:
        while element >= 0 and element not in around:
            around.add(element)
            element = parents[element]  # noqa: PLW2901
    return around


def are_within(lines: Ints, elements: set[int], layout: Layout) -> NDArray[np.bool_]:
    """Return for each of these lines whether it is within one of these elements."""
    parents = layout.parents.tolist()
    known = dict.fromkeys(elements, True) | {-1: False}
    within = []
    for container in layout.containers[lines].tolist():
        path = []
        element = container
        while element not in known:
            path.append(element)
            element = parents[element]
        known.update(dict.fromkeys(path, known[element]))
        within.append(known[container])
    return np.array(within, bool)
