"""The pages people see. Each reads the collection in a thread and fills one template."""

import asyncio
from typing import Any, cast

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from telusur.models import Document, Story
from telusur.web import urls, views
from telusur.web.crumbs import read_crumbs
from telusur.web.params import read_search, read_url
from telusur.web.reader import CollectionReader
from telusur.web.render import STATIC_FOLDER, render_html, render_text
from telusur.web.text import clean_line
from telusur.web.versions import read_versions

SITES_ON_HOME = 8
SITES_LISTED = 500


def collection_of(request: Request) -> CollectionReader:
    """Return the collection this application shows."""
    return cast(CollectionReader, request.app.state.collection)


async def show_home(request: Request) -> Response:
    """Show the search box, how far the crawl is, and the largest sites."""
    collection = collection_of(request)
    counts, is_crawling, sites = await asyncio.gather(
        run_in_threadpool(collection.counts),
        run_in_threadpool(collection.is_crawling),
        run_in_threadpool(collection.sites, SITES_ON_HOME + 1),
    )
    values: dict[str, Any] = {
        "counts": counts,
        "states": views.share_states(counts),
        "sites": views.share_sites(sites[:SITES_ON_HOME]),
        "has_more_sites": len(sites) > SITES_ON_HOME,
        "is_crawling": is_crawling,
        "directory": clean_line(str(collection.directory)),
    }
    return render_html(request, "home.html", urls.STATUS_JSON, values)


async def show_search(request: Request) -> Response:
    """Show a page of hits, or what to do when there are none."""
    collection = collection_of(request)
    wanted = read_search(request.query_params)
    twin = urls.search_json_url(wanted.query, wanted.page, wanted.limit)
    values: dict[str, Any] = {"query": wanted.query, "limit": wanted.limit}
    if not wanted.query:
        return render_html(request, "search_empty.html", twin, values)
    results = await run_in_threadpool(collection.search, wanted.query, wanted.page, wanted.limit)
    values |= {
        "results": results,
        "hits": [views.view_hit(hit, wanted.query) for hit in results.hits],
        "paging": views.view_paging(wanted.query, results),
        "first_url": urls.search_url(wanted.query, 1, wanted.limit),
        "meant_url": urls.search_url(results.did_you_mean, 1, wanted.limit),
        "documents": 0 if results.hits else (await run_in_threadpool(collection.counts)).documents,
    }
    return render_html(request, "search.html", twin, values)


async def show_page(request: Request) -> Response:
    """Show a stored document and the story of its URL."""
    url = read_url(request.query_params)
    document, story = await read_page(collection_of(request), url)
    address = document.url if document and document.url else story.url if story else url
    values: dict[str, Any] = {
        "title": views.title_of(address, document, story),
        "crumbs": read_crumbs(address),
        "href": urls.live_href(address),
        "document": views.view_document(document) if document else None,
        "story": views.view_story(story) if story else None,
    }
    return render_html(request, "page.html", urls.page_json_url(url), values)


async def read_page(collection: CollectionReader, url: str) -> tuple[Document | None, Story | None]:
    """Return the document and the story of a URL, or raise 404 where there is neither."""
    document, story = await asyncio.gather(
        run_in_threadpool(collection.document, url), run_in_threadpool(collection.why, url)
    )
    if document is None and story is None:
        raise HTTPException(404, f"This collection has never heard of {clean_line(url)}")
    return document, story


async def show_sites(request: Request) -> Response:
    """Show the sites of the collection, the largest first."""
    sites = await run_in_threadpool(collection_of(request).sites, SITES_LISTED + 1)
    values: dict[str, Any] = {
        "sites": views.share_sites(sites[:SITES_LISTED]),
        "has_more_sites": len(sites) > SITES_LISTED,
    }
    return render_html(request, "sites.html", urls.SITES_JSON, values)


async def show_about(request: Request) -> Response:
    """Show what this is, its keys and its version."""
    return render_html(request, "about.html", urls.VERSIONS_JSON, {"versions": read_versions()})


async def send_opensearch(request: Request) -> Response:
    """Send the description with which a browser adds this collection to its search engines."""
    collection = clean_line(collection_of(request).name, 40)
    base = str(request.base_url).rstrip("/")
    body = render_text("opensearch.xml", base=base, collection=collection)
    return Response(body, media_type="application/opensearchdescription+xml")


async def send_favicon(request: Request) -> Response:
    """Send the sign of the house."""
    return FileResponse(STATIC_FOLDER / "favicon.svg", media_type="image/svg+xml")
