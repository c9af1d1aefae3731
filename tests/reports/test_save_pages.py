from urllib.parse import urljoin

import pytest
import turbohtml
from playwright.sync_api import sync_playwright

from telusur.crawl.urls.filenames import file_name_of
from telusur.errors import UsageError
from telusur.fetch.browser.renderer import find_browser
from telusur.reports.save_pages import ChosenPage, is_worth_keeping, save_pages
from tests.sites import Answer, serving

LONG = "http://coast.example/" + "long/" * 80
PAGES = {
    "http://coast.example/": f"<a href=/Mill?x=1>1</a><a href={LONG}>2</a><a href=/no>3</a>",
    "http://coast.example/Mill?x=1": "<a href=/index.html#top>home</a>",
    LONG: "<a href=/>home</a>",
}
CHOSEN = [ChosenPage(url, f"<{number}>") for number, url in enumerate(PAGES)]


def html_of(url):
    return (PAGES[url], "text/html") if url in PAGES else None


def links_of(path):
    tree = turbohtml.parse(path.read_text("utf-8"))
    return [element.attr("href") for element in tree.select("a")]


def test_links_between_saved_pages_lead_from_file_to_file(tmp_path):
    assert save_pages(CHOSEN, html_of, tmp_path / "out", "coast") == 3
    for url in PAGES:
        path = tmp_path / "out" / f"{file_name_of(url)}.html"
        for link in links_of(path):
            if link != "http://coast.example/no":
                target = urljoin(path.as_uri().replace("%3D", "="), link.partition("#")[0])
                assert target.startswith("file://")
                assert (tmp_path / target.removeprefix("file://")).is_file()


def test_the_start_page_lists_all_by_title(tmp_path):
    save_pages(CHOSEN, html_of, tmp_path, "coast & sea")
    start = tmp_path / "index.html"
    assert "<h1>coast &amp; sea</h1>" in start.read_text()
    assert "&lt;0&gt;" in start.read_text()
    assert all((tmp_path / link).is_file() for link in links_of(start))
    assert len(links_of(start)) == 3


def test_a_page_that_is_gone_from_the_archive_is_left_out(tmp_path):
    gone = ChosenPage("http://coast.example/gone", "Gone")
    assert save_pages([gone, *CHOSEN], html_of, tmp_path, "coast") == 3
    assert "Gone" not in (tmp_path / "index.html").read_text()


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="the directory is not empty"):
        save_pages(CHOSEN, html_of, tmp_path, "coast")


@pytest.mark.parametrize(
    ("state", "status", "reason", "alone", "with_copies"),
    [
        ("done", 200, "", True, True),
        ("done", 200, "noindex", True, True),
        ("done", 200, "duplicate: http://coast.example/", False, True),
        ("done", 200, "redirect", False, False),
        ("done", 301, "redirect", False, False),
        ("failed", 404, "http 404", False, False),
        ("failed", None, "timeout", False, False),
    ],
)
def test_pages_with_content_are_worth_keeping(state, status, reason, alone, with_copies):
    record = {"state": state, "status": status, "reason": reason}
    assert is_worth_keeping(record) is alone
    assert is_worth_keeping(record, True) is with_copies


CALLS_HOME = """<html><head><title>Tides</title><link rel=stylesheet href="{home}/look.css">
  <link rel=icon href="{home}/icon.png"><style>@import "{home}/import.css";
  body {{ background: url({home}/background.png) }}
  @font-face {{ font-family: f; src: url({home}/font.woff) }}
  p {{ color: rgb(1, 2, 3); font-family: f }}
  </style></head><body background="{home}/old.png"><p>High water at seven.</p>
  <img src="{home}/picture.png" srcset="{home}/large.png 2x">
  <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
  <video src="{home}/film.mp4" poster="{home}/poster.png" autoplay></video>
  <audio src="{home}/a.mp3"></audio>
  <svg><image href="{home}/in.svg" /><use href="{home}/use.svg#a" /></svg>
  <input type=image src="{home}/button.png"><object data="{home}/object"></object>
  <p style="background: url('{home}/style.png')">Low water at one.</p></body></html>"""


@pytest.mark.slow
def test_a_saved_page_asks_nobody_for_anything(tmp_path):
    done = "<link rel=icon href=data:,>done"
    with serving({"/done": done}, otherwise=Answer("", 404)) as home:
        page = CALLS_HOME.format(home=home.origin)
        url = home.url("/tides")
        chosen = [ChosenPage(url, "Tides")]
        save_pages(chosen, lambda _: (page, "text/html"), tmp_path / "out", "coast")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), args=["--no-sandbox"]
            )
            tab = browser.new_page()
            tab.goto((tmp_path / "out" / f"{file_name_of(url)}.html").as_uri())
            tab.wait_for_load_state("load")
            seen = tab.inner_text("p")
            color = tab.evaluate("getComputedStyle(document.querySelector('p')).color")
            # Whatever the page asks for was asked for before this, which the server does see.
            tab.goto(home.url("/done"))
            browser.close()
        assert home.paths() == ["/done"]
    assert (seen, color) == ("High water at seven.", "rgb(1, 2, 3)")
