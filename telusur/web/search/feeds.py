"""What browsers and feed readers ask for: OpenSearch, suggestions, and a query as a feed."""

from html import escape
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from telusur.models import Hit
from telusur.search.completion import Suggestion
from telusur.search.request import SearchRequest
from telusur.web import urls
from telusur.web.dates import mail_date
from telusur.web.params import FEED, SUGGEST, read_params
from telusur.web.reader import collection_of
from telusur.web.render import JSONAnswer, render_text
from telusur.web.searching import find
from telusur.web.text import clean, clean_line, mark_pieces


async def send_opensearch(request: Request) -> Response:
    """Send the description with which a browser adds this collection to its search engines."""
    values = {"base": base_of(request), "collection": clean_line(collection_of(request).name, 40)}
    body = render_text("opensearch.xml", **values)
    return Response(body, media_type="application/opensearchdescription+xml")


async def suggest_json(request: Request) -> Response:
    """Answer words, phrases and titles that may be meant by what was typed so far."""
    query, found = await _suggestions(request)
    listed = [
        {"text": clean_line(one.text), "kind": one.kind, "documents": one.documents, "url": one.url}
        for one in found
    ]
    return JSONAnswer({"ok": True, "query": query, "suggestions": listed})


async def suggest(request: Request) -> Response:
    """Answer the same as browsers want it: the text, completions, descriptions, addresses."""
    query, found = await _suggestions(request)
    base = base_of(request)
    texts = [clean_line(one.text) for one in found]
    told = ["a page" if one.kind == "title" else f"{one.documents:,} documents" for one in found]
    addresses = [base + urls.search_url(text) for text in texts]
    answer = JSONAnswer([query, texts, told, addresses])
    answer.headers["Content-Type"] = "application/x-suggestions+json; charset=utf-8"
    return answer


async def _suggestions(request: Request) -> tuple[str, tuple[Suggestion, ...]]:
    # A blank behind a word means that it is complete, so nothing is stripped.
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
    # The description of an item is HTML, so the text is escaped once for that and once for XML.
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
    """Return the address of this server, as the visitor wrote it, without the final slash."""
    host = request.headers.get("host") or request.url.netloc
    return f"{request.scope['scheme']}://{host}"
