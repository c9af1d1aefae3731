from telusur.crawl.frontier_records import LeasedUrl
from telusur.crawl.hosts.active_host import ActiveHost, ActiveSite
from telusur.crawl.hosts.parked import Holds
from telusur.crawl.hosts.terms import HostTerms
from telusur.crawl.rules.robots import Robots
from telusur.models import Page

NOW = 1_800_000_000.0


def resting(name="http://a", robots=b"", delay=0.0, answer=None):
    """Return a host with a URL left that has just answered."""
    host = ActiveHost(name, ActiveSite(name, 0.0), HostTerms(delay, 1))
    host.obey(Robots.parse(robots), "T")
    host.urls.append(LeasedUrl(b"x", f"{name}/1", 0, 0, 0))
    host.heed(answer or Page(name, 200), NOW, is_first_try=True)
    return host


def words(host):
    return Holds().in_words([host], NOW)


def test_why_a_host_is_left_alone():
    assert words(resting()) == ""
    assert "600 s lie between two requests to it, as --delay says" in words(resting(delay=600.0))
    asked = resting(robots=b"User-agent: *\nCrawl-delay: 20")
    assert "20 s lie between two requests to it, as its robots.txt asks" in words(asked)
    closed = resting(robots=b"User-agent: *\nVisit-time: 0900-1000")
    assert "robots.txt says Visit-time: 0900-1000" in words(closed)
    busy = resting(answer=Page("u", 503, headers=(("Retry-After", "50"),)))
    assert "it asked for that (http 503, Retry-After)" in words(busy)


def test_only_what_the_host_asked_for_is_kept_for_the_next_run():
    busy = resting("http://a", answer=Page("u", 429, headers=(("Retry-After", "50"),)))
    away = resting("http://b", answer=Page("u", None, "network: no connection"))
    holds = Holds()
    assert holds.park(busy, NOW).stands
    assert not holds.park(away, NOW).stands


def test_a_host_that_is_set_aside_is_told_last_and_waited_for_by_nobody():
    away = resting("http://b", answer=Page("u", None, "network: no connection"))
    slow = resting("http://a", delay=600.0)
    holds = Holds()
    holds.set_aside(away)
    assert holds.has_set_aside
    assert [hold.host for hold in holds.now([slow], NOW)] == ["http://a", "http://b"]
    assert holds.in_words([], NOW) == ""
    holds.resume("http://b")
    assert not holds.has_set_aside


def test_a_page_that_used_up_its_time_does_not_make_its_host_a_slow_one():
    quick = resting(delay=None, answer=Page("u", None, "timeout", seconds=20.0))
    assert quick.next_at == NOW + 1.0
    slow = resting(delay=None, answer=Page("u", 200, seconds=4.0))
    assert slow.next_at == NOW + 8.0
