"""The pages people see. Each reads the collection in a thread and fills one template."""

import asyncio
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from telusur.encoders.by_name import installed_models
from telusur.models import Document, Story
from telusur.web.api.versions import read_versions
from telusur.web.frame import urls, views
from telusur.web.frame.params import WHY, read_params, read_search
from telusur.web.frame.render import STATIC_FOLDER, render_html
from telusur.web.frame.shelf_pages import show_shelf
from telusur.web.frame.site_colours import hues_of
from telusur.web.frame.text import clean_line
from telusur.web.reader import CollectionReader, collection_of, find_collection
from telusur.web.search import hit_views, narrowing
from telusur.web.search.searching import find

SITES_ON_HOME = 8
SITES_LISTED = 500


async def show_home(request: Request) -> Response:
    """Show the search box, the progress of the crawl, and the largest sites."""
    if find_collection(request) is None:
        return await show_shelf(request)
    collection = collection_of(request)
    counts, is_crawling, sites = await asyncio.gather(
        run_in_threadpool(collection.counts),
        run_in_threadpool(collection.is_crawling),
        run_in_threadpool(collection.sites, SITES_ON_HOME + 1),
    )
    values: dict[str, Any] = {
        "counts": counts,
        "states": views.share_states(counts),
        "sites": views.share_sites(sites[:SITES_ON_HOME], hues_of(collection)),
        "has_more_sites": len(sites) > SITES_ON_HOME,
        "is_crawling": is_crawling,
        "directory": clean_line(collection.address),
        "crawl_url": urls.crawl_url(collection.name),
        "new_url": urls.new_crawl_url(collection.name),
    }
    return render_html(request, "home.html", urls.STATUS_JSON, values)


async def show_search(request: Request) -> Response:
    """Show a page of hits with facets, or what to try when there are none."""
    wanted = read_search(request.query_params)
    why = read_params((WHY,), request.query_params)["why"]
    twin = urls.address_of(urls.SEARCH_JSON, wanted)
    values: dict[str, Any] = {"query": wanted.query, "kept": hit_views.view_kept(wanted)}
    if not wanted.query:
        return render_html(request, "search_empty.html", twin, values)
    asked = replace(wanted, facets=narrowing.PAGE_FACETS, explain=wanted.explain or bool(why))
    found = await find(request, wanted, asked)
    results, documents = found.results, 0
    if not results.hits:
        documents = (await run_in_threadpool(collection_of(request).counts)).documents
    values |= {
        "results": results,
        "hits": hit_views.view_hits(found, why),
        "topics": [hit_views.view_topic(group, found) for group in results.groups],
        "wanted_topics": wanted.group == "topic",
        "topics_url": urls.address_of(urls.SEARCH, replace(wanted, group="topic", page=1)),
        "list_url": urls.address_of(urls.SEARCH, replace(wanted, group="", page=1)),
        "meaning": hit_views.view_meaning(found, installed_models()),
        "paging": hit_views.view_paging(found),
        "facets": narrowing.view_facets(wanted, results.facets),
        "chips": narrowing.view_chips(wanted),
        "histogram": narrowing.view_histogram(wanted, results.facets),
        "first_url": urls.address_of(urls.SEARCH, replace(wanted, page=1)),
        "meant_url": urls.address_of(
            urls.SEARCH, replace(wanted, query=results.did_you_mean, page=1, as_of=None)
        ),
        "feed_url": urls.feed_url(wanted.query),
        "documents": documents,
    }
    return render_html(request, "search.html", twin, values)


async def read_page(collection: CollectionReader, url: str) -> tuple[Document | None, Story | None]:
    """Return the document and the history of a URL, or raise 404 if there is neither."""
    document, story = await asyncio.gather(
        run_in_threadpool(collection.document, url), run_in_threadpool(collection.why, url)
    )
    if document is None and story is None:
        raise HTTPException(404, f"This collection does not know {clean_line(url)}")
    return document, story


async def show_about(request: Request) -> Response:
    """Show what Telusur is, its keyboard shortcuts and its version."""
    return render_html(request, "about.html", urls.VERSIONS_JSON, {"versions": read_versions()})


async def send_favicon(request: Request) -> Response:
    """Send the icon of Telusur."""
    return FileResponse(STATIC_FOLDER / "favicon.svg", media_type="image/svg+xml")
