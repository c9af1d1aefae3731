"""Pages as a browser shows them: after their scripts ran, with look and position of every block.

    from telusur.fetch.browser.renderer import render_html, render_page

    rendered = render_page("https://example.org/")     # fetched, then rendered
    rendered = render_html(stored_html, url)            # rendered without any network
    for block in rendered.blocks:
        print(block.label, block.bounds, block.css["font-size"], block.is_hidden, block.text)

For many pages keep one browser: `with BrowserDesk() as desk: desk.html(...)`. Rendering needs
Playwright (the extra `browser`) and the system's Chromium; `why_no_browser` tells what
is missing. See docs/rendering.md.
"""

import asyncio
import importlib.util
import shutil
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from telusur.closing import Closes
from telusur.crawl.rules.verdicts import REDIRECTS
from telusur.crawl.urls.identity import check_userinfo, complete_url, parse_url
from telusur.errors import UsageError
from telusur.extract.drawn import extract_drawn
from telusur.extract.rendered import FetchPart, Rendered, RenderLimits
from telusur.fetch.addresses import parse_endpoint
from telusur.fetch.curl.client import HttpClient
from telusur.models import Page
from telusur.version import __version__

if TYPE_CHECKING:
    from telusur.fetch.browser.cache import PartCache
    from telusur.fetch.browser.chromium import Chromium

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The address of a page that was given without one.
NOWHERE = "http://page.invalid/"
PAGES_OF_A_BROWSER = 100
# A browser that has rendered this many pages, or uses this much memory, is replaced.
MOST_MEMORY_BYTES = 1_500_000_000
WATCH_SECONDS = 1.0
MOST_MOVES = 5
MOST_AT_ONCE = 4


def find_browser(path: str | None = None) -> str | None:
    """Return the browser to render with: the given one, or the system's Chromium."""
    if path is not None:
        return shutil.which(path)
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def why_no_browser(path: str | None = None) -> str:
    """Return in words what is missing for rendering; empty if nothing is."""
    if importlib.util.find_spec("playwright") is None:
        return "Playwright is not installed; in a clone of Telusur run `pip install '.[browser]'`"
    if find_browser(path) is None and path is not None:
        return f"{path} is no program that can be run"
    if find_browser(path) is None:
        return "there is no Chromium; on Debian: `apt-get install chromium`"
    return ""


class SteadyBrowser:
    """A browser that is started when needed and replaced when it dies, hangs or grows too large.

    The page it was rendering is retried once if the browser died, not if it hung.
    """

    def __init__(
        self, path: str, limits: RenderLimits, cache: "PartCache | None" = None,
        pages: int = PAGES_OF_A_BROWSER,
    ) -> None:  # fmt: skip
        self._path = path
        self._limits = limits
        self._cache = cache
        self._most_pages = pages
        self._chromium: Chromium | None = None
        self.starts = 0
        # Failed starts in a row.
        self.failed_starts = 0

    @property
    def pid(self) -> int | None:
        """Return the process of the running browser."""
        return self._chromium.pid if self._chromium is not None else None

    def pids(self) -> list[int]:
        """Return all processes of the running browser."""
        return self._chromium.pids() if self._chromium is not None else []

    async def render(self, page: Page, fetch: FetchPart | None, *, blocks: bool) -> Rendered:
        """Render a page; whatever happens to the browser, the result is one record."""
        from telusur.fetch.browser.chromium import BrowserGone

        reason = ""
        for _ in range(2):
            try:
                return await self._render(page, fetch, blocks=blocks)
            except (TimeoutError, MemoryError) as error:
                took_long = f"took longer than {self._limits.seconds:g} s"
                reason = str(error) if isinstance(error, MemoryError) else took_long
                await self.close()
                break
            except BrowserGone as error:
                reason = str(error)
                await self.close()
                if self.failed_starts:
                    break
        return Rendered(page.url, status=page.status, reason=reason)

    async def _render(self, page: Page, fetch: FetchPart | None, *, blocks: bool) -> Rendered:
        chromium = self._chromium = self._chromium or await self._start()
        drawing = asyncio.ensure_future(chromium.render(page, fetch, self._limits, blocks=blocks))
        try:
            rendered = await self._watch(chromium, drawing)
        except (TimeoutError, MemoryError):
            chromium.is_stuck = True
            raise
        finally:
            drawing.cancel()
        if self._is_worn(chromium):
            await self.close()
        return rendered

    async def _watch(self, chromium: "Chromium", drawing: "asyncio.Task[Rendered]") -> Rendered:
        """Wait for a page as long as it neither hangs nor fills the memory."""
        async with asyncio.timeout(self._limits.seconds + self._limits.spare_seconds):
            while not (await asyncio.wait([drawing], timeout=WATCH_SECONDS))[0]:
                if chromium.memory_bytes() > MOST_MEMORY_BYTES:
                    raise MemoryError("took too much memory")
        return drawing.result()

    async def _start(self) -> "Chromium":
        from telusur.fetch.browser.chromium import Chromium

        self.starts += 1
        self.failed_starts += 1
        chromium = await Chromium.start(self._path, self._cache)
        self.failed_starts = 0
        return chromium

    def _is_worn(self, chromium: "Chromium") -> bool:
        is_old = chromium.is_stuck or chromium.pages >= self._most_pages
        return is_old or chromium.memory_bytes() > MOST_MEMORY_BYTES

    async def close(self) -> None:
        """End the browser; the next page starts another."""
        chromium, self._chromium = self._chromium, None
        if chromium is not None:
            await asyncio.shield(chromium.close())


