"""For browsers and feed readers: OpenSearch, suggestions, and a query as a feed."""

from html import escape
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from telusur.models import Hit
from telusur.search.help.completion import Suggestion
from telusur.search.request import SearchRequest
from telusur.web.frame import urls
from telusur.web.frame.dates import mail_date
from telusur.web.frame.params import FEED, SUGGEST, read_params
from telusur.web.frame.render import JSONAnswer, render_text
from telusur.web.frame.text import clean, clean_line, mark_pieces
from telusur.web.reader import collection_of
from telusur.web.search.searching import find

#: OpenSearch 1.1 allows a ShortName of 16 characters and a LongName of 48.
MOST_SHORT_NAME = 16


async def send_opensearch(request: Request) -> Response:
    """Send the description with which a browser adds this collection to its search engines."""
    name = collection_of(request).name
    values = {
        "base": base_of(request),
        "collection": clean_line(name, 38),
        "short_name": short_name_of(name),
    }
    body = render_text("opensearch.xml", **values)
    return Response(body, media_type="application/opensearchdescription+xml")


def short_name_of(name: str) -> str:
    """Return the name of the search engine in a browser; a long name is cut in the middle.

    Long names of collections differ more often at their ends than in the middle.
    """
    line = clean_line(name, 200)
    if len(line) <= MOST_SHORT_NAME:
        return line
    half = MOST_SHORT_NAME // 2
    return f"{line[:half]}…{line[1 - half :]}"


async def suggest_json(request: Request) -> Response:
    """Send words, phrases and titles that complete the typed text."""
    query, found = await _suggestions(request)
    listed = [
        {"text": clean_line(one.text), "kind": one.kind, "documents": one.documents, "url": one.url}
        for one in found
    ]
    return JSONAnswer({"ok": True, "query": query, "suggestions": listed})


async def suggest(request: Request) -> Response:
    """Send the same in the format of browsers: text, completions, descriptions, addresses."""
    query, found = await _suggestions(request)
    base = base_of(request)
    texts = [clean_line(one.text) for one in found]
    told = ["a page" if one.kind == "title" else f"{one.documents:,} documents" for one in found]
    addresses = [base + urls.search_url(text) for text in texts]
    answer = JSONAnswer([query, texts, told, addresses])
    answer.headers["Content-Type"] = "application/x-suggestions+json; charset=utf-8"
    return answer


async def _suggestions(request: Request) -> tuple[str, tuple[Suggestion, ...]]:
    # A space after a word means that the word is complete, so nothing is stripped.
    wanted = read_params(SUGGEST, request.query_params)
    typed = request.query_params.get("q", "")
    if not wanted["query"]:
        return typed, ()
    found = await run_in_threadpool(collection_of(request).suggest, typed, wanted["limit"])
    return typed, found


async def send_feed(request: Request) -> Response:
    """Send the best hits of a query as RSS 2.0."""
    wanted = SearchRequest(**read_params(FEED, request.query_params))
    found = await find(request, wanted)
    base = base_of(request)
    values = {
        "collection": clean_line(collection_of(request).name, 60),
        "query": clean_line(wanted.query),
        "search_url": base + urls.search_url(wanted.query),
        "feed_url": base + urls.address_of(urls.SEARCH_RSS, wanted),
        "items": [_describe(hit, base) for hit in found.results.hits],
    }
    return Response(render_text("feed.xml", **values), media_type="application/rss+xml")


def _describe(hit: Hit, base: str) -> dict[str, Any]:
    # The description of an item is HTML inside XML, so the text is escaped twice.
    pieces = mark_pieces(hit.snippet, hit.marks)
    marked = (f"<b>{escape(text)}</b>" if is_hit else escape(text) for text, is_hit in pieces)
    return {
        "title": clean_line(hit.title) or clean_line(hit.url, 80),
        "link": urls.live_href(hit.url) or base + urls.page_url(hit.url),
        "guid": clean(hit.url),
        "description": "".join(marked),
        "date": mail_date(hit.date, hit.fetched_at),
        "category": clean_line(hit.site, 80),
    }


def base_of(request: Request) -> str:
    """Return the address of this server as the visitor typed it, without the final slash."""
    host = request.headers.get("host") or request.url.netloc
    return f"{request.scope['scheme']}://{host}"
