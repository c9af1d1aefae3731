"""A workbench on loopback, a client that speaks plain HTTP to it, and a real browser."""

import http.client
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect, sync_playwright

import telusur
from telusur.demo.server import DemoServer, serve
from telusur.web.app import make_app
from telusur.web.paperdoll.doll import make_paper_doll
from telusur.web.reader import CollectionReader
from telusur.web.server import bind, make_server

# How long a browser test waits for what must come; a busy machine takes its time.
PATIENCE_MS = 100_000
expect.set_options(timeout=PATIENCE_MS)
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    # Whatever a page links to, no name is looked up and nothing leaves this machine.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


@dataclass
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Workbench:
    """A running server."""

    url: str
    key: str = ""

    @property
    def key_url(self) -> str:
        """The address that lets its visitor act."""
        return f"{self.url}/?key={self.key}"

    def get(
        self, path: str, method: str = "GET", body: str | None = None, **headers: str
    ) -> Answer:
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            response = connection.getresponse()
            names: dict[str, str] = {}
            for name, value in response.getheaders():
                before = f"{names[name.lower()]}\n" if name.lower() in names else ""
                names[name.lower()] = before + value
            return Answer(response.status, names, response.read())
        finally:
            connection.close()

    def visit(self) -> "Visitor":
        """Have a visitor who keeps his cookies, and may act where the key is all it takes."""
        visitor = Visitor(self)
        if self.key:
            visitor.get(f"/?key={self.key}")
        return visitor

    def visit_without_key(self) -> "Visitor":
        """Have a visitor who keeps his cookies, and has none yet."""
        return Visitor(self)


@dataclass
class Visitor:
    """Somebody who loads pages with forms and sends them, as a browser does."""

    workbench: Workbench
    cookies: dict[str, str] = field(default_factory=dict)
    token: str = ""

    def get(self, path: str, method: str = "GET", **more: Any) -> Answer:
        held = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.workbench.get(path, method, **{"Accept": "text/html", "Cookie": held} | more)
        for cookie in answer.headers.get("set-cookie", "").split("\n"):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies |= {name: value} if name else {}
        tokens = re.findall(r'name="token" value="([0-9a-f]+)"', answer.text)
        self.token = tokens[0] if tokens else self.token
        return answer

    def send(self, path: str, fields: dict[str, str], **headers: str) -> Answer:
        """Send a form with the token of the page loaded last."""
        body = urlencode({"token": self.token, **fields})
        kind = "application/x-www-form-urlencoded"
        return self.get(path, "POST", body=body, Content_Type=kind, **headers)


@contextmanager
def run_workbench(
    collection: CollectionReader | None, rate_limit: float = 0, **more: Any
) -> Iterator[Workbench]:
    listens = threading.Event()
    with bind("127.0.0.1", 0) as listener:
        app = make_app(collection, rate_limit, **more)
        server = make_server(app, listener, "127.0.0.1", lambda _url: listens.set())
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            assert listens.wait(100), "the server never listened"
            access = app.state.access
            is_plain = access.asks_for_key and access.is_open
            yield Workbench(server.url.rstrip("/"), access.key if is_plain else "")
        finally:
            server.handle_exit(2, None)
            thread.join(100)


def crawl_aside(directory: Path, *urls: str, **settings: Any) -> None:
    """Crawl in a thread, since the browser below may hold the event loop of this one."""

    def crawl() -> None:
        with telusur.open(directory) as collection:
            collection.crawl(list(urls), allow_private=True, delay=0, **settings)

    with ThreadPoolExecutor(1) as aside:
        aside.submit(crawl).result()


@pytest.fixture(scope="package")
def demo_web() -> Iterator[DemoServer]:
    """The demo web; made in a thread, since the browser below holds the event loop of this one."""
    with ThreadPoolExecutor(1) as aside, aside.submit(serve, 0).result() as web:
        yield web


@pytest.fixture(scope="session")
def workbench() -> Iterator[Workbench]:
    """The workbench on the paper doll."""
    with run_workbench(make_paper_doll()) as running:
        yield running


@pytest.fixture
def show() -> Iterator[Callable[..., Workbench]]:
    """A function that serves any collection until the test ends."""
    with ExitStack() as stack:
        yield lambda *given, **more: stack.enter_context(run_workbench(*given, **more))


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium without a window; while it is open, no other test can have an event loop."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("the browser tests need Chromium; install it with: apt-get install chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        yield running
        running.close()


@dataclass
class Tab:
    """A page of the browser, and everything it complained about."""

    page: Page
    complaints: list[str]


@pytest.fixture
def open_tab(browser: Browser) -> Iterator[Callable[..., Tab]]:
    """A function that opens a tab; console errors and CSP violations fail the test at its end."""
    tabs: list[Tab] = []

    def open_one(**options: Any) -> Tab:
        context = browser.new_context(reduced_motion="reduce", **options)
        context.set_default_timeout(PATIENCE_MS)
        tab = Tab(context.new_page(), [])

        def note(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                tab.complaints.append(message.text)

        tab.page.on("console", note)
        tab.page.on("pageerror", lambda error: tab.complaints.append(str(error)))
        tab.page.on("dialog", lambda dialog: (tab.complaints.append("dialog"), dialog.dismiss()))
        tabs.append(tab)
        return tab

    yield open_one
    for tab in tabs:
        tab.page.context.close()
    assert [tab.complaints for tab in tabs if tab.complaints] == []


@contextmanager
def holding_script(page: Page, name: str) -> Iterator[None]:
    """Let a script of the workbench arrive only after the block."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(f"**/js/{name}*", hold)
    yield
    while not held:
        page.wait_for_timeout(10)
    held[0].continue_()
