"""Admission: the rules of a host are learned before its first page, and decide what is asked."""

import pytest

from telusur.crawl.frontier_records import Verdict
from telusur.crawl.hosts.health import PATIENCE_SECONDS
from telusur.fetch.robots import FRESH_SECONDS, LARGE_BYTES
from telusur.models import Page, Reason, State
from telusur.store.records import StoredRobots
from tests.pipeline.in_memory import START, Parts, in_line, leased

ROBOTS = f"{START}robots.txt"
RULES = "User-agent: *\nDisallow: /no\nSitemap: /sitemap.xml\n"


@pytest.fixture
def make_parts():
    made = []

    def make(pages=(), **settings):
        made.append(Parts(pages, **settings))
        return made[-1]

    yield make
    for parts in made:
        parts.outbox.close()


def stored(parts, rules=RULES, age=1.0):
    return StoredRobots(rules.encode(), 200, parts.clock() - age)


def test_what_robots_txt_forbids_ends_with_its_rule(make_parts):
    parts = make_parts({ROBOTS: RULES})
    host = parts.activate("yes", "no/1")
    assert parts.learn_rules(host)
    assert in_line(host) == ["yes"]
    (verdict,) = parts.ended().values()
    assert (verdict.state, verdict.reason) == (State.SKIPPED, "robots: Disallow: /no")
    assert parts.outbox.under_way == 1


def test_rules_are_written_with_the_group_and_so_are_the_sitemaps_they_name(make_parts):
    parts = make_parts({ROBOTS: RULES})
    parts.learn_rules(parts.activate("yes"))
    group = parts.outbox.group
    assert [file.data for file in group.robots] == [RULES.encode()]
    assert len(group.sitemaps) == 1


def test_fresh_rules_of_an_earlier_run_are_obeyed_without_asking(make_parts):
    parts = make_parts()
    host = parts.activate("yes", "no/1")
    parts.admission.obey_stored(host, stored(parts), parts.clock())
    assert in_line(host) == ["yes"]
    assert parts.gate.asked == []


def test_old_rules_are_asked_for_again(make_parts):
    parts = make_parts({ROBOTS: "User-agent: *\nDisallow: /yes\n"})
    host = parts.activate("yes", "no/1")
    old = stored(parts, age=FRESH_SECONDS)
    parts.admission.obey_stored(host, old, parts.clock())
    assert host.robots is None
    parts.learn_rules(host, old)
    assert in_line(host) == ["no/1"]


def test_large_rules_are_left_to_a_thread(make_parts):
    parts = make_parts()
    host = parts.activate("yes", "no/1")
    large = stored(parts, RULES + "#" * LARGE_BYTES)
    parts.admission.obey_stored(host, large, parts.clock())
    assert host.robots is None
    assert parts.learn_rules(host, large)
    assert in_line(host) == ["yes"]
    assert parts.gate.asked == []


def answering(parts, page):
    """Let the host answer everything with this page."""

    async def fetch(url, **_):
        parts.gate.asked.append(url)
        return page

    parts.gate.fetch = fetch


def test_without_robots_txt_nothing_is_asked_for(make_parts):
    parts = make_parts()
    answering(parts, Page(ROBOTS, 503))
    host = parts.activate("yes")
    assert parts.learn_rules(host)
    assert parts.ended()["yes"].reason == "robots: unreachable, http 503"
    assert len(parts.gate.asked) == 3


def test_a_host_that_was_there_before_is_asked_until_patience_is_over(make_parts):
    parts = make_parts()
    answering(parts, Page(ROBOTS, reason=f"{Reason.NETWORK}: refused"))
    parts.answer_seconds = 100.0
    host = parts.activate("yes")
    host.health.is_known = True
    assert not parts.learn_rules(host)
    assert in_line(host) == ["yes"]
    assert len(parts.gate.asked) == 1 + PATIENCE_SECONDS // parts.answer_seconds


def test_a_url_beyond_the_budget_ends(make_parts):
    parts = make_parts(budget=["coast.example=1"])
    host = parts.activate("1", "2")
    parts.learn_rules(host)
    assert in_line(host) == ["1"]
    assert parts.ended()["2"].reason == "budget: coast.example 1"


def test_what_stood_in_line_before_is_not_paid_for_twice(make_parts):
    parts = make_parts(budget=["coast.example=2"])
    host = parts.activate("1", "2")
    parts.learn_rules(host)
    before = [host.urls.pop(), host.urls.pop()]
    parts.admission.admit(host, [leased("1"), leased("3")], before)
    assert in_line(host) == ["1"]
    # The budget is judged before what is not handed out again is given back.
    assert parts.ended()["3"].reason == "budget: coast.example 2"
    assert parts.equipment.budgets.taken() == {"coast.example": 1}


def test_what_an_archive_does_not_have_is_not_asked_for(make_parts):
    parts = make_parts()
    parts.gate.knows = lambda url: not url.endswith("/2")
    host = parts.activate("1", "2")
    parts.learn_rules(host)
    assert parts.ended() == {"2": Verdict(leased("2").url_id, State.SKIPPED, Reason.NOT_ARCHIVED)}


def test_a_kind_of_page_that_brings_nothing_new_ends_in_line_and_later(make_parts, monkeypatch):
    parts = make_parts(budget=["coast.example=9"])
    host = parts.activate("1", "2")
    parts.learn_rules(host)
    yields = type(parts.equipment.recorder.yields)
    monkeypatch.setattr(yields, "stale_reason", lambda self, url, depth: "trap: barren")
    parts.outbox.begin(host)
    assert parts.admission.end_if_stale(host, host.urls.popleft())
    parts.admission.admit(host, [leased("3")])
    assert {path: verdict.reason for path, verdict in parts.ended().items()} == {
        "1": "trap: barren", "3": "trap: barren",
    }  # fmt: skip
    assert parts.equipment.budgets.taken() == {"coast.example": 1}


def test_traps_are_not_heeded_when_that_is_switched_off(make_parts, monkeypatch):
    parts = make_parts(traps=False)
    yields = type(parts.equipment.recorder.yields)
    monkeypatch.setattr(yields, "stale_reason", lambda self, url, depth: "trap: barren")
    host = parts.activate("1")
    parts.learn_rules(host)
    assert in_line(host) == ["1"]
