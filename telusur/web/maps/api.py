"""The data of the map and the outline, for their pages and for programs."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from telusur.graph.contract import Branch, MapRequest, SiteNode
from telusur.graph.formats import write_graphml, write_urls
from telusur.web.frame.params import BRANCHES, COLOUR, read_map, read_params, read_url
from telusur.web.frame.render import JSONAnswer
from telusur.web.frame.site_colours import Hues, hues_of
from telusur.web.frame.text import clean_line
from telusur.web.maps.svg import write_svg
from telusur.web.reader import collection_of

PIECE_CHARS = 64_000


@dataclass(slots=True, frozen=True)
class SiteView:
    """A site, how many pages it has on the map, and which of the twelve colours it has."""

    id: int
    domain: str
    pages: int
    hue: int


@dataclass(slots=True, frozen=True)
class BranchView:
    """A page in the outline, safe to show."""

    url: str
    title: str
    domain: str
    hue: int
    depth: int
    children: int
    below: int
    at: int
    topic: float | None


async def graph_json(request: Request) -> Response:
    """Send the best pages and the links between them."""
    collection = collection_of(request)
    shown = await run_in_threadpool(collection.maps.map, read_map(request.query_params))
    answer = {each.name: getattr(shown, each.name) for each in fields(shown)}
    nodes = [{**_plain(node), "title": clean_line(node.title)} for node in shown.nodes]
    links = [_plain(link) for link in shown.links]
    sites = view_sites(shown.sites, hues_of(collection))
    answer |= {"nodes": nodes, "links": links, "sites": sites}
    return await run_in_threadpool(JSONAnswer, {"ok": True, **answer})


async def graph_sites_json(request: Request) -> Response:
    """Send the sites and how often they link to each other."""
    collection = collection_of(request)
    shown = await run_in_threadpool(collection.maps.site_map)
    sites = view_sites(shown.sites, hues_of(collection))
    return JSONAnswer({"ok": True, **asdict(shown), "sites": sites})


async def send_graphml(request: Request) -> Response:
    """Send the map as GraphML, for other programs."""
    maps = collection_of(request).maps
    nodes, links = await run_in_threadpool(maps.walk_map, read_map(request.query_params))
    return _stream(write_graphml(nodes, links), "application/xml", "graph.graphml")


async def send_urls(request: Request) -> Response:
    """Send the URLs of the map, one per line."""
    maps = collection_of(request).maps
    nodes, links = await run_in_threadpool(maps.walk_map, read_map(request.query_params))
    return _stream(write_urls(nodes, links), "text/plain")


async def send_svg(request: Request) -> Response:
    """Send the map as a picture."""
    collection = collection_of(request)
    shown = await run_in_threadpool(collection.maps.map, read_map(request.query_params))
    by_topic = read_params((COLOUR,), request.query_params)["colour"] == "topic"
    title, hues = f"Map of {collection.name}", hues_of(collection)
    pieces = write_svg(shown, title, hues, by_topic=by_topic)
    return _stream(pieces, "image/svg+xml")


async def tree_json(request: Request) -> Response:
    """Send the pages that were found on a page."""
    wanted = read_params(BRANCHES, request.query_params)
    collection = collection_of(request)
    found = await run_in_threadpool(collection.maps.branches, **wanted)
    if found is None:
        raise HTTPException(404, f"This collection has not fetched {clean_line(wanted['url'])}")
    hues = hues_of(collection)
    return JSONAnswer(
        {
            "ok": True,
            "url": wanted["url"],
            "branches": [asdict(view_branch(branch, hues)) for branch in found.branches],
            "start": found.start,
            "total": found.total,
        }
    )


async def way_json(request: Request) -> Response:
    """Send how a page was found, from its start URL on."""
    url = read_url(request.query_params)
    collection = collection_of(request)
    way = await run_in_threadpool(collection.maps.way_to, url)
    if not way:
        raise HTTPException(404, f"This collection has not fetched {clean_line(url)}")
    hues = hues_of(collection)
    return JSONAnswer({"ok": True, "way": [asdict(view_branch(branch, hues)) for branch in way]})


def view_sites(sites: Iterable[SiteNode], hues: Hues) -> list[dict[str, Any]]:
    """Return sites with their colours."""
    return [{**_plain(site), "hue": hues.of(site.domain)} for site in sites]


def view_branch(branch: Branch, hues: Hues) -> BranchView:
    """Return a page of the outline with its colour and a cleaned title."""
    title = clean_line(branch.title) or clean_line(branch.url)
    rest = {each.name: getattr(branch, each.name) for each in fields(branch)}
    return BranchView(**{**rest, "title": title, "hue": hues.of(branch.domain)})


def few(request: MapRequest, most: int) -> MapRequest:
    """Return the same request for fewer pages."""
    return replace(request, most=min(request.most or most, most))


def _plain(record: Any) -> dict[str, Any]:
    """Return a flat record as a dictionary; `asdict` takes ten times as long."""
    return {name: getattr(record, name) for name in record.__slots__}


def _stream(pieces: Iterable[str], media_type: str, name: str = "") -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'} if name else {}
    return StreamingResponse(_gathered(pieces), media_type=media_type, headers=headers)


async def _gathered(pieces: Iterable[str]) -> AsyncIterator[bytes]:
    """Join small pieces into larger ones, since each has to cross from a thread."""
    async for piece in iterate_in_threadpool(_larger(pieces)):
        yield piece.encode("utf-8", "replace")


def _larger(pieces: Iterable[str]) -> Iterable[str]:
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= PIECE_CHARS:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)
