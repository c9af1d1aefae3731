"""The pages people see. Each reads the collection in a thread and fills one template."""

import asyncio
from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from telusur.adapters.encoders import installed_models
from telusur.models import Document, Story
from telusur.web import hit_views, narrowing, urls, views
from telusur.web.copies import CONTENT_HEADERS, SANDBOX, write_copy
from telusur.web.crumbs import read_crumbs
from telusur.web.params import COPY, WHY, read_params, read_search, read_url
from telusur.web.reader import CollectionReader, collection_of, find_collection
from telusur.web.render import STATIC_FOLDER, render_html
from telusur.web.searching import find
from telusur.web.security import SECURITY_HEADERS
from telusur.web.shelf_pages import show_shelf
from telusur.web.text import clean_line
from telusur.web.versions import read_versions

SITES_ON_HOME = 8
RELATED_LISTED = 5
SITES_LISTED = 500


# The page around a stored copy may have a frame, and only of ours.
_WITH_FRAME = f"{SECURITY_HEADERS['Content-Security-Policy']}; frame-src 'self'"


async def show_home(request: Request) -> Response:
    """Show the search box, how far the crawl is, and the largest sites."""
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
        "sites": views.share_sites(sites[:SITES_ON_HOME]),
        "has_more_sites": len(sites) > SITES_ON_HOME,
        "is_crawling": is_crawling,
        "directory": clean_line(str(collection.directory)),
        "crawl_url": urls.crawl_url(collection.name),
        "new_url": urls.new_crawl_url(collection.name),
    }
    return render_html(request, "home.html", urls.STATUS_JSON, values)


async def show_search(request: Request) -> Response:
    """Show a page of hits with ways to narrow them, or what to do when there are none."""
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
        "hits": [hit_views.view_hit(hit, found, n, why) for n, hit in enumerate(results.hits, 1)],
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


async def show_page(request: Request) -> Response:
    """Show a stored document and the story of its URL."""
    url = read_url(request.query_params)
    document, story = await read_page(collection_of(request), url)
    address = document.url if document and document.url else story.url if story else url
    related = collection_of(request).related
    alike = await run_in_threadpool(related, url, RELATED_LISTED) if document else ()
    values: dict[str, Any] = {
        "related": [(hit.title or hit.url, hit.language, urls.page_url(hit.url)) for hit in alike],
        "title": views.title_of(address, document, story),
        "address": address,
        "crumbs": read_crumbs(address),
        "href": urls.live_href(address),
        "copy_url": urls.copy_url(url),
        "document": views.view_document(document) if document else None,
        "story": views.view_story(story) if story else None,
    }
    return render_html(request, "page.html", urls.page_json_url(url), values)


async def show_copy(request: Request) -> Response:
    """Show the stored copy of a page in a frame, and above it when it was fetched."""
    wanted = read_params(COPY, request.query_params)
    url, query = wanted["url"], wanted["query"]
    document, story = await read_page(collection_of(request), url)
    address = document.url if document and document.url else url
    values: dict[str, Any] = {
        "query": query,
        "title": views.title_of(address, document, story),
        "crumbs": read_crumbs(address),
        "href": urls.live_href(address),
        "stored_url": urls.page_url(url),
        "unmarked_url": urls.copy_url(url),
        "content_url": urls.copy_url(url, query, urls.COPY_CONTENT),
        "sandbox": SANDBOX,
        "fetched_at": views.when_fetched(story) if story else None,
        "has_copy": document is not None,
    }
    answer = render_html(request, "copy.html", urls.page_json_url(url), values)
    answer.headers["Content-Security-Policy"] = _WITH_FRAME
    return answer


async def send_copy(request: Request) -> Response:
    """Send what stands in the frame: no scripts, no images, nothing from the network."""
    wanted = read_params(COPY, request.query_params)
    url, query = wanted["url"], wanted["query"]
    written = await run_in_threadpool(write_copy, collection_of(request), url, query)
    if written is None:
        raise HTTPException(404, f"This collection has no copy of {clean_line(url)}")
    return HTMLResponse(written.encode("utf-8", "replace"), headers=CONTENT_HEADERS)


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


async def send_favicon(request: Request) -> Response:
    """Send the sign of the house."""
    return FileResponse(STATIC_FOLDER / "favicon.svg", media_type="image/svg+xml")
