"""The elements around the lines of a page; those with exactly the same lines count as one."""

from dataclasses import dataclass

import numpy as np

from telusur.arrays import Floats, Ints, Ints32
from telusur.extract.compiled import native
from telusur.extract.content.ranges import Ranges
from telusur.extract.page.layout import Layout


@dataclass(slots=True)
class Containers:
    """The elements around lines; each container stands for one or several."""

    # The lines of each container.
    inside: Ranges
    depths: Floats
    parents: Ints
    # For each line the container that directly holds it.
    own: Ints
    # The names of all elements by their numbers, container by container, outer ones first ...
    names: Ints32
    # ... and where those of each container begin.
    names_at: Ints32
    # For how many elements each container stands.
    sizes: Ints32
    # The names of the innermost element of each container.
    innermost: Ints32


def find_containers(layout: Layout) -> Containers:
    """Return the containers of a layout that has at least one line."""
    group = _group if native is None else native.group
    arrays = group(layout.starts, layout.parents, layout.containers, layout.names_of)
    rows, own, names_at, names = (np.frombuffer(each, np.int32) for each in arrays)
    table = rows.reshape(-1, 4).astype(np.int64)
    inside = Ranges(table[:, 0].copy(), table[:, 1].copy(), len(layout.texts))
    depths = table[:, 2].astype(np.float32)
    ends = np.append(names_at[1:], np.int32(len(names)))
    return Containers(
        inside, depths, table[:, 3].copy(), own.astype(np.int64),
        names, names_at, ends - names_at, names[ends - 1],
    )  # fmt: skip


def _group(
    starts: Ints32, parents: Ints32, lines: Ints32, names_of: Ints32
) -> tuple[Ints32, Ints32, Ints32, Ints32]:
    """Return rows of start, end, depth and parent; the row of each line; where names begin; names.

    The same as `native.group`.
    """
    ends = [0] * len(starts)
    above = parents.tolist()
    for number, container in enumerate(lines.tolist(), 1):
        ends[container] = number
    for element in range(len(ends) - 1, 0, -1):
        ends[above[element]] = max(ends[above[element]], ends[element])
    rows: list[tuple[int, int, int, int]] = []
    names: list[list[int]] = []
    row_of = [0] * len(ends)
    for number, start in enumerate(starts.tolist()):
        end = ends[number]
        if end <= start:
            continue
        outer = row_of[above[number]] if above[number] >= 0 else 0
        if rows and rows[outer][0] == start and rows[outer][1] == end:
            row_of[number] = outer
            names[outer].append(int(names_of[number]))
        else:
            row_of[number] = len(rows)
            rows.append((start, end, rows[outer][2] + 1 if rows else 0, outer))
            names.append([int(names_of[number])])
    sizes = [len(each) for each in names]
    return (
        np.array(rows, np.int32),
        np.array([row_of[container] for container in lines.tolist()], np.int32),
        np.cumsum([0, *sizes[:-1]], dtype=np.int32),
        np.array([name for each in names for name in each], np.int32),
    )
