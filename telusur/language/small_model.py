"""The language model in a fraction of its memory: each parser process has one of its own."""

import lzma
import shutil
import tempfile
from array import array
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

from telusur.language.compiled import native

# The model's automaton has a row of 256 moves for each of 38,000 kinds of states. Nearly all of
# it repeats: cut into pieces of 16 moves, it has 56,000 different pieces out of 614,000.
_MOVES = 16
_HIGH = bytes(byte // _MOVES for byte in range(256))
_LOW = bytes(byte % _MOVES for byte in range(256))

Floats = npt.NDArray[np.float32]


class SmallIdentifier(LanguageIdentifier):  # type: ignore[misc]
    """Answers as py3langid does, with each piece of its automaton kept once."""

    def __init__(self, moves: "array[int]", piece_of: "array[int]", **model: Any) -> None:
        super().__init__(tk_nextmove=moves, tk_row=(), norm_probs=True, **model)
        self._piece_of = piece_of
        """Where a state's sixteen pieces begin among the moves, by number of its row."""

    def _raw_score(self, text: bytes) -> Any:
        counts, rows = self._visit(text)
        if len(counts):
            return np.log1p(counts) @ rows + self.nb_pc
        return np.zeros(len(self.nb_classes), dtype=np.float32)

    def _visit(self, text: bytes) -> tuple[Floats, Floats]:
        """Walk the automaton over the bytes; return how often it meets each feature, and its row.

        Features come in the order in which they are met.
        """
        moves, piece_of, row_of = self.tk_nextmove, self._piece_of, self._rowbase
        features, table = self.tk_output, self.nb_ptc
        if native is not None:
            width = table.shape[1]
            found = native.visits(moves, piece_of, row_of, features, text, table, width)
            counts, rows = (np.frombuffer(each, np.float32) for each in found)
            return counts, rows.reshape(-1, width)
        state = 0
        visits: Counter[int] = Counter()
        for high, low in zip(text.translate(_HIGH), text.translate(_LOW), strict=True):
            state = moves[piece_of[row_of[state] + high] + low]
            feature = features[state]
            if feature >= 0:
                visits[feature] += 1
        counts = np.fromiter(visits.values(), np.float32, len(visits))
        return counts, table[list(visits)].astype(np.float32)


def load_small_model(is_wanted: Callable[[str], object]) -> SmallIdentifier:
    """Load py3langid's model with the languages that are wanted.

    Its own way to load it needs twice the memory of the whole model for a moment.
    """
    with tempfile.TemporaryFile() as unpacked:
        with lzma.open(MODEL_DIR / MODEL_FILE) as packed:
            shutil.copyfileobj(packed, unpacked, 1 << 20)
        unpacked.seek(0)
        with np.load(unpacked, allow_pickle=False) as arrays:
            labels: list[str] = arrays["classes"].tolist()
            wanted = [number for number, label in enumerate(labels) if is_wanted(label)]
            moves, piece_of = _share_pieces(arrays["nextmove"].astype(np.uint32, copy=False))
            model = SmallIdentifier(
                moves,
                piece_of,
                nb_ptc=arrays["ptc"].take(wanted, axis=1).astype(np.float16, copy=False),
                nb_pc=arrays["pc"][wanted],
                nb_classes=[labels[number] for number in wanted],
                tk_output=array("i", arrays["out_feat"].astype(np.int32).tobytes()),
            )
            rows = arrays["nextmove_row"].astype(np.uint32) * (256 // _MOVES)
            model._rowbase = array("I", rows.tobytes())
    return model


def _share_pieces(moves: npt.NDArray[np.uint32]) -> tuple["array[int]", "array[int]"]:
    """Return the different pieces one after the other, and where each piece of old begins."""
    places: dict[bytes, int] = {}
    found = array("I")
    size = _MOVES * moves.itemsize
    with moves.data.cast("B") as data:
        for start in range(0, len(data), size):
            piece = data[start : start + size].tobytes()
            found.append(places.setdefault(piece, len(places) * _MOVES))
    return array("I", b"".join(places)), found
