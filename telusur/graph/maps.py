"""Maps of a collection: its best pages, or what is around a page."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import each_once
from telusur.errors import UsageError
from telusur.graph.contract import (
    Edges,
    MapLink,
    MapNode,
    MapRequest,
    WebGraph,
    WebMap,
)
from telusur.graph.layout import lay_out
from telusur.graph.outline import NO_PARENT, Outline, Places
from telusur.graph.selection import Selection, select_around, select_best, thin_links
from telusur.graph.site_maps import count_sites

# More links per node are thinned out on a map of limited size: too many lines show nothing.
LINKS_A_NODE = 3
LEAST_LINKS = 3_000
AT_ONCE = 500


@dataclass(slots=True, frozen=True)
class Asked:
    """A request together with the numbers of its pages, which the collection looks up."""

    request: MapRequest
    # The pages found by its words.
    hits: NDArray[np.uint64] | None = None
    # The page in its centre.
    centre: int | None = None


def make_map(graph: WebGraph, asked: Asked) -> WebMap:
    """Return pages and links, with positions to draw them at."""
    outline = graph.outline()
    fits = _fitting(outline, asked)
    selection = _select(graph, outline, asked, fits)
    links, all_links = _few_links(graph, outline, selection)
    positions = lay_out(len(selection.places), selection.tree)
    nodes = tuple(
        replace(node, x=round(float(x), 1), y=round(float(y), 1))
        for node, (x, y) in zip(_name(graph, outline, selection), positions, strict=True)
    )
    sites = count_sites(outline, outline.sites[selection.places])
    return WebMap(
        nodes, tuple(links), sites, len(outline), int(fits.sum()), all_links,
        has_topic=outline.topics is not None,
    )  # fmt: skip


def walk_map(graph: WebGraph, asked: Asked) -> tuple[Iterator[MapNode], Iterator[MapLink]]:
    """Return the same pages and links one by one, for maps that need not fit into memory."""
    outline = graph.outline()
    selection = _select(graph, outline, asked, _fitting(outline, asked))
    if asked.request.most is None:
        return _name(graph, outline, selection), _all_links(graph, outline, selection)
    links, _ = _few_links(graph, outline, selection)
    return _name(graph, outline, selection), iter(links)


def _fitting(outline: Outline, asked: Asked) -> NDArray[np.bool_]:
    """Tell for each page whether it matches the request."""
    request = asked.request
    fits = np.ones(len(outline), bool)
    if request.site:
        number = outline.site_number(request.site)
        fits &= outline.sites == number if number is not None else False
    if request.depth is not None:
        fits &= outline.depths <= request.depth
    if request.about is not None:
        if outline.topics is None:
            raise UsageError(
                "No crawl of this collection had a topic, so its pages have no topic scores."
            )
        fits &= outline.topics >= request.about
    if asked.hits is not None:
        found = outline.places_of(asked.hits)
        is_hit = np.zeros(len(outline), bool)
        is_hit[found[found != NO_PARENT]] = True
        fits &= is_hit
    return fits


def _select(graph: WebGraph, outline: Outline, asked: Asked, fits: NDArray[np.bool_]) -> Selection:
    request = asked.request
    if not request.around:
        return select_best(outline, fits, request.most)
    centre = None if asked.centre is None else outline.place_of(asked.centre)
    if centre is None:
        raise UsageError(f"{request.around}: the collection has not fetched this page.")
    most = len(outline) if request.most is None else request.most
    sample = graph.sample(outline)

    def neighbours(places: Places) -> Edges:
        return _join(
            *graph.links_of(outline, places),
            _touching(places, (sample.sources, sample.targets)),
            _touching(places, _found_by(outline)),
        )

    return select_around(outline, centre, fits, neighbours, steps=request.steps, most=most)


def _touching(places: Places, edges: Edges) -> Edges:
    kept = np.isin(edges[1], places) | np.isin(edges[0], places)
    return edges[0][kept], edges[1][kept]


def _found_by(outline: Outline) -> Edges:
    found = np.flatnonzero(outline.parents != NO_PARENT).astype(np.int32)
    return outline.parents[found], found


def _join(*edges: Edges) -> Edges:
    """Return edges together, each once."""
    sources = np.concatenate([each[0] for each in edges]).astype(np.uint64)
    targets = np.concatenate([each[1] for each in edges]).astype(np.uint64)
    pairs = each_once((sources << np.uint64(32)) | targets)
    return (pairs >> np.uint64(32)).astype(np.int32), pairs.astype(np.uint32).astype(np.int32)


def _name(graph: WebGraph, outline: Outline, selection: Selection) -> Iterator[MapNode]:
    for start in range(0, len(selection.places), AT_ONCE):
        places = selection.places[start : start + AT_ONCE].tolist()
        for number, (place, named) in enumerate(
            zip(places, graph.name(outline, places), strict=True), start
        ):
            yield MapNode(
                id=number,
                url=named.url,
                domain=outline.site_names[outline.sites[place]],
                title=named.title,
                depth=int(outline.depths[place]),
                rank=round(float(outline.ranks[place]), 4),
                fits=bool(selection.fits[number]),
                topic=outline.topic_of(place),
            )


def _few_links(
    graph: WebGraph, outline: Outline, selection: Selection
) -> tuple[list[MapLink], int]:
    """Return as many links as stay readable, tree links first, and the total number."""
    others = _join(*_other_links(graph, outline, selection))
    room = max(LEAST_LINKS, LINKS_A_NODE * len(selection.places)) - len(selection.tree[0])
    kept = thin_links(*others, len(selection.places), max(room, 0))
    depths = outline.depths[selection.places].tolist()
    links = _as_links(selection.tree, depths, is_tree=True)
    links += _as_links((others[0][kept], others[1][kept]), depths, is_tree=False)
    return links, len(others[0]) + len(selection.tree[0])


def _all_links(graph: WebGraph, outline: Outline, selection: Selection) -> Iterator[MapLink]:
    depths = outline.depths[selection.places].tolist()
    yield from _as_links(selection.tree, depths, is_tree=True)
    for edges in _other_links(graph, outline, selection):
        yield from _as_links(edges, depths, is_tree=False)


def _other_links(graph: WebGraph, outline: Outline, selection: Selection) -> Iterator[Edges]:
    """Yield the links between pages of the map that the tree does not have, by ids on it."""
    ids = np.full(len(outline), NO_PARENT, np.int32)
    ids[selection.places] = np.arange(len(selection.places))
    tree = _pairs(*selection.tree)
    yield np.zeros(0, np.int32), np.zeros(0, np.int32)
    for sources, targets in graph.links_of(outline, selection.places):
        from_, to = ids[sources], ids[targets]
        inside = (from_ != NO_PARENT) & (to != NO_PARENT)
        inside[inside] = ~np.isin(_pairs(from_[inside], to[inside]), tree)
        yield from_[inside], to[inside]


def _pairs(sources: Places, targets: Places) -> NDArray[np.int64]:
    return (sources.astype(np.int64) << 32) | targets


def _as_links(edges: Edges, depths: list[int], *, is_tree: bool) -> list[MapLink]:
    both = zip(edges[0].tolist(), edges[1].tolist(), strict=True)
    return [MapLink(source, target, depths[target], is_tree) for source, target in both]
