"""Robots files that want to hold up a crawl; real servers on loopback."""

import asyncio
import gzip
import random

import pytest

import telusur
from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.hosts.terms import HostTerms
from telusur.crawl.rules.robots import MAX_BYTES, Robots
from telusur.fetch import robots as robots_gate
from telusur.fetch.curl.client import HttpClient
from telusur.fetch.extra_requests import Errands
from telusur.fetch.robots import MOST_BYTES, ask_for_robots
from tests.sites import Answer, page, serving

PLAIN = {"Content-Type": "text/plain"}
PACKED = {**PLAIN, "Content-Encoding": "gzip"}
AGENT = "Telusur/1"


def is_in_event_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def watched(monkeypatch, owner, name):
    """Let a function note where it runs."""
    places, real = [], getattr(owner, name)

    def noting(*args, **named):
        places.append(is_in_event_loop())
        return real(*args, **named)

    monkeypatch.setattr(owner, name, noting)
    return places


def ask(site, covers_host=lambda url: True):
    """Ask for a robots.txt as a crawl does."""

    async def may_go_on():
        return True

    async def go():
        hosts = ActiveHosts(lambda name: HostTerms(delay=0.0), is_fair=True)
        client = HttpClient(user_agent="T", clock=lambda: 0.0, allow_private=True)
        try:
            room = asyncio.Semaphore(8)
            errands = Errands(
                client, hosts, lambda: 0.0, may_go_on, agent=AGENT, room=room,
                covers_host=covers_host,
            )  # fmt: skip
            return await ask_for_robots(errands.fetch, site.origin, AGENT)
        finally:
            client.close()

    return asyncio.run(go())


def test_no_more_is_fetched_of_a_robots_file_than_is_read_of_it():
    text = "User-agent: *\nDisallow: /private\n" + "# and so on, and so on\n" * 100_000
    with serving({"/robots.txt": Answer(text, headers=PLAIN)}) as site:
        answer = ask(site)
    assert len(text) > 2_000_000
    assert MAX_BYTES <= len(answer.page.body) <= MOST_BYTES < 520_000
    assert answer.page.truncated
    assert not answer.rules.allows(site.url("/private"), AGENT)
    assert answer.rules.allows(site.url("/"), AGENT)


def test_a_redirect_does_not_lead_a_private_crawl_to_hosts_that_nobody_named():
    rules = Answer("User-agent: *\nDisallow: /private\n", headers=PLAIN)
    with serving({"/robots.txt": rules, "/off?now": rules}) as inside:
        for goal in ("/robots.txt", "/off?now"):
            leads = {"/robots.txt": Answer(status=302, headers={"Location": inside.url(goal)})}
            with serving(leads) as site:
                answer = ask(site, covers_host=lambda url, home=site.origin: url.startswith(home))
                assert answer.page.reason == "private address: 127.0.0.1"
                assert answer.rules is None, "nothing of the host is fetched"
                assert inside.requests == []
                assert not ask(site).rules.allows(site.url("/private"), AGENT)
            inside.requests.clear()


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_rule_that_is_cut_in_two_is_none(is_packed):
    noise = random.Random(1).randbytes(700_000).hex().encode()
    lines = b"User-agent: *\nDisallow: /%s\n" + b"Disallow: /" + noise
    body = gzip.compress(lines) if is_packed else lines
    headers = PACKED if is_packed else PLAIN
    with serving({"/robots.txt": Answer(body, headers=headers)}) as site:
        answer = ask(site)
    assert answer.data == b"User-agent: *\nDisallow: /%s\n"


def test_robots_files_are_never_unpacked_or_read_in_the_event_loop(monkeypatch):
    unpacked = watched(monkeypatch, robots_gate, "decode_content")
    read = watched(monkeypatch, robots_gate, "rules_from")
    robots = gzip.compress(b"User-agent: *\nDisallow: /private\n")
    with serving({"/robots.txt": Answer(robots, headers=PACKED)}) as site:
        answer = ask(site)
    assert not answer.rules.allows(site.url("/private"), AGENT)
    assert (unpacked, read) == ([False], [False])


def test_a_hostile_robots_file_costs_its_own_host_alone(tmp_path, monkeypatch):
    """A file of many empty gzip members once stopped the whole crawl for minutes."""
    unpacked = watched(monkeypatch, robots_gate, "decode_content")
    empty = gzip.compress(b"") * 20_000
    hostile_pages = {"/robots.txt": Answer(empty, headers=PACKED), "/": page("Hostile")}
    good_pages = {"/": page("Good", links=["/1", "/2", "/3"])}
    with (
        serving(hostile_pages) as hostile,
        serving(good_pages, otherwise=page("Leaf")) as good,
        telusur.open(tmp_path / "c") as collection,
    ):
        starts = [hostile.url("/"), good.url("/")]
        collection.crawl(starts, allow_private=True, delay=0, render="never")
        states = {row["url"]: row["state"] for row in collection.urls()}
    assert len(good.paths()) == 4
    assert states[hostile.url("/")] == "done"
    assert unpacked == [False, False]


@pytest.mark.slow
def test_large_rules_of_an_earlier_run_are_read_in_a_thread(tmp_path, monkeypatch):
    text = "User-agent: *\nDisallow: /private\n" + "".join(
        f"Disallow: /{n}x\n" for n in range(2000)
    )
    pages = {"/robots.txt": Answer(text, headers=PLAIN), "/": page("Home", links=["/a"])}
    places, parse = [], Robots.parse.__func__

    def noting(cls, data, url=None):
        if len(data) > 1000:
            places.append(is_in_event_loop())
        return parse(cls, data, url)

    with serving(pages, otherwise=page("Leaf", links=["/b", "/private/c"])) as site:
        with telusur.open(tmp_path / "c") as collection:
            collection.crawl([site.url("/")], allow_private=True, delay=0, pages=1)
            monkeypatch.setattr(Robots, "parse", classmethod(noting))
            # Sitemaps of start hosts are looked for before anything runs that could be held up.
            collection.crawl([site.url("/")], allow_private=True, delay=0, sitemaps="never")
            reasons = {row["url"]: row["reason"] for row in collection.urls()}
        assert site.asked("/robots.txt") == 1
        assert set(site.paths()) == {"/", "/a", "/b"}
    assert reasons[site.url("/private/c")] == "robots: Disallow: /private"
    assert places
    assert not any(places)
