"""A small feed-forward network, taught and used with numpy alone."""

import io
import json
import zipfile
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from telusur.errors import UsageError
from telusur.learn.adam import Adam
from telusur.learn.weights import row_weights

Floats = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]
Rows = npt.NDArray[Any]  # of any number type: what is stored small becomes float32 batch by batch

_FORMAT = 1
_SMALLEST = np.float32(1e-12)
_LARGEST_EXPONENT = np.float32(60)  # of the sigmoid: beyond this it is 0 or 1 in float32
_BLOCK_ROWS = 8192


class Examples(NamedTuple):
    """Rows of features with their labels; how much each row counts, if not the same."""

    x: Rows
    y: Labels
    weight: Floats | None = None


@dataclass(slots=True, frozen=True)
class NetworkOptions:
    """The shape of a network and how it is taught.

    `patience` counts the epochs without a better loss on the held-out examples before it stops.
    """

    hidden: tuple[int, ...] = (96, 20)
    activation: str = "relu"
    dropout: float = 0.0
    epochs: int = 30
    batch_size: int = 256
    learning_rate: float = 1e-3
    decay: float = 0.0
    patience: int = 4
    standardise: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if self.activation not in ("relu", "sigmoid"):
            raise UsageError(f"activation: {self.activation!r} is neither relu nor sigmoid.")
        if not 0 <= self.dropout < 1:
            raise UsageError(f"dropout: {self.dropout} is not a share from 0 to below 1.")
        if min(self.epochs, self.batch_size, *self.hidden, 1) < 1:
            raise UsageError("hidden, epochs, batch_size: must be 1 or more.")