class BrowserDesk(Closes):
    """Renders single pages one after the other; use it in a `with` block."""

    def __init__(
        self,
        *,
        browser: str | None = None,
        limits: RenderLimits | None = None,
        allow_private: bool = False,
        allow_address: Sequence[str] = (),
        user_agent: str = f"Telusur/{__version__}",
        timeout: float = 20.0,
    ) -> None:
        missing = why_no_browser(browser)
        if missing:
            raise UsageError(f"Rendering is not possible: {missing}.")
        self._browser = SteadyBrowser(find_browser(browser) or "", limits or RenderLimits())
        self._client_options = {
            "user_agent": user_agent, "timeout": timeout, "allow_private": allow_private,
            "allowed": [parse_endpoint(text) for text in allow_address],
        }  # fmt: skip
        self._client: HttpClient | None = None
        self._runner = asyncio.Runner()
        self._turn = asyncio.Semaphore(MOST_AT_ONCE)

    def close(self) -> None:
        """End the browser and all connections."""
        self._runner.run(self._browser.close())
        if self._client is not None:
            self._client.close()
        self._runner.close()

    def pids(self) -> list[int]:
        """Return the processes of the running browser."""
        return self._browser.pids()

    def html(self, html: bytes | str, url: str = NOWHERE, *, blocks: bool = True) -> Rendered:
        """Render the given HTML, as if it came from `url`; nothing is fetched."""
        page = _page_of(html, url)
        drawn = self._runner.run(self._browser.render(page, None, blocks=blocks))
        return _with_labels(drawn)

    def page(self, url: str, *, blocks: bool = True) -> Rendered:
        """Fetch a page and render it, following redirects of servers and scripts."""
        check_userinfo(url)
        address = complete_url(url)
        if address is None:
            raise UsageError(f"{url!r} is not a web address; write it like https://example.org/.")
        return _with_labels(self._runner.run(self._visit(address, blocks=blocks)))

    async def _visit(self, url: str, *, blocks: bool) -> Rendered:
        rendered = Rendered(url, reason="too many redirects")
        for _ in range(MOST_MOVES):
            page = await self._fetch(url, is_own=True)
            if page.status in REDIRECTS:
                target = parse_url(page.header("location"), url)
            elif page.status is None:
                return Rendered(url, reason=page.reason)
            else:
                rendered = await self._browser.render(page, self._fetch, blocks=blocks)
                target = parse_url(rendered.moved_to) if rendered.moved_to else None
            if target is None or target == url:
                break
            url = target
        return rendered

    async def _fetch(
        self,
        url: str,
        headers: Sequence[tuple[str, str]] = (),
        *,
        is_frame: bool = False,
        is_own: bool = False,
        method: str = "GET",
    ) -> Page:
        if self._client is None:
            self._client = HttpClient(clock=time.time, **self._client_options)  # type: ignore[arg-type]
        async with self._turn:
            return await self._client.fetch(
                url, headers=headers, with_cookies=is_own, method=method
            )


def render_page(url: str, *, blocks: bool = True, **options: object) -> Rendered:
    """Fetch one page and render it; options are those of `BrowserDesk`."""
    with BrowserDesk(**options) as desk:  # type: ignore[arg-type]
        return desk.page(url, blocks=blocks)


def render_html(
    html: bytes | str, url: str = NOWHERE, *, blocks: bool = True, **options: object
) -> Rendered:
    """Render one stored page without any network; options are those of `BrowserDesk`."""
    with BrowserDesk(**options) as desk:  # type: ignore[arg-type]
        return desk.html(html, url, blocks=blocks)


def _with_labels(rendered: Rendered) -> Rendered:
    """Return a rendered page with its blocks, if any, labelled as by the parser."""
    if rendered.blocks:
        rendered.blocks = list(extract_drawn(rendered).blocks)
    return rendered


def _page_of(html: bytes | str, url: str) -> Page:
    is_text = isinstance(html, str)
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    kind = "text/html; charset=utf-8" if is_text else "text/html"
    address = parse_url(url)
    if address is None:
        raise UsageError(f"{url!r} is not a web address; write it like https://example.org/.")
    return Page(address, status=200, headers=(("Content-Type", kind),), body=body)
