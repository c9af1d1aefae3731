"""The larger language model in a fraction of its memory, for each process that needs it."""

import hashlib
import json
import lzma
import shutil
import sys
import tempfile
import zipfile
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

from telusur.arrays import Floats
from telusur.language.compiled import native

Table = npt.NDArray[Any]

# The model's automaton has a row of 256 moves for each of 38,000 kinds of states. Nearly all of
# it repeats: cut into pieces of 16 moves, it has 56,000 different pieces out of 614,000.
_MOVES = 16
_HIGH = bytes(byte // _MOVES for byte in range(256))
_LOW = bytes(byte % _MOVES for byte in range(256))
# Weights are stored as bytes; half precision would take twice the memory for the same results.
_WEIGHT_STEPS = 255
# How many rows of a table are in memory at once while the model is loaded.
_CHUNK_ROWS = 4096
# Raise it when kept tables change.
_FORMAT = 1


@dataclass(slots=True, frozen=True)
class ModelTables:
    """The model as tables for files. A weight is `lowest` plus a number of steps."""

    # The distinct pieces, where the pieces of each row begin, the row of each state.
    moves: Table
    piece_of: Table
    row_of: Table
    # The feature that a state means, or -1.
    output: Table
    # A row of weights for each feature, and the weight of each language before any feature.
    weights: Table
    priors: Table
    lowest: float
    step: float
    # Languages of the columns, and all languages that the whole model knows.
    languages: list[str]
    known: list[str]


class SmallIdentifier(LanguageIdentifier):  # type: ignore[misc]
    """Gives the results of py3langid, with each piece of its automaton stored once, and byte
    weights.

    `_raw_score` and `_rowbase` are private to py3langid, which is why pyproject.toml allows only
    one minor version of it.
    """

    def __init__(self, tables: ModelTables) -> None:
        # As memoryviews, whose items are plain numbers: those of numpy arrays are slow.
        super().__init__(
            tk_nextmove=tables.moves.data, tk_row=(), tk_output=tables.output.data,
            nb_ptc=tables.weights, nb_pc=tables.priors, nb_classes=tables.languages,
            norm_probs=True,
        )  # fmt: skip
        self._piece_of = tables.piece_of.data
        self._rowbase = tables.row_of.data
        self._lowest, self._step = np.float32(tables.lowest), np.float32(tables.step)

    def _raw_score(self, text: bytes) -> Any:
        counts, rows = self._visit(text)
        if len(counts):
            often = np.log1p(counts)
            return often @ rows * self._step + often.sum() * self._lowest + self.nb_pc
        return np.zeros(len(self.nb_classes), dtype=np.float32)

    def _visit(self, text: bytes) -> tuple[Floats, Floats]:
        """Run the automaton over the bytes; return how often each feature occurs, and its row.

        Features are in the order of their first occurrence.
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


def load_small_model(
    is_wanted: Callable[[str], object], cache: Path | None = None
) -> SmallIdentifier:
    """Load py3langid's model with the languages that are wanted.

    Unpacking takes a second, so the result is kept in the directory `cache`: processes that find it
    there start at once and share its memory.
    """
    if cache is None:
        return SmallIdentifier(_unpack(is_wanted))
    kept = cache / f"languages-{_FORMAT}-{sys.byteorder}-{_hash_of(MODEL_DIR / MODEL_FILE)}"
    tables = _read_kept(kept, is_wanted)
    if tables is None:
        unpacked = _unpack(is_wanted)
        _keep(unpacked, kept, is_wanted)
        tables = _read_kept(kept, is_wanted) or unpacked
    return SmallIdentifier(tables)


# The model in files


def _hash_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def _read_kept(kept: Path, is_wanted: Callable[[str], object]) -> ModelTables | None:
    """Return the tables as they were kept; None if they were not, or have other languages."""
    try:
        about = json.loads((kept / "about.json").read_text())
        if about["languages"] != [label for label in about["known"] if is_wanted(label)]:
            return None
        files = {name: np.load(kept / f"{name}.npy", mmap_mode="r") for name in about.pop("tables")}
        return ModelTables(**files, **about)
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        return None


def _keep(tables: ModelTables, kept: Path, is_wanted: Callable[[str], object]) -> None:
    """Keep tables for other processes; where that is not possible, they unpack the model again.

    If another process was quicker, its files are in use and stay.
    """
    fields = {name: getattr(tables, name) for name in ModelTables.__slots__}
    arrays = {name: value for name, value in fields.items() if isinstance(value, np.ndarray)}
    about = {name: value for name, value in fields.items() if name not in arrays}
    try:
        with tempfile.TemporaryDirectory(dir=kept.parent) as unfinished:
            made = Path(unfinished, "made")
            made.mkdir()
            for name, table in arrays.items():
                np.save(made / f"{name}.npy", table, allow_pickle=False)
            (made / "about.json").write_text(json.dumps(about | {"tables": list(arrays)}))
            # Renaming replaces nothing. Removing first would take files away from a third process.
            if not _renamed(made, kept) and _read_kept(kept, is_wanted) is None:
                shutil.rmtree(kept, ignore_errors=True)
                made.rename(kept)
    except OSError:  # the disk is full, or two processes replaced damaged files
        return


def _renamed(made: Path, kept: Path) -> bool:
    """Tell whether a directory could be renamed: not if there is one with files."""
    try:
        made.rename(kept)
    except OSError:
        return False
    return True


# The model in its package


def _unpack(is_wanted: Callable[[str], object]) -> ModelTables:
    """Read the model of py3langid in hardly more memory than the result takes.

    py3langid's own loader needs more than 130 MB for a moment.
    """
    with tempfile.TemporaryFile() as unpacked:
        with lzma.open(MODEL_DIR / MODEL_FILE) as packed:
            shutil.copyfileobj(packed, unpacked, 1 << 20)
        with zipfile.ZipFile(unpacked) as tables:
            known: list[str] = _read_table(tables, "classes").tolist()
            wanted = [number for number, label in enumerate(known) if is_wanted(label)]
            moves, piece_of = _share_pieces(_chunks(tables, "nextmove", 256))
            weights, lowest, step = _read_weights(tables, wanted)
            return ModelTables(
                moves,
                piece_of,
                _read_table(tables, "nextmove_row").astype(np.uint32) * (256 // _MOVES),
                _read_table(tables, "out_feat").astype(np.int32),
                weights,
                _read_table(tables, "pc")[wanted],
                lowest,
                step,
                [known[number] for number in wanted],
                known,
            )


def _read_table(tables: zipfile.ZipFile, name: str) -> Table:
    with tables.open(f"{name}.npy") as file:
        table: Table = np.lib.format.read_array(file, allow_pickle=False)
    return table


def _chunks(tables: zipfile.ZipFile, name: str, width: int = 0) -> Iterator[Table]:
    """Yield a table some rows at a time; `width` is the length of its rows, if it has none."""
    with tables.open(f"{name}.npy") as file:
        np.lib.format.read_magic(file)
        shape, _, kind = np.lib.format.read_array_header_1_0(file)
        width = width or shape[1]
        while data := file.read(_CHUNK_ROWS * width * kind.itemsize):
            yield np.frombuffer(data, kind).reshape(-1, width)


def _read_weights(
    tables: zipfile.ZipFile, wanted: list[int]
) -> tuple[npt.NDArray[np.uint8], float, float]:
    """Return the wanted columns as bytes, the lowest weight, and the size of a step."""
    ends = [(part.min(), part.max(), len(part)) for part in _chunks(tables, "ptc")]
    lowest = float(min(low for low, _, _ in ends))
    step = (float(max(high for _, high, _ in ends)) - lowest) / _WEIGHT_STEPS
    weights = np.empty((sum(rows for *_, rows in ends), len(wanted)), np.uint8)
    start = 0
    for part in _chunks(tables, "ptc"):
        steps = (part[:, wanted].astype(np.float32) - lowest) / step
        weights[start : start + len(part)] = np.rint(steps)
        start += len(part)
    return weights, lowest, step


def _share_pieces(chunks: Iterable[Table]) -> tuple[Table, Table]:
    """Return the distinct pieces, concatenated, and where each original piece begins."""
    places: dict[bytes, int] = {}
    found = array("I")
    for chunk in chunks:
        data = chunk.astype(np.uint32).tobytes()
        for start in range(0, len(data), _MOVES * 4):
            piece = data[start : start + _MOVES * 4]
            found.append(places.setdefault(piece, len(places) * _MOVES))
    return np.frombuffer(b"".join(places), np.uint32), np.array(found, np.uint32)
