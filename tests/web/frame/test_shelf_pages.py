"""Several collections on one server: their list, the way back to it, and what each is called."""

import shutil
import sqlite3
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from telusur.shelf import Shelf
from telusur.web.search.feeds import MOST_SHORT_NAME, short_name_of
from tests.web.conftest import run_workbench
from tests.web.test_axe import violations

OPENSEARCH = {"o": "http://a9.com/-/spec/opensearch/1.1/"}
NAMES = ("docs", "news")


@pytest.fixture(scope="module")
def bench(demo, tmp_path_factory):
    """A server of two collections."""
    directory = tmp_path_factory.mktemp("shelf")
    for name in NAMES:
        shutil.copytree(demo.directory, directory / name, ignore=shutil.ignore_patterns("*.sock"))
    with Shelf(directory) as shelf, run_workbench(None, crawls=shelf) as running:
        yield running


def test_the_list_of_collections_is_a_grid_of_cards_without_bullets(bench, open_tab):
    page = open_tab(viewport={"width": 1200, "height": 800}).page
    page.goto(f"{bench.url}/")
    cards = page.locator(".shelf > li")
    expect(cards).to_have_count(2)
    assert cards.first.evaluate("card => getComputedStyle(card).listStyleType") == "none"
    first, second = (cards.nth(at).bounding_box() for at in (0, 1))
    assert first["y"] == second["y"]
    assert second["x"] - first["x"] - first["width"] >= 8, "the cards touch each other"
    heading = page.get_by_role("heading", name="Collections").bounding_box()
    assert abs(heading["x"] - first["x"]) < 1


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/search?q=tea", "/map", "/tree", "/sites", "/about"])
def test_every_page_of_a_collection_leads_back_to_the_list(bench, open_tab, path):
    page = open_tab().page
    page.goto(f"{bench.url}/in/docs{path}")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Collections").click()
    page.wait_for_url(f"{bench.url}/")
    expect(page.get_by_role("heading", name="Collections")).to_be_visible()
    main = page.get_by_role("navigation", name="Main")
    expect(main.get_by_role("link", name="Collections")).to_have_attribute("aria-current", "page")
    # There is nothing to search before a collection is chosen.
    expect(main.get_by_role("link", name="Search")).to_have_count(0)


def add_link(gift):
    (gift / "crawl.log").symlink_to("/etc/passwd")


def put_odd_values(gift):
    db = sqlite3.connect(gift / "collection.db")
    with db:
        db.execute("UPDATE crawls SET started_at = 'long ago', outcome = x'ff'")
        db.execute("UPDATE pages SET fetched_at = 'long ago'")
    db.close()


def overwrite(gift):
    (gift / "collection.db").write_bytes(b"nonsense" * 1000)


@pytest.mark.parametrize("spoil", [add_link, put_odd_values, overwrite])
def test_a_collection_that_cannot_be_read_does_not_hide_the_others(demo, tmp_path, spoil):
    """It may come from somebody else, who would like that."""
    for name in ("good", "gift"):
        ignored = shutil.ignore_patterns("*.sock")
        shutil.copytree(demo.directory, tmp_path / name, ignore=ignored)
    spoil(tmp_path / "gift")
    with Shelf(tmp_path) as shelf, run_workbench(None, crawls=shelf) as running:
        for path in ("/", "/crawls"):
            answer = running.get(path)
            assert answer.status == 200
            assert "good</bdi>" in answer.text
            shown = "Cannot be shown" in answer.text
            record = running.get("/collections.json" if path == "/" else "/crawls.json").json
            listed = [one["name"] for one in record["collections" if path == "/" else "crawls"]]
            spoilt = [one["name"] for one in record["unreadable"]]
            assert sorted(listed + spoilt) == ["gift", "good"]
            assert "good" in listed
            assert shown is bool(spoilt)
        assert shown, "what the list of crawls needs is not there"
        assert "root:" not in answer.text


def test_a_server_of_one_collection_has_no_list_of_them(workbench):
    assert ">Collections<" not in workbench.get("/").text


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 390])
def test_the_bar_fits_on_a_phone(bench, open_tab, width):
    page = open_tab(viewport={"width": width, "height": 700}).page
    page.goto(f"{bench.url}/in/docs/")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_outline_of_one_of_several_collections_is_reached_on_a_phone(bench, open_tab):
    page = open_tab(viewport={"width": 390, "height": 800}).page
    page.goto(f"{bench.url}/in/docs/map")
    tabs = page.get_by_role("navigation", name="Map or outline")
    expect(tabs.get_by_role("link", name="Map")).to_have_attribute("aria-current", "page")
    expect(page.locator(".outline")).to_be_hidden()
    tabs.get_by_role("link", name="Outline").click()
    page.wait_for_url("**/in/docs/tree*")
    expect(tabs.get_by_role("link", name="Outline")).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("heading", level=1)).to_have_text("Outline")
    expect(page).to_have_title("Outline · Telusur")
    expect(page.locator(".outline")).to_be_visible()
    expect(page.locator(".branch-name").first).to_be_visible()


def test_a_browser_can_tell_two_collections_apart(bench):
    names = []
    for name in NAMES:
        root = ElementTree.fromstring(bench.get(f"/in/{name}/opensearch.xml").text)
        names.append(root.findtext("o:ShortName", namespaces=OPENSEARCH))
        assert root.findtext("o:LongName", namespaces=OPENSEARCH) == f"Telusur: {name}"
    assert names == ["docs", "news"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("sixteen-letters-", "sixteen-letters-"),
        ("telusur-demo-7wa94nhz", "telusur-…wa94nhz"),
        ("a\u202eb", "ab"),
    ],
)
def test_a_name_that_is_too_long_loses_its_middle(name, short):
    assert short_name_of(name) == short
    assert len(short_name_of(name)) <= MOST_SHORT_NAME


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave(bench, open_tab, scheme):
    page = open_tab(viewport={"width": 390, "height": 800}, color_scheme=scheme).page
    grave = []
    for path in ("/", "/in/docs/", "/in/docs/tree", "/in/docs/site/files?type=image"):
        page.goto(bench.url + path)
        grave += violations(page)
    assert grave == []
