"""The operations of the network with a tape, for backpropagation."""

from collections.abc import Callable, Sequence

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.content.network import VOICE, Numpy
from telusur.extract.content.ranges import Ranges

_NUMPY = Numpy()


class Value:
    """An array of a computation, and its gradient after backpropagation."""

    __slots__ = ("array", "grad", "is_constant")

    def __init__(self, array: Floats, *, is_constant: bool = False) -> None:
        self.array = array
        self.grad: Floats | None = None
        self.is_constant = is_constant

    def receive(self, grad: Floats) -> None:
        """Add to the gradient."""
        if self.is_constant:
            return
        self.grad = grad if self.grad is None else self.grad + grad


Node = Value | Floats


def _value(node: Node) -> Value:
    return node if isinstance(node, Value) else Value(node, is_constant=True)


class Tape:
    """Records operations; `follow_back` then gives every Value its gradient."""

    def __init__(self, rng: np.random.Generator, rest: float = 0.0) -> None:
        self._rng = rng
        self._rest = rest
        self._steps: list[Callable[[], None]] = []

    def follow_back(self) -> None:
        """Backpropagate through all steps; the gradients of the results must be set."""
        for step in reversed(self._steps):
            step()
        self._steps.clear()

    def _note(self, result: Value, back: Callable[[Floats], None]) -> Value:
        def step() -> None:
            if result.grad is not None:
                back(result.grad)
                result.grad = None  # free it early

        self._steps.append(step)
        return result

    def dense(self, values: Node, weight: Value, bias: Value) -> Value:
        """Multiply and add."""
        source = _value(values)

        def back(grad: Floats) -> None:
            weight.receive(source.array.T @ grad)
            bias.receive(grad.sum(axis=0))
            if not source.is_constant:
                source.receive(grad @ weight.array.T)

        return self._note(Value(_NUMPY.dense(source.array, weight.array, bias.array)), back)

    def relu(self, values: Value) -> Value:
        """Cut off what is negative."""
        result = Value(np.maximum(values.array, 0))
        return self._note(result, lambda grad: values.receive(grad * (result.array > 0)))

    def rest(self, values: Value) -> Value:
        """Apply dropout: zero a share of the values, and scale up the others."""
        if not self._rest:
            return values
        kept = self._rng.random(values.array.shape, np.float32) >= self._rest
        mask = kept.astype(np.float32) / np.float32(1 - self._rest)
        return self._note(Value(values.array * mask), lambda grad: values.receive(grad * mask))

    def join(self, parts: Sequence[Node]) -> Value:
        """Put columns beside each other."""
        sources = [_value(part) for part in parts]
        edges = np.cumsum([each.array.shape[1] for each in sources])

        def back(grad: Floats) -> None:
            for each, end in zip(sources, edges, strict=True):
                each.receive(grad[:, end - each.array.shape[1] : end])

        return self._note(Value(_NUMPY.join([each.array for each in sources])), back)

    def take(self, values: Value, rows: Ints) -> Value:
        """Take rows."""

        def back(grad: Floats) -> None:
            values.receive(_add_at(len(values.array), rows, grad))

        return self._note(Value(values.array[rows]), back)

    def bag(self, table: Value, ids: Ints, at: Ints) -> Value:
        """Sum up the rows of each bag."""
        sizes = np.diff(at, append=len(ids))

        def back(grad: Floats) -> None:
            total = _add_at(len(table.array), ids, np.repeat(grad, sizes, axis=0))
            total[0] = 0  # the empty word stays zero
            table.receive(total)

        return self._note(Value(_NUMPY.bag(table.array, ids, at)), back)

    def pool(self, values: Value, ranges: Ranges) -> Value:
        """Take the mean of each range."""

        def back(grad: Floats) -> None:
            values.receive(ranges.sum_around(grad / ranges.sizes))

        return self._note(Value(_NUMPY.pool(values.array, ranges)), back)

    def spread(self, values: Value, ranges: Ranges) -> Value:
        """Sum up what surrounds each row."""

        def back(grad: Floats) -> None:
            values.receive(ranges.sum_within(grad) * np.float32(VOICE))

        return self._note(Value(_NUMPY.spread(values.array, ranges)), back)

    def shift(self, values: Value, steps: int, page_of: Ints) -> Value:
        """Move rows down, or up."""
        moved = Value(_NUMPY.shift(values.array, steps, page_of))
        return self._note(moved, lambda grad: values.receive(_NUMPY.shift(grad, -steps, page_of)))

    def add(self, one: Value, other: Value) -> Value:
        """Add."""

        def back(grad: Floats) -> None:
            one.receive(grad)
            other.receive(grad)

        return self._note(Value(one.array + other.array), back)

    def scale(self, values: Value, factors: Floats) -> Value:
        """Multiply rows."""
        return self._note(
            Value(values.array * factors), lambda grad: values.receive(grad * factors)
        )


def _add_at(count: int, rows: Ints, values: Floats) -> Floats:
    """Return `count` rows with these values added where they belong."""
    total = np.zeros((count, values.shape[1]), np.float32)
    order = np.argsort(rows, kind="stable")
    first = np.flatnonzero(np.diff(rows[order], prepend=-1))
    if len(first):
        total[rows[order][first]] = np.add.reduceat(values[order], first, axis=0)
    return total
