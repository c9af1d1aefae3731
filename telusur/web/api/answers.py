"""The same as JSON: every list inside an object that says `ok`, and where its next page is."""

from dataclasses import dataclass, fields
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

import telusur
from telusur.models import Document, Story
from telusur.web import urls
from telusur.web.feeds import base_of
from telusur.web.page_reader import page_reader_of
from telusur.web.pages import SITES_LISTED, read_page
from telusur.web.params import RELATED, read_params, read_search, read_url
from telusur.web.reader import collection_of
from telusur.web.render import JSONAnswer, values_of
from telusur.web.searching import find
from telusur.web.versions import read_versions


@dataclass(slots=True, frozen=True)
class StoredDocument:
    """What JSON shows of a document."""

    url: str
    title: str
    author: str | None
    date: str | None
    description: str
    keywords: str
    text: str
    language: str
    page_type: str
    fields: dict[str, Any]


@dataclass(slots=True, frozen=True)
class SiteCount:
    """A site and how many documents it has."""

    site: str
    documents: int


async def search_json(request: Request) -> Response:
    """Answer a page of hits; an empty query finds nothing."""
    found = await find(request, read_search(request.query_params))
    wanted, following = found.wanted, found.after()
    answer = {"ok": True, **values_of(found.results)}
    answer |= {name: getattr(wanted, name) for name in ("per_site", "group", "model")}
    answer["did_you_mean"] = found.results.did_you_mean or None
    address = urls.address_of(urls.SEARCH_JSON, following) if following else ""
    answer["next_url"] = base_of(request) + address if address else None
    return JSONAnswer(answer)


async def page_json(request: Request) -> Response:
    """Answer a stored document and the story of its URL; either may be null."""
    url = read_url(request.query_params)
    document, story = await read_page(collection_of(request), url)
    copies = await run_in_threadpool(page_reader_of(request).copies_of, url)
    return JSONAnswer(
        {
            "ok": True,
            "url": url,
            "document": describe_document(document) if document else None,
            "story": describe_story(story) if story else None,
            "copies": list(copies),
        }
    )


async def related_json(request: Request) -> Response:
    """Answer the pages most like a stored page."""
    wanted = read_params(RELATED, request.query_params)
    related = collection_of(request).related
    hits = await run_in_threadpool(related, wanted["url"], wanted["limit"])
    return JSONAnswer({"ok": True, "url": wanted["url"], "hits": hits})


async def sites_json(request: Request) -> Response:
    """Answer the sites and their number of documents, the largest first."""
    sites = await run_in_threadpool(collection_of(request).sites, SITES_LISTED + 1)
    listed = [SiteCount(*row) for row in sites[:SITES_LISTED]]
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
            "read_only": request.app.state.crawls is None or request.app.state.access.read_only,
            "found": counts.found,
            **values_of(counts),
        }
    )


async def versions_json(request: Request) -> Response:
    """Answer the versions of Telusur and of the libraries under it."""
    return JSONAnswer({"ok": True, **read_versions()})


def describe_document(document: Document) -> dict[str, Any]:
    """Return a document as JSON shows it, without its links and blocks."""
    return {each.name: getattr(document, each.name) for each in fields(StoredDocument)}


def describe_story(story: Story) -> dict[str, Any]:
    """Return the story of a URL as JSON shows it."""
    return values_of(story)
