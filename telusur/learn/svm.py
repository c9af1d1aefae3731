"""A support vector machine as a reference: linear, or with a Gaussian kernel by random features."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from telusur.arrays import Ints, Rows
from telusur.errors import UsageError
from telusur.learn.library import require_scikit_learn
from telusur.learn.scaling import Scaling
from telusur.learn.weights import row_weights

#: The offset of a plane is regularised like its weights, but this much less.
_FREE_OFFSET = 10.0
#: The tolerance of the solver. With 1e-2 titles get worse; 1e-4 takes twice as long for nothing.
_TOLERANCE = 1e-3


@dataclass(slots=True, frozen=True)
class SvmOptions:
    """`regularisation` pulls the weights to zero; `components` are those of the Gaussian kernel."""

    kernel: str = "linear"
    regularisation: float = 1e-4
    components: int = 300
    seed: int = 0

    def __post_init__(self) -> None:
        if self.kernel not in ("linear", "rbf"):
            raise UsageError(f"kernel: {self.kernel!r} is neither linear nor rbf.")


class Svm:
    """One separating plane for each label against all others, by squared hinge loss."""

    def __init__(self, options: SvmOptions | None = None) -> None:
        self.options = options or SvmOptions()
        self._scaling: Scaling | None = None
        self._kernel: Any = None
        self._planes: Any = None

    def fit(
        self,
        x: Rows,
        y: Ints,
        *,
        sample_weight: npt.ArrayLike | None = None,
        class_weights: npt.ArrayLike | None = None,
    ) -> "Svm":
        """Find a plane for each label that occurs."""
        require_scikit_learn("A support vector machine")
        if x.ndim != 2 or len(x) != len(y) or len(x) == 0:
            raise UsageError(f"An SVM needs rows with one label each, not {x.shape}.")
        per_class = np.ones(int(y.max()) + 1) if class_weights is None else class_weights
        weight = row_weights(y, sample_weight, np.asarray(per_class))
        self._scaling = Scaling.of(x)
        self._kernel = self._new_kernel(x.shape[1]) if self.options.kernel == "rbf" else None
        if self._kernel is not None:
            self._kernel.fit(x[:1])
        self._planes = self._new_planes(y)
        self._planes.fit(self._features(x), y, sample_weight=weight)
        return self

    def predict(self, x: Rows) -> Ints:
        """Return the label with the largest margin for each row."""
        if self._planes is None:
            raise UsageError("The SVM is not trained yet; call fit first.")
        found: Ints = self._planes.predict(self._features(x))
        return found

    def _features(self, x: Rows) -> Rows:
        """Return the rows on one scale, through the kernel if there is one."""
        assert self._scaling is not None
        rows = self._scaling.apply(x)
        return rows if self._kernel is None else self._kernel.transform(rows)

    def _new_kernel(self, width: int) -> Any:
        from sklearn.kernel_approximation import RBFSampler

        options = self.options
        return RBFSampler(
            gamma=1 / max(1, width), n_components=options.components, random_state=options.seed
        )

    def _new_planes(self, y: Ints) -> Any:
        """Return the solver for the planes; with fewer than two labels there is none."""
        from sklearn.dummy import DummyClassifier
        from sklearn.svm import LinearSVC

        if len(np.unique(y)) < 2:
            return DummyClassifier()
        strength = 1 / (self.options.regularisation * len(y))
        return LinearSVC(C=strength, dual=False, intercept_scaling=_FREE_OFFSET, tol=_TOLERANCE)
