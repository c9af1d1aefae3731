"""The views of one page as JSON."""

from dataclasses import asdict, dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.web.frame import urls
from telusur.web.frame.params import read_params, read_url
from telusur.web.frame.render import JSONAnswer
from telusur.web.frame.text import clean_line
from telusur.web.page.params import PAGE_BLOCKS, PAGE_LINKS, PAGE_SCORE
from telusur.web.page.reader import page_reader_of
from telusur.web.page.sections import find_score, look_on_url, read_links
from telusur.web.page.tabs import view_steps
from telusur.web.search.feeds import base_of
from telusur.web.search.pages import read_page


@dataclass(slots=True, frozen=True)
class BlockRecord:
    """A block of a page, and whether its label was corrected by hand."""

    number: int
    label: str
    text: str
    tag_path: str
    selectors: str
    heading: str
    link_density: float
    is_corrected: bool
    # What other pages of its site say about it, in words.
    on_site: str


async def blocks_json(request: Request) -> Response:
    """Send the blocks of a page with their labels."""
    wanted = read_params(PAGE_BLOCKS, request.query_params)
    url, page, limit = wanted["url"], wanted["page"], wanted["limit"]
    found = _known(await run_in_threadpool(page_reader_of(request).blocks, url), url)
    start = (page - 1) * limit
    shown = [
        asdict(BlockRecord(n, block.label, block.text, block.tag_path, block.selectors,
                           block.heading, round(block.link_density, 4), n in found.corrected,
                           block.on_site))
        for n, block in enumerate(found.blocks[start : start + limit], start)
    ]  # fmt: skip
    road = urls.twin_of(urls.PAGE_BLOCKS)
    steps = view_steps(road, url, page, limit, len(found.blocks))
    return JSONAnswer(
        {"ok": True, "url": url, "total": len(found.blocks), "blocks": shown,
         "next_url": _absolute(request, steps.next_url)}
    )  # fmt: skip


async def links_json(request: Request) -> Response:
    """Send the links of a page, or the links to it."""
    wanted = read_params(PAGE_LINKS, request.query_params)
    url, page, limit, side = (wanted[name] for name in ("url", "page", "limit", "side"))
    await read_page(page_reader_of(request), url)
    found = await read_links(page_reader_of(request), wanted)
    road = urls.twin_of(urls.PAGE_LINKS)
    steps = view_steps(road, url, page, limit, found.total, side=side, after=wanted["after"])
    next_url = steps.next_url or look_on_url(road, url, limit, found)
    return JSONAnswer(
        {"ok": True, "url": url, "side": side, "total": found.total, "is_whole": found.is_whole,
         "links": [asdict(link) for link in found.links],
         "next_url": _absolute(request, next_url)}
    )  # fmt: skip


async def parts_json(request: Request) -> Response:
    """Send forms, tables, scripts, images, lists, styles and metadata of a page."""
    url = read_url(request.query_params)
    parts = _known(await run_in_threadpool(page_reader_of(request).parts, url), url)
    return JSONAnswer({"ok": True, **asdict(parts), "url": url})


async def record_json(request: Request) -> Response:
    """Send the archive record of a page, its fetches, and its duplicates."""
    url = read_url(request.query_params)
    collection = page_reader_of(request)
    record = await run_in_threadpool(collection.record, url)
    fetches = await run_in_threadpool(collection.fetches, url)
    if record is None and not fetches:
        _known(None, url)
    copies = await run_in_threadpool(collection.copies_of, url)
    return JSONAnswer(
        {"ok": True, "url": url, "record": asdict(record) if record else None,
         "fetches": [asdict(each) for each in fetches],
         "copies": [asdict(each) for each in copies]}
    )  # fmt: skip


async def score_json(request: Request) -> Response:
    """Send the static rank of a page, and its score tree for a query."""
    wanted = read_params(PAGE_SCORE, request.query_params)
    url, query = wanted["url"], wanted["query"]
    collection = page_reader_of(request)
    await read_page(collection, url)
    standing = await run_in_threadpool(collection.standing, url)
    place, tree = await run_in_threadpool(find_score, collection, url, query)
    return JSONAnswer(
        {"ok": True, "url": url, "query": query, "standing": asdict(standing) if standing else None,
         "place": place, "explanation": asdict(tree) if tree else None}
    )  # fmt: skip


def _known(found: Any, url: str) -> Any:
    if found is None:
        raise HTTPException(404, f"This collection has no copy of {clean_line(url)}")
    return found


def _absolute(request: Request, address: str | None) -> str | None:
    return base_of(request) + address if address else None
