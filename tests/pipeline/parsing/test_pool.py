import asyncio
import os
import signal
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.scope import Scope
from telusur.models import Document, Link, Page
from telusur.pipeline.children import start_child
from telusur.pipeline.parsing import pool
from telusur.pipeline.parsing.page_parser import Parsed, ParseJob
from telusur.pipeline.parsing.pool import ParserPool
from telusur.settings import CrawlSettings


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    """Children take no module from the working directory, so they are told where ours are."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


def anywhere():
    return Discovery(Scope([], CrawlSettings()))


@dataclass(frozen=True)
class OddParser:
    """A parser that dies or hangs on some pages, as a C library might."""

    discovery: Discovery = field(default_factory=anywhere)
    sites: None = None

    def warm_up(self) -> None:
        pass

    def parse(self, job: ParseJob) -> Parsed:
        if "die" in job.url:
            os.kill(os.getpid(), signal.SIGKILL)
        if "hang" in job.url:
            signal.pause()
        if "fail" in job.url:
            raise IndexError(f"on a page\n\x1b[31m\ud800 {'x' * 500}")
        return Parsed(Document(job.url), size_bytes=os.getpid())


def parse_all(urls, workers=2, limit_seconds=60.0):
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


def test_a_page_on_which_our_code_fails_costs_itself_and_not_the_process(capfd):
    urls = [f"http://a/{'fail' if n % 7 == 3 else n}" for n in range(40)]
    answers = parse_all(urls, workers=1)
    failed = [parsed for parsed in answers if parsed.document is None]
    assert len(failed) == 6
    start = "parser: the page cannot be read (IndexError: on a page \\x1b[31m\\ud800 xxx"
    assert all(parsed.skip_reason.startswith(start) for parsed in failed)
    assert all(len(parsed.skip_reason) < 300 for parsed in failed)
    processes = {parsed.size_bytes for parsed in answers if parsed.document is not None}
    assert len(processes) == 1, "the process goes on"
    told = capfd.readouterr().err.splitlines()
    assert len(told) == 6
    assert all(line.startswith("http://a/fail: parser: the page cannot") for line in told)


@dataclass(frozen=True)
class FailsOnceParser:
    """A parser that fails behind its links, as a strategy of a user's own might."""

    discovery: Discovery = field(default_factory=anywhere)
    sites: None = None

    def warm_up(self) -> None:
        pass

    def parse(self, job: ParseJob) -> Parsed:
        found = self.discovery.found_on(job.url, [Link("http://b.example/")], 1)
        if "fail" in job.url:
            raise ValueError
        return Parsed(Document(job.url), fresh=found.fresh)


def test_links_of_a_failed_page_are_told_of_when_they_are_found_again():
    async def go():
        async with ParserPool(FailsOnceParser(), 1) as pool:
            for url in ("http://a/fail", "http://a/1", "http://a/2"):
                yield await pool.parse(ParseJob.of(Page(url), 0))

    async def collect():
        return [parsed async for parsed in go()]

    failed, one, two = asyncio.run(collect())
    assert failed.skip_reason == "parser: the page cannot be read (ValueError)"
    assert [found.link.url for found in one.fresh] == ["http://b.example/"]
    assert two.fresh == []


def test_a_page_that_hangs_the_parser_costs_itself_alone():
    urls = ["http://a/1", "http://a/hang", "http://a/2"]
    one, hung, two = parse_all(urls, workers=1, limit_seconds=3.0)
    assert hung.skip_reason == "parser: took longer than 3 s"
    assert (one.document.url, two.document.url) == ("http://a/1", "http://a/2")


@dataclass(frozen=True)
class StillbornParser:
    """A parser whose process dies before it is ready, the first times or always."""

    marks: str
    deaths: int
    discovery: Discovery = field(default_factory=anywhere)
    sites: None = None

    def warm_up(self) -> None:
        with open(self.marks, "a") as file:
            file.write("x")
        if os.path.getsize(self.marks) <= self.deaths:
            os.kill(os.getpid(), signal.SIGKILL)

    def parse(self, job: ParseJob) -> Parsed:
        return Parsed(Document(job.url))


def parse_one(parser, **more):
    async def go():
        async with ParserPool(parser, 1, **more) as pool:
            return await pool.parse(ParseJob.of(Page("http://a/1"), 0))

    return asyncio.run(go())


@pytest.mark.slow
def test_a_process_killed_while_it_starts_is_replaced(tmp_path):
    parsed = parse_one(StillbornParser(str(tmp_path / "marks"), deaths=2))
    assert parsed.document.url == "http://a/1"


@pytest.mark.slow
def test_a_process_that_never_starts_is_an_error_and_no_endless_wait(tmp_path):
    with pytest.raises(RuntimeError, match="does not start"):
        parse_one(StillbornParser(str(tmp_path / "marks"), deaths=99), killed_seconds=0.0)


@pytest.mark.slow
def test_processes_that_are_killed_while_they_start_are_started_for_longer(tmp_path):
    parsed = parse_one(StillbornParser(str(tmp_path / "marks"), deaths=4))
    assert parsed.document.url == "http://a/1"


def test_a_process_that_is_gone_before_it_is_told_anything_is_replaced(monkeypatch):
    """Killed at once, it leaves a pipe that is closed already."""
    started = []

    async def start_and_kill_the_first(*arguments, **more):
        process = await start_child(*arguments, **more)
        started.append(process)
        if len(started) == 1:
            process.kill()
            await process.wait()
            while not process.stdin.get_extra_info("pipe").closed:
                await asyncio.sleep(0.01)
        return process

    monkeypatch.setattr(pool, "start_child", start_and_kill_the_first)
    assert parse_one(OddParser()).document.url == "http://a/1"
    assert len(started) == 2


@dataclass(frozen=True)
class UnluckyParser:
    """A parser that somebody kills, so many times, while it has a certain page."""

    marks: str
    kills: int
    discovery: Discovery = field(default_factory=anywhere)
    sites: None = None

    def warm_up(self) -> None:
        pass

    def parse(self, job: ParseJob) -> Parsed:
        if "unlucky" in job.url:
            with open(self.marks, "a") as file:
                file.write("x")
            if os.path.getsize(self.marks) <= self.kills:
                os.kill(os.getpid(), signal.SIGKILL)
        return Parsed(Document(job.url))


@pytest.mark.parametrize(
    ("others", "kills", "reason"),
    [
        (0, 1, ""),
        (0, 2, "parser: the process died"),
        pytest.param(20, 2, "", marks=pytest.mark.slow),
        pytest.param(20, 3, "parser: the process died", marks=pytest.mark.slow),
    ],
)
def test_a_page_fails_only_when_two_processes_died_that_had_it_alone(
    tmp_path, others, kills, reason
):
    """Among others it is not alone the first time."""
    urls = ["http://a/unlucky", *(f"http://a/{number}" for number in range(others))]
    parser = UnluckyParser(str(tmp_path / "marks"), kills)

    async def go():
        async with ParserPool(parser, 1) as pool:
            return await asyncio.gather(*(pool.parse(ParseJob.of(Page(url), 0)) for url in urls))

    unlucky, *rest = asyncio.run(go())
    assert unlucky.skip_reason == reason
    assert [parsed.document.url for parsed in rest] == urls[1:]


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
