"""One page in the browser: open, wait, read, close, each with a time limit."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    CDPSession,
    ViewportSize,
    WebSocketRoute,
)
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from telusur.extract.rendered import (
    FetchPart,
    Rendered,
    RenderLimits,
    collecting_options,
    read_blocks,
)
from telusur.fetch.browser.cache import PartCache
from telusur.fetch.browser.requests import PageGate
from telusur.models import Page

COLLECT = Path(__file__).with_name("collect.js").read_text(encoding="utf-8")
WORLD = "telusur"
# Counts changes of the DOM, starting before the first script.
WATCH = """globalThis.changes = 0;
new MutationObserver((records) => { changes += records.length; })
  .observe(document, { subtree: true, childList: true, characterData: true });"""
# Frames have their own observers; from outside, the number of their elements shows changes.
OBSERVE = """() => {
  let [scripts, elements] = [document.scripts.length, 0];
  for (const frame of Document.prototype.querySelectorAll.call(document, "iframe,frame")) {
    scripts += frame.contentDocument?.scripts.length ?? 0;
    elements += frame.contentDocument?.getElementsByTagName("*").length ?? 0;
  }
  return [document.readyState, changes, scripts, elements];
}"""
# Triggers content that loads on scrolling.
SCROLL = """() => {
  const height = document.documentElement.scrollHeight;
  const isWorthIt = height > 1.5 * innerHeight && document.scripts.length > 0;
  if (isWorthIt) scrollTo(0, height);
  return isWorthIt;
}"""
# Remove interfaces that reach the network without requests.
CUT_OFF = """for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport",
  "SharedWorker"]) { delete globalThis[name]; }"""
# Closed shadow roots stay closed to the scripts of a page, but are open to us, in our own world.
OPEN_SHADOWS = """{
  const { attachShadow } = Element.prototype;
  const { get } = Object.getOwnPropertyDescriptor(Element.prototype, "shadowRoot");
  const closed = new WeakSet();
  Object.defineProperty(Element.prototype, "attachShadow", { value(init) {
    if (init?.mode !== "closed") return attachShadow.apply(this, arguments);
    const root = attachShadow.call(this, { ...init, mode: "open" });
    closed.add(root);
    return root;
  } });
  Object.defineProperty(Element.prototype, "shadowRoot", { get() {
    const root = get.call(this);
    return closed.has(root) ? null : root;
  } });
}"""
WINDOW: ViewportSize = {"width": 1280, "height": 1024}
LOOK_SECONDS = 0.05
CLOSE_SECONDS = 3.0
CRASHED = "the page crashed the browser"
STOPPED = "Execution was terminated"


class Drawing:
    """Renders one page; `is_stuck` afterwards means that the browser should not be used again."""

    def __init__(
        self,
        browser: Browser,
        page: Page,
        fetch: FetchPart | None,
        limits: RenderLimits,
        cache: PartCache | None = None,
    ) -> None:
        self._browser = browser
        self._page = page
        self._limits = limits
        self._gate = PageGate(page, fetch, limits, cache)
        self._loop = asyncio.get_running_loop()
        self._started = self._loop.time()
        self._line: CDPSession | None = None
        self._crashed = asyncio.Event()
        self._world: asyncio.Future[int] = self._loop.create_future()
        self.is_stuck = False

    async def draw(self, *, blocks: bool) -> Rendered:
        """Open the page, wait until it is finished or its time is up, and read it."""
        context = await self._browser.new_context(
            service_workers="block", accept_downloads=False, reduced_motion="reduce",
            viewport=WINDOW, permissions=[], locale="en-US",
        )  # fmt: skip
        reading = asyncio.ensure_future(self._load_and_read(context, blocks=blocks))
        crash = asyncio.ensure_future(self._crashed.wait())
        try:
            await asyncio.wait([reading, crash], return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                return self._result({}, CRASHED)
            return self._result(reading.result())
        finally:
            for task in (reading, crash):
                task.cancel()
            await asyncio.gather(reading, crash, return_exceptions=True)
            await self._close(context)

    async def _load_and_read(self, context: BrowserContext, *, blocks: bool) -> dict[str, Any]:
        deadline = self._started + self._limits.seconds
        tab = await self._open(context)
        await self._claim_world(context, tab)
        try:
            async with asyncio.timeout_at(deadline):
                await tab.goto(self._page.url, wait_until="commit", timeout=0)
                await self._world
        except TimeoutError:
            return {}
        is_finished = await self._settle(deadline, self._limits.quiet_seconds)
        if is_finished and await self._ask(SCROLL):
            await self._settle(deadline, self._limits.quiet_seconds / 2)
        options = collecting_options(self._limits, blocks=blocks)
        record = await self._ask(COLLECT, {**options, "url": self._page.url}, patience=2)
        self.is_stuck = record is None
        return record or {}

    async def _open(self, context: BrowserContext) -> Tab:
        """Open an empty tab in which every request goes through the gate."""
        await context.route("**/*", self._gate.answer)
        await context.route_web_socket("**/*", _refuse)
        await context.add_init_script(CUT_OFF)
        await context.add_init_script(OPEN_SHADOWS)
        tab = await context.new_page()
        tab.on("crash", lambda _: self._crashed.set())
        context.on("page", lambda other: asyncio.ensure_future(_dismiss(other)))
        return tab

    async def _claim_world(self, context: BrowserContext, tab: Tab) -> None:
        """Create an isolated world in each page, where its scripts cannot change what we call."""
        line = self._line = await context.new_cdp_session(tab)
        tree = await line.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]

        def note(event: dict[str, Any]) -> None:
            made = event["context"]
            is_ours = made["name"] == WORLD and made["auxData"].get("frameId") == frame
            if is_ours and not self._world.done():
                self._world.set_result(made["id"])

        line.on("Runtime.executionContextCreated", note)
        await line.send("Runtime.enable")
        await line.send("Page.enable")
        await line.send(
            "Page.addScriptToEvaluateOnNewDocument", {"source": WATCH, "worldName": WORLD}
        )

    async def _settle(self, deadline: float, quiet_seconds: float) -> bool:
        """Wait until the page is loaded, has no pending requests, and has not changed for a while.

        Return whether that happened in time.
        """
        last: tuple[Any, int] | None = None
        quiet_since = self._loop.time()
        while (now := self._loop.time()) < deadline:
            state = await self._ask(OBSERVE)
            mark = (state, self._gate.asked)
            is_loaded = bool(state and state[0] == "complete")
            if is_loaded and not state[2] and not self._gate.in_flight:
                return True  # without scripts nothing changes
            is_ready = is_loaded or bool(self._gate.moved_to)
            if mark != last or self._gate.in_flight or not is_ready:
                last, quiet_since = mark, now
            elif now - quiet_since >= quiet_seconds:
                return True
            await asyncio.sleep(LOOK_SECONDS)
        return False

    async def _ask(self, function: str, options: Any = None, patience: int = 1) -> Any:
        """Call a function in the page; a script that blocks it too long is stopped.

        Return None if the page does not respond even then.
        """
        assert self._line is not None
        calling = asyncio.ensure_future(self._call(function, options))
        try:
            for _ in range(2):
                seconds = self._limits.answer_seconds * patience
                done, _ = await asyncio.wait([calling], timeout=seconds)
                if done:
                    return calling.result()
                await self._line.send("Runtime.terminateExecution")
        except PlaywrightError as error:
            if STOPPED not in str(error):  # the slow script may be our own function
                raise
        finally:
            calling.cancel()
        return None

    async def _call(self, function: str, options: Any) -> Any:
        assert self._line is not None
        answer: dict[str, Any] = await self._line.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "executionContextId": self._world.result(),
                "arguments": [{"value": options}],
                "returnByValue": True,
            },
        )
        return answer["result"].get("value")

    def _result(self, record: dict[str, Any], reason: str = "") -> Rendered:
        gate = self._gate
        seconds = self._loop.time() - self._started
        html = record.get("html") or ""
        return Rendered(
            url=str(record.get("url") or self._page.url),
            html=html.encode("utf-8", "replace").decode(),
            status=self._page.status,
            reason="" if html else reason or f"nothing to be read after {seconds:.0f} s",
            blocks=read_blocks(record.get("blocks")),
            moved_to=gate.moved_to,
            requests=gate.requests,
            refused=gate.refused,
            bytes=gate.bytes,
            seconds=seconds,
        )

    async def _close(self, context: BrowserContext) -> None:
        """Close the tab and its profile; if that fails, the browser is given up."""
        await self._gate.close()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await context.close()
        except (PlaywrightError, TimeoutError):
            self.is_stuck = True


def _refuse(socket: WebSocketRoute) -> None:
    asyncio.ensure_future(_hang_up(socket))  # noqa: RUF006 - it ends at once


async def _hang_up(socket: WebSocketRoute) -> None:
    with suppress(PlaywrightError):
        await socket.close()


async def _dismiss(tab: Tab) -> None:
    """Close a window that a script opened."""
    with suppress(PlaywrightError):
        await tab.close()
