"""A trained model: its weights and vocabulary, and its file."""

import hashlib
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.errors import UsageError
from telusur.extract.content.features import Features
from telusur.extract.content.network import NEIGHBOURS, ROUNDS, Batch, Weights
from telusur.extract.content.ranges import Ranges
from telusur.extract.content.vocabulary import Bags, Vocabulary

SHIPPED = Path(__file__).parent / "model.npz"
FORMAT = 1
LABELS = ("content", "title", "author", "date")
PAGE_TYPES = (
    *("article", "collection", "documentation", "forum", "listing", "product", "service"),
)


@dataclass(slots=True)
class Model:
    """Weights and words of a network; `about` says where they come from and how good they are."""

    weights: Weights
    vocabulary: Vocabulary
    about: dict[str, Any] = field(default_factory=dict)
    _packed: tuple[Floats, ...] = ()

    def __post_init__(self) -> None:
        """Read all page types alike if the weights, of an older version, know no difference."""
        shape = (len(PAGE_TYPES), len(self.weights["in.b"]))
        self.weights.setdefault("in.by_type", np.zeros(shape, np.float32))

    def packed(self) -> tuple[Floats, ...]:
        """Return the weights in the order in which the compiled part takes them."""
        if not self._packed:
            rounds = [part for number in range(ROUNDS) for part in self._pack_round(number)]
            first = [self.weights[name] for name in ("names", "words", "in.w", "in.b")]
            last = [
                self.weights[name] for name in ("out.w", "out.b", "type.w", "type.b", "in.by_type")
            ]
            self._packed = tuple(map(np.ascontiguousarray, (*first, *rounds, *last)))
        return self._packed

    def _pack_round(self, number: int) -> list[Floats]:
        """Return the weights of a round; those of states apart from what a container's lines share.

        The compiled part computes the shared part once for each container.
        """
        up = [self.weights[f"up{number}.{kind}"] for kind in "wb"]
        mix, bias = (self.weights[f"mix{number}.{kind}"] for kind in "wb")
        state, *others = np.split(mix, 5 + len(NEIGHBOURS))
        around, neighbours, whole = others[:3], others[3:-1], others[-1]
        return [*up, np.concatenate([state, *neighbours]), np.concatenate([*around, whole]), bias]

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
    except FileNotFoundError:
        raise UsageError(f"{path}: there is no such file; `telusur train` makes a model.") from None
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise UsageError(
            f"{path}: not a model of Telusur ({error}); try `telusur train`."
        ) from None
    if not is_whole:
        raise UsageError(f"{path}: the model is damaged or of another version; train it again.")
    weights = {name: array.astype(np.float32) for name, array in arrays.items()}
    return Model(weights, Vocabulary({word: n for n, word in enumerate(words, 1)}), about)


@cache
def shipped_model() -> Model:
    """Return the model that comes with Telusur."""
    return load_model(SHIPPED)


def make_batch(pages: Sequence[Features], vocabulary: Vocabulary) -> Batch:
    """Concatenate pages, and turn their words into numbers."""
    lines = [0, *np.cumsum([len(page.lines) for page in pages])]
    containers = [0, *np.cumsum([len(page.containers) for page in pages])]
    of_lines = [vocabulary.of_lines(page.line_words, page.line_marks) for page in pages]
    of_containers = [
        vocabulary.of_containers(page.names, page.members, page.members_at) for page in pages
    ]
    line_ids, line_at = _joined_bags(of_lines)
    container_ids, container_at = _joined_bags(of_containers)
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
    """Return the lines with the highest expected F1 together.

    They are always the likeliest lines. On a page where little is certain, more lines are chosen
    than those with a probability above one half.
    """
    order = (-likely).argsort(kind="stable")
    right = (likely * words)[order].cumsum()
    expected = 2 * right / (words[order].cumsum() + right[-1])
    chosen: Ints = order[: int(expected.argmax()) + 1]
    chosen.sort()
    return chosen


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


def _joined_bags(parts: list[Bags]) -> Bags:
    """Return the bags of all parts as one row of bags."""
    if len(parts) == 1:
        return parts[0]
    ends = [0, *np.cumsum([len(ids) for ids, _ in parts])]
    return np.concatenate([ids for ids, _ in parts]), _shifted([at for _, at in parts], ends)


def _hash(arrays: dict[str, Any], words: list[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    digest.update("\n".join(words).encode())
    return digest.hexdigest()
