"""Turns an SVG picture into a PNG, with the browser that renders pages."""

import os
from pathlib import Path

from telusur.errors import UsageError
from telusur.fetch.browser.renderer import find_browser, why_no_browser


def write_png(svg: str, path: Path, width: int, height: int) -> None:
    """Render one of our own pictures; it is passed as a document, so nothing is fetched."""
    from playwright.sync_api import sync_playwright

    browser_path = find_browser()
    if missing := why_no_browser():
        raise UsageError(f"{path.name}: {missing}; or write an .svg file.")
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        try:
            page = browser.new_page(
                viewport={"width": width, "height": height},
                device_scale_factor=2,
                java_script_enabled=False,
            )
            page.set_content(f'<body style="margin:0">{svg}</body>')
            page.screenshot(path=path)
        finally:
            browser.close()
