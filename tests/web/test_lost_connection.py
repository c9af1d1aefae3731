"""Pages that follow a crawl tell when they lose their server, and when it is back."""

import socket
import threading
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from telusur.settings import CrawlSettings
from telusur.shelf import Shelf
from telusur.web.app import make_app
from telusur.web.guard.access import Access
from telusur.web.server import bind, make_server
from tests.sites import page as html
from tests.sites import serving, wait_until

LOST = "Connection lost"


@contextmanager
def run_at(port, shelf):
    """Serve a shelf at a port, as a server does that is started again."""
    listens = threading.Event()
    with bind("127.0.0.1", port) as listener:
        app = make_app(None, 0, crawls=shelf, access=Access(open_to_all=True))
        server = make_server(app, listener, "127.0.0.1", lambda _url: listens.set())
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            assert listens.wait(100), "the server never listened"
            yield f"http://127.0.0.1:{port}"
        finally:
            server.handle_exit(2, None)
            thread.join(100)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A shelf with a crawl that goes on until the tests are over."""
    directory = tmp_path_factory.mktemp("shelf")
    pages = {"/robots.txt": ""}

    def otherwise(path):
        return html(path, links=[f"{path}a", f"{path}b"])

    with Shelf(directory) as shelf, serving(pages, otherwise=otherwise) as site:
        shelf.start("endless", [site.url()], CrawlSettings(allow_private=True, delay=0.2))
        yield shelf
        shelf.open("endless").stop()


@pytest.fixture
def port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def forget_refused(tab):
    """A browser tells its console of every request that nobody answers; these were meant to be."""
    assert all("Failed to load resource" in words for words in tab.complaints), tab.complaints
    tab.complaints.clear()


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "path",
    ["/crawls/endless", *(pytest.param(one, marks=SLOW) for one in ("/crawls", "/in/endless/"))],
)
def test_a_page_that_lost_its_server_says_so_until_it_is_back(shelf, port, open_tab, path):
    tab = open_tab()
    page = tab.page
    notice = page.locator("[data-connection]")
    with run_at(port, shelf) as url:
        page.goto(url + path)
        expect(page.get_by_text("running").first).to_be_visible()
        expect(notice).to_have_text("")
    expect(notice).to_contain_text(LOST)
    expect(notice).to_be_in_viewport()
    for button in page.locator("main button[type=submit][form=steer]").all():
        expect(button).to_be_disabled()
    with run_at(port, shelf):
        expect(notice).to_have_text("Connected again.")
        for button in page.locator("main button[type=submit][form=steer]").all():
            expect(button).to_be_enabled()
        expect(notice).to_have_text("")
        page.goto("about:blank")
    forget_refused(tab)


@pytest.mark.slow
def test_the_sites_of_the_home_page_keep_up_with_its_documents(shelf, port, open_tab):
    page = open_tab().page
    with run_at(port, shelf) as url:
        page.goto(f"{url}/in/endless/")

        def numbers():
            site = page.locator("[data-sites] .bars-number").first.inner_text().split()[0]
            return page.locator("[data-count=documents]").first.inner_text(), site

        first, _ = wait_until(lambda: page.locator(".bars-number").count() and numbers(), "a site")
        wait_until(lambda: numbers()[0] != first, "more documents")
        shelf.pause("endless")
        wait_until(lambda: len({*numbers()}) == 1, "the same number in both places")
        shelf.resume("endless")
        page.goto("about:blank")
