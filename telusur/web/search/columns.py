"""Search in columns of the catalogue, as a page with a form and as JSON."""

from dataclasses import asdict, dataclass, replace
from threading import BoundedSemaphore
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from telusur.search.columns import COLUMNS, LONGEST_WORDS, ColumnHit, ColumnRequest, ColumnResults
from telusur.web.frame import urls
from telusur.web.frame.crumbs import Crumbs, read_crumbs
from telusur.web.frame.params import MAX_PAGE, BadRequestError, read_column_search
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.frame.text import TextPiece, clean_line, language_tag, mark_pieces
from telusur.web.search.feeds import base_of
from telusur.web.search.searching import collection_of

# All documents are read one by one; after this time the visitor gets the hits so far.
SEARCH_SECONDS = 5.0
# More searches at once would slow down ordinary searches.
AT_ONCE = 2
_running = BoundedSemaphore(AT_ONCE)


@dataclass(slots=True, frozen=True)
class ColumnHitView:
    """A matching document, and where it matches."""

    title: str
    stored_url: str
    crumbs: Crumbs
    language: str
    matches: list[tuple[str, list[TextPiece]]]


async def columns_json(request: Request) -> Response:
    """Send a page of the documents with a match in the columns."""
    wanted = read_column_search(request.query_params, SEARCH_SECONDS)
    if not wanted.words:
        raise BadRequestError("Nothing to search for; give plain=WORDS or regex=PATTERN.")
    results = await _find(request, wanted)
    following = _at(wanted, results, wanted.page + 1)
    address = urls.columns_url(following, urls.COLUMNS_JSON) if following else ""
    next_url = base_of(request) + address if address else None
    return JSONAnswer({"ok": True, **asdict(results), "next_url": next_url})


async def show_columns(request: Request) -> Response:
    """Show the form and the hits."""
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
        sentence = f"Too many searches in columns are running ({AT_ONCE}); try again in a moment."
        raise HTTPException(429, sentence, {"Retry-After": "2"})
    try:
        return await run_in_threadpool(collection_of(request).answer_columns, wanted)
    finally:
        _running.release()


def _at(wanted: ColumnRequest, results: ColumnResults | None, page: int) -> ColumnRequest | None:
    """Return the search for another page, or None if there is no such page."""
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
