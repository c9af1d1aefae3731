"""Take pictures of every page of a running workbench: light, dark and on a phone.

python scripts/screenshots.py http://127.0.0.1:8099 out/
"""

import argparse
import shutil
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from playwright.sync_api import Browser, sync_playwright

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


def main() -> int:
    """Take the pictures and name each file that was written."""
    given = parse_arguments()
    chromium = shutil.which("chromium")
    if chromium is None:
        print("There is no Chromium; install it with: apt-get install chromium", file=sys.stderr)
        return 2
    given.out_dir.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        arguments = [*CHROMIUM_ARGUMENTS, ONLY_HOST.format(host=urlsplit(given.base_url).hostname)]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        for look in LOOKS:
            take_pictures(browser, look, given)
        browser.close()
    return 0


def parse_arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base_url", metavar="BASE_URL")
    parser.add_argument("out_dir", metavar="OUT_DIR", type=Path)
    parser.add_argument("--query", default="clock", help="words that have hits")
    return parser.parse_args()


def take_pictures(browser: Browser, look: str, given: argparse.Namespace) -> None:
    """Take a picture of each page in one look; the document shown is that of the first hit."""
    context = browser.new_context(reduced_motion="reduce", **LOOKS[look])
    tab = context.new_page()
    search = f"/search?{urlencode({'q': given.query})}"
    tab.goto(urljoin(given.base_url, search))
    stored = tab.locator("a[href^='/page?']").first
    pages = {"home": "/", "search": search}
    if stored.count():
        address = stored.get_attribute("href") or ""
        pages["page"] = address
        for view in ("blocks", "links", "parts", "record", "score"):
            pages[f"page-{view}"] = address.replace("/page?", f"/page/{view}?")
    pages |= {
        "nothing-found": "/search?q=zyxwvut",
        "map": "/map",
        "outline": "/tree",
        "sites": "/sites",
        "site": "/site",
        "about": "/about",
        "not-found": "/no/such/page",
    }
    if tab.locator("nav a[href='/crawls']").count():
        pages |= {"crawls": "/crawls", "new-crawl": "/crawls/new"}
    for name, path in pages.items():
        tab.goto(urljoin(given.base_url, path))
        if tab.locator("canvas").count():
            tab.wait_for_selector("canvas[data-state=calm]")
        file = given.out_dir / f"{name}-{look}.png"
        tab.screenshot(path=file, full_page=True)
        print(file)
    context.close()


if __name__ == "__main__":
    sys.exit(main())
