"""The sites of a collection as a map, for collections that are too large for their pages."""

import numpy as np
from numpy.typing import NDArray

from telusur.graph.contract import SiteLink, SiteMap, SiteNode, WebGraph
from telusur.graph.outline import NO_PARENT, Outline

MOST_SITES = 500
MOST_SITE_LINKS = 2_000


def count_sites(outline: Outline, sites: NDArray[np.uint32]) -> tuple[SiteNode, ...]:
    """Return the sites of pages, the largest first."""
    counts = np.bincount(sites, minlength=len(outline.site_names))
    names = outline.site_names
    order = sorted(np.flatnonzero(counts).tolist(), key=lambda site: (-counts[site], names[site]))
    return tuple(
        SiteNode(number, names[site], int(counts[site])) for number, site in enumerate(order)
    )


def make_site_map(graph: WebGraph) -> SiteMap:
    """Return the sites and how often they link to each other."""
    outline = graph.outline()
    sites = count_sites(outline, outline.sites)
    shown = sites[:MOST_SITES]
    ids = np.full(len(outline.site_names) + 1, NO_PARENT, np.int64)
    numbers = {name: number for number, name in enumerate(outline.site_names)}
    for node in shown:
        ids[numbers[node.domain]] = node.id
    sample = graph.sample(outline)
    from_, to = ids[outline.sites[sample.sources]], ids[outline.sites[sample.targets]]
    crossing = (from_ != to) & (from_ != NO_PARENT) & (to != NO_PARENT)
    pairs, counts = np.unique((from_[crossing] << 32) | to[crossing], return_counts=True)
    scale = len(outline) / max(sample.pages, 1) if sample.pages < len(outline) else 1.0
    best = np.argsort(-counts, kind="stable")[:MOST_SITE_LINKS]
    links = tuple(
        SiteLink(pair >> 32, pair & 0xFFFFFFFF, max(round(count * scale), 1))
        for pair, count in zip(pairs[best].tolist(), counts[best].tolist(), strict=True)
    )
    return SiteMap(shown, links, len(outline), len(sites), min(sample.pages, len(outline)))
