"""Clusters in a real browser: on a phone, with and without scripts."""

import threading

import pytest
from playwright.sync_api import expect

from telusur.collection import Collection, open_collection
from tests.web.test_axe import violations

SITE = "lexikon.localhost"
LIST = f"/site/clusters?site={SITE}"
PHONE = {"viewport": {"width": 390, "height": 800}}
IS_TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture
def copy(demo_copy, show):
    with open_collection(demo_copy) as collection:
        yield collection, show(collection)


@pytest.mark.parametrize("scripts", [True, False])
def test_clusters_are_labelled_on_a_phone(copy, open_tab, scripts):
    collection, running = copy
    tab = open_tab(**PHONE, java_script_enabled=scripts).page
    tab.goto(f"{running.url}{LIST}&key={running.key}")
    row = tab.locator(".cluster", has_text="table.infobox > tbody > tr > td")
    row.get_by_label("Label of cluster").select_option("date")
    tab.get_by_role("button", name="Save labels").click()
    expect(tab.get_by_role("status").filter(has_text="Labels saved")).to_be_visible()
    expect(row.locator(".tag", has_text="by hand")).to_be_visible()
    assert [each.by_hand for each in collection.clusters(SITE).clusters if each.by_hand] == ["date"]
    row.get_by_role("link", name="Show on a page").click()
    copy_of = tab.frame_locator(".copy-frame")
    expect(copy_of.locator("#telusur-legend")).to_contain_text("date")
    box = copy_of.get_by_role("checkbox", checked=True)
    expect(box).to_have_count(1)
    key = box.get_attribute("id").removeprefix("telusur-")
    block = copy_of.locator(f"[data-label={key}]").first
    expect(block).to_have_css("outline-style", "solid")
    box.uncheck()
    expect(block).to_have_css("outline-style", "none")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone_or_hard_to_read(copy, open_tab, render, scheme):
    collection, running = copy
    render(collection, SITE, 4)
    tab = open_tab(**PHONE, color_scheme=scheme).page
    for path in (LIST, f"{LIST}&look=rendered", LIST.replace("?", "/page?"),
                 LIST.replace("?", "/page?look=rendered&"), "/site/clusters"):  # fmt: skip
        tab.goto(running.url + path)
        expect(tab.get_by_role("heading", level=1)).to_contain_text("Clusters")
        assert not tab.evaluate(IS_TOO_WIDE), path
        assert violations(tab) == []


def test_the_clusters_appear_when_they_are_found(copy, open_tab, monkeypatch):
    _, running = copy
    go, cluster = threading.Event(), Collection.clusters

    def slowly(self, site="", *, watch, **more):
        watch(3, 100)
        assert go.wait(100)
        return cluster(self, site, watch=watch, **more)

    monkeypatch.setattr(Collection, "clusters", slowly)
    monkeypatch.setattr("telusur.web.site.clusters.pages.PAGE_SECONDS", 0.01)
    tab = open_tab(**PHONE).page
    try:
        tab.goto(running.url + LIST)
        expect(tab.get_by_text("3 of 100")).to_be_visible()
    finally:
        go.set()
    expect(tab.locator(".cluster").first).to_be_visible()
    expect(tab.get_by_role("progressbar")).to_have_count(0)
