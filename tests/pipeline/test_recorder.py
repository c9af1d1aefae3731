"""The recorder on the store in memory: what is written together, and what is handed out."""

import pytest

from telusur.crawl.frontier_records import LeasedUrl
from telusur.crawl.hosts.holds import Hold, pack_holds
from telusur.errors import SessionLost
from telusur.models import Reason, State
from telusur.pipeline.outcomes import Group
from telusur.pipeline.recorder import COMMIT_SECONDS
from tests.pipeline.in_memory import START, Desk, html


@pytest.fixture
def desk():
    return Desk().start(START)


def test_a_page_brings_its_document_its_links_and_more_work(desk):
    leased = desk.lease()[START]
    refill = desk.write(desk.outcome(leased, html("Coast", links=["/fog", "/gulls"])))
    assert desk.states() == {"done": 1, "leased": 2}
    assert desk.documents() == {START: ""}
    (urls,) = refill.more.values()
    assert [(one.url, one.depth) for one in urls] == [(f"{START}fog", 1), (f"{START}gulls", 1)]
    assert (refill.gained.found, refill.gained.waiting) == (2, 2)


def test_the_answer_is_in_the_archive_before_anything_names_it(desk, monkeypatch):
    leased = desk.lease()[START]
    order = []
    for part, name in ((desk.session.archive, "append"), (desk.session.catalogue, "put_fetch")):
        monkeypatch.setattr(type(part), name, noting(order, getattr(type(part), name)))
    desk.write(desk.outcome(leased, html("Coast")))
    assert order == ["append", "put_fetch"]


def noting(order, method):
    """Return a method that notes that it was called."""

    def noted(*args, **more):
        order.append(method.__name__)
        return method(*args, **more)

    return noted


def test_an_error_undoes_the_whole_group(desk, monkeypatch):
    leased = desk.lease()[START]
    desk.recorder.commit()

    def fail(*_):
        raise OSError(28, "No space left on device")

    outcome = desk.outcome(leased, html("Coast", links=["/fog"]))
    monkeypatch.setattr(type(desk.recorder.frontier), "settle", fail)
    with pytest.raises(OSError, match="No space left"):
        desk.write(outcome)
    assert desk.states() == {"leased": 1}
    assert desk.documents() == {}
    monkeypatch.undo()
    desk.write(outcome)
    assert desk.states() == {"done": 1, "leased": 1}


def test_an_unordered_strategy_commits_each_group_an_ordered_one_when_it_is_time():
    desk = Desk(strategy="breadth-first").start(START)
    desk.lease()
    assert desk.recorder.commit_at is None
    desk = Desk(strategy="best-first", topic="fog").start(START)
    desk.lease()
    began = desk.clock()
    assert desk.recorder.commit_at == began + COMMIT_SECONDS
    desk.clock.now += COMMIT_SECONDS
    desk.recorder.write(Group(), desk.clock())
    assert desk.recorder.commit_at is None


def test_of_two_pages_that_say_the_same_the_first_is_indexed(desk):
    leased = desk.lease()[START]
    desk.write(desk.outcome(leased, html("Coast", links=["/a", "/b"])))
    for name in "ab":
        desk.write(desk.outcome(_leased(desk, name), html("Fog", "It was a foggy day. " * 9)))
    assert desk.documents()[f"{START}a"] == ""
    assert desk.documents()[f"{START}b"] == f"{Reason.DUPLICATE}: {START}a"


def test_a_page_without_a_query_takes_the_place_of_its_copy_with_one(desk):
    leased = desk.lease()[START]
    desk.write(desk.outcome(leased, html("Coast", links=["/fog?print=1", "/fog"])))
    for name in ("fog?print=1", "fog"):
        desk.write(desk.outcome(_leased(desk, name), html("Fog", "It was a foggy day. " * 9)))
    documents = desk.documents()
    assert documents[f"{START}fog"] == ""
    assert documents[f"{START}fog?print=1"] == f"{Reason.DUPLICATE}: {START}fog"


def test_a_url_to_be_tried_again_has_no_final_fetch(desk):
    leased = desk.lease()[START]
    outcome = desk.outcome(leased, state=State.WAITING)
    desk.write(outcome, releases=[(outcome.host, desk.clock() + 7)])
    assert desk.states() == {"waiting": 1}
    desk.clock.now += 6.9
    assert desk.lease() == {}
    desk.clock.now += 0.1
    assert list(desk.lease()) == [START]


def test_a_page_that_was_tried_twice_counts_once_for_its_site(desk):
    for state in (State.WAITING, State.DONE):
        outcome = desk.outcome(desk.lease()[START], html("Coast"), state=state)
        desk.write(outcome, releases=[(outcome.host, desk.clock() + 7)])
        desk.clock.now += 7
    [site] = desk.store.crawls().tallies(9).sites
    assert site.pages == desk.store.reader().counts().pages == 1


def test_what_a_changed_limit_forbids_is_skipped_and_what_it_allows_waits():
    desk = Desk(depth=1).start(START)
    leased = desk.lease()[START]
    scope = desk.discovery.scope
    desk.write(desk.outcome(leased, html("Coast", links=["/fog"])))
    fog = _leased(desk, "fog")
    desk.write(desk.outcome(fog, html("Fog", links=["/deep"])))
    assert desk.states() == {"done": 2, "skipped": 1}
    desk.write(limits={"depth": 2}, scope=scope.with_limits(2, "site"))
    assert desk.states() == {"done": 2, "waiting": 1}
    assert desk.recorder.catalogue.last_crawl().settings == {"depth": 2}


def test_the_end_frees_leases_and_settles_originals(desk):
    leased = desk.lease()[START]
    copy = '<link rel="canonical" href="/fog">'
    desk.write(desk.outcome(leased, copy + html("Copy", "One text. " * 9, links=["/fog", "/b"])))
    desk.write(desk.outcome(_leased(desk, "fog"), html("Fog", "Another text. " * 9)))
    desk.recorder.finish(desk.clock())
    assert desk.states() == {"done": 2, "waiting": 1}
    assert desk.documents() == {START: f"{Reason.CANONICAL}: {START}fog", f"{START}fog": ""}


def test_a_host_that_asked_to_be_left_alone_is_so_after_a_restart(desk):
    leased = desk.lease()[START]
    until = desk.clock() + 100
    holds = pack_holds([Hold("http://coast.example", until, "Retry-After", stands=True)])
    outcome = desk.outcome(leased, state=State.WAITING)
    desk.write(outcome, releases=[(outcome.host, until)], holds=holds)
    desk.session.close()
    again = Desk(store=desk.store)
    again.clock = desk.clock
    again.recorder.recover(desk.clock())
    assert again.lease() == {}
    desk.clock.now += 101
    assert list(again.lease()) == [START]


def test_a_session_that_was_found_dead_writes_nothing(desk):
    leased = desk.lease()[START]
    desk.recorder.commit()
    desk.clock.now += 31
    desk.store.reap()
    with pytest.raises(SessionLost):
        desk.write(desk.outcome(leased, html("Coast")))
    other = Desk(store=desk.store)
    other.clock = desk.clock
    assert list(other.lease()) == [START]


def _leased(desk, name):
    """Return a URL that its host was handed, as the frontier has it."""
    url = f"{START}{name}"
    url_id = desk.discovery.found_by_address(url, 0).url_id
    return LeasedUrl(url_id, url, desk.recorder.frontier.depths_of([url_id])[url_id], 0, 0)
