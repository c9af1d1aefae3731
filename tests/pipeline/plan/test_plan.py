import pytest

from telusur.errors import UsageError
from telusur.models import Link
from telusur.pipeline.plan import plan as plans
from telusur.pipeline.plan.plan import make_discovery, make_plan, workers_of
from telusur.settings import CrawlSettings
from telusur.version import __version__

START = ["https://a.example/"]


def test_a_start_url_without_a_scheme_is_completed():
    assert make_plan(["coast.com"], CrawlSettings()).start_urls == ("https://coast.com/",)


def test_a_start_url_that_is_no_web_address_is_refused():
    with pytest.raises(UsageError, match="is not a web address"):
        make_plan(["ftp://a.example/"], CrawlSettings())


def test_the_version_stands_in_the_user_agent():
    settings = CrawlSettings(user_agent="Coast/{version}")
    assert make_plan(START, settings).settings.user_agent == f"Coast/{__version__}"


def test_only_a_collection_can_be_replayed(tmp_path):
    with pytest.raises(UsageError, match="is not a collection; name the DIR"):
        make_plan(START, CrawlSettings(replay=str(tmp_path)))


def test_more_files_than_the_system_allows_are_refused(monkeypatch):
    monkeypatch.setattr(plans, "most_files", lambda: 10)
    with pytest.raises(UsageError, match="open files, and the system allows 10"):
        make_plan(START, CrawlSettings())


def test_there_is_at_least_one_parser(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert workers_of(CrawlSettings()) == 1
    assert workers_of(CrawlSettings(workers=3)) == 3


def test_with_a_bounded_frontier_a_link_is_fresh_each_time_it_is_seen():
    link = Link("https://a.example/b", "B")
    for most_waiting, times in ((5, 2), (None, 1)):
        discovery = make_discovery(make_plan(START, CrawlSettings(most_waiting=most_waiting)))
        found = [discovery.found_on(START[0], [link], 1) for _ in range(2)]
        assert sum(len(one.fresh) for one in found) == times
