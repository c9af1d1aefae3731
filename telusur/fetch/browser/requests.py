"""Handles all requests of a page in the browser: answers them through our one gate, or refuses.

The page itself is given as it was fetched. Scripts, style sheets, data, and frames of the page's
own host are fetched with `HttpClient.fetch` by the owner of the crawl. Images, fonts, videos, other
frames, advertisements and trackers are never fetched. A crawler sends no forms, so neither does its
browser.
"""

import asyncio
import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Request, Route

from telusur.crawl.rules.verdicts import REDIRECTS
from telusur.crawl.urls.identity import MAX_URL_LENGTH, host_of, parse_url
from telusur.extract.page.content_coding import ContentCodingError, decode_content
from telusur.extract.page.decode import decode_html
from telusur.extract.rendered import MOST_FRAMES, FetchPart, RenderLimits
from telusur.fetch.browser.cache import PartCache
from telusur.fetch.browser.origins import ANOTHER_ORIGIN, NOT_AGREED, Asking, with_policy
from telusur.models import Page

WANTED_KINDS = frozenset(("script", "stylesheet", "xhr", "fetch"))
FRAME_KINDS = frozenset(("document",))
FRAME_TYPES = ("text/html", "application/xhtml+xml")
MAIN, FRAME, WINDOW = "main", "frame", "window"
MOST_REDIRECTS = 5
# Refused requests that are recorded.
MOST_REFUSED = 100
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
# Headers of a script's request that are not sent: our own client sets User-Agent and encodings.
_NOT_PASSED_ON = frozenset((
    *("host", "connection", "content-length", "cookie", "user-agent", "accept-encoding", "range"),
    *("upgrade-insecure-requests", "te", "trailer", "transfer-encoding", "upgrade", "dnt"),
    *("cache-control", "pragma", "expect", "keep-alive", "accept-language"),
))  # fmt: skip
# Headers about the transfer of the response, which differs from how the browser gets it.
_NOT_GIVEN = frozenset((
    *("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"),
    *("strict-transport-security", "alt-svc", "link", "refresh", "content-disposition", "nel"),
    *("report-to", "reporting-endpoints", "clear-site-data", "location", "status"),
))  # fmt: skip


