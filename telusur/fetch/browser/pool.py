"""The browsers of a crawl: started when the first page needs one, replaced when one fails."""

import asyncio

from telusur.extract.rendered import FetchPart, Rendered, RenderLimits
from telusur.fetch.browser.cache import PartCache
from telusur.fetch.browser.renderer import SteadyBrowser
from telusur.models import Page

MOST_FAILED_STARTS = 3
PAGES_OF_A_BROWSER = 100


class RenderingPool:
    """Renders pages in `browsers` browsers, one page each at a time; a context manager.

    A browser that dies, hangs or uses too much memory costs at most the page it was rendering. If
    browsers repeatedly fail to start, no more are started.
    """

    def __init__(
        self,
        path: str,
        browsers: int = 1,
        limits: RenderLimits | None = None,
        pages: int = PAGES_OF_A_BROWSER,
    ) -> None:
        cache = PartCache()
        limits = limits or RenderLimits()
        self._all = [SteadyBrowser(path, limits, cache, pages) for _ in range(browsers)]
        self._idle: asyncio.Queue[SteadyBrowser] = asyncio.Queue()
        self._broken = ""

    async def __aenter__(self) -> "RenderingPool":
        for browser in self._all:
            self._idle.put_nowait(browser)
        return self

    async def __aexit__(self, *exc: object) -> None:
        await asyncio.gather(*(browser.close() for browser in self._all), return_exceptions=True)

    @property
    def starts(self) -> int:
        """Return how often a browser was started."""
        return sum(browser.starts for browser in self._all)

    def pids(self) -> list[int]:
        """Return the processes of all browsers."""
        return [pid for browser in self._all for pid in browser.pids()]

    async def render(
        self, page: Page, fetch: FetchPart | None, *, blocks: bool = False
    ) -> Rendered:
        """Render a page when a browser is free; a result without `html` means that it failed."""
        browser = await self._idle.get()
        try:
            if self._broken:
                return Rendered(page.url, status=page.status, reason=self._broken)
            rendered = await browser.render(page, fetch, blocks=blocks)
            if browser.failed_starts >= MOST_FAILED_STARTS:
                self._broken = rendered.reason
            return rendered
        finally:
            self._idle.put_nowait(browser)
