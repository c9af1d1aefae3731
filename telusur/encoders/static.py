"""Static embeddings: the vector of a text is the mean of the vectors of its word pieces.

The table of 16 MB comes with the package `wordllama`. Its files are read directly: its own loader
looks for the tokenizer on the network, and changes the logging of a program.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats
from telusur.encoders.safetensors import read_tensors

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_PIECES = "tokenizers/l2_supercat_tokenizer_config.json"


class StaticEncoder:
    """Turns texts into vectors of length 1, a few hundred thousand words per second."""

    name = "static"
    version = "l2_supercat_256"
    weight = 0.4
    least_cosine = 0.3

    def __init__(self, package: Path) -> None:
        from tokenizers import Tokenizer

        table = next(iter(read_tensors(package / _WEIGHTS).values()))
        self._table: NDArray[Any] = np.asarray(table)  # a memory-mapped file is slow row by row
        self._tokenizer = Tokenizer.from_file(str(package / _PIECES))
        self.dimensions = int(self._table.shape[1])

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return a vector for each text; all zeros for a text without words."""
        found = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        vectors = np.zeros((len(found), self.dimensions), np.float32)
        for row, pieces in enumerate(found):
            if pieces.ids:
                vectors[row] = self._table[pieces.ids].mean(axis=0, dtype=np.float32)
        return to_length_one(vectors)


def to_length_one(vectors: Floats) -> Floats:
    """Return vectors of length 1; those of length 0 stay."""
    lengths = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    unit: Floats = vectors / np.maximum(lengths, 1e-9)
    return unit
