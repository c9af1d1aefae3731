"""Labels pages whose text nobody determined: by what extractors and the network agree on.

A page may come with a few sentences that its text must have or must not have, and with the answers
of other extractors, the witnesses. A line is content, or is not, if all of them and a network that
was trained on labelled pages say so; a line on which they differ teaches nothing.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from telusur.errors import UsageError
from telusur.extract.content.classifier import read_features
from telusur.extract.content.model import Model
from telusur.learn.lessons.example import Example
from telusur.learn.measures import words_of
from telusur.learn.pages.dataset import LabelledPage

# What is agreed on is right less often than what a person labelled.
_LOUDNESS = 0.6
_LIKELY = 0.5
_FEW_WORDS = 3

Witnesses = dict[str, tuple[str, ...]]


@dataclass(slots=True, frozen=True)
class Unlabelled:
    """A page without a true text: its example, its lines, and what is said about them."""

    example: Example
    lines: tuple[str, ...]
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    # The texts that the witnesses extracted.
    texts: tuple[str, ...]


def read_witnesses(path: Path) -> Witnesses:
    """Read a file of JSON lines with `source`, `id` and `texts`; return texts by the page's key."""
    try:
        rows = path.read_text(encoding="utf-8").strip().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    return dict(_read_row(row, f"{path}, line {number}") for number, row in enumerate(rows, 1))


def _read_row(line: str, place: str) -> tuple[str, tuple[str, ...]]:
    try:
        row = json.loads(line)
        return f"{row['source']}/{row['id']}", tuple(map(str, row["texts"]))
    except (ValueError, KeyError, TypeError):
        raise UsageError(
            f"{place}: a line has `source`, `id` and `texts`; `make witnesses` writes such a file."
        ) from None


def unlabelled(
    example: Example, lines: Sequence[str], page: LabelledPage, texts: tuple[str, ...]
) -> Unlabelled:
    """Return a page without a true text, ready to be labelled; its sentences as words."""
    return Unlabelled(
        example,
        tuple(map(_joined, lines)),
        tuple(filter(None, map(_joined, page.wanted))),
        tuple(filter(None, map(_joined, page.unwanted))),
        tuple(f" {_joined(text)} " for text in texts),
    )


def label(page: Unlabelled, model: Model) -> Example | None:
    """Return the page as an example with the lines that all agree on; None without content."""
    example = page.example
    likely = read_features(model, example.features).scores[:, 0]
    shares = np.zeros(len(page.lines), np.float32)
    known = np.zeros(len(page.lines), np.float32)
    for number, line in enumerate(page.lines):
        if not line:
            continue
        if (said := _sentences_say(line, page)) is None:
            votes = {bool(likely[number] > _LIKELY), *(f" {line} " in text for text in page.texts)}
            said, known[number] = True in votes, len(votes) == 1
        else:
            known[number] = 1
        shares[number] = said
    known *= 1 - example.facts.max(axis=1)
    if not (shares * known).any():
        return None
    return replace(example, shares=shares, known=known, loudness=_LOUDNESS)


def _sentences_say(line: str, page: Unlabelled) -> bool | None:
    """Return whether a sentence that must or must not be there is this line, or part of it."""
    for sentences, verdict in ((page.wanted, True), (page.unwanted, False)):
        is_telling = line.count(" ") + 1 >= _FEW_WORDS
        if any(one in line or (is_telling and line in one) for one in sentences):
            return verdict
    return None


def _joined(text: str) -> str:
    return " ".join(words_of(text))
