"""What readers of crawls must return: `CrawlReaderSuite`.

A reader may be a few seconds old, so each test opens a new one.
"""

from collections import Counter

import pytest

from telusur.crawl.hosts.holds import HOLDS, Hold, pack_holds
from telusur.errors import UsageError
from telusur.models import State
from telusur.store.records import BEGINNING, CrawlRecord, Cursor
from telusur.store.session import Session
from telusur.store.views import FailedStarts, LastPage, ServerAnswers, SiteTally, SlowHost
from telusur.testing.cases import LONG, StoreCase
from telusur.testing.reading.filling import FilledStore, id_of, paths_in, url_of, urls_of


class RunTests(StoreCase):
    """Crawls, the last pages, answers and lists of URLs."""

    def test_a_store_without_crawls(self) -> None:
        crawls = self.open_store().crawls()
        assert (crawls.runs(), crawls.last_run(), crawls.start_urls()) == ([], None, [])
        assert (crawls.hosts_to_ask(), crawls.last_pages()) == (set(), ())
        assert crawls.answers() == ServerAnswers()
        tallies = crawls.tallies(9)
        assert (tallies.failed, tallies.skipped, tallies.sites) == (Counter(), Counter(), ())
        assert (tallies.last_outcome, tallies.last_started_at) == ("", None)
        assert (tallies.relevant, tallies.holds, tallies.failed_starts) == (None, (), None)

    def test_crawls_come_in_the_order_they_were_begun(self) -> None:
        filled = FilledStore(self)
        began = self.clock.now
        _begin_crawl(filled, "http://b/", "http://a/", outcome="done")
        self.clock.now += 60.0
        _begin_crawl(filled, "http://a/", "http://c/")
        crawls = filled.store.crawls()
        first = CrawlRecord(began, began, "done", ("http://b/", "http://a/"), {"pages": 5})
        second = CrawlRecord(
            began + 60.0, None, "running", ("http://a/", "http://c/"), {"pages": 5}
        )  # fmt: skip
        assert crawls.runs() == [first, second]
        assert crawls.last_run() == second
        assert crawls.start_urls() == ["http://b/", "http://a/", "http://c/"]

    def test_no_crawl_tells_its_credentials(self) -> None:
        filled = FilledStore(self)
        settings = {"header": ["Cookie: secret"], "proxy": "http://me:secret@proxy.example", "a": 1}
        filled.write(lambda s: s.catalogue.begin_crawl(settings, ["http://a/"], has_topic=False))
        crawls = filled.store.crawls()
        last = crawls.last_run()
        assert last is not None
        assert last.settings["a"] == 1
        assert "secret" not in str(last.settings) + str(crawls.runs())

    def test_hosts_with_urls_that_wait_or_are_fetched(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1")
        filled.write(lambda session: session.frontier.lease(9, 9))
        filled.find("b.example/1")
        filled.find("c.example/1", skip_reason="scope")
        assert filled.store.crawls().hosts_to_ask() == {"http://a.example", "http://b.example"}

    def test_a_host_whose_urls_have_ended_is_not_asked(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1")
        assert filled.store.crawls().hosts_to_ask() == set()

    def test_the_last_pages(self) -> None:
        filled = FilledStore(self)
        for number in range(20):
            filled.fetch(f"a.example/{number}", fetched_at=float(number))
        filled.put_document("a.example/18", title="Owls")
        filled.fetch(
            "a.example/19", status=None, state=State.FAILED, reason="timeout", fetched_at=20.0,
            size_bytes=0, seconds=9.0,
        )  # fmt: skip
        newest, second, third, *others = filled.store.crawls().last_pages()
        assert newest == LastPage("http://a.example/19", "", None, "timeout", 9.0, 20.0, 0)
        assert second == LastPage("http://a.example/19", "", 200, "", 0.25, 19.0, 7)
        assert third == LastPage("http://a.example/18", "Owls", 200, "", 0.25, 18.0, 7)
        paths = [f"a.example/{number}" for number in range(17, 17 - len(others), -1)]
        assert paths_in(others) == paths
        assert len(others) >= 7

    def test_how_servers_answered(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", seconds=1.0)
        filled.fetch("a.example/2", seconds=3.0)
        filled.fetch("a.example/3", seconds=2.0)
        filled.fetch("b.example/1", status=503, state=State.WAITING, seconds=5.0)
        filled.fetch("b.example/1", status=503, state=State.FAILED, seconds=7.0)
        filled.fetch("c.example/1", status=None, state=State.FAILED, seconds=0.5)
        answers = filled.store.crawls().answers()
        assert list(answers.statuses.items()) == [("200", 3), ("503", 2), ("none", 1)]
        assert answers.slowest == (
            SlowHost("http://b.example", 2, 6.0),
            SlowHost("http://a.example", 3, 2.0),
            SlowHost("http://c.example", 1, 0.5),
        )

    def test_urls_of_a_state_and_a_kind_of_reason(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", skip_reason="robots: Disallow: /a")
        filled.find("a.example/2", depth=4, skip_reason="robots")
        filled.find("a.example/3", skip_reason="scope: robots: no")
        filled.find("a.example/4", skip_reason="http 500, and more")
        filled.find("a.example/5")
        crawls = filled.store.crawls()
        found = crawls.list_urls(State.SKIPPED, "robots", BEGINNING, 9)
        assert paths_in(found) == ["a.example/1", "a.example/2"]
        assert (found[0].state, found[0].reason) == ("skipped", "robots: Disallow: /a")
        assert (found[1].depth, found[1].changed_at) == (4, self.clock.now)
        assert paths_in(crawls.list_urls(State.SKIPPED, "http 500", BEGINNING, 9)) == [
            "a.example/4"
        ]
        assert len(crawls.list_urls(State.SKIPPED, "", BEGINNING, 9)) == 4
        assert crawls.list_urls(State.SKIPPED, "robots: Disallow", BEGINNING, 9) == []
        assert paths_in(crawls.list_urls(State.WAITING, "", BEGINNING, 9)) == ["a.example/5"]

    def test_a_list_of_urls_goes_on_where_it_ended(self) -> None:
        filled = FilledStore(self)
        paths = [f"a.example/{number}" for number in range(7)]
        for path in paths:
            filled.find(path, skip_reason="scope")
            filled.find(f"{path}/waits")
        crawls = filled.store.crawls()
        found: list[str] = []
        after = BEGINNING
        while part := crawls.list_urls(State.SKIPPED, "scope", after, 3):
            assert len(part) <= 3
            found += paths_in(part)
            after = part[-1].cursor
        assert found == paths

    def test_a_cursor_that_somebody_made_up_is_refused(self) -> None:
        crawls = FilledStore(self).store.crawls()
        with pytest.raises(UsageError):
            crawls.list_urls(State.SKIPPED, "", Cursor("the end"), 3)


class TallyTests(StoreCase):
    """Counts of URLs by state and reason, and the last crawl."""

    def test_failed_and_skipped_urls_by_kind_of_reason(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "a.example/2", skip_reason="robots: Disallow: /")
        filled.find("b.example/1", skip_reason="depth")
        for number, reason in enumerate(("http 500, at last", "http 500", "timeout")):
            filled.fetch(f"b.example/f{number}", status=None, state=State.FAILED, reason=reason)
        tallies = filled.store.crawls().tallies(9)
        assert tallies.skipped == {"robots": 2, "depth": 1}
        assert tallies.failed == {"http 500": 2, "timeout": 1}

    def test_the_largest_sites(self) -> None:
        filled = FilledStore(self)
        filled.find("out.example/1", skip_reason="scope")
        filled.fetch("failed.example/1", status=None, state=State.FAILED)
        filled.find("waits.example/1", "waits.example/2", "b.example/1")
        filled.find("www.big.example/1", "big.example/1", site="big.example")
        filled.find("big.example/2", site="big.example", skip_reason="robots")
        filled.write(lambda s: s.frontier.count_taken({"big.example": 9, "b.example": 2}))
        filled.write(lambda session: session.frontier.lease(1, 1))
        sites = (
            SiteTally("big.example", 9, 2, 0, 1),
            SiteTally("b.example", 2, 1, 0, 0),
            SiteTally("waits.example", 0, 2, 0, 0),
            SiteTally("failed.example", 0, 0, 1, 0),
        )
        tallies = filled.store.crawls().tallies(9)
        assert (tallies.sites, tallies.site_count) == (sites, 4)
        tallies = filled.store.crawls().tallies(2)
        assert (tallies.sites, tallies.site_count) == (sites[:2], 4)

    def test_each_reader_gets_as_many_sites_as_it_asks_for(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "b.example/1", "c.example/1")
        crawls = filled.store.crawls()
        assert [len(crawls.tallies(limit).sites) for limit in (1, 3, 2)] == [1, 3, 2]

    def test_tallies_are_exact_once_a_crawl_has_begun_or_ended(self) -> None:
        filled = FilledStore(self)
        crawls = filled.store.crawls()
        assert crawls.tallies(9).last_outcome == ""
        began = self.clock.now
        filled.find("a.example/1")
        _begin_crawl(filled, "http://a.example/1")
        tallies = crawls.tallies(9)
        assert (tallies.last_outcome, tallies.last_started_at) == ("running", began)
        assert (tallies.last_ended_at, tallies.site_count) == (None, 1)
        self.clock.now += 60.0
        filled.fetch("a.example/1", status=404, state=State.FAILED, reason="http 404")
        filled.write(lambda session: session.catalogue.end_crawl(1, "done"))
        tallies = crawls.tallies(9)
        assert (tallies.last_outcome, tallies.last_ended_at) == ("done", began + 60.0)
        assert tallies.failed == {"http 404": 1}

    def test_the_harvest_of_the_last_crawl(self) -> None:
        filled = FilledStore(self)
        scored = {"topic_score": 0.5, "topic": "owls"}
        filled.put_document("a.example/old", fetched_at=self.clock.now - 1.0, **scored)
        _begin_crawl(filled, "http://a.example/")
        assert filled.store.crawls().tallies(9).relevant is None
        later = {"fetched_at": self.clock.now + 1.0}
        filled.put_document("a.example/1", **later, **scored)
        filled.put_document("a.example/2", **later, topic_score=0.2)
        filled.put_document("a.example/3", **later, topic_score=0.1)
        filled.put_document("a.example/4", **later)
        tallies = filled.store.crawls().tallies(9)
        assert (tallies.relevant, tallies.harvest_rate) == (1, 0.3333)

    def test_hosts_that_are_left_alone_and_have_urls_that_wait(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "b.example/1", "c.example/1")
        filled.find("d.example/1", skip_reason="scope")
        over, never = Hold("http://b.example", 1.0, "over"), Hold("http://d.example", None, "x")
        holds = [
            Hold("http://a.example", None, "it failed"), over,
            Hold("http://c.example", 1e12 + LONG, "it asked", stands=True), never,
        ]  # fmt: skip
        filled.write(lambda session: session.catalogue.put_fact(HOLDS, pack_holds(holds)))
        assert filled.store.crawls().tallies(9).holds == (holds[0], holds[2])

    def test_whether_a_host_is_left_alone_is_judged_by_the_clock_of_the_store(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "b.example/1")
        soon = Hold("http://a.example", self.clock.now + 60.0, "it asked")
        late = Hold("http://b.example", self.clock.now + LONG, "it asked")
        filled.write(lambda session: session.catalogue.put_fact(HOLDS, pack_holds([soon, late])))
        for seconds, holds in ((59.0, (soon, late)), (2.0, (late,)), (LONG, ())):
            self.clock.now += seconds
            assert filled.store.crawls().tallies(9).holds == holds

    def test_start_urls_that_all_failed(self) -> None:
        filled = FilledStore(self)
        _begin_crawl(filled, "http://a.example/", "http://b.example/#top")
        filled.find("b.example/", skip_reason="robots")
        before = self.clock.now - 9.0
        filled.fetch("old.example/", fetched_at=before)
        filled.fetch("a.example/", status=404, state=State.FAILED, reason="http 404")
        failed = FailedStarts(2, "http://a.example/", "failed", "http 404")
        assert filled.store.crawls().tallies(9).failed_starts == failed

    def test_start_urls_that_were_led_to_what_failed(self) -> None:
        filled = FilledStore(self)
        _begin_crawl(filled, "http://a.example/")
        moved = {"status": 301, "reason": "redirect: http://b.example/"}
        filled.fetch("a.example/", **moved)
        filled.find("b.example/", parent=id_of("a.example/"))
        filled.fetch("b.example/", status=None, state=State.FAILED, reason="timeout")
        failed = FailedStarts(1, "http://b.example/", "failed", "timeout")
        assert filled.store.crawls().tallies(9).failed_starts == failed

    def test_start_urls_of_which_one_may_still_be_had(self) -> None:
        for ending in ("waits", "fetched", "unknown"):
            filled = FilledStore(self)
            _begin_crawl(filled, *urls_of("a.example/", "b.example/"))
            filled.fetch("a.example/", status=404, state=State.FAILED, reason="http 404")
            if ending == "waits":
                filled.find("b.example/")
            elif ending == "fetched":
                filled.fetch("b.example/", fetched_at=self.clock.now + 1.0)
            assert filled.store.crawls().tallies(9).failed_starts is None, ending

    def test_nothing_is_said_of_start_urls_while_pages_come(self) -> None:
        filled = FilledStore(self)
        _begin_crawl(filled, url_of("a.example/"))
        filled.fetch("a.example/", status=404, state=State.FAILED, reason="http 404")
        filled.fetch("b.example/", fetched_at=self.clock.now + 1.0)
        assert filled.store.crawls().tallies(9).failed_starts is None


class CrawlReaderSuite(RunTests, TallyTests):
    """Crawls and their URLs."""


def _begin_crawl(filled: FilledStore, *start_urls: str, outcome: str = "") -> None:
    def begin(session: Session) -> None:
        number = session.catalogue.begin_crawl({"pages": 5}, start_urls, has_topic=False)
        if outcome:
            session.catalogue.end_crawl(number, outcome)

    filled.write(begin)
