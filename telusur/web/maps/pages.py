"""The map and the outline as pages; side by side on a wide screen."""

from dataclasses import dataclass, replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from telusur.graph.contract import MOST_NODES, MapNode, MapRequest, SiteNode, WebMap
from telusur.search.request import SearchRequest
from telusur.web.frame import urls
from telusur.web.frame.params import COLOUR, MAP, SELECTED, START, VIEW, read_map, read_params
from telusur.web.frame.render import STATIC_FOLDER, render_html
from telusur.web.frame.site_colours import SHADES, Hues, hues_of, shade_of
from telusur.web.frame.text import clean_line
from telusur.web.maps.api import few
from telusur.web.maps.outline_views import ListView, view_tree
from telusur.web.reader import CollectionReader, collection_of

LISTED = 50
SITES_TO_CHOOSE = 200
TOPIC_HITS = 100
SIZES = (200, 1_000, 2_500, 5_000)
# Topic scores to choose from; 0.5 counts as relevant by default.
SCORES = (0.2, 0.4, 0.5, 0.6, 0.8)
VENDOR = STATIC_FOLDER / "vendor" / "d3-view.js"


@dataclass(slots=True, frozen=True)
class BranchRow:
    """A line of the list beside the map."""

    name: str
    url: str
    hue: int
    note: str


@dataclass(slots=True, frozen=True)
class _Read:
    """The data that one page needs from a collection."""

    shown: WebMap
    by_site: bool
    rows: list[BranchRow]
    sites: list[str]
    topics: list[str]
    tree: ListView
    is_cut: bool


async def show_map(request: Request) -> Response:
    """Show the map; on a wide screen the outline beside it."""
    return await _show(request, urls.MAP)


async def show_tree(request: Request) -> Response:
    """Show the outline; on a wide screen the map beside it."""
    return await _show(request, urls.TREE)


async def _show(request: Request, road: str) -> Response:
    given = request.query_params
    wanted = read_map(given)
    also = read_params((COLOUR, VIEW, SELECTED, START), given)
    read = await run_in_threadpool(_read, collection_of(request), wanted, also)
    selected, view = also["selected"], also["view"]
    colour = also["colour"] if read.shown.has_topic else "site"
    kept = {"view": view, "selected": selected, "colour": colour if colour != "site" else ""}
    values: dict[str, Any] = {
        "is_tree": road == urls.TREE,
        "wanted": wanted,
        "kept_filters": {param.name: getattr(wanted, param.attribute) for param in MAP},
        "selected": selected,
        "read": read,
        "around_name": clean_line(read.shown.nodes[0].title or wanted.around, 80)
        if wanted.around and read.shown.nodes
        else "",
        "colour": colour,
        "scores": sorted({*SCORES, *([] if wanted.about is None else [wanted.about])}),
        "shades": [(shade_of(shade / SHADES), shade / SHADES) for shade in range(SHADES)],
        "shade_of": shade_of,
        "sizes": sorted({*SIZES, wanted.most or 0}),
        "has_script": VENDOR.exists(),
        "map_url": urls.map_url(wanted, **kept),
        "tree_url": urls.map_url(wanted, urls.TREE, **kept),
        "other_view_url": urls.map_url(view="pages" if read.by_site else "sites"),
        "without_around_url": urls.map_url(replace(wanted, around="", steps=1)),
        "json_url": _data_url(wanted, by_site=read.by_site),
        "graphml_url": urls.map_url(wanted, urls.GRAPHML),
        "svg_url": urls.map_url(wanted, urls.GRAPH_SVG, colour=kept["colour"]),
        "urls_url": urls.map_url(wanted, urls.GRAPH_URLS),
    }
    twin = urls.tree_json_url(selected) if road == urls.TREE else values["json_url"]
    return render_html(request, "map.html", twin, values)


def _data_url(wanted: MapRequest, *, by_site: bool) -> str:
    if by_site:
        return urls.here(urls.GRAPH_SITES_JSON)
    return urls.map_url(wanted, urls.GRAPH_JSON)


def _read(collection: CollectionReader, wanted: MapRequest, also: dict[str, Any]) -> _Read:
    maps, hues = collection.maps, hues_of(collection)
    shown = maps.map(few(wanted, LISTED))
    is_plain = wanted == MapRequest(most=wanted.most)
    by_site = also["view"] == "sites" or (
        not also["view"] and is_plain and shown.pages > MOST_NODES
    )
    rows = (
        [_site_row(site, hues) for site in maps.site_map().sites]
        if by_site
        else [_page_row(node, hues) for node in sorted(shown.nodes, key=lambda node: -node.rank)]
    )
    tree, is_cut = view_tree(maps, also["selected"] or wanted.around, also["start"], hues)
    return _Read(
        shown=shown,
        by_site=by_site,
        rows=rows,
        sites=_sites_to_choose(collection, wanted.site),
        topics=_topics(collection, wanted.words),
        tree=tree,
        is_cut=is_cut,
    )


def _page_row(node: MapNode, hues: Hues) -> BranchRow:
    name = clean_line(node.title or node.url, 120)
    steps = "start URL" if node.depth == 0 else f"depth {node.depth}"
    return BranchRow(
        name, urls.page_url(node.url), hues.of(node.domain), f"{clean_line(node.domain)}, {steps}"
    )


def _site_row(site: SiteNode, hues: Hues) -> BranchRow:
    pages = "1 page" if site.pages == 1 else f"{site.pages:,} pages"
    address = urls.map_url(MapRequest(site=site.domain))
    return BranchRow(clean_line(site.domain, 80), address, hues.of(site.domain), pages)


def _sites_to_choose(collection: CollectionReader, chosen: str) -> list[str]:
    sites = (site for site, _ in collection.sites(SITES_TO_CHOOSE))
    names = [site for site in sites if clean_line(site, 300) == site]
    return names if not chosen or chosen in names else [chosen, *names]


def _topics(collection: CollectionReader, words: str) -> list[str]:
    """Return the names of topics among the hits of a query."""
    if not words:
        return []
    found = collection.answer(SearchRequest(words, limit=TOPIC_HITS, group="topic"))
    return [group.name for group in found.groups]
