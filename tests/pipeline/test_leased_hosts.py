"""The leased hosts of a crawl are taken on, kept in URLs, and given back."""

import json

import pytest

from telusur.models import Page, Reason
from tests.pipeline.in_memory import START, Parts, in_line

HOST = START[:-1]


@pytest.fixture
def make_parts():
    made = []

    def make(pages=(), **settings):
        made.append(Parts(pages, **settings))
        return made[-1]

    yield make
    for parts in made:
        parts.outbox.close()


def test_a_new_host_has_its_urls_and_no_rules(make_parts):
    parts = make_parts()
    assert parts.wishes().new_hosts > 0
    (host,) = parts.write()
    assert (host.name, in_line(host), host.robots) == (HOST, [""], None)
    assert parts.desk.states() == {"leased": 1}


def test_a_host_with_stored_rules_is_in_line_at_once(make_parts):
    parts = make_parts()
    with parts.desk.recorder.transaction():
        parts.desk.session.catalogue.put_robots(HOST, b"", 200, parts.clock())
    parts.wishes()
    assert parts.write() == []
    assert parts.hosts.find(HOST).robots is not None


def test_no_host_is_asked_for_when_the_crawl_pauses(make_parts):
    parts = make_parts()
    parts.leases.add_wishes(parts.clock(), may_lease=False)
    assert parts.outbox.group.is_empty()


def test_no_host_is_asked_for_when_there_are_enough(make_parts, monkeypatch):
    monkeypatch.setattr("telusur.pipeline.leased_hosts.MOST_HOSTS", 1)
    parts = make_parts(scope="any")
    host = parts.take_start()
    parts.end(host, links=["/1", "http://other.example/"])
    parts.wishes()
    parts.write()
    assert parts.desk.states() == {"done": 1, "leased": 1, "waiting": 1}
    assert parts.leases.next_at is None
    assert parts.wishes().new_hosts == 0
    assert not parts.leases.are_over


def test_a_host_that_runs_low_gets_more(make_parts):
    parts = make_parts()
    host = parts.take_start()
    parts.end(host, links=["/1", "/2"])
    assert parts.wishes().hungry == [(HOST, 16)]
    parts.write()
    assert in_line(host) == ["1", "2"]


def test_a_host_that_has_run_dry_is_given_back_when_all_is_written(make_parts):
    parts = make_parts()
    host = parts.take_start()
    parts.end(host)
    parts.wishes()
    parts.write()
    assert host.is_dry
    assert parts.wishes().releases == [(HOST, host.next_at)]
    assert len(parts.hosts) == 0
    assert parts.leases.are_over
    assert not parts.leases.has_set_aside


def test_a_link_to_a_dry_host_keeps_it(make_parts):
    parts = make_parts()
    host = parts.take_start()
    parts.end(host, links=["/1"])
    host.is_dry = True
    parts.outbox.group.hungry.clear()
    parts.write()
    assert not host.is_dry
    assert parts.wishes().hungry == [(HOST, 16)]


def test_a_host_that_asks_for_a_long_rest_goes_back_and_that_is_written_down(make_parts):
    parts = make_parts(budget=["coast.example=9"])
    host = parts.take_start()
    headers = (("Retry-After", "600"),)
    host.heed(Page(START, 503, headers=headers), parts.clock())
    group = parts.wishes()
    assert group.releases == [(HOST, parts.clock() + 600)]
    (hold,) = json.loads(group.holds)
    assert (hold["host"], hold["stands"]) == (HOST, True)
    assert parts.equipment.budgets.taken() == {"coast.example": 0}
    parts.write()
    assert parts.leases.next_at == parts.clock() + 600
    # A crawl looks for whose turn it is before it rests.
    assert list(parts.hosts.choose(parts.clock())) == []
    assert HOST in parts.leases.what_is_waited_for(parts.clock())
    assert parts.leases.what_is_waited_for(parts.clock() + 599) == ""


def test_a_host_that_is_given_up_stays_leased_and_its_urls_wait(make_parts):
    parts = make_parts()
    host = parts.take_start()
    away = Page(START, reason=f"{Reason.NETWORK}: refused")
    for _ in range(2):
        host.heed(away, parts.clock())
        parts.clock.now += 10_000
    assert host.health.is_given_up
    (one,) = host.urls
    assert parts.wishes().given_back == {HOST: [one.url_id]}
    parts.write()
    assert parts.desk.states() == {"waiting": 1}
    assert parts.leases.has_set_aside
    assert parts.leases.are_over


def test_the_last_group_asks_for_nothing_and_remembers_who_rests(make_parts):
    parts = make_parts()
    host = parts.take_start()
    host.rest(parts.clock(), 5.0)
    parts.wishes()
    group = parts.outbox.next_group()
    parts.leases.give_back_all(group, parts.clock())
    assert (group.hungry, group.new_hosts) == ([], 0)
    assert group.releases == [(HOST, parts.clock() + 5.0)]
    assert json.loads(group.holds)[0]["host"] == HOST


def test_what_a_smaller_depth_forbids_waits_to_be_judged(make_parts):
    parts = make_parts(budget=["coast.example=9"])
    host = parts.take_start()
    parts.end(host, links=["/1", "/2"])
    parts.wishes()
    parts.write()
    assert parts.equipment.budgets.taken() == {"coast.example": 3}
    scope = parts.equipment.discovery.scope
    parts.leases.go_by(scope.with_limits(0, "site"))
    assert in_line(host) == []
    assert parts.equipment.budgets.taken() == {"coast.example": 1}
    parts.wishes()
    parts.write()
    assert parts.desk.states() == {"done": 1, "skipped": 2}


def test_what_was_handed_out_while_a_limit_changed_goes_back(make_parts):
    parts = make_parts()
    host = parts.take_start()
    parts.end(host, links=["/1"])
    group = parts.wishes()
    parts.outbox.next_group()
    refill = parts.desk.recorder.write(group, parts.clock())
    scope = parts.equipment.discovery.scope
    parts.leases.go_by(scope.with_limits(0, "site"))
    parts.leases.take(group, refill, parts.clock())
    assert in_line(host) == []
    assert list(parts.outbox.group.given_back) == [HOST]


def test_the_same_limits_change_nothing(make_parts):
    parts = make_parts()
    parts.take_start()
    parts.write()
    parts.leases.go_by(parts.equipment.discovery.scope)
    assert parts.outbox.group.is_empty()


def test_an_ordered_crawl_exchanges_what_it_has_for_the_best(make_parts):
    parts = make_parts(is_ordered=True)
    parts.equipment.progress.pages = 400  # sixteen may be under way
    host = parts.take_start()
    parts.end(host, links=[f"/{n}" for n in range(8)])
    parts.wishes()
    parts.write()
    had = in_line(host)
    assert len(had) == 8
    parts.end(host)
    parts.wishes()
    group = parts.outbox.group
    parts.leases.exchange(group)
    # A quarter of sixteen stays.
    assert in_line(host) == had[1:5]
    assert [one.url for one in group.exchanged[HOST]] == [f"{START}{path}" for path in had[:4:-1]]
    assert dict(group.hungry) == {HOST: 12}
