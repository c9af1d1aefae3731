"""Ctrl-C and SIGTERM around a crawl: before it they end the command, after it they cost nothing."""

import signal

import pytest

import telusur
from telusur.pipeline.control.ctrl_c import SIGNALS, Interrupts
from telusur.settings import CrawlSettings
from tests.sites import page, serving

SETTINGS = CrawlSettings(allow_private=True, delay=0.0, index=False, traps=False)


def endless(path):
    return page(path, links=[f"{path}a", f"{path}b"])


@pytest.mark.parametrize("number", SIGNALS)
def test_before_the_crawl_a_signal_ends_the_command(number):
    with Interrupts(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


@pytest.mark.parametrize("number", SIGNALS)
def test_after_the_crawl_a_signal_is_ignored(tmp_path, number):
    with (
        serving({"/robots.txt": "", "/": page("Home")}) as site,
        Interrupts() as interrupts,
        telusur.open(tmp_path / "c") as collection,
    ):
        summary = collection.run_crawl([site.url()], SETTINGS, interrupts=interrupts)
        signal.raise_signal(number)
    assert summary.outcome == "done"


@pytest.mark.parametrize("number", SIGNALS)
def test_during_the_crawl_a_signal_stops_it(tmp_path, number):
    heard = []
    with serving({"/robots.txt": ""}, otherwise=endless) as site, Interrupts() as interrupts:
        interrupts.tell = lambda: heard.append(number)

        def report(progress):
            if progress.fetched and not heard:
                signal.raise_signal(number)

        with telusur.open(tmp_path / "c") as collection:
            summary = collection.run_crawl(
                [site.url()], SETTINGS, report=report, report_every=0.05, interrupts=interrupts
            )
    assert (summary.outcome, heard) == ("interrupted", [number])


def test_the_handlers_of_before_come_back():
    before = [signal.getsignal(number) for number in SIGNALS]
    with Interrupts():
        assert [signal.getsignal(number) for number in SIGNALS] != before
    assert [signal.getsignal(number) for number in SIGNALS] == before
