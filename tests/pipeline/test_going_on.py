"""Every strategy on the real frontier: dropped in the middle of a page, it goes on alike."""

import sqlite3
from contextlib import closing

import pytest

from telusur.backends.sqlite.database.schema import create_database
from telusur.backends.sqlite.store import SqliteStore
from telusur.crawl.frontier_records import NewUrl, Verdict
from telusur.crawl.strategies.by_name import STRATEGIES
from telusur.models import Page, State
from telusur.pipeline.outcomes import Group, Outcome
from telusur.pipeline.parsing.page_parser import PageParser, ParseJob
from telusur.pipeline.parsing.strategy_looks import Eyes
from telusur.pipeline.plan.plan import make_discovery, make_plan
from telusur.pipeline.recorder import COMMIT_PAGES, COMMIT_SECONDS, COMMIT_SHARE, Recorder
from telusur.settings import CrawlSettings
from tests.pipeline.test_strategies import PAGES, subject
from tests.sites import page

KILLED_AFTER, ALL = 12, 24
# What it makes of a link depends on those beside it, in the order in which the parsers know it.
GOES_BY_NEIGHBOURS = {"focused"}


def address(number):
    return f"http://site{number % 4}.test/{subject(number).split()[0]}-{number}"


def fetch(url):
    number = int(url.rsplit("-", 1)[-1])
    targets = [(number + 3 * k) % PAGES for k in (1, 2, 5)]
    targets += [(number * 7 + 1) % PAGES, (number * 5 + 2) % PAGES, (number + 31) % PAGES]
    links = "".join(
        f'<p>More about <a href="{address(n)}">{subject(n)} {n}</a> here.</p>'
        for n in dict.fromkeys(targets)
    )
    text = f"This page number {number} is about {subject(number)}. " * 8
    html = page(f"{subject(number)} {number}", text) + links
    return Page(url, status=200, headers=[("Content-Type", "text/html")], body=html.encode())


class Crawler:
    """The part of a crawl that remembers, in this process; there is one request at a time."""

    def __init__(self, directory, strategy):
        topic = "roasted coffee, boats"
        settings = CrawlSettings(strategy=strategy, topic=topic, scope="any", seed=3)
        plan = make_plan([address(1)], settings)
        if not directory.exists():
            directory.mkdir()
            create_database(directory)
        discovery = make_discovery(plan)
        self.session = SqliteStore(directory).session()
        self.recorder = Recorder(self.session, discovery, plan.strategy)
        self.recorder.recover(0.0)
        self.recorder.scoring.resume()
        self.parser = PageParser(discovery, "article", 10**7, eyes=Eyes(plan.strategy))
        with self.recorder.transaction():
            start = discovery.found_by_address(address(1), 0)
            score = self.recorder.scoring.strategy.start_score
            new = NewUrl(start.url_id, address(1), start.host, start.site, 0, score)
            self.recorder.frontier.add([new])
        self.leases = self.recorder.write(Group(new_hosts=1, k=1), 0.0).leases

    def outcome(self):
        (lease,) = self.leases
        (leased,) = lease.urls
        fetched = fetch(leased.url)
        parsed = self.parser.parse(ParseJob.of(fetched, leased.depth))
        verdict = Verdict(leased.url_id, State.DONE)
        return Outcome(leased, lease.host, lease.site, verdict, fetched, parsed)

    def go(self, pages):
        for _ in range(pages):
            self.write()
        self.recorder.commit()
        return self

    def write(self, now=0.0):
        outcome = self.outcome()
        group = Group([outcome], releases=[(outcome.host, 0.0)], new_hosts=1, k=1)
        self.leases = self.recorder.write(group, now).leases

    def drop(self):
        """Learn from one more page, and be gone before it is written."""
        self.session.begin()
        outcome = self.outcome()
        self.recorder.scoring.judge(outcome.parsed, outcome.parsed.document)
        self.recorder._links.add([outcome])
        self.recorder._rescore(Group())
        self.close()

    def close(self):
        self.session.close()


def memory(directory):
    """Return the order of the pages, and everything that the strategy knows."""
    with closing(sqlite3.connect(directory / "collection.db")) as db:
        order = db.execute("SELECT hex(url_id) FROM pages ORDER BY rowid").fetchall()
        state = db.execute("SELECT part, value FROM strategy_state ORDER BY part").fetchall()
        waiting = db.execute(
            "SELECT url, score, note FROM urls LEFT JOIN notes USING (seq)"
            " WHERE state < 2 ORDER BY url"
        ).fetchall()
    return order, state, waiting


@pytest.mark.parametrize("name", STRATEGIES)
def test_what_was_not_written_is_forgotten_and_the_rest_is_gone_on_with(tmp_path, name):
    whole = Crawler(tmp_path / "whole", name).go(KILLED_AFTER)
    Crawler(tmp_path / "dropped", name).go(KILLED_AFTER).drop()
    assert memory(tmp_path / "dropped") == memory(tmp_path / "whole"), "the same, twice"
    again = Crawler(tmp_path / "dropped", name)
    assert len(memory(tmp_path / "dropped")[0]) == KILLED_AFTER
    if name not in GOES_BY_NEIGHBOURS:
        whole.go(ALL - KILLED_AFTER)
        again.go(ALL - KILLED_AFTER)
        assert memory(tmp_path / "dropped") == memory(tmp_path / "whole")
    for crawler in (whole, again):
        crawler.close()


def test_pages_that_come_quickly_are_committed_together_and_no_later_than_a_quarter_second(
    tmp_path,
):
    directory = tmp_path / "c"
    crawler = Crawler(directory, "in-links").go(0)
    for _ in range(COMMIT_PAGES - 1):
        crawler.write()
    assert len(memory(directory)[0]) == 0
    crawler.write()
    assert len(memory(directory)[0]) == COMMIT_PAGES
    crawler.write()
    crawler.write(COMMIT_SECONDS)
    assert len(memory(directory)[0]) == COMMIT_PAGES + 2
    crawler.write()
    crawler.close()
    again = Crawler(directory, "in-links")
    assert len(memory(directory)[0]) == COMMIT_PAGES + 2, "a kill loses what was not committed"
    again.go(1).close()
    assert len(memory(directory)[0]) == COMMIT_PAGES + 3


def test_in_a_large_crawl_a_transaction_has_a_small_share_of_the_pages(tmp_path):
    directory = tmp_path / "c"
    crawler = Crawler(directory, "in-links").go(0)
    crawler.recorder.scoring.pages = int(6.0 / COMMIT_SHARE)
    for _ in range(6):
        crawler.write()
    assert len(memory(directory)[0]) == 0
    crawler.write()
    assert len(memory(directory)[0]) == 7
    crawler.close()
