"""Whatever a page in the browser asks for comes here, and is answered through our one gate or not.

The page itself is given as it was fetched. Scripts, style sheets and data are fetched with
`HttpClient.fetch` by whoever owns the crawl, and so are frames of the page's own host. Pictures,
fonts, films, other frames, advertisements and counters of visitors are never asked for; a crawler
sends no forms, so neither does its browser.
"""

import asyncio
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Request, Route

from telusur.adapters.browser_cache import PartCache
from telusur.crawl.urls import host_of, parse_url
from telusur.crawl.verdicts import REDIRECTS
from telusur.extract.content_coding import ContentCodingError, decode_content
from telusur.extract.decode import decode_html
from telusur.extract.rendered import MOST_FRAMES, FetchPart, RenderLimits
from telusur.models import Page

WANTED_KINDS = frozenset(("script", "stylesheet", "xhr", "fetch"))
FRAME_KINDS = frozenset(("document",))
FRAME_TYPES = ("text/html", "application/xhtml+xml")
MAIN, FRAME, WINDOW = "main", "frame", "window"
MOST_REDIRECTS = 5
_CLOSED_SHADOW = re.compile(
    r"""(<template\b[^<>]{0,500}\bshadowrootmode\s*=\s*["']?)closed\b""", re.IGNORECASE
)
UNWANTED_HOSTS = (
    *("google-analytics.com", "googletagmanager.com", "googletagservices.com", "doubleclick.net"),
    *("googlesyndication.com", "googleadservices.com", "connect.facebook.net", "hotjar.com"),
    *("amazon-adsystem.com", "adnxs.com", "criteo.com", "criteo.net", "taboola.com"),
    *("outbrain.com", "scorecardresearch.com", "quantserve.com", "clarity.ms", "bat.bing.com"),
    *("mc.yandex.ru", "segment.com", "segment.io", "mixpanel.com", "nr-data.net", "pubmatic.com"),
    *("hs-analytics.net", "rubiconproject.com", "chartbeat.com", "moatads.com", "adsrvr.org"),
    *("ads-twitter.com", "analytics.tiktok.com", "snap.licdn.com", "sentry.io", "bugsnag.com"),
)
# What a script may add to its request; who we are, and what we accept packed, says our own client.
_NOT_PASSED_ON = frozenset((
    *("host", "connection", "content-length", "cookie", "user-agent", "accept-encoding", "range"),
    *("upgrade-insecure-requests", "te", "trailer", "transfer-encoding", "upgrade", "dnt"),
    *("cache-control", "pragma", "expect", "keep-alive", "accept-language"),
))  # fmt: skip
# Headers that speak of how the answer came, which is not how the browser gets it.
_NOT_GIVEN = frozenset((
    *("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"),
    *("strict-transport-security", "alt-svc", "link", "refresh", "content-disposition", "nel"),
    *("report-to", "reporting-endpoints", "clear-site-data", "location", "status"),
))  # fmt: skip


