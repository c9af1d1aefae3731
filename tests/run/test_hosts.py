from telusur.crawl.frontier import HostLease, LeasedUrl
from telusur.crawl.robots import Robots
from telusur.run.hosts import FAIR_LEAD, ActiveHosts


def activate(hosts, name, urls=100, site=None, taken=0):
    host = hosts.activate(HostLease(name, site or name, taken, ()))
    host.robots = Robots.allow_all()
    host.urls.extend(LeasedUrl(bytes([n % 256]), f"{name}/{n}", 0, 0, 0) for n in range(urls))
    hosts.enlist(host)
    return host


def take(hosts, now):
    """Ask the hosts as long as one may be asked now; they answer at once."""
    names = []
    while asked := list(_ask_each(hosts, now)):
        names += asked
    return names


def _ask_each(hosts, now):
    for host in hosts.choose(now):
        host.urls.popleft()
        host.site.taken += 1
        hosts.enlist(host)
        yield host.name


def test_a_host_is_not_asked_before_its_time():
    hosts = ActiveHosts(1, is_fair=False)
    host = hosts.activate(HostLease("a", "a", 0, ()))
    host.robots = Robots.allow_all()
    host.urls.append(LeasedUrl(b"x", "a/1", 0, 0, 0))
    host.next_at = 5.0
    hosts.enlist(host)
    assert list(hosts.choose(4.9)) == []
    assert hosts.next_wake() == 5.0
    assert list(hosts.choose(5.0)) == [host]


def test_a_host_asked_to_wait_while_in_line_waits():
    hosts = ActiveHosts(1, is_fair=False)
    host = activate(hosts, "a")
    host.next_at = 9.0
    assert list(hosts.choose(1.0)) == []
    assert next(hosts.choose(9.0)) is host


def test_no_more_requests_in_flight_than_allowed():
    hosts = ActiveHosts(2, is_fair=False)
    host = activate(hosts, "a")
    for in_flight in (1, 2):
        assert next(hosts.choose(0.0)) is host
        host.in_flight = in_flight
        hosts.enlist(host)
    assert list(hosts.choose(0.0)) == []


def test_sites_advance_together():
    hosts = ActiveHosts(1, is_fair=True)
    for name in "abc":
        activate(hosts, name, urls=30)
    names = take(hosts, 0.0)
    for upto in range(0, 90, 9):
        shares = [names[:upto].count(name) for name in "abc"]
        assert max(shares) - min(shares) <= FAIR_LEAD


def test_a_fast_site_waits_for_a_slow_one_but_not_for_a_parked_one():
    hosts = ActiveHosts(1, is_fair=True)
    activate(hosts, "fast")
    slow = activate(hosts, "slow")
    slow.next_at = 0.5
    assert take(hosts, 0.0).count("fast") == FAIR_LEAD
    slow.next_at = 30.0
    assert take(hosts, 0.0).count("fast") == 100 - FAIR_LEAD


def test_a_host_that_does_not_answer_holds_nobody_back():
    hosts = ActiveHosts(1, is_fair=True)
    fast, hung = activate(hosts, "fast"), activate(hosts, "hung")
    assert next(hosts.choose(0.0)) in (fast, hung)
    hung.in_flight, hung.asked_at = 1, 0.0
    hosts.enlist(fast)
    assert take(hosts, 2.0).count("fast") >= 99


def test_a_site_that_joins_late_starts_level():
    hosts = ActiveHosts(1, is_fair=True)
    activate(hosts, "old", urls=1000, taken=500)
    activate(hosts, "new", urls=1000, taken=0)
    names = take(hosts, 0.0)
    assert abs(names[:100].count("new") - 50) <= FAIR_LEAD


def test_two_hosts_of_one_site_share_its_turn():
    hosts = ActiveHosts(1, is_fair=True)
    activate(hosts, "www.a", 40, site="a")
    activate(hosts, "blog.a", 40, site="a")
    activate(hosts, "b", 40)
    names = take(hosts, 0.0)
    assert abs(names[:60].count("b") - 30) <= FAIR_LEAD


def test_without_fairness_everything_goes_at_once():
    hosts = ActiveHosts(1, is_fair=False)
    slow = activate(hosts, "slow")
    slow.next_at = 0.5
    activate(hosts, "fast")
    assert take(hosts, 0.0).count("fast") == 100
