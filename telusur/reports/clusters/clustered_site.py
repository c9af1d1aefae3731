"""The clusters of a site as people see them, and the labels that they give to its blocks."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from telusur.crawl.urls.identity import complete_url, site_of
from telusur.extract.document import extract_document
from telusur.extract.drawn import label_drawn
from telusur.learn.clusters.site_clusters import NOISE, ClusterOptions, SiteClusters
from telusur.learn.pages.source_pages import SourcePage, look_at
from telusur.models import Block
from telusur.reports.clusters.names import ClusterNames
from telusur.reports.clusters.shapes import Shape, common_selector, key_of, shape_of

#: Beyond this many blocks no further pages are read.
MOST_BLOCKS = 50_000
_MOST_OF_A_PAGE = 5_000
_LONGEST_EXAMPLE = 200
# Finer than the engine's clusters: a person can give two clusters one label, but not one two.
_FINE = ClusterOptions(radius=0.6)

# Returns the HTML of a page, or None if the archive has none.
Read = Callable[[str], str | None]
# Returns the blocks of a page in a browser, given its HTML and URL.
Draw = Callable[[str, str], Sequence[Block]]


@dataclass(slots=True, frozen=True)
class BlockCluster:
    """A cluster of a site's blocks."""

    number: int
    # What identifies the cluster when the site is clustered again with the same pages.
    key: str
    # Title, author, content or other, by the pages' meta tags.
    name: str
    # What the extractor calls most of its blocks, and how large their share is.
    extracted: str
    agreement: float
    blocks: int
    pages: int
    words: int
    # A CSS selector that fits all its blocks.
    selector: str
    example: str
    # The label that a person gave; empty for none.
    by_hand: str = ""

    @property
    def label(self) -> str:
        """Return the label given by hand; otherwise what the extractor calls most blocks."""
        return self.by_hand or self.extracted


class ClusteredBlock(NamedTuple):
    """A block of a page, its label, and the number of its cluster; None if it is in none."""

    cluster: int | None
    label: str
    block: Block


@dataclass(slots=True, frozen=True)
class SitePages:
    """Reads pages of a site as the clusters see them; with `draw` as a browser shows them."""

    site: str
    html_of: Read
    draw: Draw | None = None

    def page(self, url: str) -> SourcePage | None:
        """Return a page whose blocks have the extractor's labels; None without blocks."""
        html = self.html_of(url)
        if html is None:
            return None
        document = extract_document(html, url)
        blocks: Sequence[Block] = document.blocks
        if self.draw is not None:
            drawn = [block for block in self.draw(html, url) if not block.is_hidden]
            blocks = label_drawn(drawn, blocks)
        if not blocks:
            return None
        return look_at(document, blocks[:_MOST_OF_A_PAGE], html, self.site)


@dataclass(slots=True, frozen=True)
class ClusteredSite:
    """The clusters of a site, those with the most words first; made by `cluster_site`."""

    site: str
    # The pages that were clustered, their blocks, and the blocks that are in no cluster.
    urls: tuple[str, ...]
    blocks: int
    noise: int
    clusters: tuple[BlockCluster, ...]
    # How often each cluster has each shape, by key.
    shapes: Mapping[str, Mapping[Shape, int]]
    reader: SitePages
    _found: SiteClusters
    _numbers: Mapping[int, int]
    # How many indexed pages the site has.
    known: int = 0

    def blocks_of(self, url: str) -> list[ClusteredBlock]:
        """Return the blocks of a page, also of one that was not clustered.

        The label of a block is that of its cluster if somebody gave it, otherwise its own.
        """
        page = self.reader.page(url) if self.clusters else None
        if page is None:
            return []
        numbers = [self._numbers.get(int(each)) for each in self._found.clusters_of(page)]
        return [
            ClusteredBlock(number, (self._by_hand(number) or block.label), block)
            for number, block in zip(numbers, page.blocks, strict=True)
        ]

    def has(self, url: str) -> bool:
        """Tell whether a page is one of the site, whether it was clustered or not."""
        complete = complete_url(url)
        return complete is not None and site_of(complete) == self.site

    def named(self, names: ClusterNames) -> "ClusteredSite":
        """Return the same clusters with these labels by hand; the site is not clustered again."""
        clusters = (
            replace(each, by_hand=names.label_of(self.shapes[each.key])) for each in self.clusters
        )
        return replace(self, clusters=tuple(clusters))

    def _by_hand(self, number: int | None) -> str:
        return self.clusters[number - 1].by_hand if number is not None else ""


