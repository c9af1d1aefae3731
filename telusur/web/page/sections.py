"""The views of one page beyond its text: blocks, links, parts, record, score."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.adapters.sqlite_links import PARTS, LinkPage, LinkView
from telusur.extract.part_records import PageParts
from telusur.models import Block, Explanation
from telusur.run.label_corrections import PageBlocks
from telusur.search.request import SearchRequest
from telusur.web import hit_views, urls
from telusur.web.copies import SANDBOX
from telusur.web.copy_pages import WITH_FRAME
from telusur.web.dates import show_moment
from telusur.web.forms import render_form
from telusur.web.originals import LABELS
from telusur.web.page_params import PAGE_BLOCKS, PAGE_LINKS, PAGE_SCORE
from telusur.web.page_reader import PageReader, page_reader_of
from telusur.web.page_tabs import read_head, view_steps
from telusur.web.params import read_params, read_url
from telusur.web.render import render_html
from telusur.web.text import clean, clean_line

SCORE_DEPTH = 100
"""The hits among which a page is looked for when its score is asked for."""
MOST_ROWS = 30
MOST_OF_A_KIND = 100


@dataclass(slots=True, frozen=True)
class BlockRow:
    """A block as a row of the list."""

    number: int
    label: str
    text: str
    tag: str
    place: str
    is_corrected: bool


async def show_blocks(request: Request) -> Response:
    """Show the blocks of a page drawn into its copy, and a form that puts labels right."""
    wanted = read_params(PAGE_BLOCKS, request.query_params)
    url, page, limit = wanted["url"], wanted["page"], wanted["limit"]
    head, _, _ = await read_head(request, url, urls.PAGE_BLOCKS)
    found = await run_in_threadpool(page_reader_of(request).blocks, url)
    values: dict[str, Any] = {
        **head,
        "url": url,
        "page": page,
        "has_blocks": found is not None and bool(found.blocks),
        "labels": LABELS,
        "rows": view_blocks(found, page, limit),
        "counts": Counter(found.labels if found else ()),
        "corrected": len(found.corrected) if found else 0,
        "steps": view_steps(urls.PAGE_BLOCKS, url, page, limit, len(found.blocks) if found else 0),
        "saved": request.query_params.get("saved") == "1",
        "frame_url": urls.copy_url(url, road=urls.COPY_CONTENT, view="blocks"),
        "sandbox": SANDBOX,
        "may_label": not request.app.state.access.read_only,
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_BLOCKS), url)
    answer = render_form(request, "page_blocks.html", twin, values)
    answer.headers["Content-Security-Policy"] = WITH_FRAME
    return answer


def view_blocks(found: PageBlocks | None, page: int, limit: int) -> list[BlockRow]:
    """Return the blocks of one page of the list."""
    start = (page - 1) * limit
    shown = found.blocks[start : start + limit] if found else ()
    corrected = found.corrected if found else frozenset()
    return [
        _view_block(number, block, number in corrected) for number, block in enumerate(shown, start)
    ]


def _view_block(number: int, block: Block, is_corrected: bool) -> BlockRow:
    tag = clean_line(block.tag_path.rpartition("/")[2], 20)
    place = clean_line(block.selectors or block.tag_path, 300)
    return BlockRow(number, block.label, clean_line(block.text, 300), tag, place, is_corrected)


async def show_links(request: Request) -> Response:
    """Show the links of a page, or those to it, with their words."""
    wanted = read_params(PAGE_LINKS, request.query_params)
    url, side = wanted["url"], wanted["side"]
    head, _, _ = await read_head(request, url, urls.PAGE_LINKS)
    found = await read_links(page_reader_of(request), wanted)
    chosen = {"side": side if side != "out" else "", "after": wanted["after"] or ""}
    standing = None
    if not found.is_whole:
        standing = await run_in_threadpool(page_reader_of(request).standing, url)
    values = {
        **head,
        "side": side,
        "sides": [
            ("out", "Links of this page", urls.of_page(urls.PAGE_LINKS, url)),
            ("in", "Links to this page", urls.of_page(urls.PAGE_LINKS, url, side="in")),
        ],
        "found": found,
        "looked": found.after * 100 // PARTS,
        "counted": standing.links if standing else 0,
        "on_url": look_on_url(urls.PAGE_LINKS, url, found),
        "rows": [_view_link(each) for each in found.links],
        "steps": view_steps(
            urls.PAGE_LINKS, url, wanted["page"], wanted["limit"], found.total, **chosen
        ),
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_LINKS), url, **chosen)
    return render_html(request, "page_links.html", twin, values)


async def read_links(collection: PageReader, wanted: dict[str, Any]) -> LinkPage:
    """Return the links of one side of a page."""
    where = wanted["url"], wanted["page"], wanted["limit"]
    if wanted["side"] == "in":
        return await run_in_threadpool(collection.links_to, *where, wanted["after"])
    return await run_in_threadpool(collection.links_from, *where)


def look_on_url(road: str, url: str, found: LinkPage) -> str | None:
    """Return where the search for links to a page goes on that there was no time for."""
    if found.after >= PARTS:
        return None
    return urls.of_page(road, url, side="in", after=found.after)


def _view_link(link: LinkView) -> dict[str, Any]:
    return {
        "url": clean_line(link.url, 300),
        "address": urls.page_url(link.url) if link.state else urls.live_href(link.url),
        "anchor": clean_line(link.anchor, 200),
        "around": clean_line(link.around, 200),
        "rel": clean_line(link.rel, 60),
        "state": link.state,
        "reason": clean_line(link.reason, 120),
        "status": link.status,
    }


async def show_parts(request: Request) -> Response:
    """Show what a page is made of besides its text."""
    url = read_url(request.query_params)
    head, _, _ = await read_head(request, url, urls.PAGE_PARTS)
    parts = await run_in_threadpool(page_reader_of(request).parts, url)
    values = {**head, "parts": parts, "most": MOST_OF_A_KIND, "most_rows": MOST_ROWS,
              "said": _statements(parts) if parts else []}  # fmt: skip
    twin = urls.of_page(urls.twin_of(urls.PAGE_PARTS), url)
    return render_html(request, "page_parts.html", twin, values)


def _statements(parts: PageParts) -> list[tuple[str, str]]:
    said = parts.metadata
    rows = [
        (name.replace("_", " "), str(getattr(said, name) or ""))
        for name in ("title", "author", "date", "description", "keywords", "canonical",
                     "language", "page_type")
    ]  # fmt: skip
    rows += [(f"meta {name}", ", ".join(values)) for name, values in said.meta.items()]
    return [(clean_line(name, 60), clean_line(value, 400)) for name, value in rows if value]


async def show_record(request: Request) -> Response:
    """Show the record of a page in the archive, when it was fetched, and its copies."""
    url = read_url(request.query_params)
    head, _, _ = await read_head(request, url, urls.PAGE_RECORD)
    collection = page_reader_of(request)
    record = await run_in_threadpool(collection.record, url)
    fetches = await run_in_threadpool(collection.fetches, url)
    values = {
        **head,
        "record": record,
        "fields": _clean_pairs(record.fields) if record else [],
        "headers": _clean_pairs(record.headers) if record else [],
        "status_line": clean_line(record.status_line) if record else "",
        "fetches": [(show_moment(each.fetched_at), each) for each in fetches],
        "download_url": urls.of_page(urls.PAGE_WARC, url),
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_RECORD), url)
    return render_html(request, "page_record.html", twin, values)


def _clean_pairs(pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    return [(clean_line(name, 80), clean(value)[:2000]) for name, value in pairs]


async def send_record(request: Request) -> Response:
    """Send the record as a WARC file of its own."""
    url = read_url(request.query_params)
    data = await run_in_threadpool(page_reader_of(request).record_bytes, url)
    if data is None:
        raise HTTPException(404, f"The archive has no record of {clean_line(url)}")
    headers = {"Content-Disposition": 'attachment; filename="record.warc.gz"'}
    return Response(data, media_type="application/gzip", headers=headers)


async def show_score(request: Request) -> Response:
    """Show how a page stands before any query, and how its score for one comes about."""
    wanted = read_params(PAGE_SCORE, request.query_params)
    url, query = wanted["url"], wanted["query"]
    head, _, story = await read_head(request, url, urls.PAGE_SCORE)
    collection = page_reader_of(request)
    place, tree = await run_in_threadpool(find_score, collection, url, query)
    values = {
        **head,
        "url": url,
        "asked": query,
        "standing": await run_in_threadpool(collection.standing, url),
        "depth": story.depth if story else None,
        "is_indexed": story is not None and story.indexed,
        "place": place,
        "tree": hit_views.tidy_tree(tree) if tree else None,
        "most": SCORE_DEPTH,
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_SCORE), url, q=query)
    return render_html(request, "page_score.html", twin, values)


def find_score(
    collection: PageReader, url: str, query: str
) -> tuple[int | None, Explanation | None]:
    """Return the place of a page among the first hits of a query, and its score tree."""
    if not query:
        return None, None
    document = collection.document(url)
    address = document.url if document and document.url else url
    asked = SearchRequest(query, limit=SCORE_DEPTH, per_site=0, explain=True)
    for place, hit in enumerate(collection.answer(asked).hits, 1):
        if hit.url == address:
            return place, hit.explanation
    return None, None