class DenseNetwork:
    """Layers of weights between features and labels; labels are numbers from 0."""

    def __init__(self, options: NetworkOptions | None = None) -> None:
        self.options = options or NetworkOptions()
        self.weights: list[Floats] = []
        self.biases: list[Floats] = []
        self.mean: Floats = np.zeros(0, np.float32)
        self.scale: Floats = np.ones(0, np.float32)
        self.losses: list[float] = []
        """The loss after each epoch: on the held-out examples where there are any."""

    def fit(
        self,
        x: Rows,
        y: Labels,
        *,
        sample_weight: npt.ArrayLike | None = None,
        class_weights: npt.ArrayLike | None = None,
        held_out: Examples | None = None,
        classes: int | None = None,
    ) -> "DenseNetwork":
        """Learn the labels of these rows; with `held_out`, keep the weights that do best there.

        A row counts its sample weight times the weight of its class. 1. Weights. 2. Batches.
        3. After each epoch, look at the held-out rows and stop when they get no better.
        """
        # 1
        _check(x, y)
        known = classes or int(max(y.max(), held_out.y.max() if held_out else 0)) + 1
        per_class = np.ones(known) if class_weights is None else np.asarray(class_weights)
        weight = row_weights(y, sample_weight, per_class)
        random = np.random.default_rng(self.options.seed)
        self._start(x, known, random)
        adam = Adam([*self.weights, *self.biases], self.options.learning_rate)
        self.losses, best, waited = [], self._copy(), 0
        # 2
        for _ in range(self.options.epochs):
            loss = self._one_epoch(Examples(x, y, weight), adam, random)
            # 3
            if held_out is not None:
                loss = self.loss(held_out, per_class)
            self.losses.append(loss)
            if loss <= min(self.losses):
                best, waited = self._copy(), 0
            elif held_out is not None:
                waited += 1
                if waited >= self.options.patience:
                    break
        if held_out is not None:
            self.weights, self.biases = best
        return self

    def probabilities(self, x: Rows) -> Floats:
        """Return the probability of each label for each row."""
        if not self.weights:
            raise UsageError("The network has not learned anything yet: call fit or load first.")
        parts = [self._forward(self._prepare(x[at]))[-1] for at in _blocks(len(x))]
        empty = np.zeros((0, len(self.biases[-1])), np.float32)
        return np.concatenate(parts) if parts else empty

    def predict(self, x: Rows) -> Labels:
        """Return the most probable label of each row."""
        found: Labels = self.probabilities(x).argmax(axis=1)
        return found

    def loss(self, examples: Examples, class_weights: npt.ArrayLike | None = None) -> float:
        """Return the weighted mean of the cross-entropy over these examples."""
        x, y, sample_weight = examples
        per_class = np.ones(len(self.biases[-1])) if class_weights is None else class_weights
        weight = row_weights(y, sample_weight, np.asarray(per_class))
        chosen = self.probabilities(x)[np.arange(len(y)), y]
        return float((weight * -np.log(np.maximum(chosen, _SMALLEST))).mean())

    def to_bytes(self) -> bytes:
        """Return the network as an .npz file without pickles: the same network, the same bytes."""
        about = json.dumps({"format": _FORMAT, "options": asdict(self.options)}, sort_keys=True)
        arrays = {"about": np.frombuffer(about.encode(), np.uint8), "mean": self.mean}
        arrays["scale"] = self.scale
        for number, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            arrays[f"weight{number}"], arrays[f"bias{number}"] = weight, bias
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "DenseNetwork":
        """Return the network that `to_bytes` wrote."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                return cls._from_arrays({name: file[name] for name in file.files})
        except (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise UsageError("The model is not a network of Telusur, or is damaged.") from error

    def save(self, path: str | Path) -> None:
        """Write the network to a file."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | Path) -> "DenseNetwork":
        """Read a network that `save` wrote."""
        try:
            return cls.from_bytes(Path(path).read_bytes())
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from error
        except OSError as error:
            raise UsageError(f"{path}: cannot be read ({error.strerror}).") from error

    @classmethod
    def _from_arrays(cls, arrays: dict[str, Any]) -> "DenseNetwork":
        about = json.loads(arrays["about"].tobytes())
        if about["format"] != _FORMAT:
            raise ValueError(about["format"])
        options = dict(about["options"], hidden=tuple(about["options"]["hidden"]))
        network = cls(NetworkOptions(**options))
        network.mean, network.scale = arrays["mean"], arrays["scale"]
        for number in range(len(options["hidden"]) + 1):
            network.weights.append(arrays[f"weight{number}"])
            network.biases.append(arrays[f"bias{number}"])
        return network

    def _start(self, x: Rows, classes: int, random: np.random.Generator) -> None:
        """Draw the first weights, and measure the features if they are to be standardised."""
        width = x.shape[1]
        self.mean, self.scale = np.zeros(width, np.float32), np.ones(width, np.float32)
        if self.options.standardise:
            self.mean, self.scale = _mean_and_scale(x)
        sizes = [width, *self.options.hidden, classes]
        self.weights, self.biases = [], []
        for inputs, outputs in pairwise(sizes):
            spread = np.sqrt((2 if self.options.activation == "relu" else 1) / max(1, inputs))
            drawn = random.standard_normal((inputs, outputs), np.float32)
            self.weights.append((drawn * spread).astype(np.float32))
            self.biases.append(np.zeros(outputs, np.float32))

    def _one_epoch(self, examples: Examples, adam: Adam, random: np.random.Generator) -> float:
        """Learn from each row once, in a new order, and return the mean loss on the way."""
        x, y, weight = examples
        assert weight is not None
        order = random.permutation(len(x))
        total = 0.0
        for start in range(0, len(order), self.options.batch_size):
            at = order[start : start + self.options.batch_size]
            loss, gradients = self._gradients(self._prepare(x[at]), y[at], weight[at], random)
            adam.step(gradients)
            total += loss * len(at)
        return total / len(order)

    def _gradients(
        self, x: Floats, y: Labels, weight: Floats, random: np.random.Generator
    ) -> tuple[float, list[Floats]]:
        """Return the loss of a batch and its slope for every weight, then every bias."""
        outputs = self._forward(x, random)
        rows = np.arange(len(y))
        chosen = np.maximum(outputs[-1][rows, y], _SMALLEST)
        loss = float((weight * -np.log(chosen)).mean())
        error = outputs[-1].copy()
        error[rows, y] -= 1
        error *= (weight / len(y))[:, None]
        for_weights: list[Floats] = []
        for_biases: list[Floats] = []
        for layer in range(len(self.weights) - 1, -1, -1):
            below = outputs[layer]
            for_weights.append(below.T @ error + self.options.decay * self.weights[layer])
            for_biases.append(error.sum(axis=0))
            if layer:
                error = (error @ self.weights[layer].T) * self._slope(below)
        return loss, [*for_weights[::-1], *for_biases[::-1]]

    def _forward(self, x: Floats, random: np.random.Generator | None = None) -> list[Floats]:
        """Return the input, what each hidden layer makes of it, and the probabilities.

        With `random`, drop-out: some units are silent, the others speak up as much louder.
        """
        outputs = [x]
        keep = 1 - self.options.dropout
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            found = outputs[-1] @ weight + bias
            if self.options.activation == "relu":
                np.maximum(found, 0, out=found)
            else:
                found = 1 / (1 + np.exp(-np.clip(found, -_LARGEST_EXPONENT, _LARGEST_EXPONENT)))
            if random is not None and keep < 1:
                found *= (random.random(found.shape, np.float32) < keep) / np.float32(keep)
            outputs.append(found)
        raw = outputs[-1] @ self.weights[-1] + self.biases[-1]
        raw = np.exp(raw - raw.max(axis=1, keepdims=True))
        outputs.append(raw / raw.sum(axis=1, keepdims=True))
        return outputs

    def _slope(self, output: Floats) -> Floats:
        """Return the slope of the activation where it gave this output, drop-out included."""
        louder = np.float32(1 / (1 - self.options.dropout))
        if self.options.activation == "relu":
            return (output > 0) * louder
        quiet = output / louder
        return np.where(output > 0, quiet * (1 - quiet) * louder, 0).astype(np.float32)

    def _prepare(self, x: Rows) -> Floats:
        found: Floats = (x.astype(np.float32) - self.mean) * self.scale
        return found

    def _copy(self) -> tuple[list[Floats], list[Floats]]:
        return [each.copy() for each in self.weights], [each.copy() for each in self.biases]


def _check(x: Rows, y: Labels) -> None:
    if x.ndim != 2 or len(x) != len(y) or len(x) == 0:
        raise UsageError(f"A network learns from rows with a label each, not from {x.shape}.")


def _mean_and_scale(x: Rows) -> tuple[Floats, Floats]:
    """Return the mean of each feature and what brings its spread to 1, in bounded memory."""
    total, squares = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for at in _blocks(len(x)):
        part = x[at].astype(np.float64)
        total += part.sum(axis=0)
        squares += (part * part).sum(axis=0)
    mean = total / len(x)
    spread = np.sqrt(np.maximum(squares / len(x) - mean * mean, 0))
    scale = 1 / np.maximum(spread, 0.05)  # a rare feature would shout otherwise
    return mean.astype(np.float32), scale.astype(np.float32)


def _blocks(length: int) -> list[slice]:
    return [slice(at, at + _BLOCK_ROWS) for at in range(0, length, _BLOCK_ROWS)]
