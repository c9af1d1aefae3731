"""The scouter with a gate of ours and the store in memory: who is asked, when, and what is kept."""

import asyncio

import pytest

from telusur.pipeline import scouter as scouter_module
from telusur.pipeline.scouter import Scouter
from telusur.testing.cases import changes_of
from tests.pipeline.in_memory import START, Desk, PaperGate, html


class Crawl:
    """A crawl in one thread: what is real is the scouter."""

    def __init__(self, web, **settings):
        self.desk = Desk(delay=0, render="never", **settings).start(START)
        self.gate = PaperGate(web)
        self.equipment = self.desk.equipment(self.gate)

    def run(self, stop_after=None):
        """Crawl to the end, or until a URL was answered; return why it ended."""

        async def go():
            scouter = Scouter(self.desk.plan.settings, self.equipment)
            self.gate.after = lambda url: scouter.stop("enough") if url == stop_after else None
            return await scouter.run()

        return asyncio.run(go())

    def pages_asked(self):
        return [url.removeprefix(START) for url in self.gate.asked if "robots" not in url]


def web(size, links=lambda n: (2 * n + 1, 2 * n + 2)):
    """Return pages that link to each other; the start page is number 0."""
    names = {n: f"{START}{n or ''}" for n in range(size)}
    return {
        url: html(f"Page {n}", links=[names[to] for to in links(n) if to < size])
        for n, url in names.items()
    }


def test_every_page_is_asked_for_once_and_robots_before_any():
    crawl = Crawl(web(20))
    assert crawl.run() == "done"
    assert crawl.gate.asked[0] == f"{START}robots.txt"
    assert sorted(crawl.pages_asked()) == sorted(str(n or "") for n in range(20))
    assert crawl.desk.states() == {"done": 20}
    assert len(changes_of(crawl.desk.store)) == 20


def test_a_host_has_one_request_at_a_time():
    crawl = Crawl(web(30))
    crawl.run()
    assert crawl.gate.most_at_once == 1


def test_what_robots_forbid_is_never_asked_for():
    pages = web(7) | {f"{START}robots.txt": "User-agent: *\nDisallow: /1\n"}
    crawl = Crawl(pages)
    assert crawl.run() == "done"
    assert sorted(crawl.pages_asked()) == ["", "2", "5", "6"]
    assert crawl.desk.states() == {"done": 4, "skipped": 1}


def test_a_limit_of_pages_is_kept_exactly():
    crawl = Crawl(web(30), pages=5)
    assert crawl.run() == "pages"
    assert len(crawl.pages_asked()) == 5
    states = crawl.desk.states()
    assert (states["done"], "leased" in states) == (5, False)


def test_a_stop_writes_what_was_fetched_and_leaves_the_rest_waiting():
    crawl = Crawl(web(30))
    assert crawl.run(stop_after=f"{START}3") == "enough"
    states = crawl.desk.states()
    assert states["done"] == len(crawl.pages_asked()) < 30
    assert "leased" not in states
    assert states["waiting"] > 0


def test_a_second_run_goes_on_where_the_first_was_stopped():
    crawl = Crawl(web(30))
    crawl.run(stop_after=f"{START}3")
    assert crawl.run() == "done"
    assert sorted(crawl.pages_asked()) == sorted(str(n or "") for n in range(30))


def test_a_fault_of_ours_is_raised_after_everything_is_written():
    crawl = Crawl(web(30))

    def fail(url):
        if url == f"{START}3":
            raise ZeroDivisionError(url)

    fetch = crawl.gate.fetch

    async def failing(url, **more):
        page = await fetch(url, **more)
        fail(url)
        return page

    crawl.gate.fetch = failing
    with pytest.raises(ZeroDivisionError):
        crawl.run()
    states = crawl.desk.states()
    assert states["done"] == len(crawl.pages_asked()) - 1
    assert "leased" not in states


def test_errors_end_a_url_and_not_the_crawl():
    pages = web(7)
    del pages[f"{START}1"]
    crawl = Crawl(pages)
    assert crawl.run() == "done"
    assert crawl.desk.states() == {"done": 4, "failed": 1}


def test_a_page_that_was_received_is_read_to_the_end_after_a_stop(monkeypatch):
    """On a busy machine parsing takes longer than requests in flight are waited for."""
    monkeypatch.setattr(scouter_module, "GRACE_SECONDS", 0.0)
    crawl = Crawl(web(3))
    parse = crawl.equipment.reader._parse

    async def slowly(job):
        await asyncio.sleep(0.05)
        return await parse(job)

    crawl.equipment.reader._parse = slowly
    assert crawl.run(stop_after=START) == "enough"
    assert crawl.desk.states() == {"done": 1, "waiting": 2}


def test_a_host_that_is_due_wakes_nobody_while_there_is_no_room(monkeypatch):
    crawl = Crawl(web(7), connections=1, per_host=4)
    rests = []
    rest = Scouter._rest

    async def counted(self):
        rests.append(self._has_room())
        await rest(self)

    async def slow(url, **_):
        # Resting until the host is due would end every two milliseconds.
        await asyncio.sleep(0.1)
        return await PaperGate.fetch(crawl.gate, url)

    monkeypatch.setattr(Scouter, "_rest", counted)
    crawl.gate.fetch = slow
    assert crawl.run() == "done"
    assert crawl.desk.states() == {"done": 7}
    assert 0 < rests.count(False) < 70


def test_a_limit_of_bytes_ends_a_crawl_while_there_is_no_room():
    pages = web(40, links=lambda n: range(40))
    crawl = Crawl(pages, connections=2, per_host=4, total_bytes=5 * len(pages[START]))

    async def slow(url, **_):
        # Slower than a parser; many of them fit between two groups.
        await asyncio.sleep(0.01)
        return await PaperGate.fetch(crawl.gate, url)

    crawl.gate.fetch = slow
    assert crawl.run() == "bytes"
    assert len(crawl.pages_asked()) <= 8
