"""Whole crawls of real servers on loopback: style sheets are fetched, politely, and hide text."""

import itertools
import threading

import pytest

import telusur
from tests.extract.style.tricks import IMPORTED, read_tricks
from tests.sites import Answer, Site, serving, wait_until

FAST = {"allow_private": True, "delay": 0, "index": False, "render": "never", "workers": 1}
CSS = {"Content-Type": "text/css"}
PROSE = "The harbour opens at six and closes at ten, and the boats wait outside. " * 4


def css(text: str, **more) -> Answer:
    return Answer(text, headers={**CSS, **more})


def page(body: str, *sheets: str, links=()) -> str:
    head = "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets)
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return (
        f"<html><head><title>T {body[:20]}</title>{head}</head><body>{body}{anchors}</body></html>"
    )


def crawl(directory, site: Site, path="/", **settings) -> dict[str, str]:
    """Crawl; return the text of each page by path."""
    with telusur.open(directory) as collection:
        collection.crawl([site.url(path)], **{**FAST, **settings})
    return texts(directory)


def texts(directory) -> dict[str, str]:
    with telusur.open(directory) as collection:
        pages = {}
        for row in collection.urls():
            document = collection.document(row["url"])
            if document is not None:
                pages["/" + row["url"].split("/", 3)[3]] = document.text
        return pages


@pytest.fixture(scope="module")
def tricks(tmp_path_factory):
    """A site with a page and a sheet for each trick, crawled; and its log."""
    directory = tmp_path_factory.mktemp("tricks") / "c"
    cases = read_tricks()
    pages = {f"/{number}/": case.page("own.css") for number, case in enumerate(cases)}
    sheets = {f"/{number}/own.css": css(case.css) for number, case in enumerate(cases)}
    more = {
        f"/{number}/{name}": css(text)
        for number in range(len(cases))
        for name, text in IMPORTED.items()
    }
    index = page("<h1>All</h1>", links=list(pages))
    with serving({"/": index, **pages, **sheets, **more}) as site:
        found = crawl(directory, site)
        requests = list(site.requests)
    return cases, found, requests, directory


def test_no_trick_gets_into_a_crawl(tricks):
    cases, found, _, _ = tricks
    for number, case in enumerate(cases):
        text = found[f"/{number}/"]
        assert "GONE" not in text, case.title
        assert text.count("SEEN") == case.body.count("SEEN"), case.title


def test_each_sheet_is_asked_for_once(tricks):
    _, _, requests, _ = tricks
    sheets = [request.path for request in requests if request.path.endswith(".css")]
    assert len(sheets) == len(set(sheets))
    assert "/0/own.css" in sheets
    assert "/0/more.css" not in sheets  # nobody imports it there
    assert not any(path.endswith("paper.css") for path in sheets)


def test_extracting_again_gives_the_same_texts(tricks):
    _, found, _, directory = tricks
    with telusur.open(directory) as collection:
        collection.reindex()
    assert texts(directory) == found
    with telusur.open(directory) as collection:
        assert collection.verify().problems == []


def test_a_replayed_archive_gives_the_same_texts(tricks, tmp_path):
    _, found, requests, directory = tricks
    start = f"http://{requests[0].headers['Host']}/"
    with telusur.open(tmp_path / "again") as collection:
        collection.crawl([start], **FAST, replay=str(directory))
    assert texts(tmp_path / "again") == found


SITE = {
    "/": page(f"<p>{PROSE}</p><p class=x>GONE</p>", "/a.css", "/b.css", links=["/1", "/2"]),
    "/1": page(f"<p>One. {PROSE}</p><p class=x>GONE</p>", "/a.css"),
    "/2": page(f"<p>Two. {PROSE}</p><p class=y>GONE</p>", "/b.css", "/a.css"),
    "/a.css": css(".x { display: none }"),
    "/b.css": css(".y { display: none }"),
}


def test_sheets_are_fetched_once_and_are_no_pages(tmp_path):
    with serving(SITE) as site:
        found = crawl(tmp_path / "c", site, pages=3)
        assert sorted(site.paths()) == ["/", "/1", "/2", "/a.css", "/b.css"]
    assert set(found) == {"/", "/1", "/2"}
    assert not any("GONE" in text for text in found.values())
    with telusur.open(tmp_path / "c") as collection:
        assert collection.counts().pages == 3


@pytest.mark.parametrize("settings", [{"style_sheets": False}, {"content": "text"}])
def test_none_is_fetched_if_nobody_wants_them(tmp_path, settings):
    with serving(SITE) as site:
        found = crawl(tmp_path / "c", site, **settings)
        assert sorted(site.paths()) == ["/", "/1", "/2"]
    assert "GONE" in found["/"]
    with telusur.open(tmp_path / "c") as collection:
        collection.reindex()
    assert texts(tmp_path / "c") == found


