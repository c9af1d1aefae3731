"""A crawl that is answered by the archive of another collection; nobody listens on the network."""

import pytest

import telusur
from telusur.crawl.rules.traps import family_of
from telusur.errors import UsageError


def states_of(collection):
    return {row["url"]: (row["state"], row["reason"]) for row in collection.urls()}


def titles_of(collection):
    """The same page may be found under another spelling first."""
    return {telusur.normalize_url(row["url"]): row["title"] for row in collection.pages()}


@pytest.fixture(scope="module")
def replayed(demo, tmp_path_factory):
    """The demo web crawled once more, when its server is gone."""
    directory = tmp_path_factory.mktemp("replayed") / "collection"
    starts = [demo.url(site) for site in demo.origins]
    with telusur.open(directory) as collection:
        collection.crawl(starts, replay=str(demo.directory), index=False)
    return directory


def test_the_same_pages_come_from_the_archive(demo, replayed):
    with telusur.open(demo.directory) as first, telusur.open(replayed) as again:
        live, replay = titles_of(first), titles_of(again)
        traps = {
            family_of(row["url"]) for row in again.urls() if row["reason"].startswith("trap: the")
        }
    assert len(replay) > 50
    assert set(replay) <= set(live)
    # Which host answers first decides in which order pages of an endless calendar are found.
    assert [url for url in set(live) - set(replay) if family_of(url) not in traps] == []
    assert [url for url in replay if replay[url] != live[url] and "museum" not in url] == []


def test_robots_rules_are_those_of_the_archive(demo, replayed):
    with telusur.open(demo.directory) as first, telusur.open(replayed) as again:
        live, replay = states_of(first), states_of(again)
    forbidden = {url for url, (_, reason) in live.items() if reason.startswith("robots")}
    assert forbidden
    assert {url for url in forbidden if url in replay} == {
        url for url, (_, reason) in replay.items() if reason.startswith("robots")
    }


@pytest.mark.slow
def test_what_the_archive_lacks_is_skipped_and_can_be_fetched_later(demo, tmp_path):
    start = demo.url(next(iter(demo.origins)))
    with telusur.open(tmp_path / "small") as small:
        small.crawl([start], replay=str(demo.directory), pages=1, index=False)
    with telusur.open(tmp_path / "again") as again:
        again.crawl([start], replay=str(tmp_path / "small"), index=False)
        lacking = {reason for state, reason in states_of(again).values() if state == "skipped"}
        assert "not in the archive" in lacking
        again.crawl([start], replay=str(demo.directory), pages=5, index=False)
        assert again.counts().pages == 5


def test_a_directory_without_a_collection(tmp_path):
    with telusur.open(tmp_path / "new") as collection, pytest.raises(UsageError, match="--replay"):
        collection.crawl(["http://example.org/"], replay=str(tmp_path / "nothing"))
