"""A support vector machine as a reference: linear, or with a Gaussian kernel by random features."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from telusur.errors import UsageError
from telusur.learn.weights import row_weights

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]
Rows = npt.NDArray[Any]

_BLOCK_ROWS = 4096
_SMALL_GAIN = 1e-5
_SHORTEST_STEP = 1e-4


@dataclass(slots=True, frozen=True)
class SvmOptions:
    """`regularisation` pulls the weights to zero; `components` are those of the Gaussian kernel."""

    kernel: str = "linear"
    regularisation: float = 1e-4
    components: int = 300
    gamma: float | None = None
    most_steps: int = 25
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kernel not in ("linear", "rbf"):
            raise UsageError(f"kernel: {self.kernel!r} is neither linear nor rbf.")


class Svm:
    """One separating plane for each label against all others, by squared hinge loss.

    Newton's method in the primal (Chapelle, 2007): with some hundred features it needs a dozen
    passes over the rows, no learning rate, and gives the same planes every time.
    """

    def __init__(self, options: SvmOptions | None = None) -> None:
        self.options = options or SvmOptions()
        self._mean: Doubles = np.zeros(0)
        self._scale: Doubles = np.ones(0)
        self._fourier: tuple[Doubles, Doubles] | None = None
        self._planes: Doubles = np.zeros((0, 0))

    def fit(
        self,
        x: Rows,
        y: Labels,
        *,
        sample_weight: npt.ArrayLike | None = None,
        class_weights: npt.ArrayLike | None = None,
        classes: int | None = None,
    ) -> "Svm":
        """Find a plane for each label."""
        if x.ndim != 2 or len(x) != len(y) or len(x) == 0:
            raise UsageError(f"An SVM learns from rows with a label each, not from {x.shape}.")
        known = classes or int(y.max()) + 1
        per_class = np.ones(known) if class_weights is None else np.asarray(class_weights)
        weight = row_weights(y, sample_weight, per_class).astype(np.float64)
        self._mean = x.mean(axis=0, dtype=np.float64)
        self._scale = 1 / np.maximum(x.std(axis=0, dtype=np.float64), 0.05)
        self._draw_kernel(x.shape[1])
        rows = self._features(x)
        signs = [np.where(y == label, 1.0, -1.0) for label in range(known)]
        planes = [self._find_plane(rows, sign, weight) for sign in signs]
        self._planes = np.stack(planes, axis=1)
        return self

    def margins(self, x: Rows) -> Doubles:
        """Return how far each row lies on the right side of each label's plane."""
        parts = [self._features(x[at]) @ self._planes for at in _blocks(len(x))]
        return np.concatenate(parts) if parts else np.zeros((0, self._planes.shape[1]))

    def predict(self, x: Rows) -> Labels:
        """Return the label with the largest margin for each row."""
        found: Labels = self.margins(x).argmax(axis=1)
        return found

    def _draw_kernel(self, width: int) -> None:
        """Draw the random features of the kernel (Rahimi and Recht, 2007)."""
        if self.options.kernel == "linear":
            return
        random = np.random.default_rng(self.options.seed)
        gamma = self.options.gamma if self.options.gamma is not None else 1 / max(1, width)
        waves = random.normal(scale=np.sqrt(2 * gamma), size=(width, self.options.components))
        self._fourier = waves, random.uniform(0, 2 * np.pi, self.options.components)

    def _features(self, x: Rows) -> Floats:
        """Return standardised rows, through the kernel if there is one, and a column of ones."""
        found = (x.astype(np.float32) - self._mean) * self._scale
        if self._fourier is not None:
            waves, phases = self._fourier
            found = np.cos(found @ waves + phases) * np.sqrt(2 / len(phases))
        return np.hstack((found, np.ones((len(found), 1)))).astype(np.float32)

    def _find_plane(self, rows: Floats, sign: Doubles, weight: Doubles) -> Doubles:
        """Return the plane with the least loss: Newton's step, halved while it makes it worse."""
        plane = np.zeros(rows.shape[1])
        loss, slope, bend = self._look(rows, sign, weight, plane)
        for _ in range(self.options.most_steps):
            step, before = np.linalg.solve(bend, slope), loss
            found = self._look(rows, sign, weight, plane - step)
            while found[0] > loss and np.abs(step).max() > _SHORTEST_STEP:
                step = step / 2
                found = self._look(rows, sign, weight, plane - step)
            if found[0] > loss:
                break
            plane, (loss, slope, bend) = plane - step, found
            if before - loss <= _SMALL_GAIN * before:
                break
        return plane

    def _look(
        self, rows: Floats, sign: Doubles, weight: Doubles, plane: Doubles
    ) -> tuple[float, Doubles, Doubles]:
        """Return loss, slope and bend of the loss at this plane, a block of rows at a time."""
        pull = np.full(len(plane), self.options.regularisation)
        pull[-1] = 1e-9  # the offset is free; not zero, so that the bend can be inverted
        loss = float(0.5 * pull @ (plane * plane))
        slope, bend = pull * plane, np.diag(pull)
        miss = 1 - sign * (rows @ plane.astype(np.float32))
        wrong = miss > 0
        share = weight * wrong / len(rows)
        loss += float(share @ (miss * miss))
        slope = slope - 2 * ((share * sign * miss).astype(np.float32) @ rows)
        for at in _blocks(len(rows)):  # only what is on the wrong side bends the loss
            own = rows[at][wrong[at]]
            bend = bend + 2 * (own.T * share[at][wrong[at]].astype(np.float32)) @ own
        return loss, slope, bend


def _blocks(length: int) -> list[slice]:
    return [slice(at, at + _BLOCK_ROWS) for at in range(0, length, _BLOCK_ROWS)]
