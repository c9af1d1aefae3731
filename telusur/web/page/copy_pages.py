"""The stored copy of a page, in a frame: its content, or its original layout."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from telusur.web.frame import urls, views
from telusur.web.frame.crumbs import read_crumbs
from telusur.web.frame.params import read_params
from telusur.web.frame.render import render_html
from telusur.web.frame.text import clean_line
from telusur.web.guard.security import SECURITY_HEADERS
from telusur.web.page.copies import CONTENT_HEADERS, SANDBOX, write_copy
from telusur.web.page.originals import ORIGINAL_HEADERS, write_original
from telusur.web.page.outlines import outline_labels
from telusur.web.page.params import COPY
from telusur.web.page.reader import StoredPageReader, page_reader_of
from telusur.web.search.pages import read_page

# The page around a stored copy may have a frame, from our server only.
WITH_FRAME = f"{SECURITY_HEADERS['Content-Security-Policy']}; frame-src 'self'"


async def show_copy(request: Request) -> Response:
    """Show the stored copy of a page in a frame, with the time it was fetched."""
    wanted = read_params(COPY, request.query_params)
    url, query, view = wanted["url"], wanted["query"], wanted["view"]
    document, story = await read_page(page_reader_of(request), url)
    address = document.url if document and document.url else url
    values: dict[str, Any] = {
        "query": query,
        "title": views.title_of(address, document, story),
        "crumbs": read_crumbs(address),
        "href": urls.live_href(address),
        "stored_url": urls.page_url(url),
        "unmarked_url": urls.copy_url(url, view=_named(view)),
        "content_url": urls.copy_url(url, query, urls.COPY_CONTENT, _named(view)),
        "views": [
            (name, text, urls.copy_url(url, query, view=_named(name)), name == view)
            for name, text in (("content", "Content"), ("original", "Original"))
        ],
        "sandbox": SANDBOX,
        "fetched_at": views.when_fetched(story) if story else None,
        "has_copy": document is not None,
    }
    answer = render_html(request, "copy.html", urls.page_json_url(url), values)
    answer.headers["Content-Security-Policy"] = WITH_FRAME
    return answer


def _named(view: str) -> str:
    """Return the name of a view in an address; the first view has none."""
    return "" if view == "content" else view


async def send_copy(request: Request) -> Response:
    """Send the content of the frame: no script, and nothing from the network."""
    wanted = read_params(COPY, request.query_params)
    url, query, view = wanted["url"], wanted["query"], wanted["view"]
    collection = page_reader_of(request)
    written, headers = None, ORIGINAL_HEADERS
    if view == "blocks":
        written = await run_in_threadpool(_write_blocks, collection, url)
    elif view == "original":
        written = await run_in_threadpool(write_original, collection, url, query)
    if written is None:  # also for a document that has only text, and no page
        written, headers = (
            await run_in_threadpool(write_copy, collection, url, query),
            CONTENT_HEADERS,
        )
    if written is None:
        raise HTTPException(404, f"This collection has no copy of {clean_line(url)}")
    return HTMLResponse(written.encode("utf-8", "replace"), headers=headers)


def _write_blocks(collection: StoredPageReader, url: str) -> str | None:
    found = collection.blocks(url)
    if found is None:
        return None
    return write_original(collection, url, outline=outline_labels(found.labels))
