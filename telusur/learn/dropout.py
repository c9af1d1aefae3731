"""Dropout for scikit-learn's network, which has none of its own.

Imports scikit-learn, so it is imported late.
"""

from typing import Any

import numpy as np
from scipy.special import expit, softmax
from sklearn.neural_network import MLPClassifier


class DroppingClassifier(MLPClassifier):  # type: ignore[misc]
    """A network with dropout of hidden units during training, and never afterwards."""

    dropout = 0.3

    def _forward_pass(self, activations: list[Any]) -> list[Any]:
        """Compute the output of each layer; scikit-learn calls this only during training.

        It derives the gradient of a unit from its output, which is zero for a dropped unit. It does
        not know the scaling of the others, but Adam is independent of the scale of gradients.
        """
        louder = np.float32(1 / (1 - self.dropout))
        last = len(self.coefs_) - 1
        for at, (weights, offsets) in enumerate(zip(self.coefs_, self.intercepts_, strict=True)):
            found = activations[at] @ weights + offsets
            if at < last:
                np.maximum(found, 0, out=found)
                found *= (self._random_state.random_sample(found.shape) >= self.dropout) * louder
            activations[at + 1] = found
        raw = activations[-1]
        activations[-1] = softmax(raw, axis=1) if raw.shape[1] > 1 else expit(raw)
        return activations
