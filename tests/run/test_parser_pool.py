import asyncio
import os
import signal
import time
from dataclasses import dataclass, field

import pytest

from telusur.crawl.discovery import Discovery
from telusur.crawl.scope import Scope
from telusur.models import Document, Page
from telusur.run.parser_pool import ParserPool
from telusur.run.parsing import Parsed, ParseJob
from telusur.settings import CrawlSettings


def anywhere():
    return Discovery(Scope([], CrawlSettings()))


@dataclass(frozen=True)
class OddParser:
    """A parser that dies or hangs on some pages, as a C library might."""

    discovery: Discovery = field(default_factory=anywhere)

    def warm_up(self) -> None:
        pass

    def parse(self, job: ParseJob) -> Parsed:
        if "die" in job.url:
            os.kill(os.getpid(), signal.SIGKILL)
        if "hang" in job.url:
            time.sleep(60)
        return Parsed(Document(job.url))


def parse_all(urls, workers=2, limit_seconds=1.0):
    async def go():
        async with ParserPool(OddParser(), workers, limit_seconds) as pool:
            return await asyncio.gather(*(pool.parse(ParseJob.of(Page(url), 0)) for url in urls))

    return asyncio.run(go())


def test_every_page_gets_its_own_answer():
    urls = [f"http://a/{n}" for n in range(60)]
    assert [parsed.document.url for parsed in parse_all(urls)] == urls


def test_a_page_that_kills_the_parser_costs_itself_alone():
    urls = [f"http://a/{'die' if n in (3, 17) else n}" for n in range(30)]
    for number, parsed in enumerate(parse_all(urls)):
        if number in (3, 17):
            assert parsed.skip_reason == "parser: the process died"
        else:
            assert parsed.document.url == urls[number]


def test_a_page_that_hangs_the_parser_costs_itself_alone():
    urls = ["http://a/1", "http://a/hang", "http://a/2"]
    one, hung, two = parse_all(urls, workers=1)
    assert hung.skip_reason == "parser: took longer than 1 s"
    assert (one.document.url, two.document.url) == ("http://a/1", "http://a/2")


@dataclass(frozen=True)
class StillbornParser:
    """A parser whose process dies before it is ready, the first times or always."""

    marks: str
    deaths: int
    discovery: Discovery = field(default_factory=anywhere)

    def warm_up(self) -> None:
        with open(self.marks, "a") as file:
            file.write("x")
        if os.path.getsize(self.marks) <= self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)

    def parse(self, job: ParseJob) -> Parsed:
        return Parsed(Document(job.url))


def parse_one(parser):
    async def go():
        async with ParserPool(parser, 1) as pool:
            return await pool.parse(ParseJob.of(Page("http://a/1"), 0))

    return asyncio.run(go())


def test_a_process_killed_while_it_starts_is_replaced(tmp_path):
    parsed = parse_one(StillbornParser(str(tmp_path / "marks"), deaths=2))
    assert parsed.document.url == "http://a/1"


def test_a_process_that_never_starts_is_an_error_and_no_endless_wait(tmp_path):
    with pytest.raises(RuntimeError, match="does not start"):
        parse_one(StillbornParser(str(tmp_path / "marks"), deaths=99))


def test_a_mistake_of_ours_ends_the_crawl_and_is_no_endless_wait():
    class Unsendable(OddParser):
        """No other process can be told of a class that is made here."""

    with pytest.raises(AttributeError, match="Unsendable"):
        parse_one(Unsendable())


def test_parsers_end_when_their_owner_is_gone():
    async def go():
        async with ParserPool(OddParser(), 2) as pool:
            await pool.parse(ParseJob.of(Page("http://a/1"), 0))
            return list(pool.pids.values())

    for pid in asyncio.run(go()):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            continue
        raise AssertionError(f"parser {pid} still runs")
