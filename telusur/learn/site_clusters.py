"""Clusters of a site's blocks by look and position, named with the pages' meta tags."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.learn.lcs import likeness, share_in, words_of
from telusur.learn.library import require_scikit_learn
from telusur.learn.pages.source_pages import SourcePage
from telusur.models import Block

_NAME_CELLS = 128
_NAMES = re.compile(r"[.#][^.#\s>]+")
_DIGITS = re.compile(r"\d+")
_SCREEN_WIDTH = 1280
_COMMENTS = re.compile(
    r"(?<![a-z])(?:comments?|commentlist|respond|disqus|repl(?:y|ies)|discussion|komentar)(?![a-z])"
)
_MOST_WORDS = 400  # of a block that are compared with the meta tags


@dataclass(slots=True, frozen=True)
class ClusterOptions:
    """The radius and size of clusters, and when their words decide their names."""

    radius: float = 1.0
    least: int = 2
    title_likeness: float = 0.5
    author_share: float = 0.5
    content_share: float = 0.15
    corrects_comments: bool = True


class SiteClusters:
    """The clusters of one site: `fit` them on some of its pages, `label` others."""

    def __init__(self, options: ClusterOptions | None = None) -> None:
        self.options = options or ClusterOptions()
        self._cores: Floats = np.zeros((0, 0), np.float32)
        self._names: list[str] = []

    def fit(self, pages: Sequence[SourcePage]) -> None:
        """Find the clusters of these pages' blocks and name them, without using their truth."""
        require_scikit_learn("Clustering")
        from sklearn.cluster import DBSCAN

        every = np.concatenate([look_and_place(page) for page in pages])
        points, point_of, counts = np.unique(every, axis=0, return_inverse=True, return_counts=True)
        found = DBSCAN(eps=self.options.radius, min_samples=self.options.least)
        labels = found.fit(points, sample_weight=counts).labels_
        names = name_clusters(labels[point_of.reshape(-1)], pages, self.options)
        self._cores = points[found.core_sample_indices_]
        self._names = [names[cluster] for cluster in labels[found.core_sample_indices_]]

    def label(self, page: SourcePage) -> list[str]:
        """Label each block like the nearest cluster; blocks far from all are other."""
        from sklearn.metrics import pairwise_distances_argmin_min

        if not self._names:
            return ["other"] * len(page.blocks)
        core, distance = pairwise_distances_argmin_min(look_and_place(page), self._cores)
        return [
            self._names[at] if far <= self.options.radius else "other"
            for at, far in zip(core, distance, strict=True)
        ]


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


def name_clusters(
    clusters: Ints, pages: Sequence[SourcePage], options: ClusterOptions
) -> list[str]:
    """Name each cluster title, author, content or other; `clusters` has the cluster of each block.

    1. Hold each block against its page's title, author and description, by longest common
    subsequence. 2. The cluster whose blocks say most of the titles is the title; clusters whose
    blocks mostly say the author are authors. 3. Content is the cluster whose blocks have most of
    the descriptions, and those that come near it. 4. A cluster of comments is not content, however
    long and frequent it is.
    """
    shares = _shares(pages)  # 1
    parts = [shares[clusters == number] for number in range(clusters.max(initial=-1) + 1)]
    names = ["other"] * len(parts)
    content = np.array([part[:, 2].mean() for part in parts])  # 3
    for number, part in enumerate(parts):
        if part[:, 1].mean() >= options.author_share:  # 2
            names[number] = "author"
        elif content[number] and content[number] >= options.content_share * content.max():
            names[number] = "content"
    titles = [part[:, 0].sum() * (part[:, 0].mean() >= options.title_likeness) for part in parts]
    if any(titles):
        names[int(np.argmax(titles))] = "title"
    if options.corrects_comments:  # 4
        _correct_comments(names, clusters, [block for page in pages for block in page.blocks])
    return names


def _shares(pages: Sequence[SourcePage]) -> Floats:
    """Return for each block how well it matches the title, the author and the description."""
    rows: list[tuple[float, float, float]] = []
    for page in pages:
        title, author = words_of(page.title), words_of(page.author)
        about = words_of(f"{page.title} {page.description}")
        for block in page.blocks:
            words = words_of(block.text)[:_MOST_WORDS]
            is_short = len(words) <= len(author) + 8
            rows.append((
                likeness(title, words), share_in(author, words) if is_short else 0.0,
                share_in(about, words),
            ))  # fmt: skip
    return np.array(rows, np.float32).reshape(-1, 3)


def _correct_comments(names: list[str], clusters: Ints, blocks: Sequence[Block]) -> None:
    """Rename clusters to other that are mostly inside containers of comments."""
    inside = np.array([is_in_comments(block) for block in blocks], np.bool_)
    for number in range(len(names)):
        if inside[clusters == number].mean() > 0.5:
            names[number] = "other"


def is_in_comments(block: Block) -> bool:
    """Tell whether a block, or an element around it, has a name typical of comments."""
    around = f"{block.selectors} {block.element_id} {block.classes}"
    return _COMMENTS.search(around.lower()) is not None
