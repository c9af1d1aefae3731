"""A trained model: its weights and words, as a file, and what it says about a page."""

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from telusur.errors import UsageError
from telusur.extract.element_names import MOST_NAMES, Names, single_names, words_of
from telusur.extract.features import Features
from telusur.extract.network import Batch, Numpy, Weights, run_network
from telusur.extract.ranges import Floats, Ints, Ranges

SHIPPED = Path(__file__).parent / "model.npz"
FORMAT = 1
LABELS = ("content", "title", "author", "date")
PAGE_TYPES = (
    *("article", "collection", "documentation", "forum", "listing", "product", "service"),
)
MODESTY = 0.65
"""On sites it has not seen a model is surer of itself than it should be; measured across folds."""
_WORD = re.compile(r"[^\W\d_]+")
_MOST_WORDS = 10
_REMEMBERED = 50_000
_NUMPY = Numpy()


@dataclass(slots=True)
class Reading:
    """What the model makes of a page: for each line how likely it is each label, and the type."""

    scores: Floats
    """A row a line, a column each of LABELS, 0 to 1."""
    page_type: str


@dataclass(slots=True)
class Vocabulary:
    """The words of names and short lines that the model knows, each with its number from 1 on."""

    numbers: dict[str, int]
    _names: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _marks: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def of_container(self, elements: list[Names]) -> dict[int, None]:
        """Return the numbers of all elements that a container stands for, each once."""
        known = self._names
        found: dict[int, None] = {}
        for element in elements:
            if (number := self.numbers.get(f"<{element[0]}")) is not None:
                found[number] = None
            for name in single_names(element):
                numbers = known.get(name)
                if numbers is None:
                    numbers = self._remember(known, name, ".")
                for number in numbers:
                    found[number] = None
        return found

    def of_line(self, words: str, marks: str) -> dict[int, None]:
        """Return the numbers of a short line's words and of the marks within it, each once."""
        get = self.numbers.get
        found: dict[int, None] = {}
        for word in _WORD.findall(words)[:_MOST_WORDS] if words else ():
            if (number := get(word)) is not None:
                found[number] = None
        if not marks:
            return found
        known = self._marks
        for name in marks.split(None, MOST_NAMES)[:MOST_NAMES]:
            numbers = known.get(name)
            if numbers is None:
                numbers = self._remember(known, name, "~")
            for number in numbers:
                found[number] = None
        return found

    def _remember(self, known: dict[str, tuple[int, ...]], name: str, kind: str) -> tuple[int, ...]:
        if len(known) > _REMEMBERED:
            known.clear()
        get = self.numbers.get
        numbers = [get(f"{kind}{word}") for word in words_of(name)]
        found = known[name] = tuple(number for number in numbers if number is not None)
        return found


def words_of_element(element: Names) -> list[str]:
    """Return an element's tag and the words of its names, as the vocabulary writes them."""
    names = single_names(element)
    return [f"<{element[0]}", *(f".{word}" for name in names for word in words_of(name))]


def words_of_line(words: str, marks: str) -> list[str]:
    """Return the words of a short line and of its marks, as the vocabulary writes them."""
    names = marks.split()[:MOST_NAMES]
    return [
        *_WORD.findall(words)[:_MOST_WORDS],
        *(f"~{word}" for name in names for word in words_of(name)),
    ]


@dataclass(slots=True)
class Model:
    """Weights and words of a network; `about` says where they come from and how good they are."""

    weights: Weights
    vocabulary: Vocabulary
    about: dict[str, Any] = field(default_factory=dict)

    def read(self, features: Features) -> Reading:
        """Tell what the lines of a page are."""
        batch = make_batch([features], self.vocabulary)
        with _one_thread():
            scores, types = run_network(self.weights, batch, _NUMPY)
        scores[:, 0] *= MODESTY
        return Reading(_sigmoid(scores), PAGE_TYPES[int(np.argmax(types[0]))])

    def save(self, path: Path) -> None:
        """Write the model as a file that needs no unpickling; half precision is enough."""
        words = sorted(self.vocabulary.numbers, key=self.vocabulary.numbers.__getitem__)
        arrays = {name: array.astype(np.float16) for name, array in self.weights.items()}
        about = {**self.about, "format": FORMAT, "hash": _hash(arrays, words)}
        text = json.dumps({"about": about, "words": words}, ensure_ascii=False)
        with path.open("wb") as file:
            np.savez_compressed(
                file, text=np.frombuffer(text.encode(), np.uint8), allow_pickle=False, **arrays
            )


