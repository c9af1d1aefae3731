"""The views of one page in a real browser: hostile copies, blocks."""

import re

import pytest
from playwright.sync_api import expect

from telusur.collection import open_collection
from telusur.learn.pages.sources import read_labelled
from telusur.web.frame import urls
from tests.web.page.test_originals import URL, Archive

HARM = "parent.harmed=window.harmed=top.harmed=1"
HOSTILE = f"""<!doctype html><html onclick="{HARM}"><head><title>{"long " * 20_000}</title>
<meta http-equiv=refresh content="0;url=http://evil.example/refresh"><base href=http://evil.example/b/>
<link rel=stylesheet href=http://evil.example/x.css>
<link rel=preload as=image href=//evil.example/p>
<link rel=dns-prefetch href=//evil.example><script>{HARM}</script>
<script src=http://evil.example/s.js></script>
<style>@import 'http://evil.example/i.css';@font-face{{font-family:f;src:url(http://evil.example/f)}}
body{{background:url(http://evil.example/bg);font-family:f}}
#cover{{position:fixed;inset:0;background:red;z-index:9999}}
p::after{{content:url(http://evil.example/after)}}</style></head>
<body onload="{HARM}" background=http://evil.example/body.png>
<h1>Tea \u202eeert</h1><div id=cover>cover</div>
<p onclick="{HARM}" style="background-image:url('http://evil.example/style')">Green tea is grown in
many countries, and each of them has another way to brew a good cup of it in the morning.</p>
<a id=js href="javascript:{HARM}">run</a> <a href="data:text/html,<script>{HARM}</script>">data</a>
<img src=http://evil.example/i.png srcset="http://evil.example/2x.png 2x" onerror="{HARM}">
<picture><source srcset=http://evil.example/s.webp><img src=x onerror="{HARM}"></picture>
<svg onload="{HARM}"><script>{HARM}</script><image href=http://evil.example/svg.png />
<foreignObject>
<iframe src="javascript:{HARM}"></iframe></foreignObject><use href="http://evil.example/u#x"/></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={HARM}&gt;">
</math><noscript><p title="</noscript><img src=x onerror={HARM}>">n</p></noscript>
<form action=http://evil.example/f><input autofocus onfocus="{HARM}"><button>Send</button></form>
<iframe src=http://evil.example/frame></iframe><object data=http://evil.example/o></object>
<embed src=http://evil.example/e><video autoplay src=http://evil.example/v poster=//evil.example/vp>
</video><audio autoplay src=http://evil.example/a></audio><marquee onstart="{HARM}">m</marquee>
<details open ontoggle="{HARM}"><summary>s</summary>d</details>
<template shadowrootmode=open><img src=x onerror="{HARM}"></template>
<table background=http://evil.example/t><tr><td background=http://evil.example/td>c</table>
{"<div>" * 3000}deep</body></html>"""


def test_a_hostile_original_runs_and_loads_nothing(show, open_tab):
    running = show(Archive(HOSTILE))
    page = open_tab(viewport={"width": 900, "height": 700}).page
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for view in ("original", "blocks"):
        page.goto(running.url + urls.copy_url(URL, "tea", view=view if view != "blocks" else ""))
        if view == "blocks":
            page.goto(running.url + urls.of_page(urls.PAGE_BLOCKS, URL))
        frame = page.frame_locator("iframe")
        expect(frame.locator("h1")).to_contain_text("Tea")
        frame.locator("#js").click()
        frame.locator("p").first.click()
        frame.get_by_text("Send").click()
        page.wait_for_timeout(150)
        assert page.evaluate("window.harmed") is None
        within = page.frames[1]
        assert within.evaluate("[origin, window.harmed ?? null]") == ["null", None]
        assert within.locator("script, iframe, svg, form, object, embed, video").count() == 0
        assert within.locator("#cover").evaluate("e => getComputedStyle(e).position") == "static"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert {url.split("/")[2] for url in asked} == {running.url.split("/")[2]}
    assert len(page.context.pages) == 1


def test_blocks_are_outlined_and_turned_off(show, open_tab):
    running = show(Archive())
    page = open_tab().page
    page.goto(running.url + urls.of_page(urls.PAGE_BLOCKS, URL))
    frame = page.frame_locator("iframe")
    title = frame.locator("[data-label=title]")
    expect(title).to_have_text("Green tea")
    expect(title).to_have_css("outline-style", "solid")
    frame.get_by_label("title").uncheck()
    expect(title).to_have_css("outline-style", "none")
    expect(page.locator(".block-row").first).to_contain_text("Green tea")


def test_a_label_is_put_right_and_learned_from(demo_copy, demo, show, open_tab):
    url = demo.url("news", "/sports/2026/09/climbing-hall-opens-in-disused-grain-silo")
    with open_collection(demo_copy) as collection:
        running = show(collection)
        page = open_tab().page
        page.goto(running.key_url)
        page.goto(running.url + urls.of_page(urls.PAGE_BLOCKS, url))
        byline = page.locator(".block-row", has_text="By Jonah Whitlock")
        expect(byline.get_by_role("combobox")).to_have_value("author")
        byline.get_by_role("combobox").select_option("date")
        page.get_by_role("button", name="Save labels").click()
        expect(page.get_by_role("status")).to_contain_text("Labels saved.")
        expect(byline.get_by_role("combobox")).to_have_value("date")
        expect(byline).to_contain_text("by hand")
        expect(page.locator(".blocks-list .quiet").first).to_contain_text(
            re.compile(r"\d corrected by hand\. Correct a label")
        )
        frame = page.frame_locator("iframe")
        expect(frame.locator("[data-label=date]")).to_contain_text("By Jonah Whitlock")
    (learned,) = read_labelled(demo_copy / "labels")
    assert learned.url == url
    assert learned.date.startswith("By Jonah Whitlock")
    assert learned.title == "Climbing hall opens in disused grain silo"


@pytest.mark.slow
def test_files_appear_while_they_are_looked_for(demo, show, open_tab, monkeypatch):
    monkeypatch.setattr("telusur.web.site.pages.FILES_SECONDS", 0.02)
    with open_collection(demo.directory) as collection:
        running = show(collection)
        page = open_tab().page
        page.goto(running.url + "/site/files?type=image")
        page.evaluate("window.isTheSamePage = true")
        expect(page.locator("progress")).to_have_count(0)
        expect(page.locator("[data-goes-on]")).to_have_count(0)
        assert page.locator("tbody tr").count() > 10
        assert page.evaluate("window.isTheSamePage"), "nobody loaded it again"
