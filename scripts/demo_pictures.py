"""Take the pictures of README and docs: the demo web crawled, served and photographed.

python scripts/demo_pictures.py docs/images
"""

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright
from small_png import shrink

from telusur.collection import open_collection
from telusur.demo.server import serve
from telusur.laboratory import compare_strategies
from telusur.settings import CrawlSettings
from telusur.shelf import Shelf
from telusur.web.app import make_app
from telusur.web.guard.access import Access
from telusur.web.server import bind, make_server

WEB_PORT = 8800
STORY = "http://news.localhost:8800/local/2026/06/lighthouse-keeper-s-cottage-opens-to-guests"
LIGHT, DARK = "light", "dark"
WIDE = {"width": 1100, "height": 760}
MAP = {"width": 1360, "height": 900}
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

# File name, path, colours, size.
PICTURES = [
    ("search", "/search?q=lighthouse+keeper", LIGHT, WIDE),
    ("search-dark", "/search?q=kopi+tubruk", DARK, WIDE),
    ("new-crawl", "/crawls/new?urls=https://example.org/", DARK, WIDE),
    ("map", "/map?selected={start}", LIGHT, MAP),
    ("map-dark", "/map?selected={start}", DARK, MAP),
    ("blocks", "/page/blocks?url={story}", LIGHT, WIDE),
    ("site", "/site?site={site}", LIGHT, WIDE),
    ("clusters", "/site/clusters?site={site}", LIGHT, WIDE),
]
COMPARED = ("breadth-first", "best-first", "focused")
TOPIC = "coffee"
EARLY_PAGES = 330


def main(out: Path) -> int:
    """Crawl the demo web, serve the collection, and take each picture."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("There is no Chromium; install it with: apt-get install chromium", file=sys.stderr)
        return 2
    out.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as directory,
        serve(WEB_PORT) as web,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
        camera = Camera(browser, out)
        photograph_demo(camera, Path(directory) / "demo", web.start_urls)
        photograph_comparison(camera, Path(directory), web.start_urls)
        browser.close()
    return 0


class Camera:
    """Takes pictures with a real browser."""

    def __init__(self, browser: Browser, out: Path) -> None:
        self._browser = browser
        self._desk = browser.new_page()  # the pages themselves allow no pictures from outside
        self._out = out

    def take(self, name: str, address: str, colours: str, size: dict[str, int]) -> None:
        """Take one picture, small enough for a repository."""
        page = self._browser.new_page(viewport=size, color_scheme=colours, reduced_motion="reduce")  # type: ignore[arg-type]
        page.goto(address)
        page.wait_for_selector("[data-goes-on]", state="detached")  # work behind a page
        if page.locator("canvas").count():
            page.wait_for_selector("canvas[data-state=calm]")
        png = page.screenshot()
        file = self._out / f"{name}.png"
        file.write_bytes(shrink(png, self._desk))
        page.close()
        print(f"{file} {file.stat().st_size:,}")


def photograph_demo(camera: Camera, directory: Path, start_urls: list[str]) -> None:
    """Photograph a crawl while it runs, and what can be seen of it afterwards."""
    open_collection(directory).close()
    with Shelf(directory) as shelf, serving(shelf) as base:
        shelf.start("demo", start_urls, CrawlSettings(allow_private=True, delay=0.15))
        while shelf.status("demo").pages < EARLY_PAGES:
            time.sleep(0.2)
        camera.take("crawl", f"{base}/crawls/demo", LIGHT, WIDE)
        shelf.limit("demo", {"delay": 0.0})
        while shelf.status("demo").is_crawling:
            time.sleep(0.5)
        values = {"start": start_urls[0], "story": STORY, "site": "news.localhost"}
        for name, path, colours, size in PICTURES:
            camera.take(name, base + path.format(**values), colours, size)


def photograph_comparison(camera: Camera, directory: Path, start_urls: list[str]) -> None:
    """Photograph what came out when strategies were compared on the same archive."""
    settings = CrawlSettings(replay=str(directory / "demo"), pages=250, relevant=0.2, index=False)
    compared = directory / "compared"
    with ThreadPoolExecutor(1) as pool:  # a thread with a browser has no room for a crawl
        pool.submit(
            compare_strategies, start_urls, COMPARED, [TOPIC], settings, directory=compared
        ).result()
    with Shelf(compared, replace(settings, replay=None)) as shelf, serving(shelf) as base:
        camera.take("comparison", f"{base}/comparison", LIGHT, WIDE)


@contextmanager
def serving(shelf: Shelf) -> Iterator[str]:
    """Serve what is on a shelf; yield the address, without a slash at its end."""
    collection = shelf.open(shelf.names()[0]) if shelf.holds_one else None
    with bind("127.0.0.1", 0) as listener:
        app = make_app(collection, 0, crawls=shelf, access=Access(open_to_all=True))
        server = make_server(app, listener, "127.0.0.1", lambda url: None)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield server.url.rstrip("/")
        finally:
            server.should_exit = True
            thread.join()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
