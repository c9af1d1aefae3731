"""Headless Chromium, started so that it cannot reach any network by itself.

We answer every request of a page (`requests`). A request that slipped past would find no names and
no proxy: see `FLAGS`.
"""

import asyncio
import os
import uuid
from collections.abc import Awaitable
from contextlib import suppress

from playwright.async_api import Browser, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from telusur.extract.rendered import FetchPart, Rendered, RenderLimits
from telusur.fetch.browser.cache import PartCache
from telusur.fetch.browser.page import Drawing
from telusur.fetch.browser.processes import (
    end_group,
    find_marked,
    group_of,
    is_running,
    parent_of,
    private_bytes,
)
from telusur.models import Page

FLAGS = (
    "--headless",
    "--disable-gpu",
    # No software renderer for WebGL: it takes 16 MB.
    "--disable-software-rasterizer",
    "--no-first-run",
    "--mute-audio",
    # No traffic of its own.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-breakpad",
    "--no-pings",
    # No name resolves, not even that of the proxy, and nothing bypasses the proxy, not even
    # loopback.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nothing.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its older name
    # SpareRendererForSitePerProcess keeps an idle renderer process for the next page: 15 MB.
    "--disable-features=WebTransport,Prerender2,SpeculationRulesPrefetchFuture,MediaRouter,WebUSB,"
    "SpareRendererForSitePerProcess",
    # The memory limit for the scripts of a page: beyond it the tab crashes, not the machine.
    "--js-flags=--max-old-space-size=512",
)
# Options of Node.js, which runs Playwright's driver: the default young generation takes 20 MB more.
DRIVER_OPTIONS = "--max-semi-space-size=1"
CLOSE_SECONDS = 5.0


class BrowserGone(Exception):  # noqa: N818 - a state, not a fault
    """The browser died or does not respond; another one has to be started."""


class Chromium:
    """One running browser with its own temporary profile."""

    def __init__(self, playwright: Playwright, browser: Browser, mark: str) -> None:
        self._playwright = playwright
        self._browser = browser
        self._cache: PartCache | None = None
        self.pid = find_marked(mark)
        self._driver_pid = parent_of(self.pid) if self.pid is not None else None
        self.pages = 0
        self.is_stuck = False

    @classmethod
    async def start(cls, path: str, cache: PartCache | None = None) -> "Chromium":
        """Start the browser at `path`; raise BrowserGone if it does not start."""
        mark = f"--telusur-browser={uuid.uuid4().hex}"
        flags = [*FLAGS, mark]
        if os.geteuid() == 0:  # Chromium refuses to run as root otherwise
            flags.append("--no-sandbox")
        os.environ.setdefault("NODE_OPTIONS", DRIVER_OPTIONS)
        playwright = await async_playwright().start()
        try:
            browser = await playwright.chromium.launch(
                executable_path=path, args=flags, chromium_sandbox=os.geteuid() != 0,
                env=_plain_environment(), timeout=60_000,
                handle_sigint=False, handle_sigterm=False, handle_sighup=False,
            )  # fmt: skip
        except PlaywrightError as error:
            await _within(playwright.stop(), CLOSE_SECONDS)
            raise BrowserGone(f"{path} does not start: {_first_line(error)}") from None
        except BaseException:
            await _within(playwright.stop(), CLOSE_SECONDS)
            raise
        chromium = cls(playwright, browser, mark)
        chromium._cache = cache
        return chromium

    async def render(
        self, page: Page, fetch: FetchPart | None, limits: RenderLimits, *, blocks: bool
    ) -> Rendered:
        """Render one page; raise BrowserGone if the browser did not survive it."""
        self.pages += 1
        drawing = Drawing(self._browser, page, fetch, limits, self._cache)
        try:
            return await drawing.draw(blocks=blocks)
        except PlaywrightError as error:
            await asyncio.sleep(0.05)  # its death is reported a moment later
            if not self.is_alive():
                raise BrowserGone("the browser died") from None
            return Rendered(page.url, status=page.status, reason=_first_line(error))
        finally:
            self.is_stuck = self.is_stuck or drawing.is_stuck

    def is_alive(self) -> bool:
        """Tell whether the browser and its driver are running."""
        known = [pid for pid in (self.pid, self._driver_pid) if pid is not None]
        return all(map(is_running, known)) and self._browser.is_connected()

    def pids(self) -> list[int]:
        """Return its processes, and that of the driver; none if the system does not say."""
        if self.pid is None:
            return []
        return group_of(self.pid) + ([self._driver_pid] if self._driver_pid else [])

    def memory_bytes(self) -> int:
        """Return its private memory."""
        return private_bytes(self.pids())

    async def close(self) -> None:
        """End it, by force if necessary."""
        closed = not self.is_stuck and await _within(self._browser.close(), CLOSE_SECONDS)
        if self.pid is not None and (not closed or is_running(self.pid)):
            end_group(self.pid)
        if not await _within(self._playwright.stop(), CLOSE_SECONDS) and self._driver_pid:
            end_group(self._driver_pid)


def _plain_environment() -> dict[str, str | float | bool]:
    """Return the environment without our own settings, which may contain credentials."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TELUSUR_")}


async def _within(work: Awaitable[None], seconds: float) -> bool:
    """Do something that may hang; return whether it ended in time."""
    with suppress(PlaywrightError, TimeoutError):
        async with asyncio.timeout(seconds):
            await work
            return True
    return False


def _first_line(error: Exception) -> str:
    return (str(error).strip().split("\n") or [""])[0][:200]