class _Row(NamedTuple):
    """What is kept of a block until its cluster is known."""

    label: str
    shape: Shape
    path: str
    text: str
    words: int


@dataclass(slots=True)
class _Tally:
    """What is counted of a cluster."""

    labels: Counter[str] = field(default_factory=Counter)
    shapes: Counter[Shape] = field(default_factory=Counter)
    paths: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    words: int = 0

    def add(self, row: _Row) -> None:
        """Count a block."""
        self.labels[row.label] += 1
        self.shapes[row.shape] += 1
        self.paths[row.path] += 1
        self.texts[row.text] += 1
        self.words += row.words

    def view(self, number: int, name: str) -> BlockCluster:
        """Return the cluster for people."""
        label, count = self.labels.most_common(1)[0]
        blocks = self.labels.total()
        return BlockCluster(
            number, key_of(self.shapes), name, label, round(count / blocks, 4), blocks,
            self.pages, self.words, common_selector(self.paths), self._example(),
        )  # fmt: skip

    def _example(self) -> str:
        """Return the most frequent text; of several, one that says more than a number."""
        most = self.texts.most_common(1)[0][1]
        frequent = (text for text, count in self.texts.items() if count == most)
        return min(frequent, key=lambda text: (-min(len(text), 40), text))


def cluster_site(urls: Sequence[str], reader: SitePages, names: ClusterNames) -> ClusteredSite:
    """Cluster the blocks of these pages of a site.

    1. Read the pages one by one; keep their points, and a few words of each block. 2. Count what
    each cluster has. 3. Number the clusters.
    """
    found, used, rows = SiteClusters(_FINE), list[str](), list[list[_Row]]()
    found.fit(_pages(urls, reader, used, rows))  # 1
    tallies = [_Tally() for _ in found.names]
    for members, own in zip(found.members, rows, strict=True):  # 2
        for cluster, row in zip(members.tolist(), own, strict=True):
            if cluster != NOISE:
                tallies[cluster].add(row)
        for cluster in set(members.tolist()) - {NOISE}:
            tallies[cluster].pages += 1
    order = sorted(range(len(tallies)), key=lambda at: (-tallies[at].words, at))  # 3
    clusters = [tallies[at].view(n, found.names[at]) for n, at in enumerate(order, 1)]
    clusters = _with_own_keys(clusters)
    blocks = sum(map(len, rows))
    view = ClusteredSite(
        reader.site, tuple(used), blocks, blocks - sum(each.blocks for each in clusters),
        tuple(clusters),
        {each.key: tallies[at].shapes for each, at in zip(clusters, order, strict=True)},
        reader, found, {at: number for number, at in enumerate(order, 1)},
    )  # fmt: skip
    return view.named(names)


def _pages(
    urls: Sequence[str], reader: SitePages, used: list[str], rows: list[list[_Row]]
) -> Iterator[SourcePage]:
    count = 0
    for url in urls:
        if count >= MOST_BLOCKS:
            return
        if (page := reader.page(url)) is not None:
            used.append(url)
            rows.append([
                _Row(block.label, shape_of(block, words), block.selectors,
                     " ".join(block.text[:_LONGEST_EXAMPLE].split()), words)
                for block, words in zip(page.blocks, page.words, strict=True)
            ])  # fmt: skip
            count += len(page.blocks)
            yield page


def _with_own_keys(clusters: list[BlockCluster]) -> list[BlockCluster]:
    """Return the clusters; of those whose blocks have the same shapes, later ones get a number."""
    seen = Counter[str]()
    named = []
    for each in clusters:
        seen[each.key] += 1
        again = f"-{seen[each.key]}" if seen[each.key] > 1 else ""
        named.append(replace(each, key=each.key + again))
    return named
