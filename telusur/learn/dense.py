"""The feed-forward network of the source system: scikit-learn's, with early stopping."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from telusur.arrays import Floats, Ints, Rows
from telusur.errors import UsageError
from telusur.learn.library import require_scikit_learn
from telusur.learn.scaling import Scaling
from telusur.learn.weights import row_weights

_SMALLEST = np.float32(1e-12)
_ACTIVATIONS = {"relu": "relu", "sigmoid": "logistic"}


class Examples(NamedTuple):
    """Rows of features with their labels, and optional weights of the rows."""

    x: Rows
    y: Ints
    weight: Floats | None = None


@dataclass(slots=True, frozen=True)
class NetworkOptions:
    """The shape of a network and its training options.

    `patience` is how many epochs without a better loss on the held-out examples end the training.
    """

    hidden: tuple[int, ...] = (96, 20)
    activation: str = "relu"
    dropout: float = 0.0
    epochs: int = 30
    batch_size: int = 256
    learning_rate: float = 1e-3
    patience: int = 4
    seed: int = 0

    def __post_init__(self) -> None:
        if self.activation not in _ACTIVATIONS:
            raise UsageError(f"activation: {self.activation!r} is neither relu nor sigmoid.")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"dropout: {self.dropout} is not a share from 0 to below 1.")
        if self.dropout and self.activation != "relu":
            raise UsageError("dropout works only with the activation relu.")
        if min(self.epochs, self.batch_size, *self.hidden, 1) < 1:
            raise UsageError("hidden, epochs and batch_size must be 1 or more.")


class DenseNetwork:
    """Layers of weights between features and labels; labels are numbers from 0."""

    def __init__(self, options: NetworkOptions | None = None) -> None:
        self.options = options or NetworkOptions()
        #: The loss after each epoch, on the held-out examples if there are any.
        self.losses: list[float] = []
        self._scaling: Scaling | None = None
        self._classifier: Any = None

    def fit(
        self,
        x: Rows,
        y: Ints,
        *,
        sample_weight: npt.ArrayLike | None = None,
        class_weights: npt.ArrayLike | None = None,
        held_out: Examples | None = None,
        classes: int | None = None,
    ) -> "DenseNetwork":
        """Learn the labels of these rows; with `held_out`, keep the weights that do best there.

        A row counts as its sample weight times the weight of its class. After each epoch the
        held-out rows are evaluated, and training stops when they no longer improve.
        """
        _check(x, y)
        known = classes or int(max(y.max(), held_out.y.max() if held_out else 0)) + 1
        per_class = np.ones(known) if class_weights is None else np.asarray(class_weights)
        weight = row_weights(y, sample_weight, per_class)
        self._scaling = Scaling.of(x)
        self._classifier = new_classifier(self.options, len(x))
        self.losses, best, waited = [], None, 0
        rows = self._scaling.apply(x)
        for _ in range(self.options.epochs):
            self._classifier.partial_fit(rows, y, classes=np.arange(known), sample_weight=weight)
            if held_out is None:
                self.losses.append(float(self._classifier.loss_))
                continue
            self.losses.append(self.loss(held_out, per_class))
            if self.losses[-1] <= min(self.losses):
                best, waited = self.layers()[1:], 0
            else:
                waited += 1
                if waited >= self.options.patience:
                    break
        if best is not None:
            self._classifier.coefs_, self._classifier.intercepts_ = best
        return self

    def probabilities(self, x: Rows) -> Floats:
        """Return the probability of each label for each row."""
        if self._classifier is None or self._scaling is None:
            raise UsageError("The network is not trained yet; call fit first.")
        if not len(x):
            return np.zeros((0, len(self._classifier.classes_)), np.float32)
        found: Floats = self._classifier.predict_proba(self._scaling.apply(x))
        return found

    def predict(self, x: Rows) -> Ints:
        """Return the most probable label of each row."""
        found: Ints = self.probabilities(x).argmax(axis=1)
        return found

    def loss(self, examples: Examples, class_weights: npt.ArrayLike | None = None) -> float:
        """Return the weighted mean of the cross-entropy over these examples."""
        x, y, sample_weight = examples
        found = self.probabilities(x)
        per_class = np.ones(found.shape[1]) if class_weights is None else class_weights
        weight = row_weights(y, sample_weight, np.asarray(per_class))
        chosen = found[np.arange(len(y)), y]
        return float((weight * -np.log(np.maximum(chosen, _SMALLEST))).mean())

    def layers(self) -> tuple[Scaling, list[Floats], list[Floats]]:
        """Return how features are scaled, and a copy of the weights and biases of each layer."""
        if self._classifier is None or self._scaling is None:
            raise UsageError("The network is not trained yet; call fit first.")
        learned = self._classifier
        weights = [each.copy() for each in learned.coefs_]
        return self._scaling, weights, [each.copy() for each in learned.intercepts_]

    def take_layers(self, scaling: Scaling, weights: list[Floats], biases: list[Floats]) -> None:
        """Take over the layers of a trained network; one output means two labels."""
        shapes = [each.shape for each in weights]
        sizes = [len(scaling.mean), *self.options.hidden, max(1, len(biases[-1]))]
        if shapes != list(pairwise(sizes)) or [len(each) for each in biases] != sizes[1:]:
            raise ValueError("the layers do not fit each other")
        classes = np.arange(max(2, sizes[-1]))
        self._scaling, self._classifier = scaling, new_classifier(self.options, len(classes))
        # One training step creates the layers; their weights are replaced.
        blank = np.zeros((len(classes), sizes[0]), np.float32)
        self._classifier.partial_fit(blank, classes, classes=classes)
        self._classifier.coefs_, self._classifier.intercepts_ = weights, biases


def new_classifier(options: NetworkOptions, rows: int) -> Any:
    """Return an untrained network of scikit-learn, for training on `rows` rows."""
    require_scikit_learn("A feed-forward network")
    from sklearn.neural_network import MLPClassifier

    from telusur.learn.dropout import DroppingClassifier

    kind = DroppingClassifier if options.dropout else MLPClassifier
    made = kind(
        options.hidden, _ACTIVATIONS[options.activation], alpha=0.0,
        batch_size=min(rows, options.batch_size), learning_rate_init=options.learning_rate,
        # A generator, not a number: with a number each epoch would have the same order.
        random_state=np.random.RandomState(options.seed),
    )  # fmt: skip
    if options.dropout:
        made.dropout = options.dropout
    return made


def _check(x: Rows, y: Ints) -> None:
    if x.ndim != 2 or len(x) != len(y) or len(x) == 0:
        raise UsageError(f"A network needs rows with one label each, not {x.shape}.")
