"""The views of one page beyond its text: blocks, links, parts, record, score."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.crawl.urls.identity import parse_url, site_of
from telusur.document_table import METADATA_FIELDS
from telusur.extract.writing.part_records import PageParts
from telusur.models import Block, Explanation
from telusur.reports.label_corrections import PageBlocks
from telusur.search.request import SearchRequest
from telusur.store.views import LinkPage, LinkView
from telusur.web.frame import urls
from telusur.web.frame.dates import show_moment
from telusur.web.frame.forms import render_form
from telusur.web.frame.params import read_params, read_url
from telusur.web.frame.render import render_html
from telusur.web.frame.text import clean, clean_line
from telusur.web.guard.access import standing_of
from telusur.web.page.copies import SANDBOX
from telusur.web.page.copy_pages import WITH_FRAME
from telusur.web.page.outlines import LABELS
from telusur.web.page.params import PAGE_BLOCKS, PAGE_LINKS, PAGE_SCORE
from telusur.web.page.reader import StoredPageReader, page_reader_of
from telusur.web.page.tabs import read_head, view_steps
from telusur.web.reader import collection_of
from telusur.web.search import hit_views

# How many hits are searched for a page when its score is asked for.
SCORE_DEPTH = 100
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
    # What other pages of the site say about it.
    on_site: str


async def show_blocks(request: Request) -> Response:
    """Show the blocks of a page outlined in its copy, and a form to correct labels."""
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
        "may_label": standing_of(request).may_act,
        "clusters_url": clusters_url(url),
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_BLOCKS), url)
    answer = render_form(request, "page_blocks.html", twin, values)
    answer.headers["Content-Security-Policy"] = WITH_FRAME
    return answer


def clusters_url(url: str) -> str:
    """Return the address of the same page with the clusters of its site; "" for a broken URL."""
    parsed = parse_url(url)
    return urls.of_site(urls.SITE_CLUSTER_PAGE, site_of(parsed), url=url) if parsed else ""


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
    text = clean_line(block.text, 300)
    return BlockRow(number, block.label, text, tag, place, is_corrected, block.on_site)


async def show_links(request: Request) -> Response:
    """Show the links of a page, or the links to it, with their texts."""
    wanted = read_params(PAGE_LINKS, request.query_params)
    url, side = wanted["url"], wanted["side"]
    head, _, _ = await read_head(request, url, urls.PAGE_LINKS)
    found = await read_links(page_reader_of(request), wanted)
    chosen = {"side": side if side != "out" else "", "after": wanted["after"]}
    standing = None
    if not found.is_whole:
        standing = await run_in_threadpool(page_reader_of(request).standing, url)
    values = {
        **head,
        "side": side,
        "sides": [
            ("out", "Links on this page", urls.of_page(urls.PAGE_LINKS, url)),
            ("in", "Links to this page", urls.of_page(urls.PAGE_LINKS, url, side="in")),
        ],
        "found": found,
        "searched": int(found.searched * 100),
        "counted": standing.links if standing else 0,
        "on_url": look_on_url(urls.PAGE_LINKS, url, wanted["limit"], found),
        "rows": [_view_link(each) for each in found.links],
        "steps": view_steps(
            urls.PAGE_LINKS, url, wanted["page"], wanted["limit"], found.total, **chosen
        ),
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_LINKS), url, **chosen)
    return render_html(request, "page_links.html", twin, values)


async def read_links(collection: StoredPageReader, wanted: dict[str, Any]) -> LinkPage:
    """Return the links of one side of a page."""
    where = wanted["url"], wanted["page"], wanted["limit"]
    if wanted["side"] == "in":
        return await run_in_threadpool(collection.links_to, *where, wanted["after"])
    return await run_in_threadpool(collection.links_from, *where)


def look_on_url(road: str, url: str, limit: int, found: LinkPage) -> str | None:
    """Return the address that continues a search for links which ran out of time."""
    if found.after is None:
        return None
    return urls.of_page(road, url, limit=limit, side="in", after=found.after)


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
    """Show the parts of a page besides its text."""
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
        (row.name.replace("_", " "), "yes" if value is True else str(value))
        for row in METADATA_FIELDS
        if (value := getattr(said, row.name))
    ]
    rows += [(f"meta {name}", ", ".join(values)) for name, values in said.meta.items()]
    return [(clean_line(name, 60), clean_line(value, 400)) for name, value in rows if value]


async def show_record(request: Request) -> Response:
    """Show the archive record of a page, its fetches, and its duplicates."""
    url = read_url(request.query_params)
    head, _, story = await read_head(request, url, urls.PAGE_RECORD)
    collection = page_reader_of(request)
    record = await run_in_threadpool(collection.record, url)
    fetches = await run_in_threadpool(collection.fetches, url)
    values = {
        **head,
        "record": record,
        "fields": _clean_pairs(record.fields) if record else [],
        "headers": _clean_pairs(record.headers) if record else [],
        "status_line": clean_line(record.status_line) if record else "",
        "operations": story.operations if story else {},
        "fetches": [(show_moment(each.fetched_at), each) for each in fetches],
        "download_url": urls.of_page(urls.PAGE_WARC, url),
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_RECORD), url)
    return render_html(request, "page_record.html", twin, values)


def _clean_pairs(pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    return [(clean_line(name, 80), clean(value)[:2000]) for name, value in pairs]


async def send_record(request: Request) -> Response:
    """Send the record as a WARC file."""
    url = read_url(request.query_params)
    data = await run_in_threadpool(page_reader_of(request).record_bytes, url)
    if data is None:
        raise HTTPException(404, f"The archive has no record of {clean_line(url)}")
    headers = {"Content-Disposition": 'attachment; filename="record.warc.gz"'}
    return Response(data, media_type="application/gzip", headers=headers)


async def show_score(request: Request) -> Response:
    """Show the static rank of a page, and how its score for a query is calculated."""
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
        "documents": (await run_in_threadpool(collection_of(request).counts)).documents,
        "depth": story.depth if story else None,
        "is_indexed": story is not None and story.indexed,
        "place": place,
        "tree": hit_views.tidy_tree(tree) if tree else None,
        "most": SCORE_DEPTH,
    }
    twin = urls.of_page(urls.twin_of(urls.PAGE_SCORE), url, q=query)
    return render_html(request, "page_score.html", twin, values)


def find_score(
    collection: StoredPageReader, url: str, query: str
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