def test_the_next_run_takes_them_from_the_archive(tmp_path):
    with serving(SITE) as site:
        crawl(tmp_path / "c", site, pages=1)
        found = crawl(tmp_path / "c", site)
        assert (site.asked("/a.css"), site.asked("/b.css")) == (1, 1)
    assert not any("GONE" in text for text in found.values())


def test_robots_txt_is_obeyed(tmp_path):
    rules = Answer("User-agent: *\nDisallow: /a.css", headers={"Content-Type": "text/plain"})
    with serving({**SITE, "/robots.txt": rules}) as site:
        found = crawl(tmp_path / "c", site)
        assert (site.asked("/a.css"), site.asked("/b.css")) == (0, 1)
    assert "GONE" in found["/1"]
    assert "GONE" not in found["/2"]


def test_the_delay_lies_between_sheets_and_pages(tmp_path):
    with serving(SITE) as site:
        crawl(tmp_path / "c", site, delay=0.2)
        times = [request.at for request in site.requests]
        assert len(times) == 6
        assert all(later - earlier >= 0.19 for earlier, later in itertools.pairwise(times))
        # The sheets of the first page come before the next page.
        assert site.paths()[:3] == ["/", "/a.css", "/b.css"]


def test_sheets_that_cannot_be_had_do_no_harm(tmp_path):
    sheets = ["/gone.css", "/page.css", "/moved.css", "/away.css", "/broken.css", "/dead.css"]
    with serving({}) as elsewhere:
        pages = {
            "/": page(f"<p>{PROSE}</p><p class=x>GONE</p><p class=z>stays</p>", *sheets),
            "/page.css": page("<style>.z{display:none}</style>"),
            "/moved.css": Answer("", 302, {"Location": "/there.css"}),
            "/there.css": css(".x { display: none }"),
            "/away.css": Answer("", 302, {"Location": elsewhere.url("/x.css")}),
            "/broken.css": css("not gzip", **{"Content-Encoding": "gzip"}),
            "/dead.css": Answer("", 503, CSS),
        }
        with serving(pages) as site:
            found = crawl(tmp_path / "c", site)
            assert site.asked("/gone.css") == 1
            assert site.asked("/there.css") == 1
        assert elsewhere.requests == []
    assert "harbour" in found["/"]
    assert "stays" in found["/"]
    assert "GONE" not in found["/"]
    with telusur.open(tmp_path / "c") as collection:
        collection.reindex()
    assert texts(tmp_path / "c") == found


def test_sheets_of_other_sites_are_not_fetched(tmp_path):
    with serving({"/x.css": css(".x { display: none }")}) as other:
        pages = {"/": page(f"<p>{PROSE}</p><p class=x>kept</p>", other.url("/x.css"))}
        with serving(pages) as site:
            found = crawl(tmp_path / "c", site)
        assert other.requests == []
    assert "kept" in found["/"]


def test_a_huge_sheet_and_many_sheets_are_bounded(tmp_path):
    names = [f"/s{number}.css" for number in range(40)]
    large = css(".x { display: none } " + "/* stone */ " * 400_000 + " .far { display: none }")
    pages = {"/": page(f"<p>{PROSE}</p><p class=x>GONE</p><p class=far>far</p>", "/l.css", *names)}
    with serving({**pages, "/l.css": large}, otherwise=css(".n{top:0}")) as site:
        found = crawl(tmp_path / "c", site, sitemaps="never")
        asked = [path for path in site.paths() if path.endswith(".css")]
    assert len(asked) <= 12
    assert "GONE" not in found["/"]
    assert "far" in found["/"]


def test_a_crawl_that_stops_while_a_sheet_is_on_its_way_reads_the_page_next_time(tmp_path):
    on_its_way, go_on = threading.Event(), threading.Event()

    def slow(_: str) -> Answer:
        on_its_way.set()
        assert go_on.wait(60)
        return css(".x { display: none }")

    body = f"<p>{PROSE}</p><p class=x>GONE</p>"
    pages = {"/": page(body, "/a.css", "/b.css"), "/a.css": slow, "/b.css": css(".y{top:0}")}
    with serving(pages) as site, telusur.open(tmp_path / "c") as collection:
        arguments = {"args": ([site.url("/")],), "kwargs": FAST}
        crawling = threading.Thread(target=collection.crawl, **arguments)
        crawling.start()
        assert on_its_way.wait(60)
        stopping = threading.Thread(target=telusur.open(tmp_path / "c").stop)
        stopping.start()
        wait_until(lambda: collection.status().state == "stopping", "the crawl to stop")
        go_on.set()
        crawling.join()
        stopping.join()
        assert texts(tmp_path / "c") == {}
        found = crawl(tmp_path / "c", site)
        assert [site.asked(path) for path in ("/", "/a.css", "/b.css")] == [2, 1, 1]
    assert "GONE" not in found["/"]
    assert "harbour" in found["/"]
