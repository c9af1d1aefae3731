"""The clusters of a site as people see them, and the labels that they give to its blocks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from telusur.crawl.urls.identity import complete_url, site_of
from telusur.extract.document import extract_document
from telusur.extract.drawn import label_drawn
from telusur.learn.clusters.site_clusters import NOISE, ClusterOptions, SiteClusters
from telusur.learn.pages.source_pages import SourcePage, look_at
from telusur.models import Block
from telusur.reports.clusters.names import ClusterNames
from telusur.reports.clusters.places import BlockPlace, PagePlaces, choose_pages, find_places
from telusur.reports.clusters.shapes import Shape, shape_of
from telusur.reports.clusters.tallies import BlockCluster, ClusterTally, CountedBlock, with_own_keys

#: Beyond this many blocks no further pages are read.
MOST_BLOCKS = 50_000
_MOST_OF_A_PAGE = 5_000
_LONGEST_EXAMPLE = 200
_MOST_PICTURED = 12
# Finer than the engine's clusters: a person can give two clusters one label, but not one two.
_FINE = ClusterOptions(radius=0.6)

# Returns the HTML of a page, or None if the archive has none.
Read = Callable[[str], str | None]
# Returns the blocks of a page in a browser, given its HTML and URL.
Draw = Callable[[str, str], Sequence[Block]]
# Told how many pages were read and how many there are; returns False to read no more.
Watch = Callable[[int, int], bool]


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
        drawn = None
        if self.draw is not None:
            drawn = [block for block in self.draw(html, url) if not block.is_hidden]
            if not drawn:
                return None
        document = extract_document(html, url)
        blocks = document.blocks if drawn is None else label_drawn(drawn, document.blocks)
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
    # A few pages that together have most clusters, and where their blocks stand.
    places: tuple[PagePlaces, ...]
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


def cluster_site(
    urls: Sequence[str], reader: SitePages, names: ClusterNames, watch: Watch | None = None
) -> ClusteredSite:
    """Cluster the blocks of these pages of a site.

    1. Read the pages one by one, until `watch` returns False; keep their points, and a few words of
    each block. 2. Count what each cluster has. 3. Number the clusters. 4. Choose pages that show
    where they stand.
    """
    found, used, rows = SiteClusters(_FINE), list[str](), list[list[CountedBlock]]()
    found.fit(_pages(urls, reader, used, rows, watch or _read_all))  # 1
    tallies = [ClusterTally() for _ in found.names]
    for url, members, own in zip(used, found.members, rows, strict=True):  # 2
        for cluster, row in zip(members.tolist(), own, strict=True):
            if cluster != NOISE:
                tallies[cluster].add(row)
        for cluster in set(members.tolist()) - {NOISE}:
            tallies[cluster].urls.append(url)
    order = sorted(range(len(tallies)), key=lambda at: (-tallies[at].words, at))  # 3
    clusters = [tallies[at].view(n, found.names[at]) for n, at in enumerate(order, 1)]
    clusters = with_own_keys(clusters)
    numbers = {at: number for number, at in enumerate(order, 1)}
    blocks = sum(map(len, rows))
    view = ClusteredSite(
        reader.site, tuple(used), blocks, blocks - sum(each.blocks for each in clusters),
        tuple(clusters),
        {each.key: tallies[at].shapes for each, at in zip(clusters, order, strict=True)},
        reader, _places(used, rows, found, numbers), found, numbers,  # 4
    )  # fmt: skip
    return view.named(names)


def _places(
    urls: list[str], rows: list[list[CountedBlock]], found: SiteClusters, numbers: Mapping[int, int]
) -> tuple[PagePlaces, ...]:
    """Return the places on a few pages that together have most clusters."""
    own = [[numbers.get(int(each)) for each in members] for members in found.members]
    chosen = choose_pages(
        [frozenset(n for n in each if n is not None) for each in own], _MOST_PICTURED
    )
    return tuple(
        PagePlaces(
            urls[page],
            tuple(BlockPlace(n, *row.place) for n, row in zip(own[page], rows[page], strict=True)),
        )
        for page in chosen
    )


def _read_all(_read: int, _of: int) -> bool:
    return True


def _pages(
    urls: Sequence[str],
    reader: SitePages,
    used: list[str],
    rows: list[list[CountedBlock]],
    watch: Watch,
) -> Iterator[SourcePage]:
    count = 0
    for at, url in enumerate(urls):
        if count >= MOST_BLOCKS or not watch(at, len(urls)):
            return
        if (page := reader.page(url)) is not None:
            used.append(url)
            rows.append([
                CountedBlock(block.label, shape_of(block, words), block.selectors,
                     " ".join(block.text[:_LONGEST_EXAMPLE].split()), words, place)
                for block, words, place in zip(
                    page.blocks, page.words, find_places(page.blocks), strict=True
                )
            ])  # fmt: skip
            count += len(page.blocks)
            yield page
