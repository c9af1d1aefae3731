"""Collections made when `default.html` counted as the index of its directory stay whole."""

import pytest

import telusur
from telusur.backends.embedded.verify import verify_collection
from telusur.crawl.urls import identity as urls
from telusur.models import url_id_of
from tests.sites import page, serving

FAST = {"allow_private": True, "delay": 0, "render": "never", "workers": 1}
PAGES = {
    "/docs/default.html": page("Default values", "What a setting is when nobody sets it."),
    "/docs/": page("Documentation", "All pages of the documentation.", ["/docs/default.html"]),
    "/new": page("News", "A page that links to both.", ["/docs/", "/docs/default.html"]),
}


@pytest.fixture
def site():
    with serving(PAGES) as served:
        yield served


@pytest.fixture
def old(site, tmp_path, monkeypatch):
    """A collection in which default.html is known by the key of its directory."""
    directory = tmp_path / "old"
    with monkeypatch.context() as before:
        before.setattr(urls, "INDEX_PAGES", urls.INDEX_PAGES | urls.FORMER_INDEX_PAGES)
        with telusur.open(directory) as collection:
            collection.crawl([site.url("/docs/default.html")], **FAST)
    return directory


def asked_for(site):
    return [request.path for request in site.requests if request.path != "/robots.txt"]


def test_a_page_that_is_called_default_is_a_page(site, tmp_path):
    with telusur.open(tmp_path / "new") as collection:
        collection.crawl([site.url("/docs/")], **FAST)
        titles = {row["title"] for row in collection.pages()}
    assert titles == {"Documentation", "Default values"}


def test_an_older_collection_still_knows_its_page(site, old):
    url = site.url("/docs/default.html")
    with telusur.open(old) as collection:
        assert collection.why(url).indexed
        assert collection.document(url).title == "Default values"
        assert b"nobody sets it" in collection.page(url).body
        assert [fetch.status for fetch in collection.fetches(url)] == [200]
        assert collection.record(url) is not None
        assert collection.search("setting").hits[0].url == url


@pytest.mark.slow
def test_nothing_is_wrong_with_it(old):
    result = verify_collection(old)
    assert result.is_fine, result.problems


def test_its_page_is_not_fetched_again(site, old):
    with telusur.open(old) as collection:
        collection.crawl([site.url("/new"), site.url("/docs/default.html")], **FAST)
    assert asked_for(site) == ["/docs/default.html", "/new"]


@pytest.mark.slow
def test_its_page_can_be_replayed(site, old, tmp_path):
    with telusur.open(tmp_path / "again") as again:
        again.crawl([site.url("/docs/default.html")], replay=str(old), **FAST)
        assert [row["title"] for row in again.pages()] == ["Default values"]


@pytest.mark.slow
def test_a_directory_is_not_the_page_that_was_never_fetched(site, tmp_path):
    with telusur.open(tmp_path / "new") as collection:
        collection.crawl([site.url("/docs/")], depth=0, **FAST)
        url = site.url("/docs/default.php")
        assert collection.why(url) is None
        assert collection.document(url) is None
        assert collection._identify(url) == url_id_of(url)
