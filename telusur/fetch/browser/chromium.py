"""Chromium without a window, started so that it cannot reach any network by itself.

Everything a page asks for is answered by us (`browser_gate`). Should anything slip past that, it
finds no names, no proxy and no way out: see `FLAGS`.
"""

import asyncio
import os
import uuid
from collections.abc import Awaitable
from contextlib import suppress

from playwright.async_api import Browser, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from telusur.adapters.browser_cache import PartCache
from telusur.adapters.browser_page import Drawing
from telusur.adapters.browser_processes import (
    end_group,
    find_marked,
    group_of,
    is_running,
    parent_of,
    private_bytes,
)
from telusur.extract.rendered import FetchPart, Rendered, RenderLimits
from telusur.models import Page

FLAGS = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--mute-audio",
    # It talks to nobody on its own account.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-breakpad",
    "--no-pings",
    # No name is found, that of the proxy neither, and nothing goes past the proxy, not even to
    # loopback.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nothing.invalid:1",
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its older name
    "--disable-features=WebTransport,Prerender2,SpeculationRulesPrefetchFuture,MediaRouter,WebUSB",
    # A page has this much memory for its scripts, then its tab crashes, and not the machine.
    "--js-flags=--max-old-space-size=512",
)
CLOSE_SECONDS = 5.0


class BrowserGone(Exception):  # noqa: N818 - a state, not a fault
    """The browser died or does not answer; another one has to be started."""


class Chromium:
    """One running browser with a profile of its own, which is thrown away with it."""

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
        """Start the browser at `path`; BrowserGone when it does not come up."""
        mark = f"--telusur-browser={uuid.uuid4().hex}"
        flags = [*FLAGS, mark]
        if os.geteuid() == 0:  # Chromium refuses to run as root otherwise
            flags.append("--no-sandbox")
        playwright = await async_playwright().start()
        try:
            browser = await playwright.chromium.launch(
                executable_path=path, args=flags, chromium_sandbox=os.geteuid() != 0,
                handle_sigint=False, handle_sigterm=False, handle_sighup=False, timeout=60_000,
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
        """Draw one page; BrowserGone when the browser did not survive it."""
        self.pages += 1
        drawing = Drawing(self._browser, page, fetch, limits, self._cache)
        try:
            return await drawing.draw(blocks=blocks)
        except PlaywrightError as error:
            await asyncio.sleep(0.05)  # the news of its death comes a moment later
            if not self.is_alive():
                raise BrowserGone("the browser died") from None
            return Rendered(page.url, status=page.status, reason=_first_line(error))
        finally:
            self.is_stuck = self.is_stuck or drawing.is_stuck

    def is_alive(self) -> bool:
        """Tell whether the browser is there, and the driver that we talk to it by."""
        known = [pid for pid in (self.pid, self._driver_pid) if pid is not None]
        return all(map(is_running, known)) and self._browser.is_connected()

    def pids(self) -> list[int]:
        """Return its processes, and that of the driver; none where the system does not tell."""
        if self.pid is None:
            return []
        return group_of(self.pid) + ([self._driver_pid] if self._driver_pid else [])

    def memory_bytes(self) -> int:
        """Return the memory that it alone holds."""
        return private_bytes(self.pids())

    async def close(self) -> None:
        """End it, by force if need be."""
        closed = not self.is_stuck and await _within(self._browser.close(), CLOSE_SECONDS)
        if self.pid is not None and (not closed or is_running(self.pid)):
            end_group(self.pid)
        if not await _within(self._playwright.stop(), CLOSE_SECONDS) and self._driver_pid:
            end_group(self._driver_pid)


async def _within(work: Awaitable[None], seconds: float) -> bool:
    """Do something that may hang; tell whether it came to an end."""
    with suppress(PlaywrightError, TimeoutError):
        async with asyncio.timeout(seconds):
            await work
            return True
    return False


def _first_line(error: Exception) -> str:
    return (str(error).strip().split("\n") or [""])[0][:200]
