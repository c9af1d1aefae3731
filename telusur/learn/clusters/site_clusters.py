"""Clusters of a site's blocks by look and position, named with the pages' meta tags."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.learn.clusters.dense_points import find_cores, nearest
from telusur.learn.clusters.points import PointTable, is_in_comments, look_and_place
from telusur.learn.lcs import likeness, share_in, words_of
from telusur.learn.pages.source_pages import SourcePage

# Of a larger site, the rarer points only join the clusters of the others.
MOST_POINTS = 10_000
NOISE = -1
_MOST_WORDS = 400  # of a block that are compared with the meta tags


@dataclass(slots=True, frozen=True)
class ClusterOptions:
    """The radius and size of clusters, and when their words decide their names."""

    radius: float = 1.0
    least: int = 2
    title_likeness: float = 0.5
    certain_title: float = 0.9
    author_share: float = 0.5
    content_share: float = 0.15
    corrects_comments: bool = True


class SiteClusters:
    """The clusters of one site: `fit` them on some of its pages, `label` others."""

    def __init__(self, options: ClusterOptions | None = None) -> None:
        self.options = options or ClusterOptions()
        # The label of each cluster, and the cluster of each block of each page that was fitted.
        self.names: list[str] = []
        self.members: list[Ints] = []
        self._cores: Floats = np.zeros((0, 0), np.float32)
        self._clusters: Ints = np.zeros(0, np.int64)

    def fit(self, pages: Iterable[SourcePage]) -> None:
        """Find the clusters of these pages' blocks and name them, without using their truth.

        Pages are read one by one; only their different points and a few numbers a block are kept.
        """
        table = PointTable()
        numbers: list[Ints] = []
        said: list[Floats] = []
        for page in pages:
            numbers.append(table.add(look_and_place(page)))
            said.append(said_in(page))
        if not numbers:
            return
        points, counts = table.points, table.counts
        chosen = np.sort(np.argsort(-counts, kind="stable")[:MOST_POINTS])
        found = find_cores(points[chosen], counts[chosen], self.options.radius, self.options.least)
        self._cores, self._clusters = points[chosen][found.points], found.clusters
        every = self._cluster_of(points)
        self.members = [every[own] for own in numbers]
        self.names = name_clusters(np.concatenate(self.members), np.concatenate(said), self.options)

    def clusters_of(self, page: SourcePage) -> Ints:
        """Return the cluster of each block: that of the nearest core, or NOISE."""
        return self._cluster_of(look_and_place(page))

    def label(self, page: SourcePage) -> list[str]:
        """Label each block like its cluster; noise is other."""
        found = self.clusters_of(page)
        return ["other" if number == NOISE else self.names[number] for number in found]

    def _cluster_of(self, points: Floats) -> Ints:
        if not len(self._cores):
            return np.full(len(points), NOISE)
        core, distance = nearest(points, self._cores)
        return np.where(distance <= self.options.radius, self._clusters[core], NOISE)


def said_in(page: SourcePage) -> Floats:
    """Return for each block how well it matches the title, the author and the description.

    By longest common subsequence of words. The fourth number is 1 within comments.
    """
    title, author = words_of(page.title), words_of(page.author)
    about = words_of(f"{page.title} {page.description}")
    rows = np.zeros((len(page.blocks), 4), np.float32)
    for at, block in enumerate(page.blocks):
        words = words_of(block.text)[:_MOST_WORDS]
        is_short = len(words) <= len(author) + 8
        rows[at] = (
            likeness(title, words), share_in(author, words) if is_short else 0.0,
            share_in(about, words), is_in_comments(block),
        )  # fmt: skip
    return rows


def name_clusters(clusters: Ints, said: Floats, options: ClusterOptions) -> list[str]:
    """Name each cluster title, author, content or other.

    `clusters` has the cluster of each block, `said` its row of `said_in`. 1. Clusters whose blocks
    mostly say the author are authors. 2. Content is the cluster whose blocks have most of the
    descriptions, and those that come near it. 3. The cluster whose blocks say most of the titles is
    the title, and so is every cluster whose blocks say hardly anything else. 4. A cluster of
    comments is not content, however long and frequent it is.
    """
    count = int(clusters.max(initial=NOISE)) + 1
    is_known = clusters != NOISE
    sizes = np.bincount(clusters[is_known], minlength=count)
    sums = [np.bincount(clusters[is_known], column, count) for column in said[is_known].T]
    means = [total / sizes for total in sums]
    titles, authors, content, comments = means
    names = ["other"] * count
    for number in range(count):
        if authors[number] >= options.author_share:  # 1
            names[number] = "author"
        elif content[number] and content[number] >= options.content_share * content.max():  # 2
            names[number] = "content"
    said_titles = sums[0] * (titles >= options.title_likeness)
    if said_titles.any():
        names[int(np.argmax(said_titles))] = "title"  # 3
    for number in np.flatnonzero(titles >= options.certain_title).tolist():
        names[number] = "title"
    for number in np.flatnonzero(comments > 0.5).tolist() if options.corrects_comments else ():  # 4
        names[number] = "other"
    return names
