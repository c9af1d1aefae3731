"""axe-core, which comes from npm when Telusur is set up, finds nothing serious on any page."""

from functools import cache
from pathlib import Path

import pytest

from telusur.shelf import Shelf
from tests.web.test_browser import PATHS

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")


@cache
def axe_source():
    assert AXE.is_file(), "axe-core is missing; run `make setup`, which asks npm for it."
    return AXE.read_text(encoding="utf-8")


def violations(page):
    """Return what axe calls grave, with the first element of each."""
    page.evaluate(axe_source())  # by the debugger's way in: the page's policy stays as it is
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{page.url}: {each['id']}: {each['nodes'][0]['html'][:120]}"
        for each in found["violations"]
        if each["impact"] in GRAVE
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "look",
    [
        pytest.param({"viewport": {"width": 1200, "height": 900}}, id="light"),
        pytest.param(
            {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"},
            id="dark phone",
        ),
    ],
)
def test_pages_of_a_collection(workbench, open_tab, look):
    page = open_tab(**look).page
    grave = []
    for path in PATHS:
        page.goto(workbench.url + path)
        grave += violations(page)
    assert grave == []


def test_pages_about_crawls(demo, show, open_tab):
    with Shelf(demo.directory) as shelf:
        name = shelf.names()[0]
        workbench = show(shelf.open(name), crawls=shelf)
        page = open_tab(viewport={"width": 1200, "height": 900}).page
        grave = []
        for path in ("/crawls", "/crawls/new", f"/crawls/{name}", f"/crawls/{name}/urls"):
            page.goto(workbench.url + path)
            grave += violations(page)
    assert grave == []
