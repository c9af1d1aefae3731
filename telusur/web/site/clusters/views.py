"""Turns clusters into what the templates show."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from telusur.reports.clusters.clustered_site import ClusteredBlock, ClusteredSite
from telusur.reports.clusters.places import find_places
from telusur.reports.clusters.tallies import BlockCluster
from telusur.web.frame import urls
from telusur.web.frame.site_colours import SITE_HUES
from telusur.web.frame.text import clean_line
from telusur.web.maps.svg import HUES
from telusur.web.page.outlines import LABELS, BlockOutline, OutlineGroup
from telusur.web.page.tabs import Steps
from telusur.web.site.clusters.finding import FoundClusters
from telusur.web.site.clusters.pictures import Picture, draw_cluster

_NO_CLUSTER = "none"
_GREY = "#8b8579"
# Letters of the font in the picture of a rendered page, in its pixels.
_LETTER_WIDTH = 7
_FIRST_EXAMPLE = 160
_MORE_EXAMPLES = 80


@dataclass(slots=True, frozen=True)
class ClusterCard:
    """A cluster as a row with its label."""

    number: int
    key: str
    hue: int
    name: str
    label: str
    extracted: str
    agreement: int
    by_hand: str
    blocks: int
    pages: int
    words: int
    selector: str
    examples: tuple[str, ...]
    url: str
    picture: Picture | None = None
    # How many blocks the page that is shown has of it.
    here: int = 0


@dataclass(slots=True, frozen=True)
class DrawnBlock:
    """A block of a rendered page as a rectangle, with as much of its text as fits."""

    number: int | None
    hue: int | None
    x: float
    y: float
    width: float
    height: float
    text: str
    title: str


@dataclass(slots=True, frozen=True)
class DrawnPage:
    """A rendered page as rectangles, and how large it is."""

    blocks: list[DrawnBlock]
    width: float
    height: float


def hue_of(number: int) -> int:
    """Return the colour of a cluster."""
    return (number - 1) % SITE_HUES


def view_cards(found: FoundClusters, page: int, limit: int) -> list[ClusterCard]:
    """Return one page of the clusters, with pictures."""
    if found.view is None:
        return []
    start = (page - 1) * limit
    return [
        _view_card(found, each, draw_cluster(found.view.places, each.number))
        for each in found.view.clusters[start : start + limit]
    ]


def view_cards_on(found: FoundClusters, blocks: Sequence[ClusteredBlock]) -> list[ClusterCard]:
    """Return the clusters that a page has blocks of, in the order of the page."""
    counts = Counter(block.cluster for block in blocks if block.cluster is not None)
    clusters = found.view.clusters if found.view is not None else ()
    return [_view_card(found, clusters[number - 1], None, count)
            for number, count in counts.items()]  # fmt: skip


def _view_card(
    found: FoundClusters, each: BlockCluster, picture: Picture | None, here: int = 0
) -> ClusterCard:
    url = urls.of_site(
        urls.SITE_CLUSTER_PAGE, found.site, look=found.look,
        url=picture.url if picture else each.page, cluster=each.number,
    )  # fmt: skip
    return ClusterCard(
        each.number, each.key, hue_of(each.number), each.name, each.label, each.extracted,
        round(100 * each.agreement), each.by_hand, each.blocks, each.pages, each.words,
        clean_line(each.selector, 300),
        _shorten(each.examples), url, picture, here,
    )  # fmt: skip


def _shorten(examples: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of a cluster, the first one at greater length."""
    lengths = [_FIRST_EXAMPLE, *[_MORE_EXAMPLES] * len(examples)]
    return tuple(clean_line(*each) for each in zip(examples, lengths, strict=False))


def view_steps(found: FoundClusters, page: int, limit: int, total: int) -> Steps:
    """Return the position in the list of clusters, and links to its other pages."""

    def link(number: int) -> str | None:
        if not 1 <= number <= max(1, -(-total // limit)) or number == page:
            return None
        step = number if number > 1 else ""
        return urls.of_site(urls.SITE_CLUSTERS, found.site, look=found.look, page=step, limit=limit)

    first = (page - 1) * limit + 1 if total else 0
    return Steps(first, min(page * limit, total), total, link(page - 1), link(page + 1))


def outline_clusters(
    view: ClusteredSite, blocks: Sequence[ClusteredBlock], only: int = 0
) -> BlockOutline:
    """Return the outlines of a page's blocks; with `only` the others are off at first."""
    groups = [
        OutlineGroup(
            f"c{number}", f"{number} {view.clusters[number - 1].label}", HUES[hue_of(number)],
            only in (0, number), badge=str(number),
        )
        for number in dict.fromkeys(block.cluster for block in blocks) if number is not None
    ]  # fmt: skip
    if any(block.cluster is None for block in blocks):
        groups.append(OutlineGroup(_NO_CLUSTER, "in no cluster", _GREY, False, True, "-"))
    keys = [_NO_CLUSTER if block.cluster is None else f"c{block.cluster}" for block in blocks]
    return BlockOutline(keys, groups, "Clusters")


def view_drawn(blocks: Sequence[ClusteredBlock], only: int = 0) -> DrawnPage:
    """Return the blocks of a rendered page as rectangles."""
    places = find_places([block.block for block in blocks])
    shown = [
        DrawnBlock(
            block.cluster,
            None if block.cluster is None or only not in (0, block.cluster)
            else hue_of(block.cluster),
            *place,
            clean_line(block.block.text, max(int(place.width) // _LETTER_WIDTH, 1)),
            clean_line(block.block.text, 200),
        )
        for block, place in zip(blocks, places, strict=True)
    ]  # fmt: skip
    right = max((place.x + place.width for place in places), default=1.0)
    return DrawnPage(shown, right, max((each.y + each.height for each in places), default=1.0))


def label_choices(card: ClusterCard) -> list[tuple[str, str, bool]]:
    """Return value, text and whether it is chosen, of each label that a cluster may be given."""
    found = f"as found: {card.extracted} ({card.agreement} %)"
    return [
        ("auto", found, not card.by_hand),
        *((label, label, label == card.by_hand) for label in LABELS),
    ]
