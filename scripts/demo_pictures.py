"""Take the pictures of README and docs: the demo web crawled, served and photographed.

python scripts/demo_pictures.py docs/images
"""

import shutil
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

import telusur
from telusur.demo.server import serve
from telusur.shelf import Shelf
from telusur.web.app import make_app
from telusur.web.server import bind, make_server

# File name, path, look.
PICTURES = [
    ("search.png", "/search?q=lighthouse+keeper", {"color_scheme": "light"}),
    ("search-dark.png", "/search?q=kopi+tubruk", {"color_scheme": "dark"}),
    ("home.png", "/", {"color_scheme": "light"}),
    ("crawl.png", "/crawls/demo", {"color_scheme": "light"}),
    ("new-crawl.png", "/crawls/new?urls=https://example.org/", {"color_scheme": "dark"}),
]
SIZE = {"width": 1100, "height": 760}
WEB_PORT = 8800


def main(out: Path) -> int:
    """Crawl the demo web, serve the collection, and take each picture."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("There is no Chromium; install it with: apt-get install chromium", file=sys.stderr)
        return 2
    out.mkdir(parents=True, exist_ok=True)
    with (
        ExitStack() as stack,
        TemporaryDirectory() as directory,
        serve(WEB_PORT) as web,
        telusur.open(Path(directory) / "demo") as collection,
        bind("127.0.0.1", 0) as listener,
    ):
        collection.crawl(web.start_urls, allow_private=True, delay=0.02)
        shelf = stack.enter_context(Shelf(Path(directory) / "demo"))
        app = make_app(collection, crawls=shelf)
        server = make_server(app, listener, "127.0.0.1", lambda url: None)
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            photograph(chromium, server.url, out)
        finally:
            server.should_exit = True
            thread.join()
    return 0


def photograph(chromium: str, base: str, out: Path) -> None:
    """Take each picture with a real browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        for name, path, look in PICTURES:
            page = browser.new_page(viewport=SIZE, **look)
            page.goto(base.rstrip("/") + path)
            page.screenshot(path=out / name)
            print(out / name)
        browser.close()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