class PageGate:
    """The responses for one page, and their cost."""

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
        # Requests received, however they were answered.
        self.asked = 0
        # Requests that were sent.
        self.requests = 0
        self.frames = 0
        self.bytes = 0
        self.refused: dict[str, str] = {}

    @property
    def in_flight(self) -> int:
        """Return how many responses the page is waiting for."""
        return len(self._answers)

    async def answer(self, route: Route) -> None:
        """Answer one request of the page."""
        self.asked += 1
        task = asyncio.ensure_future(self._answer(route))
        self._answers.add(task)
        await asyncio.wait([task])
        self._answers.discard(task)

    async def close(self) -> None:
        """Cancel requests that are still in flight."""
        for task in self._answers:
            task.cancel()
        await asyncio.gather(*self._answers, return_exceptions=True)

    async def _answer(self, route: Route) -> None:
        with suppress(PlaywrightError):  # the page may be gone before its response
            if route.request.is_navigation_request():
                await self._answer_navigation(route)
            else:
                await self._answer_part(route)

    async def _answer_navigation(self, route: Route) -> None:
        """Answer with the page itself once, and with its frames; other navigation is refused."""
        place = _place_of(route.request)
        if place == FRAME:
            await self._answer_frame(route)
        elif place != MAIN:
            await route.abort("blockedbyclient")
        elif self._is_given:
            if route.request.method == "GET":
                self.moved_to = self.moved_to or route.request.url
            await route.abort("aborted")  # the page stays where it is
        else:
            self._is_given = True
            await route.fulfill(**await _aside(_whole_page, self._page, self._limits.bytes))

    async def _answer_frame(self, route: Route) -> None:
        """Answer a frame of the same host; other frames stay empty."""
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
            await route.fulfill(**await _aside(_whole_page, page, self._limits.bytes))
        else:
            self._note(request.url, page.reason or "no page of this host")
            await route.abort("failed")

    async def _answer_part(self, route: Route) -> None:
        request = route.request
        if self._objection(request):
            await route.abort("blockedbyclient")
            return
        page = await self._get(request)
        if page.status is None:
            self._note(request.url, page.reason)
            await route.abort("failed")
        else:
            await route.fulfill(**await _aside(_part, page, self._limits.bytes))

    def _objection(self, request: Request, kinds: frozenset[str] = WANTED_KINDS) -> str:
        """Return why a request is refused, or an empty text."""
        name = urlsplit(request.url).hostname or ""
        if self._fetch is None:
            return "there is no network"
        if request.resource_type not in kinds:
            return f"{request.resource_type} is not needed"
        if request.method != "GET":
            return self._note(request.url, f"{request.method} might change something")
        if not request.url.startswith(("http:", "https:")):
            return "not HTTP"
        if any(name == host or name.endswith(f".{host}") for host in UNWANTED_HOSTS):
            return "advertisements and counters"
        if self.requests >= self._limits.requests or self.bytes >= self._limits.bytes:
            return self._note(request.url, "too much for one page")
        return ""

    def _note(self, url: str, why: str) -> str:
        """Record a refusal, if there are not too many already; a script can make any number."""
        if len(self.refused) < MOST_REFUSED:
            self.refused[url[:MAX_URL_LENGTH]] = why
        return why

    async def _get(self, request: Request, *, is_frame: bool = False) -> Page:
        """Fetch a part of the page, following redirects; each step goes through the gate."""
        kind, headers = request.resource_type, _passed_on(request.headers)
        url = parse_url(request.url) or request.url  # without user name and password
        asking = Asking.of(self._page.url, kind, url, headers)
        key = asking.cache_key
        if self._cache is not None and (known := self._cache.get(key, time.time())):
            return known
        if asking.needs_consent and not asking.has_consent(await self._send(asking, "OPTIONS")):
            return Page(request.url, reason=NOT_AGREED)
        page = await self._follow(asking, is_frame=is_frame)
        if page.status in REDIRECTS:
            return Page(request.url, reason="too many redirects")
        if not asking.may_be_given(page, request.url):
            return Page(request.url, reason=ANOTHER_ORIGIN)
        if self._cache is not None:
            self._cache.put(key, page, kind)
        return page

    async def _follow(self, asking: Asking, *, is_frame: bool) -> Page:
        page = Page(asking.url, reason="redirect without a target")
        for _ in range(MOST_REDIRECTS + 1):
            if self.requests >= self._limits.requests:
                break
            page = await self._send(asking, is_frame=is_frame)
            target = parse_url(page.header("location"), asking.url)
            if page.status not in REDIRECTS or target is None:
                break
            asking.follow(target)
        return page

    async def _send(self, asking: Asking, method: str = "GET", *, is_frame: bool = False) -> Page:
        assert self._fetch is not None
        headers = asking.headers if method == "GET" else asking.consent_headers()
        self.requests += 1
        page = await self._fetch(
            asking.url, headers, is_frame=is_frame, is_own=asking.is_own, method=method
        )
        self.bytes += len(page.body)
        return page


def _place_of(request: Request) -> str:
    """Return what navigates: the page itself, one of its frames, or a new window."""
    try:
        frame = request.frame
    except PlaywrightError:  # a window that is just opening
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
        and value.isascii()
    )


async def _aside(
    make: Callable[[Page, int], dict[str, Any]], page: Page, most_bytes: int
) -> dict[str, Any]:
    """Make a response in a thread: decompressing hostile data must not block the crawl."""
    return await asyncio.to_thread(make, page, most_bytes)


def _whole_page(page: Page, most_bytes: int) -> dict[str, Any]:
    """Return the page in the encoding that we detected, so that browser and parser agree.

    Declared closed shadow roots are opened: people see their content, so we have to read it.
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
    """Return the headers for the browser: one of each name."""
    given: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()  # noqa: PLW2901
        if name in _NOT_GIVEN or not value.isprintable():
            continue
        between = "\n" if name == "set-cookie" else ", "
        given[name] = f"{given[name]}{between}{value}" if name in given else value
    return with_policy(given)
