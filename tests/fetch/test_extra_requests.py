"""What a page in a browser needs, asked for with manners; real servers on loopback."""

import asyncio
import time
from contextlib import ExitStack

from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.hosts.terms import HostTerms
from telusur.crawl.rules.robots import Robots
from telusur.fetch.curl.client import HttpClient
from telusur.fetch.extra_requests import LEFT_ALONE, Errands
from telusur.models import Page
from tests.sites import Answer, serving


def with_errands(work, most=64, goes_on=lambda: True, covers_host=lambda url: True, **terms):
    async def go():
        hosts = ActiveHosts(lambda name: HostTerms(**terms), is_fair=True)
        client = HttpClient(user_agent="T", clock=time.time, allow_private=True)

        async def may_go_on():
            return goes_on()

        try:
            room = asyncio.Semaphore(most)
            errands = Errands(
                client, hosts, time.time, may_go_on, agent="T", room=room, covers_host=covers_host
            )
            return await work(errands, hosts)
        finally:
            client.close()

    return asyncio.run(go())


def test_parts_do_not_wait_for_the_delay_but_the_next_page_does():
    async def work(errands, hosts):
        host = hosts.guest(site.origin)
        host.next_at = time.time() + 500
        page = await errands.fetch_part(
            site.url("/a.js"), [("Accept", "*/*"), ("X-A", "1")], is_own=True
        )
        return page, host

    with serving({"/a.js": "1"}) as site:
        page, host = with_errands(work, delay=900.0, headers=(("X-B", "2"), ("x-a", "0")))
        sent = site.requests[0].headers
    assert (page.status, host.in_flight) == (200, 0)
    assert host.next_at > time.time() + 800
    assert (sent["Accept"], sent["X-A"], sent["X-B"]) == ("*/*", "1", "2")


def test_a_page_cannot_lead_a_private_crawl_to_hosts_that_nobody_named():
    async def work(errands, hosts):
        robots = await errands.fetch(other.url("/robots.txt"))  # a connection is open now
        pages = [await errands.fetch_part(url) for url in (site.url("/a.js"), other.url("/s.js"))]
        return robots.status, [page.status for page in pages], pages[1].reason

    with serving({"/a.js": "1"}) as site, serving({"/s.js": "secret", "/robots.txt": ""}) as other:
        covers = lambda url: url.startswith(site.origin)  # noqa: E731
        answers = with_errands(work, delay=0.0, covers_host=covers)
        assert other.asked("/s.js") == 0
    assert answers == (200, [200, None], "private address: 127.0.0.1")


def test_parts_are_asked_for_one_at_a_time():
    async def work(errands, hosts):
        urls = [site.url(f"/{n}") for n in range(4)]
        asking = [asyncio.create_task(errands.fetch_part(url)) for url in urls]
        most = 0
        while not all(task.done() for task in asking):
            most = max(most, hosts.guest(site.origin).in_flight)
            await asyncio.sleep(0.005)
        return most, [task.result().status for task in asking]

    with serving({}, otherwise=Answer("x", seconds=0.03)) as site:
        assert with_errands(work, delay=0.0) == (1, [200] * 4)


def test_a_host_that_asked_for_rest_is_not_asked_for_parts():
    async def work(errands, hosts):
        first = await errands.fetch_part(site.url("/a"))
        return first, await errands.fetch_part(site.url("/b"))

    with serving({"/a": Answer("", 503, {"Retry-After": "600"})}) as site:
        first, second = with_errands(work, delay=0.0)
        assert site.paths() == ["/a"]
    assert first.status == 503
    assert second == Page(site.url("/b"), reason=LEFT_ALONE)


def test_a_part_that_nobody_waits_for_any_more_leaves_its_host_free():
    async def work(errands, hosts):
        asking = asyncio.create_task(errands.fetch_part(site.url("/slow")))
        while not site.requests:
            await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        return hosts.guest(site.origin).in_flight

    with serving({"/slow": Answer("x", seconds=0.5)}) as site:
        assert with_errands(work, delay=0.0) == 0


def test_a_frame_that_robots_forbid_is_not_asked_for():
    async def work(errands, hosts):
        unknown = await errands.fetch_part(site.url("/a"), is_frame=True)
        hosts.guest(site.origin).obey(Robots.parse(b"User-agent: *\nDisallow: /no"), "T")
        paths = ("/a", "/no/frame")
        return [unknown, *[await errands.fetch_part(site.url(p), is_frame=True) for p in paths]]

    with serving({"/a": "1", "/no/frame": "2"}) as site:
        pages = with_errands(work, delay=0.0)
        assert site.paths() == ["/a"]
    assert [(page.status, page.reason) for page in pages] == [
        (None, "robots"), (200, ""), (None, "robots"),
    ]  # fmt: skip


def test_no_more_is_asked_for_at_once_than_there_is_room_for_and_who_came_first_is_first():
    asked, under_way, most_under_way = [], [], []

    def answer(path):
        asked.append(path)
        under_way.append(path)
        most_under_way.append(len(under_way))
        time.sleep(0.02)
        under_way.remove(path)
        return "User-agent: *"

    async def work(errands, hosts):
        urls = [site.url(f"/{at}") for at, site in enumerate(sites)]
        await asyncio.gather(*map(errands.fetch, urls))

    with ExitStack() as stack:
        sites = [stack.enter_context(serving({}, otherwise=answer)) for _ in range(4)]
        with_errands(work, most=1, delay=0.0)
    assert asked == ["/0", "/1", "/2", "/3"]
    assert max(most_under_way) == 1


def test_who_waits_for_room_asks_nothing_once_the_crawl_stops():
    async def work(errands, hosts):
        return await asyncio.gather(*(errands.fetch(site.url("/robots.txt")) for site in sites))

    with ExitStack() as stack:
        sites = [stack.enter_context(serving({}, otherwise="User-agent: *")) for _ in range(3)]
        pages = with_errands(work, most=1, goes_on=lambda: not sites[0].requests, delay=0.0)
        assert [len(site.requests) for site in sites] == [1, 0, 0]
    assert [page is not None for page in pages] == [True, False, False]
