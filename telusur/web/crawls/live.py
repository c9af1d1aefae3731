"""A live crawl: read and rendered once for all viewers.

Readers and visitors who may act see different buttons. They have separate seats, so that strangers
cannot keep the owner from watching. A script that gets no seat reloads the page now and then
instead.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from telusur.shelf import Snapshot
from telusur.web.crawls.contract import crawls_of, name_of
from telusur.web.crawls.views import CrawlView, view_crawl
from telusur.web.frame import urls
from telusur.web.frame.render import render_text
from telusur.web.frame.site_colours import Hues, hues_of
from telusur.web.guard.access import Access, standing_of
from telusur.web.guard.rate import client_of

# The parts that change while a crawl runs; each is a template, rendered again for each event.
PARTS = ("state", "numbers", "charts", "sites", "errors", "answers", "last")
EVENT_SECONDS = 1.0
FRESH_SECONDS = 0.8
MOST_STREAMS = 20
# A browser keeps six connections to a server.
MOST_STREAMS_OF_ONE = 8


class Live:
    """What all viewers of crawls on one server share."""

    def __init__(self) -> None:
        self.snapshots: dict[str, tuple[float, asyncio.Task[Snapshot]]] = {}
        self.seats: Counter[tuple[bool, str]] = Counter()
        self._events: dict[tuple[str, bool], tuple[Snapshot, bytes]] = {}

    def event(
        self, name: str, snapshot: Snapshot, hues: Hues, *, may_act: bool, key_url: str
    ) -> bytes:
        """Return the event of a snapshot, made on the first request."""
        made, event = self._events.get((name, may_act), (None, b""))
        if made is not snapshot:
            event = _render(
                name, view_crawl(name, snapshot, hues), may_act=may_act, key_url=key_url
            )
            self._events[name, may_act] = (snapshot, event)
        return event

    def take_seat(self, seat: tuple[bool, str]) -> bool:
        """Take a free seat, of the visitors who may act or of the readers, if there is one."""
        taken = sum(number for (may_act, _), number in self.seats.items() if may_act == seat[0])
        if taken >= MOST_STREAMS or self.seats[seat] >= MOST_STREAMS_OF_ONE:
            return False
        self.seats[seat] += 1
        return True

    def leave_seat(self, seat: tuple[bool, str]) -> None:
        """Free the seat for somebody else."""
        self.seats[seat] -= 1
        if self.seats[seat] <= 0:
            del self.seats[seat]


async def read_snapshot(request: Request, name: str) -> Snapshot:
    """Return a snapshot; viewers at the same moment share one."""
    live: Live = request.app.state.live
    at, task = live.snapshots.get(name, (float("-inf"), None))
    if task is None or time.monotonic() - at > FRESH_SECONDS:
        task = asyncio.ensure_future(run_in_threadpool(crawls_of(request).snapshot, name))
        live.snapshots[name] = (time.monotonic(), task)
    return await asyncio.shield(task)


def for_parts(name: str, view: CrawlView) -> dict[str, Any]:
    """Return the values for the templates of the parts."""
    return {
        "crawl": view,
        "steer_url": urls.crawl_url(name, urls.STEER),
        "again_url": urls.new_crawl_url(name),
        "private_url": urls.new_crawl_url(name, allow_private=True),
    }


def _render(name: str, view: CrawlView, *, may_act: bool, key_url: str) -> bytes:
    values = {**for_parts(name, view), "may_act": may_act, "key_url": key_url}
    parts = {part: render_text(f"crawl/{part}.html", **values).decode("utf-8") for part in PARTS}
    news = {"state": view.state, "name": view.name, "parts": parts}
    end = b"" if view.is_crawling else b"event: end\ndata: {}\n\n"
    return b"event: crawl\ndata: " + json.dumps(news).encode() + b"\n\n" + end


async def send_events(request: Request) -> Response:
    """Send the parts of the page again every second while a crawl runs."""
    live: Live = request.app.state.live
    seat = (standing_of(request).may_act, client_of(request.scope))
    # Checked first and answered without a page, so that a refusal costs little.
    if not live.take_seat(seat):
        sentence = "Too many people are watching crawls right now; reload the page now and then."
        return PlainTextResponse(sentence, 503, {"Retry-After": "5"})
    try:
        name = await name_of(request)
    except BaseException:
        live.leave_seat(seat)
        raise
    return _Stream(_tell_events(request, name), live, seat)


async def _tell_events(request: Request, name: str) -> AsyncIterator[bytes]:
    yield b"retry: 2000\n\n"
    live, may_act = request.app.state.live, standing_of(request).may_act
    access: Access = request.app.state.access
    key_url = urls.key_url(urls.crawl_url(name)) if access.asks_for_key and not may_act else ""
    hues = hues_of(crawls_of(request).open(name))
    while not request.app.state.is_closing:
        snapshot = await read_snapshot(request, name)
        event = live.event(name, snapshot, hues, may_act=may_act, key_url=key_url)
        yield event
        if b"event: end\n" in event[-40:]:
            return
        await asyncio.sleep(EVENT_SECONDS)


class _Stream(StreamingResponse):
    """The events for one seat, which is freed however the stream ends."""

    def __init__(self, events: AsyncIterator[bytes], live: Live, seat: tuple[bool, str]) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self._live = live
        self._seat = seat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._live.leave_seat(self._seat)
