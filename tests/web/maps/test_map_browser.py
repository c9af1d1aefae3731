"""The map and the outline in a real browser."""

import re
from math import dist
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import expect

import telusur
from telusur.web.frame import urls
from telusur.web.maps import pages as map_pages
from telusur.web.paperdoll.doll import make_paper_doll
from tests.sites import wait_until
from tests.web.test_hostile import TEXTS, URLS, Hostile

HOME = "https://www.harbour-post.example/science/2026/03/tide-clocks"
WIDE = {"viewport": {"width": 1400, "height": 900}}
PAGES = len(make_paper_doll()._documents)


@pytest.fixture(autouse=True)
def _has_vendor():
    if not map_pages.VENDOR.exists():
        pytest.fail("the map needs D3; fetch it with: make setup")


def open_map(tab, address):
    tab.page.goto(address)
    canvas = tab.page.locator("canvas")
    expect(canvas).to_have_attribute("data-state", "calm")
    return tab.page, canvas


def click_on(page, canvas, name):
    left, top = canvas.evaluate("(canvas, name) => canvas.whereIs(name)", name)
    canvas.click(position={"x": left, "y": top})


def selected(page):
    return parse_qs(urlsplit(page.url).query).get("selected", [""])[0]


def test_a_page_chosen_on_the_map_is_shown_in_the_outline(workbench, open_tab):
    page, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/map")
    expect(canvas).to_have_attribute("data-nodes", str(PAGES))
    nodes = workbench.get("/graph.json").json["nodes"]
    deepest = max(nodes, key=lambda node: node["depth"])
    click_on(page, canvas, deepest["url"])
    chosen = page.locator(".branch.is-selected")
    expect(chosen).to_have_attribute("data-url", deepest["url"])
    row = chosen.get_by_role("treeitem", selected=True)
    expect(row).to_have_attribute("aria-level", str(deepest["depth"] + 1))
    expect(row).to_be_in_viewport()
    expect(page.locator("[data-panel-title]")).to_have_text(deepest["title"])
    assert selected(page) == deepest["url"]
    page.reload()
    expect(page.locator(".branch.is-selected")).to_have_attribute("data-url", deepest["url"])
    expect(canvas).to_have_attribute("data-chosen", deepest["title"])
    page.get_by_role("link", name="Open the page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(deepest["title"])


def test_a_page_chosen_in_the_outline_is_shown_on_the_map(workbench, open_tab):
    page, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/tree")
    page.locator(".branch-toggle").first.click()
    name = page.locator(".branch .branch .branch-name").nth(1)
    title = name.inner_text()
    name.click()
    expect(canvas).to_have_attribute("data-chosen", title)
    page.get_by_role("link", name="Show its neighbours").click()
    expect(page.locator(".map-said")).to_contain_text(f"Around {title}")
    expect(canvas).to_have_attribute("data-chosen", title)
    assert int(canvas.get_attribute("data-nodes")) < PAGES


@pytest.mark.slow
def test_the_tooltip_names_what_lies_under_the_pointer_also_after_zooming(workbench, open_tab):
    page, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/map")
    urls_by_title = {one["title"]: one["url"] for one in workbench.get("/graph.json").json["nodes"]}
    box, tip = canvas.bounding_box(), page.locator("[data-tip]")

    def place_of(url):
        return canvas.evaluate("(canvas, name) => canvas.whereIs(name)", url)

    # The page farthest from the middle, about which keys zoom: it moves away from the pointer.
    middle = (box["width"] / 2, box["height"] / 2)
    farthest = max(urls_by_title.values(), key=lambda url: dist(place_of(url), middle))
    pointer = place_of(farthest)
    page.mouse.move(box["x"] + pointer[0], box["y"] + pointer[1])
    expect(tip).to_be_visible()
    assert urls_by_title[tip.locator("bdi").inner_text()] == farthest
    before = canvas.evaluate("(canvas) => canvas.scale")
    canvas.focus()
    for _ in range(6):
        page.keyboard.press("+")
    wait_until(lambda: canvas.evaluate("(canvas) => canvas.scale") > 2 * before, "the zoom")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if tip.is_visible():
        named = urls_by_title[tip.locator("bdi").inner_text()]
        # The largest disc has a radius of 18.5 at scale 1.
        reach = 18.5 * canvas.evaluate("(canvas) => canvas.scale") + 6
        assert dist(place_of(named), pointer) <= reach
        assert named != farthest


def test_the_tooltip_goes_when_the_wheel_moves_its_page_away(workbench, open_tab):
    """The wheel zooms about the pointer, so a page beside it moves away; the pointer does not."""
    page, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/map")
    box, tip = canvas.bounding_box(), page.locator("[data-tip]")
    titles = {one["url"]: one["title"] for one in workbench.get("/graph.json").json["nodes"]}

    def place_of(url):
        return canvas.evaluate("(canvas, name) => canvas.whereIs(name)", url)

    def point_at(left, top):
        page.mouse.move(box["x"] + left, box["y"] + top)

    def zoom(notches):
        before = canvas.evaluate("(canvas) => canvas.scale")
        page.mouse.wheel(0, -200 * notches)
        wait_until(lambda: canvas.evaluate("(canvas) => canvas.scale") != before, "the zoom")
        frame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        page.evaluate(frame)

    leftmost = min(titles, key=lambda url: place_of(url)[0])
    left, top = place_of(leftmost)
    point_at(left, top)
    expect(tip).to_contain_text(titles[leftmost])
    zoom(3)
    expect(tip).to_contain_text(titles[leftmost])
    # Positions of the pointer are whole pixels.
    assert dist(place_of(leftmost), (left, top)) < 4, "it stayed under the pointer"
    zoom(-3)
    # Leave its disc to the left, as far as it still counts as pointed at: no page lies there.
    reach = next(far for far in range(1, 60) if (point_at(left - far, top), tip.is_hidden())[1])
    point_at(left - reach + 1, top)
    expect(tip).to_contain_text(titles[leftmost])
    zoom(6)
    assert dist(place_of(leftmost), (left - reach + 1, top)) > reach
    expect(tip).to_be_hidden()


@pytest.mark.slow
def test_the_map_is_filtered_and_hits_stand_out(workbench, open_tab):
    page, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/map")
    page.get_by_role("searchbox", name="Words").fill("clock")
    expect(canvas).to_have_attribute("data-found", re.compile("[1-9]"))
    expect(page.get_by_role("status")).to_have_text(re.compile(r"^\d+ of \d+ hits on the map$"))
    page.get_by_role("searchbox", name="Words").fill("")
    expect(canvas).to_have_attribute("data-found", "")
    page.locator("select[name=site]").select_option("lantern.example")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url("**site=lantern.example**")
    fitting = workbench.get("/graph.json?site=lantern.example").json
    assert 0 < fitting["fitting"] < PAGES
    expect(canvas).to_have_attribute("data-nodes", str(len(fitting["nodes"])))
    expect(page.locator("[data-legend] a", has_text="lantern.example")).to_be_visible()


@pytest.mark.slow
def test_the_map_by_topic(workbench, open_tab):
    page, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/map")
    page.get_by_label("Topic score").select_option("0.5")
    page.get_by_label("Colours").select_option("topic")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(canvas).to_have_attribute("data-state", "calm")
    answer = workbench.get("/graph.json?about=0.5").json
    about = [node for node in answer["nodes"] if node["fits"]]
    assert 0 < len(about) == answer["fitting"] < PAGES
    assert all(node["topic"] >= 0.5 for node in about)
    expect(page.locator(".map-said")).to_contain_text(f"{len(about)} of {PAGES} pages match")
    deepest = max(about, key=lambda node: node["depth"])
    click_on(page, canvas, deepest["url"])
    chosen = page.locator(".branch.is-selected")
    expect(chosen).to_have_attribute("data-topic", f"{deepest['topic']:g}")
    expect(page.locator("[data-panel-note]")).to_contain_text(f"topic {deepest['topic']:g}")
    assert "hue-1" in page.locator("[data-panel-dot]").get_attribute("class")
    off = page.locator(".is-off-topic").first
    assert float(off.get_attribute("data-topic")) < 0.5
    assert "topic score from 0.8" in workbench.get("/graph.svg?colour=topic").text
    assert workbench.get("/graph.json?about=2").status == 400


@pytest.mark.slow
def test_a_map_opened_at_a_page_shows_all_of_it(workbench, open_tab):
    _, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/map?around={HOME}&selected={HOME}")
    size = canvas.bounding_box()
    nodes = workbench.get(f"/graph.json?around={HOME}").json["nodes"]
    assert len(nodes) > 1
    for node in nodes:
        left, top = canvas.evaluate("(canvas, name) => canvas.whereIs(name)", node["url"])
        assert 0 < left < size["width"], node["url"]
        assert 0 < top < size["height"], node["url"]


@pytest.mark.slow
def test_without_a_topic_the_map_does_not_speak_of_it(demo, show):
    with telusur.open(demo.directory) as collection:
        answer = show(collection).get("/map?colour=topic")
    assert "Topic score" not in answer.text
    assert 'data-colour="site"' in answer.text


def test_the_map_by_keyboard(workbench, open_tab):
    page, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/map")
    answer = workbench.get("/graph.json").json
    titles = [node["title"] for node in answer["nodes"]]
    canvas.focus()
    page.keyboard.press("ArrowDown")
    first = canvas.get_attribute("data-chosen")
    assert first in titles
    linked = {
        titles[link[there]]
        for link in answer["links"]
        for here, there in (("source", "target"), ("target", "source"))
        if titles[link[here]] == first
    }
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        if canvas.get_attribute("data-chosen") != first:
            break
    second = canvas.get_attribute("data-chosen")
    assert second in linked
    expect(page.get_by_role("status")).to_have_text(re.compile(re.escape(second)))
    before = canvas.evaluate("(canvas, url) => canvas.whereIs(url)", HOME)
    page.keyboard.press("+")
    assert canvas.evaluate("(canvas, url) => canvas.whereIs(url)", HOME) != before
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(second)


def test_the_outline_by_keyboard(workbench, open_tab):
    page = open_tab(viewport={"width": 375, "height": 740}).page
    page.goto(f"{workbench.url}/tree")
    tree = page.get_by_role("tree", name="How pages were found")
    items = tree.get_by_role("treeitem")
    expect(items).to_have_count(1)
    focused = page.locator(":focus")
    item = page.locator(".branch:has(> :focus)")
    items.first.focus()
    page.keyboard.press("ArrowRight")
    expect(items.first).to_have_attribute("aria-expanded", "true")
    expect(items.nth(1)).to_have_attribute("aria-level", "2")
    page.keyboard.press("ArrowRight")
    first = item.get_attribute("data-name")
    page.keyboard.press("End")
    last = item.get_attribute("data-name")
    assert last != first
    assert selected(page) == item.get_attribute("data-url")
    page.keyboard.press(last[0])
    page.keyboard.press("Home")
    expect(focused).to_have_attribute("aria-level", "1")
    page.keyboard.type(last[:5].lower())
    expect(item).to_have_attribute("data-name", re.compile(f"^{re.escape(last[:5])}", re.I))
    page.keyboard.press("ArrowLeft")
    expect(focused).to_have_attribute("aria-level", "1")
    page.keyboard.press("ArrowLeft")
    expect(items.first).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/page"))


@pytest.mark.slow
def test_long_lists_come_in_parts(workbench, open_tab):
    page = open_tab(viewport={"width": 375, "height": 740}).page
    page.route("**/tree.json*limit=50", lambda route: route.continue_(
        url=route.request.url.replace("limit=50", "limit=3")
    ))  # fmt: skip
    page.goto(f"{workbench.url}/tree")
    page.locator(".branch-toggle").first.click()
    inside = page.locator(".branch .branch")
    expect(inside).to_have_count(3)
    total = workbench.get(f"/tree.json?url={quote(HOME, safe='')}").json["total"]
    page.get_by_text(f"{total - 3} more").click()
    expect(inside).to_have_count(6)
    page.keyboard.press("ArrowDown")
    names = [item.get_attribute("data-url") for item in inside.all()]
    expected = workbench.get(f"/tree.json?url={quote(HOME, safe='')}").json["branches"]
    assert names == [branch["url"] for branch in expected[:6]]


def test_map_and_outline_are_tabs_on_a_phone(workbench, open_tab):
    tab = open_tab(viewport={"width": 375, "height": 740})
    page, canvas = open_map(tab, f"{workbench.url}/map")
    expect(page.locator(".outline")).to_be_hidden()
    click_on(page, canvas, HOME)
    expect(page.locator("[data-panel]")).to_be_visible()
    page.get_by_role("navigation", name="Map or outline").get_by_text("Outline").click()
    page.wait_for_url("**/tree?**")
    expect(page.locator(".branch.is-selected")).to_have_attribute("data-url", HOME)
    expect(page.locator(".map")).to_be_hidden()


@pytest.mark.slow
def test_sites_lead_to_their_pages(workbench, open_tab):
    page, canvas = open_map(open_tab(**WIDE), f"{workbench.url}/map?view=sites")
    sites = workbench.get("/graph/sites.json").json["sites"]
    expect(canvas).to_have_attribute("data-nodes", str(len(sites)))
    click_on(page, canvas, sites[0]["domain"])
    page.get_by_role("link", name="Show its pages").click()
    page.wait_for_url(f"**/map?site={sites[0]['domain']}")


@pytest.mark.slow
def test_the_map_is_saved_as_a_picture(workbench, open_tab, tmp_path):
    page, _ = open_map(open_tab(**WIDE), f"{workbench.url}/map")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="PNG").click()
    assert waiting.value.suggested_filename == "map-paper-doll.png"
    waiting.value.save_as(tmp_path / "map.png")
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_without_script_there_are_a_picture_lists_and_links(workbench, open_tab):
    page = open_tab(java_script_enabled=False, **WIDE).page
    page.goto(f"{workbench.url}/map")
    picture = page.locator("img.map-still")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
    page.get_by_text("Best pages as a list").click()
    expect(page.locator(".map-list li")).to_have_count(50)
    page.goto(f"{workbench.url}/tree")
    page.get_by_role("link", name="Open", exact=True).first.click()
    children = workbench.get(f"/tree.json?url={quote(HOME, safe='')}").json["total"]
    expect(page.locator(".branch .branch")).to_have_count(children)
    page.get_by_role("link", name="Close").first.click()
    expect(page.locator(".branch")).to_have_count(1)