class PageGate:
    """The answers for one page, and what they cost."""

    def __init__(
        self, page: Page, fetch: FetchPart | None, limits: RenderLimits, cache: PartCache | None
    ) -> None:
        self._page = page
        self._fetch = fetch
        self._limits = limits
        self._cache = cache
        self._is_given = False
        self._answers: set[asyncio.Task[None]] = set()
        self.moved_to = ""
        self.asked = 0
        """Requests that came in, however they were answered."""
        self.requests = 0
        """Requests that were sent."""
        self.frames = 0
        self.bytes = 0
        self.refused: dict[str, str] = {}

    @property
    def in_flight(self) -> int:
        """Return how many answers the page waits for."""
        return len(self._answers)

    async def answer(self, route: Route) -> None:
        """Answer one request of the page."""
        self.asked += 1
        task = asyncio.ensure_future(self._answer(route))
        self._answers.add(task)
        await asyncio.wait([task])
        self._answers.discard(task)

    async def close(self) -> None:
        """Let go of what is still under way."""
        for task in self._answers:
            task.cancel()
        await asyncio.gather(*self._answers, return_exceptions=True)

    async def _answer(self, route: Route) -> None:
        with suppress(PlaywrightError):  # the page may be gone before its answer
            if route.request.is_navigation_request():
                await self._answer_navigation(route)
            else:
                await self._answer_part(route)

    async def _answer_navigation(self, route: Route) -> None:
        """Give the page itself once, and its frames; nobody follows a script elsewhere."""
        place = _place_of(route.request)
        if place == FRAME:
            await self._answer_frame(route)
        elif place != MAIN:
            await route.abort("blockedbyclient")
        elif self._is_given:
            if route.request.method == "GET":
                self.moved_to = self.moved_to or route.request.url
            await route.abort("aborted")  # the page stays as it is
        else:
            self._is_given = True
            await route.fulfill(**_whole_page(self._page, self._limits.bytes))

    async def _answer_frame(self, route: Route) -> None:
        """Give a frame that shows a page of the same host; the others stay empty."""
        request = route.request
        own = host_of(self._page.url)
        if (
            host_of(request.url) != own
            or self.frames >= MOST_FRAMES
            or self._objection(request, FRAME_KINDS)
        ):
            await route.abort("blockedbyclient")
            return
        self.frames += 1
        page = await self._get(request, is_frame=True)
        is_html = page.status == 200 and page.content_type in FRAME_TYPES
        if is_html and host_of(page.url) == own:
            await route.fulfill(**_whole_page(page, self._limits.bytes))
        else:
            self.refused[request.url] = page.reason or "no page of this host"
            await route.abort("failed")

    async def _answer_part(self, route: Route) -> None:
        request = route.request
        if self._objection(request):
            await route.abort("blockedbyclient")
            return
        page = await self._get(request)
        if page.status is None:
            self.refused[request.url] = page.reason
            await route.abort("failed")
        else:
            await route.fulfill(**_part(page, self._limits.bytes))

    def _objection(self, request: Request, kinds: frozenset[str] = WANTED_KINDS) -> str:
        """Return why something is not asked for, or nothing."""
        name = urlsplit(request.url).hostname or ""
        if self._fetch is None:
            return "there is no network"
        if request.resource_type not in kinds:
            return f"{request.resource_type} is not needed"
        if request.method != "GET":
            self.refused[request.url] = f"{request.method} might change something"
            return self.refused[request.url]
        if not request.url.startswith(("http:", "https:")):
            return "not HTTP"
        if any(name == host or name.endswith(f".{host}") for host in UNWANTED_HOSTS):
            return "advertisements and counters"
        if self.requests >= self._limits.requests or self.bytes >= self._limits.bytes:
            self.refused[request.url] = "too much for one page"
            return "too much for one page"
        return ""

    async def _get(self, request: Request, *, is_frame: bool = False) -> Page:
        """Fetch a part of the page, following redirects; each step goes through the gate."""
        kind = request.resource_type
        if self._cache is not None and (known := self._cache.get(request.url, time.time())):
            return known
        assert self._fetch is not None
        headers = _passed_on(request.headers)
        url: str | None = request.url
        page = Page(request.url, reason="redirect without a target")
        for _ in range(MOST_REDIRECTS + 1):
            if url is None or self.requests >= self._limits.requests:
                break
            self.requests += 1
            page = await self._fetch(url, headers, is_frame=is_frame)
            self.bytes += len(page.body)
            if page.status not in REDIRECTS:
                break
            url = parse_url(page.header("location"), url)
        if page.status in REDIRECTS:
            return Page(request.url, reason="too many redirects")
        if self._cache is not None:
            self._cache.put(request.url, page, kind)
        return page


def _place_of(request: Request) -> str:
    """Tell what goes somewhere: the page itself, one of its frames, or a new window."""
    try:
        frame = request.frame
    except PlaywrightError:  # a window that is only just opening
        return WINDOW
    if frame.page.context.pages[0] != frame.page:
        return WINDOW
    return MAIN if frame.parent_frame is None else FRAME


def _passed_on(headers: dict[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the headers of a script's request that a server may need to see."""
    return tuple(
        (name, value)
        for name, value in headers.items()
        if name not in _NOT_PASSED_ON
        and not name.startswith((":", "sec-", "if-", "proxy-"))
        and value.isprintable()
    )


def _whole_page(page: Page, most_bytes: int) -> dict[str, Any]:
    """Return the page in the encoding that we found, so that browser and parser agree on it.

    Shadow roots that it declares closed are open: a person sees them, so the reader has to.
    """
    text = decode_html(_unpacked(page, most_bytes), page.header("content-type"))[0]
    text = _CLOSED_SHADOW.sub(r"\1open", text)
    media_type = page.content_type or "text/html"
    headers = _given(page.headers) | {"content-type": f"{media_type}; charset=utf-8"}
    return {"status": 200, "headers": headers, "body": text.encode("utf-8", "replace")}


def _part(page: Page, most_bytes: int) -> dict[str, Any]:
    return {
        "status": page.status,
        "headers": _given(page.headers),
        "body": _unpacked(page, most_bytes),
    }


def _unpacked(page: Page, most_bytes: int) -> bytes:
    try:
        return decode_content(page.body, page.header("content-encoding"), most_bytes)[0]
    except ContentCodingError:
        return b""


def _given(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the headers as the browser takes them: one of each name."""
    given: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()  # noqa: PLW2901
        if name in _NOT_GIVEN or not value.isprintable():
            continue
        between = "\n" if name == "set-cookie" else ", "
        given[name] = f"{given[name]}{between}{value}" if name in given else value
    return given
