from urllib.parse import urljoin

import pytest
import turbohtml

from telusur.crawl.filenames import file_name_of
from telusur.errors import UsageError
from telusur.run.save_pages import ChosenPage, is_worth_keeping, save_pages

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
    with pytest.raises(UsageError, match="there is something already"):
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
