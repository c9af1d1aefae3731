"""Journeys through the workbench in a real browser."""

import dataclasses
import re

import pytest
from playwright.sync_api import expect

from telusur.web.paperdoll.doll import PaperDoll, make_paper_doll
from tests.web.conftest import holding_script

TIDE_CLOCKS = "https://www.harbour-post.example/science/2026/03/tide-clocks"
PATHS = ["/", "/search?q=clock", "/search?q=zyxwvut", "/sites", "/about",
         "/api", "/columns?plain=clock", "/search?q=tide&why=1", f"/copy?q=tide&url={TIDE_CLOCKS}",
         f"/page?url={TIDE_CLOCKS}", "/map", "/tree", "/map?view=sites", "/map?q=clock",
         f"/tree?selected={TIDE_CLOCKS}", "/site?site=harbour-post.example", "/site/files?type=pdf",
         "/site/clusters?site=tinkers.example", "/site/clusters/page?site=tinkers.example",
         *(f"/page/{view}?url={TIDE_CLOCKS}"
           for view in ("blocks", "links", "posts", "parts", "record", "score"))]  # fmt: skip


class Growing(PaperDoll):
    """A collection in the middle of a crawl that the test moves on."""

    more = 0

    def counts(self):
        now = super().counts()
        return dataclasses.replace(now, waiting=now.waiting + 1000 * self.more)

    def finish(self):
        self._is_crawling = False


def focused_hit(page):
    return page.evaluate(
        "[...document.querySelectorAll('[data-hit]')].indexOf(document.activeElement)"
    )


def test_the_search_journey_needs_no_mouse(workbench, open_tab):
    page = open_tab().page
    # The page of the stranger is played by us; conftest.py keeps the browser off the network.
    page.route(re.compile("^https:"), lambda route: route.fulfill(body="the live page"))
    page.goto(workbench.url)
    page.keyboard.type("tide clock")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{workbench.url}/search?q=tide+clock")  # with its scripts
    expect(page).to_have_title("tide clock · Telusur")
    steps = [("ArrowDown", 0), ("j", 1), ("ArrowDown", 2), ("k", 1), ("ArrowUp", 0), ("k", 0)]
    for key, hit in steps:
        page.keyboard.press(key)
        assert focused_hit(page) == hit, key
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-search-box]")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("/")
    page.keyboard.type("tide clock northern")
    page.keyboard.press("Enter")
    page.wait_for_url("**northern")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page).to_have_url(TIDE_CLOCKS)


@pytest.mark.slow
@pytest.mark.parametrize("key", ["ArrowDown", "j"])
def test_the_last_hit_is_the_end(workbench, open_tab, key):
    page = open_tab().page
    page.goto(f"{workbench.url}/search?q=clock&limit=3")
    for _ in range(5):
        page.keyboard.press(key)
    assert focused_hit(page) == 2


def test_slash_selects_what_is_in_the_box_and_types_into_it(workbench, open_tab):
    page = open_tab().page
    page.goto(f"{workbench.url}/search?q=clock")
    page.keyboard.press("/")
    page.keyboard.type("a/b")
    expect(page.locator("[data-search-box]")).to_have_value("a/b")


def test_the_stored_copy_is_reached_by_tab(workbench, open_tab):
    page = open_tab().page
    page.goto(f"{workbench.url}/search?q=tide+clock+northern")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "The tide clocks of the northern harbours"
    )
    expect(page.frame_locator("iframe").locator("mark").first).to_have_text("clock")
    page.get_by_role("link", name="Text and history").press("Enter")
    expect(page.locator(".timeline-step")).to_have_count(3)


def test_the_skip_link_is_first_and_works(workbench, open_tab):
    page = open_tab().page
    page.goto(f"{workbench.url}/sites")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_everything_essential_works_without_script(workbench, open_tab):
    page = open_tab(java_script_enabled=False).page
    page.goto(workbench.url)
    page.fill("[data-search-box]", "clock")
    page.click("button")
    page.click("text=Next")
    expect(page.locator(".hit")).to_have_count(10)
    page.locator("text=Stored copy").first.click()
    expect(page.frame_locator("iframe").locator("p")).to_have_count(3)
    page.get_by_role("navigation", name="Main").get_by_text("Sites").click()
    page.get_by_role("link", name="Search lexikon.example").click()
    expect(page.locator(".hit")).to_have_count(2)


@pytest.mark.slow
def test_the_numbers_follow_a_crawl_to_its_end(show, open_tab):
    whole = make_paper_doll(is_crawling=True)
    growing = Growing([], [], is_crawling=True)
    growing.__dict__ |= whole.__dict__
    page = open_tab().page
    page.goto(show(growing).url)
    expect(page.locator("[data-count=waiting]")).to_have_text("229")
    growing.more = 5
    expect(page.locator("[data-count=waiting]")).to_have_text("5,229")
    expect(page.locator("[data-count=found]")).to_have_text("5,306")
    growing.finish()
    expect(page.locator("[data-live]")).to_have_count(0)


