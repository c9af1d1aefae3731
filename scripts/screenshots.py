"""Take pictures of every page of a running workbench: light, dark and on a phone.

python scripts/screenshots.py http://127.0.0.1:8099 out/

A page that complains in the console, breaks its Content-Security-Policy or is wider than the screen
is named, and the exit code is 1.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Page, sync_playwright

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1200, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1200, "height": 800}, "color_scheme": "dark"},
    "phone": {
        "viewport": {"width": 375, "height": 740},
        "color_scheme": "light",
        "device_scale_factor": 2,
    },
}
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
# No name but that of the workbench is looked up, whatever its pages link to.
ONLY_HOST = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {host}"
IS_TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
NOT_FOUND = "not-found"


def main() -> int:
    """Take the pictures and name each file that was written."""
    given = parse_arguments()
    chromium = shutil.which("chromium")
    if chromium is None:
        print("There is no Chromium; install it with: apt-get install chromium", file=sys.stderr)
        return 2
    given.out_dir.mkdir(parents=True, exist_ok=True)
    problems: list[str] = []
    with sync_playwright() as playwright:
        arguments = [*CHROMIUM_ARGUMENTS, ONLY_HOST.format(host=urlsplit(given.base_url).hostname)]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        for look, options in LOOKS.items():
            context = browser.new_context(reduced_motion="reduce", **options)
            take_pictures(context, look, given, problems)
            context.close()
        browser.close()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def parse_arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base_url", metavar="BASE_URL")
    parser.add_argument("out_dir", metavar="OUT_DIR", type=Path)
    parser.add_argument("--query", default="clock", help="words that have hits")
    return parser.parse_args()


def take_pictures(
    context: BrowserContext, look: str, given: argparse.Namespace, problems: list[str]
) -> None:
    """Take a picture of each page in one look."""
    tab = context.new_page()
    for name, path in list_pages(tab, given).items():
        with listening(tab, f"{name}-{look}", problems):
            tab.goto(urljoin(given.base_url, path))
            tab.wait_for_selector("[data-goes-on]", state="detached")  # work behind a page
            if tab.locator("canvas").count():
                tab.wait_for_selector("canvas[data-state=calm]", state="attached")
            file = given.out_dir / f"{name}-{look}.png"
            tab.screenshot(path=file, full_page=True)
            if tab.evaluate(IS_TOO_WIDE):
                problems.append(f"{name}-{look}: the page is wider than the screen")
        print(file)


def list_pages(tab: Page, given: argparse.Namespace) -> dict[str, str]:
    """Return the addresses of all pages; the document shown is that of the first hit."""
    search = f"/search?{urlencode({'q': given.query})}"
    tab.goto(urljoin(given.base_url, search))
    stored = tab.locator(".hit a[href^='/copy?']").first
    pages = {"home": "/", "search": search, "search-topics": f"{search}&group=topic"}
    if stored.count():
        copy = urlsplit(stored.get_attribute("href") or "")
        address = f"/page?{urlencode({'url': dict(parse_qsl(copy.query))['url']})}"
        pages["page"] = address
        for view in ("blocks", "links", "parts", "record", "score"):
            pages[f"page-{view}"] = address.replace("/page?", f"/page/{view}?")
        pages["page-links-in"] = f"{pages['page-links']}&side=in"
        pages["copy"] = address.replace("/page?", "/copy?")
        pages["original"] = f"{pages['copy']}&view=original"
        pages["around"] = address.replace("/page?url=", "/map?around=")
    pages |= {
        "nothing-found": "/search?q=zyxwvut",
        "columns": f"/columns?{urlencode({'plain': given.query})}",
        "map": "/map",
        "map-sites": "/map?view=sites",
        "outline": "/tree",
        "sites": "/sites",
        "site": "/site",
        "site-files": "/site/files",
        "clusters-choose": "/site/clusters",
        "api": "/api",
        "about": "/about",
        NOT_FOUND: "/no/such/page",
    }
    tab.goto(urljoin(given.base_url, "/sites"))
    site = tab.locator("main a[href^='/site?site=']").first
    if site.count():
        address = site.get_attribute("href") or ""
        pages["clusters"] = address.replace("/site?", "/site/clusters?")
        pages["clusters-page"] = address.replace("/site?", "/site/clusters/page?")
    tab.goto(urljoin(given.base_url, "/"))
    if tab.locator("nav a[href='/crawls']").count():
        pages |= {"crawls": "/crawls", "new-crawl": "/crawls/new"}
        tab.goto(urljoin(given.base_url, "/crawls"))
        crawl = tab.locator("main a[href^='/crawls/']:not([href='/crawls/new'])").first
        if crawl.count():
            pages["crawl"] = crawl.get_attribute("href") or ""
            pages["crawl-urls"] = f"{pages['crawl']}/urls?state=skipped"
    return pages


@contextmanager
def listening(tab: Page, name: str, problems: list[str]) -> Iterator[None]:
    """Note what a page complains about; breaches of its policy come over the console, too."""
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            said.append(message.text)

    def note_error(error: Error) -> None:
        said.append(str(error))

    tab.on("console", note)
    tab.on("pageerror", note_error)
    try:
        yield
    finally:
        tab.remove_listener("console", note)
        tab.remove_listener("pageerror", note_error)
        if name.startswith(NOT_FOUND):  # a browser complains of the status alone
            said = [each for each in said if "404" not in each]
        problems += [f"{name}: {each}" for each in said]


if __name__ == "__main__":
    sys.exit(main())
