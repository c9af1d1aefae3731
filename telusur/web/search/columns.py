"""Search in columns of the catalogue, as a page with a form and as JSON."""

from dataclasses import asdict, dataclass, replace
from threading import BoundedSemaphore
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.search.columns import COLUMNS, LONGEST_WORDS, ColumnHit, ColumnRequest, ColumnResults
from telusur.web import urls
from telusur.web.crumbs import Crumbs, read_crumbs
from telusur.web.feeds import base_of
from telusur.web.params import MAX_PAGE, BadRequestError, read_column_search
from telusur.web.render import JSONAnswer, render_html
from telusur.web.searching import collection_of
from telusur.web.text import Piece, clean_line, language_tag, mark_pieces

SEARCH_SECONDS = 5.0
"""All documents are looked at, one by one; a visitor gets what was found by then."""
AT_ONCE = 2
"""More would take the processors from those who search by the index."""
_running = BoundedSemaphore(AT_ONCE)


@dataclass(slots=True, frozen=True)
class ColumnHitView:
    """A document that fits, and where."""

    title: str
    stored_url: str
    crumbs: Crumbs
    language: str
    matches: list[tuple[str, list[Piece]]]


async def columns_json(request: Request) -> Response:
    """Answer a page of the documents that have something in one of some columns."""
    wanted = read_column_search(request.query_params, SEARCH_SECONDS)
    if not wanted.words:
        raise BadRequestError("Say what to look for: plain=WORDS, or regex=PATTERN.")
    results = await _find(request, wanted)
    following = _at(wanted, results, wanted.page + 1)
    address = urls.columns_url(following, urls.COLUMNS_JSON) if following else ""
    next_url = base_of(request) + address if address else None
    return JSONAnswer({"ok": True, **asdict(results), "next_url": next_url})


async def show_columns(request: Request) -> Response:
    """Show the form, and what was found."""
    wanted = read_column_search(request.query_params, SEARCH_SECONDS)
    results = await _find(request, wanted) if wanted.words else None
    values: dict[str, Any] = {
        "wanted": wanted,
        "columns": COLUMNS,
        "longest": LONGEST_WORDS,
        "results": results,
        "hits": [_view_hit(hit) for hit in results.hits] if results else [],
        "too_long": [clean_line(url, 100) for url in results.too_long] if results else [],
        "previous_url": _link(wanted, results, wanted.page - 1),
        "next_url": _link(wanted, results, wanted.page + 1),
        "first_url": urls.columns_url(replace(wanted, page=1)),
    }
    twin = urls.columns_url(wanted, urls.COLUMNS_JSON) if wanted.words else None
    return render_html(request, "columns.html", twin, values)


async def _find(request: Request, wanted: ColumnRequest) -> ColumnResults:
    if not _running.acquire(blocking=False):
        sentence = f"{AT_ONCE} searches in columns are running; try again in a moment."
        raise HTTPException(429, sentence, {"Retry-After": "2"})
    try:
        return await run_in_threadpool(collection_of(request).answer_columns, wanted)
    finally:
        _running.release()


def _at(wanted: ColumnRequest, results: ColumnResults | None, page: int) -> ColumnRequest | None:
    """Return the search for another page, or None where there is none."""
    pages = -(-results.total // wanted.limit) if results else 0
    return replace(wanted, page=page) if 1 <= page <= min(pages, MAX_PAGE) else None


def _link(wanted: ColumnRequest, results: ColumnResults | None, page: int) -> str | None:
    there = _at(wanted, results, page)
    return urls.columns_url(there) if there else None


def _view_hit(hit: ColumnHit) -> ColumnHitView:
    return ColumnHitView(
        title=clean_line(hit.title) or clean_line(hit.url, 80),
        stored_url=urls.page_url(hit.url),
        crumbs=read_crumbs(hit.url),
        language=language_tag(hit.language),
        matches=[(match.column, mark_pieces(match.excerpt, [match.mark])) for match in hit.matches],
    )
