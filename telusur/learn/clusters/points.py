"""The look and place of blocks as points, each different one kept once."""

import re
from functools import lru_cache
from zlib import crc32

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.learn.pages.source_pages import SourcePage
from telusur.models import Block

_NAME_CELLS = 128
_NAMES = re.compile(r"[.#][^.#\s>]+")
_DIGITS = re.compile(r"\d+")
_SCREEN_WIDTH = 1280
_COMMENTS = re.compile(
    r"(?<![a-z])(?:comments?|commentlist|respond|disqus|repl(?:y|ies)|discussion|komentar)(?![a-z])"
)


class PointTable:
    """Points as they come in: each different one has a number, and a count."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._points: list[Floats] = []
        self._counts: list[int] = []

    def add(self, points: Floats) -> Ints:
        """Count these points; return their numbers."""
        found = np.empty(len(points), np.int64)
        for at, point in enumerate(points):
            number = self._numbers.setdefault(point.tobytes(), len(self._points))
            if number == len(self._points):
                self._points.append(point.copy())
                self._counts.append(0)
            self._counts[number] += 1
            found[at] = number
        return found

    @property
    def points(self) -> Floats:
        """Return all different points, in the order they came in."""
        return np.array(self._points, np.float32)

    @property
    def counts(self) -> Ints:
        """Return how often each of them came."""
        return np.array(self._counts, np.int64)


def look_and_place(page: SourcePage) -> Floats:
    """Return a point for each block: path, style, names, position, density of text and links.

    The weights say how far a difference moves two blocks apart; 1 is about the radius. Position and
    density are rounded, so that long lists give few different points. Comments are far from
    everything else, since they often look like the content.
    """
    looks = page.rows[page.row_of]
    names = np.zeros((len(page.blocks), _NAME_CELLS), np.float32)
    others = np.zeros((len(page.blocks), 8), np.float32)
    for at, block in enumerate(page.blocks):
        for cell, weight in _name_cells(block.selectors, block.classes):
            names[at, cell] = max(names[at, cell], weight)
        others[at, :6] = _place_and_density(block, at / len(page.blocks))
        others[at, 6] = 2.0 * is_in_comments(block)
    others[:, 7] = 0.2 * np.round(np.log1p(np.array(page.words, np.float32)))
    return np.hstack((0.7 * looks, names, others))


@lru_cache(maxsize=4096)
def _name_cells(selectors: str, classes: str) -> tuple[tuple[int, float], ...]:
    """Return the columns of classes and ids and their weights, own ones most; ignore numbers."""
    around = dict.fromkeys(_NAMES.findall(selectors), 0.4)
    own = {f".{name}": 0.7 for name in classes.split()}
    cells = {**around, **own}
    return tuple(
        (crc32(_DIGITS.sub("", name).encode()) % _NAME_CELLS, weight)
        for name, weight in cells.items()
    )


def _place_and_density(block: Block, position: float) -> list[float]:
    x = y = width = 0.0
    if block.bounds is not None:
        x, width = block.bounds.x / _SCREEN_WIDTH, block.bounds.width / _SCREEN_WIDTH
        y = min(1.0, block.bounds.y / 5000)
    links = round(4 * block.link_density) / 4
    return [x, y, width, float(block.bounds is not None), 0.3 * round(8 * position) / 8, links]


def is_in_comments(block: Block) -> bool:
    """Tell whether a block, or an element around it, has a name typical of comments."""
    around = f"{block.selectors} {block.element_id} {block.classes}"
    return _COMMENTS.search(around.lower()) is not None
