"""Crawls in a real browser: started by the form, watched, paused, ended; by keys, on a phone."""

import re

import pytest
from playwright.sync_api import expect

from telusur.shelf import Shelf
from tests.sites import page as html
from tests.sites import serving
from tests.web.conftest import crawl_aside, holding_script, run_workbench


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture(scope="module")
def shelf(directory):
    with Shelf(directory) as shelf:
        yield shelf
        for name in shelf.names():
            shelf.open(name).stop()


@pytest.fixture(scope="module")
def bench(shelf):
    with run_workbench(None, crawls=shelf) as running:
        yield running


@pytest.fixture(scope="module")
def endless():
    """A site without end, with a page that is missing and titles that mean harm."""

    def answer(path):
        title = f"<script>alert(1)</script> \u202e{path}"
        return html(title.replace("<", "&lt;"), links=[f"{path}a", f"{path}b", "/gone"])

    pages = {"/robots.txt": ""}
    with serving(pages, otherwise=lambda path: "" if path == "/gone" else answer(path)) as site:
        yield site


@pytest.fixture(scope="module")
def finished(directory, endless):
    """The name of a collection whose crawl reached its limit; its URLs are in several states."""
    crawl_aside(directory / "finished", endless.url(), pages=8, render="never")
    return "finished"


def test_a_crawl_of_the_demo_web_from_form_to_search(bench, demo_web, open_tab):
    page = open_tab().page
    page.goto(bench.key_url)
    page.goto(f"{bench.url}/crawls")
    page.get_by_role("link", name="New crawl").click()
    expect(page.get_by_label("Start URLs")).to_be_focused()
    page.keyboard.type("nonsense")
    expect(page.get_by_text("'nonsense' is not a web address")).to_be_visible()
    urls = page.get_by_label("Start URLs")
    expect(urls).to_have_attribute("aria-invalid", "true")
    urls.fill(demo_web.origins["docs"] + "/")
    expect(page.get_by_text("is not a web address")).to_have_count(0)
    expect(page.get_by_label("Collection")).to_have_attribute(
        "placeholder", re.compile("docs.localhost-")
    )
    expect(page.get_by_text("is at a private address and will not be fetched")).to_be_visible()
    page.get_by_label("Collection").fill("books")
    page.get_by_label("Delay").fill("0.01")
    # The setting that the warning names is in sight.
    page.get_by_label("Private addresses").press("Space")
    command = page.locator("[data-command]")
    expect(command).to_contain_text("--delay 0.01 --allow-private")
    expect(page.get_by_text("is at a private address")).to_have_count(0)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name=re.compile("Copied|Marked"))).to_be_visible()
    page.get_by_role("button", name="Start the crawl").press("Enter")
    page.wait_for_url("**/crawls/books")
    # The script brings the end of the crawl; nobody loads the page again.
    page.evaluate("window.isTheSamePage = true")
    expect(page.locator("[data-part=state]")).to_contain_text(
        "The last crawl finished; no URLs are left."
    )
    assert page.evaluate("window.isTheSamePage")
    expect(page).to_have_title("Crawl of books: idle · Telusur")
    expect(page.locator("[data-part=sites]")).to_contain_text("docs.localhost")
    expect(page.locator("[data-part=last] li")).to_have_count(15)
    page.get_by_role("link", name="Search this collection").click()
    page.get_by_role("combobox").fill("install")
    page.keyboard.press("Enter")
    expect(page.locator(".hit").first).to_be_visible()
    assert "/in/books/search?q=install" in page.url


def test_what_is_typed_before_the_script_has_loaded_is_checked_too(bench, open_tab):
    page = open_tab().page
    page.goto(bench.key_url)
    with holding_script(page, "new_crawl.js"):
        page.goto(f"{bench.url}/crawls/new", wait_until="commit")
        page.get_by_label("Start URLs").fill("nonsense")
    expect(page.get_by_text("'nonsense' is not a web address")).to_be_visible()


def forget_bad_requests(tab):
    """A browser tells its console of every answer with status 400; these were asked for."""
    assert all("400 (Bad Request)" in words for words in tab.complaints)
    tab.complaints.clear()


@pytest.mark.slow
def test_pause_go_on_limits_and_stop(bench, endless, open_tab):
    tab = open_tab()
    page = tab.page
    page.goto(bench.key_url)
    page.goto(f"{bench.url}/crawls/new?urls={endless.url()}&name=endless")
    page.get_by_label("Delay").fill("0.05")
    page.get_by_label("Private addresses").check()
    page.get_by_role("button", name="Start the crawl").click()
    state = page.locator("[data-part=state]")
    expect(state).to_contain_text("running")
    expect(page.get_by_role("img", name=re.compile("Pages per second"))).to_be_visible()
    page.get_by_role("button", name="Pause").press("Enter")
    expect(state).to_contain_text("paused")
    page.reload()
    expect(state).to_contain_text("paused")
    page.get_by_role("button", name="Resume").press("Enter")
    expect(state).to_contain_text("running")
    page.get_by_label("Pages", exact=True).fill("many")
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_text("'many' is not a whole number")).to_be_visible()
    forget_bad_requests(tab)
    page.get_by_label("Pages", exact=True).fill("100000")
    page.get_by_role("button", name="Change").click()
    expect(page.get_by_label("Pages", exact=True)).to_have_value("100000")
    expect(page.get_by_text("<script>alert(1)</script>").first).to_be_visible()
    page.goto(f"{bench.url}/crawls")
    expect(page.get_by_role("row", name=re.compile("endless"))).to_contain_text("running")
    page.goto(f"{bench.url}/crawls/endless")
    page.get_by_role("button", name="Stop").press("Enter")
    expect(state).to_contain_text("The last crawl was stopped.")
    expect(page.get_by_role("link", name="Resume or change this crawl")).to_be_visible()
    expect(page.get_by_role("heading", name="Change limits")).to_have_count(0)


def test_without_script_the_form_comes_back_with_its_sentences(bench, open_tab):
    tab = open_tab(java_script_enabled=False)
    page = tab.page
    page.goto(bench.key_url)
    page.goto(f"{bench.url}/crawls/new")
    page.get_by_label("Start URLs").fill("https://fine.example/")
    page.get_by_label("best-first").check()
    page.get_by_role("button", name="Start the crawl").click()
    expect(page.get_by_text("needs words to look for: add “Topic”.")).to_be_visible()
    forget_bad_requests(tab)
    expect(page.get_by_label("Start URLs")).to_have_value("https://fine.example/")
    expect(page.get_by_label("best-first")).to_be_checked()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 375, 768, 1440])
def test_nothing_sticks_out(bench, finished, open_tab, width):
    page = open_tab(viewport={"width": width, "height": 800}).page
    page.goto(bench.key_url)
    over = """() => [...document.querySelectorAll("header *, main *, footer *")]
      .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
      .filter(e => !e.closest(".unseen, svg, .crumbs, .scrolls"))
      .map(e => e.outerHTML.slice(0, 80))"""
    for path in ("/", "/crawls", "/crawls/new", f"/crawls/{finished}",
                 f"/crawls/{finished}/urls?state=waiting", f"/in/{finished}/"):  # fmt: skip
        page.goto(bench.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(over) == [], path
