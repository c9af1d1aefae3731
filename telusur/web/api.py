"""The same as JSON: every list inside an object that says `ok`, and where its next page is."""

from dataclasses import asdict
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

import telusur
from telusur.models import Document, Hit, SearchResults, Story
from telusur.web import urls
from telusur.web.pages import SITES_LISTED, collection_of, read_page
from telusur.web.params import SearchRequest, read_search, read_url
from telusur.web.render import JSONAnswer
from telusur.web.versions import read_versions
from telusur.web.views import last_page


async def search_json(request: Request) -> Response:
    """Answer a page of hits; an empty query finds nothing."""
    wanted = read_search(request.query_params)
    results = SearchResults(wanted.query, 0, (), wanted.page, wanted.limit)
    if wanted.query:
        search = collection_of(request).search
        results = await run_in_threadpool(search, wanted.query, wanted.page, wanted.limit)
    return JSONAnswer(
        {
            "ok": True,
            "query": wanted.query,
            "understood": results.understood,
            "did_you_mean": results.did_you_mean or None,
            "total": results.total,
            "page": wanted.page,
            "limit": wanted.limit,
            "seconds": results.seconds,
            "hits": [describe_hit(hit) for hit in results.hits],
            "next_url": _next_url(request, wanted, results),
        }
    )


async def page_json(request: Request) -> Response:
    """Answer a stored document and the story of its URL; either may be null."""
    url = read_url(request.query_params)
    document, story = await read_page(collection_of(request), url)
    return JSONAnswer(
        {
            "ok": True,
            "url": url,
            "document": describe_document(document) if document else None,
            "story": describe_story(story) if story else None,
        }
    )


async def sites_json(request: Request) -> Response:
    """Answer the sites and their number of documents, the largest first."""
    sites = await run_in_threadpool(collection_of(request).sites, SITES_LISTED + 1)
    listed = [{"site": site, "documents": documents} for site, documents in sites[:SITES_LISTED]]
    return JSONAnswer({"ok": True, "sites": listed, "has_more": len(sites) > SITES_LISTED})


async def status_json(request: Request) -> Response:
    """Answer how far the crawl is."""
    collection = collection_of(request)
    counts = await run_in_threadpool(collection.counts)
    is_crawling = await run_in_threadpool(collection.is_crawling)
    return JSONAnswer(
        {
            "ok": True,
            "name": collection.name,
            "version": telusur.__version__,
            "is_crawling": is_crawling,
            "found": counts.found,
            **asdict(counts),
        }
    )


async def versions_json(request: Request) -> Response:
    """Answer the versions of Telusur and of the libraries under it."""
    return JSONAnswer({"ok": True, **read_versions()})


def describe_hit(hit: Hit) -> dict[str, Any]:
    """Return a hit as JSON shows it."""
    return {
        "url": hit.url,
        "title": hit.title,
        "snippet": hit.snippet,
        "marks": [list(mark) for mark in hit.marks],
        "score": hit.score,
        "site": hit.site,
        "language": hit.language,
        "date": hit.date,
    }


def describe_document(document: Document) -> dict[str, Any]:
    """Return a document as JSON shows it, without its links and blocks."""
    names = (
        "url", "title", "author", "date", "description", "keywords", "text", "language",
        "page_type", "fields",
    )  # fmt: skip
    return {name: getattr(document, name) for name in names}


def describe_story(story: Story) -> dict[str, Any]:
    """Return the story of a URL as JSON shows it."""
    return {**asdict(story), "events": [asdict(event) for event in story.events]}


def _next_url(request: Request, wanted: SearchRequest, results: SearchResults) -> str | None:
    if wanted.page >= last_page(results):
        return None
    path = urls.search_json_url(wanted.query, wanted.page + 1, wanted.limit)
    return str(request.base_url).rstrip("/") + path
