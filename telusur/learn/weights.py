"""Weights of training rows: their own, and by how rare their label is."""

from typing import Any

import numpy as np
import numpy.typing as npt

from telusur.arrays import Floats, Ints


def balanced_class_weights(
    y: Ints, classes: int, sample_weight: npt.ArrayLike | None = None, *, power: float = 1.0
) -> Floats:
    """Return weights that balance the classes; with `power` 0.5 only partly.

    >>> balanced_class_weights(np.array([0, 0, 0, 0, 1]), 2).tolist()
    [0.625, 2.5]
    """
    rows = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    counts = np.bincount(y, weights=rows, minlength=classes)
    present = counts > 0
    weights = np.ones(classes)
    weights[present] = (counts.sum() / (present.sum() * counts[present])) ** power
    return weights.astype(np.float32)


def row_weights(
    y: Ints, sample_weight: npt.ArrayLike | None, class_weights: npt.NDArray[Any]
) -> Floats:
    """Return the weight of each row, 1 on average: its own times that of its class."""
    weight = class_weights[y].astype(np.float64)
    if sample_weight is not None:
        weight = weight * np.asarray(sample_weight, np.float64)
    return np.asarray(weight / max(float(weight.mean()), 1e-12), np.float32)
