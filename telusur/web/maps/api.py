"""The map and the outline of a collection: their pages, and the same for programs."""

from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from telusur.graph.contract import Branch, MapRequest, SiteNode
from telusur.graph.formats import write_graphml, write_urls
from telusur.web.map_svg import write_svg
from telusur.web.params import BRANCHES, COLOUR, read_map, read_params, read_url
from telusur.web.reader import collection_of
from telusur.web.render import JSONAnswer
from telusur.web.text import clean_line
from telusur.web.views import hue_of

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
    """A page in the outline, fit to be shown."""

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
    """Answer the best pages and the links between them."""
    shown = await run_in_threadpool(collection_of(request).maps.map, read_map(request.query_params))
    answer = {each.name: getattr(shown, each.name) for each in fields(shown)}
    nodes = [{**_plain(node), "title": clean_line(node.title)} for node in shown.nodes]
    links = [_plain(link) for link in shown.links]
    answer |= {"nodes": nodes, "links": links, "sites": view_sites(shown.sites)}
    return await run_in_threadpool(JSONAnswer, {"ok": True, **answer})


async def graph_sites_json(request: Request) -> Response:
    """Answer the sites and how often they link to each other."""
    shown = await run_in_threadpool(collection_of(request).maps.site_map)
    return JSONAnswer({"ok": True, **asdict(shown), "sites": view_sites(shown.sites)})


async def send_graphml(request: Request) -> Response:
    """Send the map as other programs read it."""
    maps = collection_of(request).maps
    nodes, links = await run_in_threadpool(maps.walk_map, read_map(request.query_params))
    return _stream(write_graphml(nodes, links), "application/xml", "graph.graphml")


async def send_urls(request: Request) -> Response:
    """Send the URLs of the map, one a line."""
    maps = collection_of(request).maps
    nodes, links = await run_in_threadpool(maps.walk_map, read_map(request.query_params))
    return _stream(write_urls(nodes, links), "text/plain")


async def send_svg(request: Request) -> Response:
    """Send the map as a picture."""
    collection = collection_of(request)
    shown = await run_in_threadpool(collection.maps.map, read_map(request.query_params))
    by_topic = read_params((COLOUR,), request.query_params)["colour"] == "topic"
    pieces = write_svg(shown, f"Map of {collection.name}", by_topic=by_topic)
    return _stream(pieces, "image/svg+xml")


async def tree_json(request: Request) -> Response:
    """Answer the pages that were found on a page."""
    wanted = read_params(BRANCHES, request.query_params)
    found = await run_in_threadpool(collection_of(request).maps.branches, **wanted)
    if found is None:
        raise HTTPException(404, f"This collection has not fetched {clean_line(wanted['url'])}")
    return JSONAnswer(
        {
            "ok": True,
            "url": wanted["url"],
            "branches": [asdict(view_branch(branch)) for branch in found.branches],
            "start": found.start,
            "total": found.total,
        }
    )


async def way_json(request: Request) -> Response:
    """Answer how a page was found, from its start URL on."""
    url = read_url(request.query_params)
    way = await run_in_threadpool(collection_of(request).maps.way_to, url)
    if not way:
        raise HTTPException(404, f"This collection has not fetched {clean_line(url)}")
    return JSONAnswer({"ok": True, "way": [asdict(view_branch(branch)) for branch in way]})


def view_sites(sites: Iterable[SiteNode]) -> list[dict[str, Any]]:
    """Return sites with their colours."""
    return [{**_plain(site), "hue": hue_of(site.domain)} for site in sites]


def view_branch(branch: Branch) -> BranchView:
    """Return a page of the outline with its colour and a title that breaks nothing."""
    title = clean_line(branch.title) or clean_line(branch.url)
    rest = {each.name: getattr(branch, each.name) for each in fields(branch)}
    return BranchView(**{**rest, "title": title, "hue": hue_of(branch.domain)})


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
    """Yield the pieces in larger ones: each crosses from a thread."""
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