def test_without_d3_the_page_says_so_and_shows_a_picture(show, open_tab, monkeypatch, tmp_path):
    monkeypatch.setattr(map_pages, "VENDOR", tmp_path / "nothing.js")
    page = open_tab(**WIDE).page
    page.goto(f"{show(make_paper_doll()).url}/map")
    expect(page.locator(".map .notice")).to_contain_text("make setup")
    expect(page.locator("img.map-still")).to_be_visible()
    expect(page.locator("canvas")).to_have_count(0)
    page.locator(".branch-toggle").first.click()
    expect(page.locator(".branch .branch").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1400])
def test_hostile_pages_do_no_harm(show, open_tab, width):
    running = show(Hostile())
    tab = open_tab(viewport={"width": width, "height": 800})
    page, canvas = open_map(tab, f"{running.url}/map")
    expect(canvas).to_have_attribute("data-nodes", str(len(TEXTS) + len(URLS)))
    page.get_by_role("searchbox", name="Words").fill("find")
    expect(canvas).to_have_attribute("data-found", re.compile("[1-9]"))
    for text in (
        "https://n0.example/",
        "https://n9.example/",
        "https://n11.example/",
        "https://n2.example/",
    ):
        click_on(page, canvas, text)
        check_harmless(page, running.url)
    open_map(tab, f"{running.url}/map?view=sites")
    check_harmless(page, running.url)
    page.goto(f"{running.url}/tree")
    page.locator(".branch-toggle").first.click()
    expect(page.locator(".branch").nth(10)).to_be_attached()
    for item in page.locator(".branch-name").all()[:12]:
        item.click()
    check_harmless(page, running.url)


def check_harmless(page, address):
    assert page.evaluate("window.harmed") is None
    assert page.url.startswith(address)
    assert page.locator("main script, main style, main iframe, main base").count() == 0
    names = """() => [...document.querySelectorAll("*")].flatMap(e => e.getAttributeNames())"""
    assert not [name for name in page.evaluate(names) if name.startswith("on")]
    hrefs = page.eval_on_selector_all("[href]", "all => all.map(one => one.href)")
    assert {href.split(":")[0] for href in hrefs} <= {"http", "https"}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_no_direction_override_is_shown(show):
    running = show(Hostile())
    for road in (urls.GRAPH_JSON, urls.GRAPH_SVG, urls.MAP, urls.TREE, urls.TREE_JSON):
        titles = re.sub(r'"(url|domain)":"[^"]*"', "", running.get(road).text)
        assert not re.search("[\u202a-\u202e\u2066-\u2069\0]", titles), road
