"""A workbench on loopback, a client that speaks plain HTTP to it, and a real browser."""

import http.client
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from telusur.web.app import make_app
from telusur.web.paperdoll import make_paper_doll
from telusur.web.reader import CollectionReader
from telusur.web.server import bind, make_server

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
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Workbench:
    """A running server."""

    url: str

    def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=20)
        try:
            connection.request(method, path, headers=headers)
            response = connection.getresponse()
            names = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, names, response.read())
        finally:
            connection.close()


@contextmanager
def run_workbench(collection: CollectionReader, rate_limit: float = 0) -> Iterator[Workbench]:
    listens = threading.Event()
    with bind("127.0.0.1", 0) as listener:
        app = make_app(collection, rate_limit)
        server = make_server(app, listener, "127.0.0.1", lambda _url: listens.set())
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            assert listens.wait(20), "the server never listened"
            yield Workbench(server.url.rstrip("/"))
        finally:
            server.should_exit = True
            thread.join(20)


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
