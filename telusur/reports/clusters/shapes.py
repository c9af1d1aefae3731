"""The shape of a block: what survives when a site is clustered again, and what clusters share."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple

from telusur.models import Block

_DIGITS = re.compile(r"\d+")
_NAMES = re.compile(r"[.#][^.#]+")
_NAMED_STEPS = 2
_BETWEEN = " > "
_MOST_COMPARED = 200


class Shape(NamedTuple):
    """Where a block is, how much of it is links, and about how long it is.

    Of the elements around a block only the two nearest names count, and no digits in them: those of
    `body` and `article` often differ from page to page.
    """

    path: str
    names: str
    links: int
    length: int

    @property
    def place(self) -> tuple[str, str, int]:
        """Return the shape without the length."""
        return self.path, self.names, self.links


def shape_of(block: Block, words: int) -> Shape:
    """Return the shape of a block with this number of words."""
    steps = _DIGITS.sub("", block.selectors).split(_BETWEEN)
    named = [step for step in steps if _NAMES.search(step)][-_NAMED_STEPS:]
    length = round(math.log1p(words))
    return Shape(block.tag_path, _BETWEEN.join(named), round(4 * block.link_density), length)


def key_of(shapes: Iterable[Shape]) -> str:
    """Return a short name for a cluster whose blocks have these shapes."""
    text = json.dumps(sorted(set(shapes)))
    return blake2b(text.encode("utf-8", "replace"), digest_size=6).hexdigest()


def common_selector(paths: Mapping[str, int]) -> str:
    """Return a CSS selector that fits all of these paths, given with their numbers of blocks.

    >>> common_selector({"html > body > main > p.a.b": 3, "html > body > div > main > p.b": 1})
    'body main > p.b'
    """
    chosen = Counter(paths).most_common(_MOST_COMPARED)
    split = [path.split(_BETWEEN) for path, _ in chosen]
    shortest = min(split, key=len)
    if all(len(steps) == len(shortest) for steps in split):
        start = len(shortest)
    else:
        start = _common_steps(split, len(shortest))
    ends = [steps[start:][::-1] for steps in split]
    end = _common_steps(ends, len(shortest) - start)
    first = _joined([steps[:start] for steps in split])
    last = _joined([steps[len(steps) - end :] for steps in split]) if end else ""
    return " ".join(filter(None, (first, last))).removeprefix(f"html{_BETWEEN}") or "*"


def _common_steps(paths: list[list[str]], most: int) -> int:
    """Return how many steps from the start have the same tag on all paths."""
    for at in range(most):
        if len({_tag_of(steps[at]) for steps in paths}) > 1:
            return at
    return most


def _joined(paths: list[list[str]]) -> str:
    """Return a selector of the tags and names that all paths have at each of their steps."""
    joined = []
    for steps in zip(*paths, strict=True):
        tags = {_tag_of(step) for step in steps}
        shared = set.intersection(*(set(_NAMES.findall(step)) for step in steps))
        names = "".join(name for name in _NAMES.findall(steps[0]) if name in shared)
        joined.append(f"{tags.pop()}{names}" if len(tags) == 1 else names or "*")
    return _BETWEEN.join(joined)


def _tag_of(step: str) -> str:
    return _NAMES.sub("", step)
