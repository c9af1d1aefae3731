"""The first view of a page: its document, and the history of its URL."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from telusur.web.frame import urls, views
from telusur.web.frame.forms import render_form
from telusur.web.frame.params import read_url
from telusur.web.frame.render import render_html
from telusur.web.frame.text import clean_line
from telusur.web.page.reader import page_reader_of
from telusur.web.page.tabs import read_head

RELATED_LISTED = 5
COPIES_LISTED = 5


async def show_page(request: Request) -> Response:
    """Show a stored document, related pages, and the history of its URL."""
    url = read_url(request.query_params)
    head, document, story = await read_head(request, url, urls.PAGE)
    collection = page_reader_of(request)
    alike = await run_in_threadpool(collection.related, url, RELATED_LISTED) if document else ()
    copies = await run_in_threadpool(collection.copies_of, url)
    values: dict[str, Any] = {
        **head,
        "related": [(hit.title or hit.url, hit.language, urls.page_url(hit.url)) for hit in alike],
        "copies": [
            (clean_line(each.url, 120), each.how, urls.page_url(each.url))
            for each in copies[:COPIES_LISTED]
        ],
        "more_copies": max(0, len(copies) - COPIES_LISTED),
        "map_url": urls.around_url(url) if story and story.state == "done" else "",
        "document": views.view_document(document) if document else None,
        "story": views.view_story(story) if story else None,
    }
    values["has_marks"] = not request.app.state.access.read_only
    if not values["has_marks"]:
        return render_html(request, "page.html", urls.page_json_url(url), values)
    values |= {"url": url, "mark": await run_in_threadpool(collection.mark_of, url)}
    return render_form(request, "page.html", urls.page_json_url(url), values)
