"""The outline of a collection, one branch at a time: the pages found on a page."""

import numpy as np

from telusur.graph.contract import Branch, Branches, WebGraph
from telusur.graph.outline import NO_PARENT, Outline


def list_branches(graph: WebGraph, number: int | None, start: int, limit: int) -> Branches | None:
    """Return pages found on a page, or the start URLs; None if there is no such page."""
    outline = graph.outline()
    place = NO_PARENT if number is None else outline.place_of(number)
    if place is None:
        return None
    children = outline.children(place)
    shown = children[start : start + limit]
    parent = None if place == NO_PARENT else _branches(graph, outline, [place])[0]
    return Branches(parent, _branches(graph, outline, shown.tolist()), start, len(children))


def find_way(graph: WebGraph, number: int) -> tuple[Branch, ...]:
    """Return the path to a page, from its start URL, itself last; empty if it was not found."""
    outline = graph.outline()
    place = outline.place_of(number)
    return () if place is None else _branches(graph, outline, outline.path(place))


def _branches(graph: WebGraph, outline: Outline, places: list[int]) -> tuple[Branch, ...]:
    children = outline.count_children(np.array(places, np.int32)).tolist()
    named = graph.name(outline, places)
    return tuple(
        Branch(
            url=page.url,
            title=page.title,
            domain=outline.site_names[outline.sites[place]],
            depth=int(outline.depths[place]),
            children=count,
            below=int(outline.below[place]),
            at=int(np.searchsorted(outline.children(int(outline.parents[place])), place)),
            topic=outline.topic_of(place),
        )
        for place, page, count in zip(places, named, children, strict=True)
    )
