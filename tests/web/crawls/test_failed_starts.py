"""A crawl that brought nothing says so, with its cause and what helps; the form warns before."""

import pytest

from telusur import open as open_collection
from telusur.backends.sqlite.database.schema import connect
from telusur.backends.sqlite.starts import find_failed_starts
from telusur.settings import CrawlSettings
from telusur.shelf import Shelf
from telusur.store.views import FailedStarts
from telusur.web.crawls.failed_starts import tell_trouble, warn_of_private
from tests.sites import Answer, page, serving, wait_until
from tests.web.conftest import run_workbench
from tests.web.test_axe import violations


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    with Shelf(tmp_path_factory.mktemp("shelf")) as shelf:
        yield shelf


@pytest.fixture(scope="module")
def visitor(shelf):
    with run_workbench(None, crawls=shelf) as running:
        yield running.visit()


@pytest.fixture(scope="module")
def site():
    pages = {"/robots.txt": "User-agent: *\nDisallow: /secret", "/": page("Home", links=["/gone"])}
    moved = Answer("", 302, {"Location": "/gone"})
    with serving(pages | {"/moved": moved}) as site:
        yield site


def crawl(shelf, name, urls, **settings):
    """Crawl, and wait for the end of it."""
    shelf.start(name, urls, CrawlSettings(delay=0, index=False, **settings))
    collection = shelf.open(name)
    wait_until(lambda: not collection.is_crawling() and collection.status().ended_at, "the end")
    return collection.status()


@pytest.fixture(scope="module")
def private(shelf, site):
    return crawl(shelf, "private", [site.url(), site.url("/moved")])


def test_a_crawl_whose_start_urls_all_failed_says_why_on_its_page(visitor, site, private):
    reason = "private address: 127.0.0.1"
    assert private.failed_starts == FailedStarts(2, site.url(), "failed", reason)
    text = visitor.get("/crawls/private").text
    assert ">failed</span>" in text
    told = f"both start URLs failed. The first, {site.url()}, is at a private address"
    assert told in text
    assert "no URLs are left" not in text
    assert "Allow private addresses and crawl again" in text
    assert 'href="/crawls/new?name=private&amp;allow_private=on"' in text


def test_the_list_of_crawls_says_it_too(visitor, private):
    text = visitor.get("/crawls").text
    assert "Nothing was fetched: both start URLs failed." in text
    assert "state-failed" in text
    assert "http-equiv" not in text, "nothing will change by itself"


def test_the_cure_is_filled_in_already(visitor, site, private):
    text = visitor.get("/crawls/new?name=private&allow_private=on").text
    assert f"{site.url()}\n{site.url('/moved')}</textarea>" in text
    assert 'name="allow_private" value="on" checked' in text
    assert "--allow-private" in text
    assert "tick Private addresses below" not in text


def test_after_the_cure_nothing_is_said_any_more(shelf, site, private):
    status = crawl(shelf, "private", [site.url(), site.url("/moved")], allow_private=True)
    assert status.failed_starts is None
    assert status.pages == 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "reason"),
    [("/gone", "http 404"), ("/moved", "http 404"), ("/secret", "robots")],
)
def test_other_causes(shelf, site, path, reason):
    name = path.strip("/")
    status = crawl(shelf, name, [site.url(path)], allow_private=True)
    assert status.failed_starts.reason.startswith(reason)
    assert status.failed_starts.number == 1


@pytest.mark.slow
def test_a_crawl_that_fetched_something_has_not_failed(shelf, site):
    status = crawl(shelf, "half", [site.url(), site.url("/gone")], allow_private=True)
    assert (status.failed, status.failed_starts) == (1, None)


def test_a_collection_without_a_crawl_has_no_start_urls(tmp_path):
    with open_collection(tmp_path / "c"):
        connection = connect(tmp_path / "c", read_only=True)
    assert find_failed_starts(connection) is None
    connection.close()


@pytest.mark.parametrize(
    ("reason", "cause", "cure"),
    [
        ("private address", "u is at a private address, and private addresses are not allowed.",
         "To fetch it, allow private addresses."),
        ("network: could not resolve", "u could not be reached (network: could not resolve).",
         "Check the spelling of its name and your network, or try again later."),
        ("http 503, tried 3 times", "u has a server error (http 503, tried 3 times).",
         "Try again later."),
        ("robots: Disallow: /", "u is forbidden by robots.txt (robots: Disallow: /).",
         "Start at a page that robots.txt allows."),
        ("parser: odd", "u failed (parser: odd).", "Check the address."),
    ],
)  # fmt: skip
def test_what_is_told(reason, cause, cure):
    trouble = tell_trouble(FailedStarts(1, "u", "failed", reason))
    assert (trouble.cause, trouble.cure) == (f"Nothing was fetched: {cause}", cure)
    assert trouble.is_private == (reason == "private address")


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8000/", "http://localhost/", "http://docs.localhost:80/", "http://[::1]/",
     "http://192.168.1.5/", "http://nas.lan/", "http://intranet/", "http://10.0.0.1/x"],
)  # fmt: skip
def test_private_start_urls_are_warned_of(url):
    warning = warn_of_private([url, "https://example.org/"], CrawlSettings())
    assert warning.startswith(f"{url} is at a private address and will not be fetched")
    assert not warn_of_private([url], CrawlSettings(allow_private=True))


def test_public_and_allowed_start_urls_are_not():
    assert not warn_of_private(["https://example.org/", "example.org", ""], CrawlSettings())
    allowed = CrawlSettings(allow_address=("127.0.0.1:8000",))
    assert not warn_of_private(["http://localhost:8000/"], allowed)
    assert warn_of_private(["http://localhost:8001/"], allowed)
    many = [f"http://10.0.0.{n}/" for n in range(5)]
    assert "and 2 more are at private addresses" in warn_of_private(many, CrawlSettings())


def test_the_form_warns_once_and_then_does_what_it_was_told(visitor, shelf, site):
    visitor.get("/crawls/new")
    fields = {"urls": site.url("/x"), "name": "warned"}
    found = visitor.send("/crawls/check.json", fields, Accept="application/json").json
    assert (found["is_valid"], found["problems"]) == (True, {})
    assert "is at a private address" in found["warning"]
    answer = visitor.send("/crawls/new", fields)
    assert answer.status == 400
    assert "tick Private addresses below" in answer.text
    assert '<details class="more-settings" open>' in answer.text
    assert 'name="warned" value="1"' in answer.text
    assert "warned" not in shelf.names()
    assert visitor.send("/crawls/new", fields | {"warned": "1"}).status == 303
    assert "warned" in shelf.names()
    wait_until(lambda: not shelf.open("warned").is_crawling(), "the end")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave(visitor, shelf, site, open_tab, scheme):
    if "failed" not in shelf.names():
        crawl(shelf, "failed", [site.url()])
    page = open_tab(viewport={"width": 1200, "height": 900}, color_scheme=scheme).page
    page.goto(visitor.workbench.key_url)
    grave = []
    for path in ("/crawls", "/crawls/failed", f"/crawls/new?urls={site.url()}"):
        page.goto(visitor.workbench.url + path)
        grave += violations(page)
    assert grave == []