@pytest.mark.slow
def test_the_end_of_a_crawl_does_not_take_the_words_from_the_box(show, open_tab):
    growing = Growing([], [], is_crawling=True)
    page = open_tab().page
    page.goto(show(growing).url)
    page.keyboard.type("half a thou")
    growing.finish()
    expect(page.locator("[data-live]")).to_have_text("The crawl has finished.")
    expect(page.locator("[data-search-box]")).to_have_value("half a thou")


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 375, 768, 1440])
def test_nothing_sticks_out(workbench, open_tab, width):
    page = open_tab(viewport={"width": width, "height": 800}).page
    over = """() => [...document.querySelectorAll("header *, main *, footer *")]
      .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
      .filter(e => !e.closest(".unseen, svg, .crumbs, .branch-name, .table"))
      .map(e => e.outerHTML.slice(0, 80))"""
    for path in PATHS:
        page.goto(workbench.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(over) == [], path


@pytest.mark.slow
def test_the_command_for_an_empty_collection_is_not_cut_off(show, open_tab):
    page = open_tab(viewport={"width": 320, "height": 800}).page
    page.goto(show(make_paper_doll(is_empty=True)).url)
    assert page.locator(".command").evaluate("e => e.scrollWidth <= e.clientWidth")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/search?q=clock", "/about"])
def test_nothing_overlaps_in_the_top_bar(workbench, open_tab, path):
    page = open_tab(viewport={"width": 375, "height": 800}).page
    page.goto(workbench.url + path)
    boxes = [item.bounding_box() for item in page.locator(".top-inner > *").all()]
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            beside = (
                one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            )
            above = (
                one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            )
            assert beside or above


@pytest.mark.parametrize(
    ("scheme", "paper"), [("light", "rgb(250, 249, 246)"), ("dark", "rgb(18, 23, 26)")]
)
def test_light_and_dark(workbench, open_tab, scheme, paper):
    page = open_tab(color_scheme=scheme).page
    page.goto(workbench.url)
    expect(page.locator("html")).to_have_css("background-color", paper)


@pytest.mark.slow
def test_paper_shows_no_buttons(workbench, open_tab):
    page = open_tab().page
    page.goto(f"{workbench.url}/search?q=clock")
    page.emulate_media(media="print")
    expect(page.locator(".hit").first).to_be_visible()
    for part in (".nav", ".box", ".pager"):
        expect(page.locator(part)).to_be_hidden()


def test_focus_can_be_seen(workbench, open_tab):
    page = open_tab().page
    page.goto(f"{workbench.url}/search?q=clock")
    page.keyboard.press("j")
    expect(page.locator("[data-hit]").first).to_have_css("outline-style", "solid")
    page.keyboard.press("/")
    shadow = page.locator(".box").evaluate("e => getComputedStyle(e).boxShadow")
    assert shadow != "none"


def test_suggestions_are_walked_by_keys(workbench, open_tab):
    page = open_tab().page
    page.goto(workbench.url)
    box = page.get_by_role("combobox")
    box.press_sequentially("harb")
    options = page.get_by_role("option")
    expect(options.first).to_be_visible()
    expect(box).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", "suggestion-0")
    page.keyboard.press("ArrowUp")
    expect(options.first).to_have_attribute("aria-selected", "false")
    page.keyboard.press("Escape")
    expect(options.first).to_be_hidden()
    expect(box).to_have_value("harb")
    box.press_sequentially("o")
    expect(options.first).to_be_visible()
    chosen = options.first.locator("bdi").inner_text()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=*")
    expect(page.get_by_role("combobox")).to_have_value(chosen)


def test_suggestions_come_for_what_was_typed_before_the_script_had_loaded(workbench, open_tab):
    page = open_tab().page
    with holding_script(page, "suggest.js"):
        page.goto(workbench.url, wait_until="commit")
        page.locator("[data-suggest]").fill("harb")
    expect(page.get_by_role("option").first).to_be_visible()


def test_a_title_leads_to_its_page(workbench, open_tab):
    page = open_tab().page
    page.goto(f"{workbench.url}/sites")
    page.get_by_role("combobox").press_sequentially("glass eels")
    page.get_by_role("option", name="Glass eels return to the river mouth").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Glass eels return to the river mouth"
    )


def test_enter_searches_for_what_was_typed(workbench, open_tab):
    page = open_tab().page
    page.goto(workbench.url)
    page.get_by_role("combobox").press_sequentially("harb")
    expect(page.get_by_role("option").first).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=harb")


@pytest.mark.parametrize("width", [375, 1200])
def test_a_search_is_narrowed_and_widened_without_script(workbench, open_tab, width):
    page = open_tab(java_script_enabled=False, viewport={"width": width, "height": 800}).page
    page.goto(f"{workbench.url}/search?q=clock")
    narrow = page.get_by_role("complementary", name="Narrow this search")
    expect(narrow.get_by_role("img")).to_have_attribute("aria-label", re.compile("2025: "))
    narrow.get_by_role("link", name="lantern.example").click()
    expect(page.locator("[data-search-box]")).to_have_value("clock site:lantern.example")
    page.get_by_role("link", name="Remove the filter site:lantern.example").press("Enter")
    expect(page.locator("[data-search-box]")).to_have_value("clock")


def test_the_score_is_told_without_script(workbench, open_tab):
    page = open_tab(java_script_enabled=False).page
    page.goto(f"{workbench.url}/search?q=tide+clock")
    expect(page.locator("details.hit-more", has_text="Why this?")).to_have_count(0)
    page.locator("#hit-2").get_by_text("Why this?").click()
    expect(page.locator("#hit-2").get_by_text("how often the words occur")).to_be_visible()
    expect(page.locator("#hit-1").get_by_text("how often the words occur")).to_be_hidden()
    assert page.url.endswith("#hit-2")


@pytest.mark.slow
def test_copies_of_a_hit_are_named(workbench, open_tab):
    page = open_tab().page
    page.goto(f"{workbench.url}/search?q=tide+clock+northern")
    expect(page.get_by_text("7 more from this site").first).to_be_visible()
    page.get_by_text("1 duplicate").first.click()
    copy = page.get_by_role("link", name="print=1").first
    expect(copy).to_be_visible()
