"""A crawl learns the sites it visits, and reads their next pages with what it knows."""

import shutil

import pytest

import telusur
from tests.extract.site.pages import FRAME, page, words
from tests.sites import Answer, serving

HTML = {"Content-Type": "text/html; charset=utf-8"}
PAGES = 12
FAST = {"allow_private": True, "delay": 0, "render": "never", "workers": 1, "connections": 1}


def answer(html):
    return Answer(html.encode(), headers=HTML)


def story(number):
    """Return a page that leads to the next one, so that they are read one after the other."""
    return page(number, f"<p class=next><a href=/{number + 1}>More</a></p>")


WEB = {"/": answer(page(100, "<p class=next><a href=/0>More</a></p>"))} | {
    f"/{number}": answer(story(number)) for number in range(PAGES)
}


@pytest.fixture(scope="module")
def served():
    with serving(WEB) as site:
        yield site


@pytest.fixture(scope="module")
def crawled(served, tmp_path_factory):
    directory = tmp_path_factory.mktemp("crawled") / "c"
    with telusur.open(directory) as collection:
        collection.crawl([served.url()], **FAST)
    return directory


@pytest.fixture
def collection(crawled, tmp_path):
    shutil.copytree(crawled, tmp_path / "c")
    with telusur.open(tmp_path / "c") as opened:
        yield opened


def with_frame(collection, served):
    return [
        number
        for number in range(PAGES)
        if FRAME in collection.document(served.url(f"/{number}")).text
    ]


def test_later_pages_are_read_without_the_frame(collection, served):
    early = with_frame(collection, served)
    assert early
    assert early == list(range(len(early)))
    assert len(early) < 6
    for number in range(PAGES):
        assert words(number) in collection.document(served.url(f"/{number}")).text


def test_reindexing_reads_the_first_pages_like_the_last(collection, served):
    assert collection.reindex() == PAGES + 1
    assert with_frame(collection, served) == []
    assert collection.search("reporters notebook").total == 0
    assert collection.search("ferry").total == PAGES + 1


def test_without_learning_each_page_is_read_alone(served, tmp_path):
    with telusur.open(tmp_path / "c") as collection:
        collection.crawl([served.url()], learn_site=False, **FAST)
        assert with_frame(collection, served) == list(range(PAGES))
        collection.reindex()
        assert with_frame(collection, served) == list(range(PAGES))
