"""One collection or a directory of them; the journeys over HTTP are in web/crawls/test_pages.py."""

import pytest

import telusur
from telusur.errors import CollectionBusy, CollectionError, UsageError
from telusur.models import State
from telusur.settings import CrawlSettings
from telusur.shelf import Shelf

PRIVATE = CrawlSettings(allow_private=True)


@pytest.fixture
def shelf(tmp_path):
    telusur.open(tmp_path / "one").close()
    telusur.open(tmp_path / "two words").close()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "other").mkdir()
    with Shelf(tmp_path) as shelf:
        yield shelf


def test_collections_are_found_by_name(shelf, tmp_path):
    assert shelf.names() == ["one", "two words"]
    assert not shelf.holds_one
    assert shelf.open("two words").directory == tmp_path / "two words"
    assert shelf.open("one") is shelf.open("one")
    with pytest.raises(CollectionError, match="no collection called three"):
        shelf.open("three")


def test_one_collection_is_a_shelf_too(shelf, tmp_path):
    with Shelf(tmp_path / "one") as alone:
        assert (alone.names(), alone.holds_one) == (["one"], True)
        with pytest.raises(UsageError, match="this server shows one collection, one"):
            alone.place_of("two")


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", ".x", "new", "x.json", "a b", "x" * 65])
def test_names_that_no_collection_can_have(shelf, name):
    with pytest.raises(UsageError, match="cannot be the name of a collection"):
        shelf.start(name, ["https://example.org/"], CrawlSettings())
    assert shelf.names() == ["one", "two words"]


def test_directories_that_are_no_shelf(tmp_path):
    with pytest.raises(CollectionError, match="there is no such directory"):
        Shelf(tmp_path / "nowhere")
    (tmp_path / "letter").write_text("dear")
    with pytest.raises(CollectionError, match="not a collection"):
        Shelf(tmp_path)
    with pytest.raises(CollectionError):
        Shelf(tmp_path / "letter")


def test_what_makes_no_sense_is_told_before_anything_is_made(shelf, tmp_path):
    for urls, settings, words in (
        (["nonsense"], CrawlSettings(), "not a web address"),
        ([], CrawlSettings(), "nothing to crawl"),
        (["https://a.example/"], CrawlSettings(strategy="best-first"), "--topic"),
    ):
        with pytest.raises(UsageError, match=words):
            shelf.start("fresh", urls, settings)
    assert not (tmp_path / "fresh").exists()


def test_a_collection_that_is_written_cannot_be_crawled(shelf, tmp_path):
    from telusur.backends.files.lock import OwnerLock

    with OwnerLock(tmp_path / "one"), pytest.raises(CollectionBusy, match="stop it first"):
        shelf.start("one", ["https://a.example/"], CrawlSettings())


def test_a_crawled_collection_is_shown(demo):
    shelf = Shelf(demo.directory)
    name = shelf.names()[0]
    seen = shelf.snapshot(name)
    assert (seen.status.state, seen.run.outcome) == ("idle", "done")
    assert seen.run.settings["allow_private"] is True
    assert len(seen.run.start_urls) > 5
    assert sum(seen.answers.statuses.values()) >= seen.status.pages
    assert seen.answers.statuses["200"] > 300
    means = [host.seconds for host in seen.answers.slowest]
    assert means == sorted(means, reverse=True)
    times = [page.fetched_at for page in seen.last_pages]
    assert len(times) == 15
    assert times == sorted(times, reverse=True)
    assert seen.samples[-1].pages == seen.status.pages
    assert all(sample.at >= seen.run.started_at for sample in seen.samples)
    reason, number = next(iter(seen.status.failed_by_reason.items()))
    listed = shelf.list_urls(name, State.FAILED, reason, "", 10_000)
    assert len(listed) == number
    assert all(one.reason.startswith(reason) for one in listed)
    half = shelf.list_urls(name, State.SKIPPED, "", "", 5)
    rest = shelf.list_urls(name, State.SKIPPED, "", half[-1].cursor, 10_000)
    assert len(half) + len(rest) == seen.status.skipped
    for steer in (shelf.pause, shelf.resume, shelf.stop):
        assert steer(name) is None
    shelf.close()
