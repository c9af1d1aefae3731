"""What a collection tells about one page, on the crawled demo web."""

import gzip
from contextlib import closing

import pytest

from telusur.backends.sqlite.database.schema import connect
from telusur.backends.sqlite.links import PARTS, SqliteLinks
from telusur.collection import open_collection
from telusur.errors import CollectionError, UsageError
from telusur.reports.page_details import identify

STORY = "/sports/2026/09/climbing-hall-opens-in-disused-grain-silo"


@pytest.fixture(scope="module")
def collection(demo):
    with open_collection(demo.directory) as opened:
        yield opened


def test_links_to_a_page_are_those_that_lead_there(demo, collection):
    url = demo.url("news", STORY)
    found = collection.links_to(url, 1, 100)
    assert found.is_whole
    assert found.total == len(found.links)
    wanted = {
        record["url"]
        for record in collection.pages()
        if record["url"] != url and url in {link.url for link in collection.links(record["url"])}
    }
    assert {link.url for link in found.links} == wanted
    assert {link.anchor for link in found.links} >= {"Climbing hall opens in disused grain silo"}
    pages = [collection.links_to(url, n, 3).links for n in (1, 2, 3, 4, 5)]
    assert [link for page in pages for link in page] == list(found.links)


def test_links_from_a_page_tell_what_became_of_them(demo, collection):
    found = collection.links_from(demo.url("news", STORY), 1, 100)
    fates = {link.url: (link.state, link.status, link.reason) for link in found.links}
    assert fates[demo.url("news", "/competition")] == ("failed", 404, "http 404")
    assert fates[demo.url("news", "/science")] == ("done", 301, "redirect")
    assert fates[demo.url("news", "/private/rota")][0] == "skipped"
    assert collection.links_from(demo.url("news", STORY), 2, 5).links == found.links[5:10]


def test_looking_for_links_ends_in_time_and_goes_on_where_it_ended(demo, collection):
    url = demo.url("news")
    with closing(connect(demo.directory, read_only=True)) as connection:
        links = SqliteLinks(connection)
        found = [links.links_to(identify(url), 1, 500, seconds=-1)]
        while found[-1].after is not None:
            found.append(links.links_to(identify(url), 1, 500, found[-1].after, seconds=-1))
    assert len(found) == PARTS, "each time a part is looked through"
    assert not found[0].is_whole
    assert not found[-1].is_whole
    whole = collection.links_to(url, 1, 500)
    assert whole.is_whole
    assert [link for page in found for link in page.links] == list(whole.links)


def test_copies_are_found_from_both_sides(demo, collection):
    url = demo.url("news", STORY)
    assert [(each.url, each.how) for each in collection.copies_of(url)] == [
        (f"{url}?print=1", "same")
    ]
    assert [(each.url, each.how) for each in collection.copies_of(f"{url}?print=1")] == [
        (url, "original")
    ]
    assert collection.copies_of("http://nowhere.example/") == []


def test_the_record_is_a_warc_file_of_its_own(demo, collection):
    url = demo.url("news", STORY)
    record, data = collection.record(url), collection.record_bytes(url)
    assert len(data) == record.length
    text = gzip.decompress(data)
    assert text.startswith(b"WARC/1.1\r\n")
    assert record.digest.encode() in text
    assert dict(record.fields)["WARC-Target-URI"] == url
    assert record.status_line == "HTTP/1.1 200 OK"
    assert dict(record.headers)["Content-Type"] == "text/html; charset=utf-8"
    fetch = collection.fetches(url)[0]
    assert (fetch.file, fetch.offset, fetch.status) == (record.file, record.offset, 200)
    assert collection.record(demo.url("news", "/private/rota")) is None


def test_a_damaged_archive_is_one_sentence(demo_copy, demo):
    for file in (demo_copy / "archive").glob("*.warc.gz"):
        file.write_bytes(b"x" * file.stat().st_size)
    with (
        open_collection(demo_copy) as damaged,
        pytest.raises(CollectionError, match="damaged at"),
    ):
        damaged.record(demo.url("news", STORY))


def test_standing(demo, collection):
    home, story = (collection.standing(demo.url("news", path)) for path in ("/", STORY))
    assert home.rank > story.rank > 0
    assert home.links > story.links > 0
    assert (home.depth, story.depth) == (0, 1)
    assert collection.standing(demo.url("news", "/competition")) is None


def test_what_is_no_address_is_said(collection):
    with pytest.raises(UsageError, match="is not a web address"):
        collection.links_to("javascript:alert(1)", 1, 10)