def load_model(path: Path) -> Model:
    """Read a model; its hash must be that of its contents."""
    try:
        with path.open("rb") as data, np.load(data, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        text = json.loads(arrays.pop("text").tobytes())
        about, words = text["about"], text["words"]
        is_whole = about["format"] == FORMAT and about["hash"] == _hash(arrays, words)
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise UsageError(
            f"{path}: not a model of Telusur ({error}); try `telusur train`."
        ) from None
    if not is_whole:
        raise UsageError(f"{path}: the model is damaged or of another version; train it again.")
    weights = {name: array.astype(np.float32) for name, array in arrays.items()}
    return Model(weights, Vocabulary({word: n for n, word in enumerate(words, 1)}), about)


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def _one_thread() -> AbstractContextManager[Any]:
    """Keep numpy from using threads: for matrices of this size they cost 20 times more."""
    limit: AbstractContextManager[Any] = _threads().limit(limits=1)
    return limit


@cache
def shipped_model() -> Model:
    """Return the model that comes with Telusur."""
    return load_model(SHIPPED)


def make_batch(pages: Sequence[Features], vocabulary: Vocabulary) -> Batch:
    """Put pages one after the other, and their words into numbers."""
    lines = [0, *np.cumsum([len(page.lines) for page in pages])]
    containers = [0, *np.cumsum([len(page.containers) for page in pages])]
    line_ids, line_at = _number(
        vocabulary.of_line(words, marks)
        for page in pages
        for words, marks in zip(page.line_words, page.line_marks, strict=True)
    )
    container_ids, container_at = _number(
        vocabulary.of_container(elements) for page in pages for elements in page.container_names
    )
    return Batch(
        lines=_joined([page.lines for page in pages]),
        containers=_joined([page.containers for page in pages]),
        inside=_joined_ranges([page.inside for page in pages], lines),
        own=_shifted([page.own for page in pages], containers),
        around=_shifted([page.around for page in pages], containers),
        line_ids=line_ids,
        line_at=line_at,
        container_ids=container_ids,
        container_at=container_at,
        words=_joined([page.words for page in pages]),
        pages=Ranges(np.array(lines[:-1]), np.array(lines[1:]), int(lines[-1])),
        page_of=np.repeat(np.arange(len(pages)), np.diff(lines)),
    )


def choose_content(likely: Floats, words: Floats) -> Ints:
    """Return the lines that together make the best text to be expected.

    Of all texts made of the likeliest lines, it is the one whose expected F1 is highest: on a page
    where little is certain that is more of it than only what is likelier than not.
    """
    order = np.argsort(-likely, kind="stable")
    right = np.cumsum((likely * words)[order])
    chosen = 2 * right / (np.cumsum(words[order]) + right[-1])
    return np.sort(order[: int(np.argmax(chosen)) + 1])


def _joined(parts: list[Floats]) -> Floats:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _shifted(parts: list[Ints], by: Sequence[int]) -> Ints:
    """Return the parts one after the other, each with its number added."""
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([part + at for part, at in zip(parts, by, strict=False)])


def _joined_ranges(parts: list[Ranges], by: Sequence[int]) -> Ranges:
    if len(parts) == 1:
        return parts[0]
    starts, ends = ([getattr(part, side) for part in parts] for side in ("starts", "ends"))
    return Ranges(_shifted(starts, by), _shifted(ends, by), int(by[-1]))


def _number(bags: Iterable[Iterable[int]]) -> tuple[Ints, Ints]:
    """Return all numbers in a row, each bag after a zero, and where the bags begin."""
    flat: list[int] = []
    at: list[int] = []
    for bag in bags:
        at.append(len(flat))
        flat.append(0)
        flat += bag
    return np.array(flat, np.int64), np.array(at, np.int64)


def _sigmoid(scores: Floats) -> Floats:
    return (1 / (1 + np.exp(-np.clip(scores, -30, 30)))).astype(np.float32)


def _hash(arrays: dict[str, Any], words: list[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    digest.update("\n".join(words).encode())
    return digest.hexdigest()
