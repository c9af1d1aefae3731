"""A whole crawl into memory, from a real server to the hits: the same as into a directory."""

import pytest

import telusur
from telusur.backends import open_store
from telusur.collection import Collection
from telusur.errors import CollectionBusy, UsageError
from telusur.memory import MemoryStore
from tests.sites import Answer, page, serving, wait_until

SETTINGS = {"allow_private": True, "delay": 0.0, "workers": 1, "render": "never"}
OWLS = page("Owls", "The owl sleeps by day and hunts at night. " * 3, ["/", "/copy"])
NOINDEX = '<meta name="robots" content="noindex">'
PAGES = {
    "/": page("Coast", "Sand, sea and wind. " * 5, ["/owl", "/boat", "/moved", "/gone", "/secret"]),
    "/owl": OWLS,
    "/boat": page("Boats", "A boat with an owl on board leaves the harbour.", ["/owl", "/hidden"]),
    "/copy": OWLS,
    "/hidden": page("Hidden", "An owl that nobody finds.", head=NOINDEX),
    "/moved": Answer(status=301, headers={"Location": "/train"}),
    "/train": page("Trains", "A train to the coast, in the evening."),
    "/listed": page("Listed", "Only the sitemap knows this owl."),
    "/secret": page("Secret", "An owl that robots must not see."),
    "/robots.txt": Answer(
        "User-agent: *\nDisallow: /secret\nSitemap: /sitemap.xml\n",
        headers={"Content-Type": "text/plain"},
    ),
}  # fmt: skip


def sitemap_of(site):
    """Return a sitemap with one page that no other page links to."""
    return Answer(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<url><loc>{site.url('/listed')}</loc></url></urlset>",
        headers={"Content-Type": "application/xml"},
    )


@pytest.fixture(scope="module")
def site():
    with serving(PAGES) as site:
        site.pages["/sitemap.xml"] = sitemap_of(site)
        robots = PAGES["/robots.txt"].body.replace("/sitemap.xml", site.url("/sitemap.xml"))
        site.pages["/robots.txt"] = Answer(robots, headers={"Content-Type": "text/plain"})
        yield site


@pytest.fixture(scope="module")
def crawled(site):
    with Collection(MemoryStore()) as collection:
        summary = collection.crawl([site.url("/")], **SETTINGS)
        yield collection, summary


def test_a_crawl_into_memory_is_searched_at_its_end(crawled, site):
    collection, summary = crawled
    assert summary.outcome == "done"
    assert collection.count_indexed() == 5
    hits = collection.search("owl").hits
    found = ("/", "/owl", "/boat", "/listed")
    assert {hit.url for hit in hits} == {site.url(path) for path in found}
    assert (hits[0].url, hits[0].title) == (site.url("/owl"), "Owls")


def test_what_a_crawl_must_not_do_it_does_not_do_in_memory(crawled, site):
    collection, _ = crawled
    assert (site.asked("/secret"), site.asked("/robots.txt")) == (0, 1)
    reasons = {
        path: collection.why(site.url(path)).reason for path in ("/secret", "/hidden", "/copy")
    }
    assert reasons["/secret"].startswith("robots")
    assert reasons["/hidden"] == "noindex"
    assert reasons["/copy"] == f"duplicate: {site.url('/owl')}"


def test_a_page_tells_how_long_indexing_it_took(crawled, site):
    collection, _ = crawled
    assert collection.why(site.url("/owl")).operations["index"] > 0.0


def test_a_crawled_memory_verifies_itself(crawled):
    collection, _ = crawled
    found = collection.verify()
    assert (found.is_fine, found.looked_at["documents"]) == (True, 7)


def told_by(collection, site):
    """Return what a collection has found, without times; link texts and ranks are up to date."""
    collection.index(settle=True)
    stories = [collection.why(one["url"]) for one in collection.urls()]
    queries = ("owl", "coast -boat", '"by day"', "title:trains", "harbour OR evening")
    return {
        "counts": collection.counts(),
        "urls": sorted((one.url, one.state, one.reason, one.depth) for one in stories),
        "hits": {query: {hit.url for hit in collection.search(query).hits} for query in queries},
        "best": [collection.search(query).hits[0].url for query in ("night", "harbour", "train")],
        "links": sorted(link.url for link in collection.links_to(site.url("/owl"), 1, 9).links),
    }


def test_a_crawl_finds_the_same_in_memory_and_in_a_directory(crawled, site, tmp_path):
    collection, _ = crawled
    with telusur.open(tmp_path / "c") as other:
        other.crawl([site.url("/")], **SETTINGS)
        on_disk = told_by(other, site)
    assert all(on_disk["hits"].values())
    assert told_by(collection, site) == on_disk


def test_pages_are_found_while_the_crawl_goes_on():
    collection = Collection(MemoryStore())

    def wait_for_the_first(_path):
        wait_until(lambda: collection.search("sand").hits, "the first page to be found")
        return page("Second", "A page that is held back.")

    with serving({"/": page("First", "Sand and sea.", ["/2"]), "/2": wait_for_the_first}) as site:
        assert collection.crawl([site.url("/")], timeout=100.0, **SETTINGS).outcome == "done"
        assert [hit.url for hit in collection.search("held").hits] == [site.url("/2")]


def test_a_crawl_goes_on_in_the_same_memory(site):
    collection = Collection(MemoryStore())
    assert collection.crawl([site.url("/")], pages=2, **SETTINGS).outcome == "pages"
    assert (collection.counts().pages, collection.count_indexed()) == (2, 2)
    assert collection.crawl([], **SETTINGS).outcome == "done"
    assert collection.count_indexed() == 5


def test_an_index_that_somebody_else_writes_ends_the_crawl_in_one_sentence(site):
    store = MemoryStore()
    writer = store.index()
    with pytest.raises(CollectionBusy, match="writing the index"):
        Collection(store).crawl([site.url("/")], **SETTINGS)
    writer.close()
    collection = Collection(store)
    assert collection.crawl([], **SETTINGS).outcome == "done"
    assert collection.count_indexed() == 5


def test_a_store_says_whether_other_processes_can_open_it(tmp_path):
    telusur.open(tmp_path / "c").close()
    store = open_store(tmp_path / "c")
    assert not store.is_for_one_process
    assert open_store(store.address).name == store.name
    assert MemoryStore().is_for_one_process
    with pytest.raises((UsageError, telusur.CollectionError)):
        open_store(MemoryStore().address).session()
