"""The network that classifies the lines of a page by themselves and by their context.

The input of a line is its own features and the names of the elements around it. Then, twice: every
container sums up its lines and its own features; every line receives from all containers around it,
from its neighbours and from the whole page. The last layer gives a line four scores (content,
title, author, date), and the page one for each page type. A page that is no article is then read
once more by the convention of its type.

The steps are written once, over a few operations. Here these are plain numpy; for training,
`telusur.learn.gradients` has the same operations with backpropagation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.compiled import native
from telusur.extract.content.ranges import Ranges

ROUNDS = 2
NEIGHBOURS = (1, -1, 2, -2)
VOICE = 0.2  # the scale of each container's message to a line; fixed, the weights adapt to it
Weights = dict[str, Any]


@dataclass(slots=True)
class Batch:
    """One page or several, one after the other, as arrays.

    Words of names are numbers in the vocabulary, `*_ids` all in a row, `*_at` where each begins.
    """

    lines: Floats
    containers: Floats
    # The lines of each container.
    inside: Ranges
    own: Ints
    around: Ints
    line_ids: Ints
    line_at: Ints
    container_ids: Ints
    container_at: Ints
    words: Floats
    # The lines of each page.
    pages: Ranges
    page_of: Ints


class Operations(Protocol):
    """The operations of the network; values are arrays, or tape values in training."""

    def dense(self, values: Any, weight: Any, bias: Any) -> Any:
        """Return values times weight plus bias."""

    def relu(self, values: Any) -> Any:
        """Return the positive part."""

    def rest(self, values: Any) -> Any:
        """Return the values, some of them left out at random in training."""

    def join(self, parts: Sequence[Any]) -> Any:
        """Return the columns of all parts beside each other."""

    def take(self, values: Any, rows: Ints) -> Any:
        """Return these rows."""

    def bag(self, table: Any, ids: Ints, at: Ints) -> Any:
        """Return for each bag of ids the sum of their rows of the table."""

    def pool(self, values: Any, ranges: Ranges) -> Any:
        """Return the mean of each range of rows."""

    def spread(self, values: Any, ranges: Ranges) -> Any:
        """Return for each row the scaled sum of the values of the ranges that contain it."""

    def shift(self, values: Any, steps: int, page_of: Ints) -> Any:
        """Return the rows `steps` before, zeros where that is another page."""

    def add(self, one: Any, other: Any) -> Any:
        """Return the sum."""

    def scale(self, values: Any, factors: Floats) -> Any:
        """Return the rows times their factors."""


def run_network(
    weights: Weights, batch: Batch, ops: Operations, page_types: Ints | None = None
) -> tuple[Any, Any]:
    """Return the scores of the lines and of the types of the pages (before sigmoid and softmax).

    What is content depends on the type of the page: if `page_types` has a number for each page, the
    first layer adds what belongs to that type.
    """
    names = ops.bag(weights["names"], batch.container_ids, batch.container_at)
    words = ops.bag(weights["words"], batch.line_ids, batch.line_at)
    seen = [batch.lines, ops.take(names, batch.own), ops.take(names, batch.around), words]
    first = ops.dense(ops.join(seen), weights["in.w"], weights["in.b"])
    if page_types is not None:
        first = ops.add(first, ops.take(weights["in.by_type"], page_types[batch.page_of]))
    state = ops.relu(first)
    for number in range(ROUNDS):
        state = ops.rest(state)
        inside = ops.join([batch.containers, names, ops.pool(state, batch.inside)])
        said = ops.relu(ops.dense(inside, weights[f"up{number}.w"], weights[f"up{number}.b"]))
        heard = [
            state,
            ops.spread(said, batch.inside),
            ops.take(said, batch.own),
            ops.take(said, batch.around),
            *(ops.shift(state, steps, batch.page_of) for steps in NEIGHBOURS),
            ops.take(ops.pool(state, batch.pages), batch.page_of),
        ]
        turn = ops.dense(ops.join(heard), weights[f"mix{number}.w"], weights[f"mix{number}.b"])
        state = ops.add(state, ops.relu(turn))
    scores = ops.dense(ops.rest(state), weights["out.w"], weights["out.b"])
    loud = np.sqrt(batch.words)[:, None]
    shares = loud / (batch.pages.sum_within(loud) / batch.pages.sizes)[batch.page_of]
    page = ops.pool(ops.scale(state, shares.astype(np.float32)), batch.pages)
    return scores, ops.dense(page, weights["type.w"], weights["type.b"])


def read_twice(weights: Weights, batch: Batch) -> tuple[Floats, Floats]:
    """Return the scores of a page, read once more if its type is one that is read otherwise."""
    scores, types = run_network(weights, batch, NUMPY)
    best = types.argmax(axis=1)
    if weights["in.by_type"][best].any():
        scores, _ = run_network(weights, batch, NUMPY, best)
    return scores, types


class Numpy:
    """The operations for inference: plain numpy, nothing recorded."""

    def dense(self, values: Floats, weight: Floats, bias: Floats) -> Floats:
        """Multiply and add."""
        result: Floats = values @ weight
        result += bias
        return result

    def relu(self, values: Floats) -> Floats:
        """Cut off what is negative, in place."""
        return np.maximum(values, 0, out=values)

    def rest(self, values: Floats) -> Floats:
        """Leave nothing out."""
        return values

    def join(self, parts: Sequence[Floats]) -> Floats:
        """Put columns beside each other."""
        return np.concatenate(parts, axis=1)

    def take(self, values: Floats, rows: Ints) -> Floats:
        """Take rows."""
        return values[rows]

    def bag(self, table: Floats, ids: Ints, at: Ints) -> Floats:
        """Sum up the rows of each bag; none is empty, since each begins with the empty word."""
        if native is not None and table.dtype == np.float32:
            sums = np.empty((len(at), table.shape[1]), np.float32)
            native.sum_bags(table, table.shape[1], ids, at, sums)
            return sums
        result: Floats = np.add.reduceat(table[ids], at, axis=0)
        return result

    def pool(self, values: Floats, ranges: Ranges) -> Floats:
        """Take means."""
        return ranges.sum_within(values) / ranges.sizes

    def spread(self, values: Floats, ranges: Ranges) -> Floats:
        """Sum up what surrounds each row."""
        return ranges.sum_around(values) * np.float32(VOICE)

    def shift(self, values: Floats, steps: int, page_of: Ints) -> Floats:
        """Move rows down, or up."""
        moved = np.zeros_like(values)
        if abs(steps) >= len(values):
            return moved
        to, of = (slice(steps, None), slice(None, -steps)) if steps > 0 else (
            slice(None, steps), slice(-steps, None))  # fmt: skip
        moved[to] = values[of]
        if page_of[-1]:  # more than one page
            moved[to] *= (page_of[to] == page_of[of])[:, None]
        return moved

    def add(self, one: Floats, other: Floats) -> Floats:
        """Add."""
        return one + other

    def scale(self, values: Floats, factors: Floats) -> Floats:
        """Multiply rows."""
        return values * factors


NUMPY = Numpy()
