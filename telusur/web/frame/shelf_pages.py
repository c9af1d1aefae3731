"""Several collections on one server: the list, and which collection an address is about."""

from collections.abc import Awaitable, Callable
from typing import Any, cast
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from telusur.web.crawls.contract import Crawls, Unreadable, read_each
from telusur.web.frame import urls
from telusur.web.frame.render import JSONAnswer, render_html
from telusur.web.frame.text import clean_line


async def show_shelf(request: Request) -> Response:
    """Show the collections of this server."""
    crawls = request.app.state.crawls
    collections, unreadable = await run_in_threadpool(_list, crawls)
    values = {
        "collections": collections,
        "unreadable": unreadable,
        "has_comparison": await run_in_threadpool(crawls.comparison) is not None,
    }
    return render_html(request, "shelf.html", urls.COLLECTIONS_JSON, values)


async def collections_json(request: Request) -> Response:
    """Send the collections of this server."""
    listed, unreadable = await run_in_threadpool(_list, request.app.state.crawls)
    read_only = request.app.state.access.read_only
    record = {"ok": True, "collections": listed, "unreadable": unreadable, "read_only": read_only}
    return JSONAnswer(record)


def _list(crawls: Crawls) -> tuple[list[dict[str, Any]], list[Unreadable]]:
    def describe(name: str) -> dict[str, Any]:
        collection = crawls.open(name)
        return {
            "name": name,
            "url": urls.collection_url(name),
            "documents": collection.counts().documents,
            "is_crawling": collection.is_crawling(),
        }

    return read_each(crawls, describe)


class Collections:
    """Makes addresses below /in/NAME/ refer to that collection."""

    def __init__(
        self, app: ASGIApp, refuse: Callable[[Request, HTTPException], Awaitable[Response]]
    ) -> None:
        self.app = app
        self.refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its collection, or refuse an unknown name."""
        if scope["type"] != "http" or not scope["path"].startswith(f"{urls.COLLECTIONS}/"):
            await self.app(scope, receive, send)
            return
        name, slash, _ = scope["path"].removeprefix(f"{urls.COLLECTIONS}/").partition("/")
        crawls = cast("Crawls | None", scope["app"].state.crawls)
        if crawls is None or crawls.holds_one or name not in await run_in_threadpool(crawls.names):
            sentence = f"There is no collection called {clean_line(name, 60)}."
            response = await self.refuse(Request(scope), HTTPException(404, sentence))
        elif not slash:
            response = RedirectResponse(urls.collection_url(name), 308)
        else:
            shown = await run_in_threadpool(crawls.open, name)
            state = {**scope.get("state", {}), "collection": shown}
            urls.PREFIX.set(f"{urls.COLLECTIONS}/{quote(name, safe='')}")
            inner = {**scope, "state": state, "root_path": f"{urls.COLLECTIONS}/{name}"}
            await self.app(inner, receive, send)
            return
        await response(scope, receive, send)
