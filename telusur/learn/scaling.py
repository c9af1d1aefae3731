"""Scaling of features for networks and support vector machines."""

from typing import NamedTuple

import numpy as np

from telusur.arrays import Floats, Rows

#: The smallest spread a feature is divided by: otherwise a rare feature would dominate the others.
_LEAST_SPREAD = 0.05


class Scaling(NamedTuple):
    """The mean of each feature, and the factor that brings its spread to 1."""

    mean: Floats
    factor: Floats

    @classmethod
    def of(cls, x: Rows) -> "Scaling":
        """Measure the features of these rows."""
        mean = x.mean(axis=0, dtype=np.float64)
        spread = np.maximum(x.std(axis=0, dtype=np.float64), _LEAST_SPREAD)
        return cls(mean.astype(np.float32), (1 / spread).astype(np.float32))

    def apply(self, x: Rows) -> Floats:
        """Return the rows on that scale."""
        scaled: Floats = (x.astype(np.float32) - self.mean) * self.factor
        return scaled
