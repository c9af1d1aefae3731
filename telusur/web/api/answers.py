"""The JSON responses: each list is inside an object with `ok` and the address of its next page."""

from dataclasses import dataclass, make_dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from telusur.document_table import DOCUMENT_FIELDS
from telusur.documents import as_json
from telusur.models import Document, Story
from telusur.version import __version__
from telusur.web.api.versions import read_versions
from telusur.web.frame import urls
from telusur.web.frame.params import RELATED, read_params, read_search, read_url
from telusur.web.frame.render import JSONAnswer, values_of
from telusur.web.page.reader import page_reader_of
from telusur.web.reader import collection_of
from telusur.web.search.feeds import base_of
from telusur.web.search.pages import SITES_LISTED, read_page
from telusur.web.search.searching import find

# The fields of a document in JSON: all that are stored.
_STORED = tuple(field for field in DOCUMENT_FIELDS if field.is_stored)
StoredDocument = make_dataclass(
    "StoredDocument", [(field.name, field.type) for field in _STORED], frozen=True
)


@dataclass(slots=True, frozen=True)
class SiteCount:
    """A site and how many documents it has."""

    site: str
    documents: int


async def search_json(request: Request) -> Response:
    """Send a page of hits; an empty query finds nothing."""
    found = await find(request, read_search(request.query_params))
    wanted, following = found.wanted, found.after()
    answer = {"ok": True, **values_of(found.results)}
    answer |= {name: getattr(wanted, name) for name in ("per_site", "group", "model")}
    answer["did_you_mean"] = found.results.did_you_mean or None
    address = urls.address_of(urls.SEARCH_JSON, following) if following else ""
    answer["next_url"] = base_of(request) + address if address else None
    return JSONAnswer(answer)


async def page_json(request: Request) -> Response:
    """Send a stored document and the history of its URL; either may be null."""
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
    """Send the pages most similar to a stored page."""
    wanted = read_params(RELATED, request.query_params)
    related = collection_of(request).related
    hits = await run_in_threadpool(related, wanted["url"], wanted["limit"])
    return JSONAnswer({"ok": True, "url": wanted["url"], "hits": hits})


async def sites_json(request: Request) -> Response:
    """Send the sites and their number of documents, largest first."""
    sites = await run_in_threadpool(collection_of(request).sites, SITES_LISTED + 1)
    listed = [SiteCount(*row) for row in sites[:SITES_LISTED]]
    return JSONAnswer({"ok": True, "sites": listed, "has_more": len(sites) > SITES_LISTED})


async def status_json(request: Request) -> Response:
    """Send the progress of the crawl."""
    collection = collection_of(request)
    counts = await run_in_threadpool(collection.counts)
    is_crawling = await run_in_threadpool(collection.is_crawling)
    return JSONAnswer(
        {
            "ok": True,
            "name": collection.name,
            "version": __version__,
            "is_crawling": is_crawling,
            "read_only": request.app.state.crawls is None or request.app.state.access.read_only,
            "found": counts.found,
            **values_of(counts),
        }
    )


async def versions_json(request: Request) -> Response:
    """Send the versions of Telusur and the libraries it uses."""
    return JSONAnswer({"ok": True, **read_versions()})


def describe_document(document: Document) -> dict[str, Any]:
    """Return a document for JSON, without its links and blocks."""
    return {field.name: as_json(getattr(document, field.name)) for field in _STORED}


def describe_story(story: Story) -> dict[str, Any]:
    """Return the history of a URL for JSON."""
    return values_of(story)
