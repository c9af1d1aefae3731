import sys

from telusur.crawl.frontier_records import HostLease, LeasedUrl
from telusur.crawl.hosts.active_hosts import FAIR_LEAD, ActiveHosts
from telusur.crawl.hosts.terms import HostTerms
from telusur.crawl.rules.robots import Robots


def active(per_host=1, is_fair=False, delay=0.0, **more):
    return ActiveHosts(lambda name: HostTerms(delay, per_host), is_fair=is_fair, **more)


def activate(hosts, name, urls=100, site=None, taken=0):
    host = hosts.activate(HostLease(name, site or name, taken, ()))
    host.obey(Robots.allow_all(), "T")
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
        host.site.taken += 1 / host.site.weight
        hosts.enlist(host)
        yield host.name


def test_a_host_is_not_asked_before_its_time():
    hosts = active()
    host = hosts.activate(HostLease("a", "a", 0, ()))
    host.robots = Robots.allow_all()
    host.urls.append(LeasedUrl(b"x", "a/1", 0, 0, 0))
    host.next_at = 5.0
    hosts.enlist(host)
    assert list(hosts.choose(4.9)) == []
    assert hosts.next_wake() == 5.0
    assert list(hosts.choose(5.0)) == [host]


def test_a_host_asked_to_wait_while_in_line_waits():
    hosts = active()
    host = activate(hosts, "a")
    host.next_at = 9.0
    assert list(hosts.choose(1.0)) == []
    assert next(hosts.choose(9.0)) is host


def test_no_more_requests_in_flight_than_allowed():
    hosts = active(per_host=2)
    host = activate(hosts, "a")
    for in_flight in (1, 2):
        assert next(hosts.choose(0.0)) is host
        host.in_flight = in_flight
        hosts.enlist(host)
    assert list(hosts.choose(0.0)) == []


def test_sites_advance_together():
    hosts = active(is_fair=True)
    for name in "abc":
        activate(hosts, name, urls=30)
    names = take(hosts, 0.0)
    for upto in range(0, 90, 9):
        shares = [names[:upto].count(name) for name in "abc"]
        assert max(shares) - min(shares) <= FAIR_LEAD


def test_a_fast_site_waits_for_a_slow_one_but_not_for_a_parked_one():
    hosts = active(is_fair=True)
    activate(hosts, "fast")
    slow = activate(hosts, "slow")
    slow.next_at = 0.5
    assert take(hosts, 0.0).count("fast") == FAIR_LEAD
    slow.next_at = 30.0
    assert take(hosts, 0.0).count("fast") == 100 - FAIR_LEAD


def test_a_host_that_does_not_answer_holds_nobody_back():
    hosts = active(is_fair=True)
    fast, hung = activate(hosts, "fast"), activate(hosts, "hung")
    assert next(hosts.choose(0.0)) in (fast, hung)
    hung.in_flight, hung.asked_at = 1, 0.0
    hosts.enlist(fast)
    assert take(hosts, 2.0).count("fast") >= 99


def test_a_site_that_joins_late_starts_level():
    hosts = active(is_fair=True)
    activate(hosts, "old", urls=1000, taken=500)
    activate(hosts, "new", urls=1000, taken=0)
    names = take(hosts, 0.0)
    assert abs(names[:100].count("new") - 50) <= FAIR_LEAD


def test_two_hosts_of_one_site_share_its_turn():
    hosts = active(is_fair=True)
    activate(hosts, "www.a", 40, site="a")
    activate(hosts, "blog.a", 40, site="a")
    activate(hosts, "b", 40)
    names = take(hosts, 0.0)
    assert abs(names[:60].count("b") - 30) <= FAIR_LEAD


def test_without_fairness_everything_goes_at_once():
    hosts = active()
    slow = activate(hosts, "slow")
    slow.next_at = 0.5
    activate(hosts, "fast")
    assert take(hosts, 0.0).count("fast") == 100


def test_a_weight_of_two_gives_twice_the_pages():
    hosts = active(is_fair=True, weights={"heavy": 2.0})
    for name in ("heavy", "light"):
        activate(hosts, name, urls=300)
    names = take(hosts, 0.0)
    for upto in range(60, 300, 30):
        lead = names[:upto].count("heavy") / 2 - names[:upto].count("light")
        assert abs(lead) <= FAIR_LEAD
    assert abs(names[:300].count("heavy") - 200) <= 2 * FAIR_LEAD


def test_a_site_with_a_long_delay_never_holds_the_others_back():
    hosts = active(is_fair=True)
    activate(hosts, "fast")
    slow = activate(hosts, "slow")
    slow.obey(Robots.parse(b"User-agent: *\nCrawl-delay: 30"), "T")
    slow.next_at = 0.5
    assert take(hosts, 0.0).count("fast") == 100
    assert take(hosts, 0.5).count("slow") == 100


def test_a_site_that_joins_beside_a_parked_one_starts_level_with_the_others():
    hosts = active(is_fair=True)
    activate(hosts, "old", urls=1000, taken=500)
    parked = activate(hosts, "parked", urls=10, taken=0)
    parked.site.taken, parked.next_at = 1, 30.0
    list(_ask_each(hosts, 0.0))
    assert hosts.activate(HostLease("new", "new", 0, ())).site.taken >= 500


def test_hosts_of_one_address_share_its_limit():
    hosts = active(per_address=2)
    asked = [activate(hosts, name) for name in "abcd"]
    for host in asked:
        host.address = "192.0.2.1"
    other = activate(hosts, "other")
    busy = [host for host in hosts.choose(0.0) if hosts.begin(host, 0.0) is None]
    assert [host.name for host in busy] == ["a", "b", "other"]
    assert list(hosts.choose(0.0)) == []
    hosts.end(busy[0], "192.0.2.1")
    assert [host.name for host in hosts.choose(0.0)] == ["c"]
    assert other.in_flight == 1


def test_one_host_may_have_as_many_requests_as_it_is_allowed_whatever_the_address():
    hosts = active(per_host=5, per_address=2)
    host = activate(hosts, "a")
    host.address = "192.0.2.1"
    begun = [one for one in hosts.choose(0.0) if hosts.begin(one, 0.0) is None]
    while more := [one for one in hosts.choose(0.0) if hosts.begin(one, 0.0) is None]:
        begun += more
    assert host.in_flight == 5


def test_a_host_that_leaves_the_line_of_its_address_lets_the_next_one_in():
    hosts = active(per_address=1)
    a, b, c = (activate(hosts, name) for name in "abc")
    for host in (a, b, c):
        host.address = "192.0.2.1"
    assert [host for host in hosts.choose(0.0) if hosts.begin(host, 0.0) is None] == [a]
    hosts.drop(b)
    a.urls.clear()
    hosts.end(a, "192.0.2.1")
    assert list(hosts.choose(0.0)) == [c]


def test_a_host_given_back_is_not_chosen_and_its_back_off_goes_on():
    hosts = active()
    host = activate(hosts, "a")
    host.health.failures = 4
    hosts.drop(host)
    assert list(hosts.choose(0.0)) == []
    assert hosts.activate(HostLease("a", "a", 0, ())).health.failures == 4


def test_visiting_hours_of_robots_txt_move_the_next_request():
    hosts = active()
    host = activate(hosts, "a")
    host.obey(Robots.parse(b"User-agent: *\nVisit-time: 0600-0845"), "T")
    host.rest(9 * 3600.0, 1.0)
    assert host.next_at == (24 + 6) * 3600
    host.next_at = 0.0
    host.rest(7 * 3600.0, 1.0)
    assert host.next_at == 7 * 3600 + 1


def test_choosing_among_many_hosts_looks_at_few_of_them():
    """400 hosts, most of them held back by a slow one: a choice costs no walk over all."""
    hosts = active(is_fair=True)
    slow = activate(hosts, "slow")
    for number in range(400):
        activate(hosts, f"h{number}", urls=FAIR_LEAD + 1)
    slow.next_at = 0.5
    take(hosts, 0.0)
    calls = 0

    def count(frame, event, arg):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        assert list(hosts.choose(0.0)) == []
    finally:
        sys.setprofile(None)
    assert calls < 20


def score_of(host, *scores):
    host.urls.clear()
    host.urls.extend(LeasedUrl(b"x", f"{host.name}/", 0, 0, 0, score) for score in scores)


def next_name(hosts, now=0.0):
    for host in hosts.choose(now):
        hosts.enlist(host)
        return host.name
    return None


def test_with_scores_the_host_with_the_best_url_comes_next():
    hosts = active(most_share=1.0)
    a, b = activate(hosts, "a"), activate(hosts, "b")
    score_of(a, 0.2, 0.1)
    score_of(b, 0.5)
    for host in (a, b):
        hosts.enlist(host)
    assert next_name(hosts) == "b"
    score_of(a, 0.9)
    hosts.enlist(a)
    assert next_name(hosts) == "a", "better URLs came while it was in line"
    score_of(a, 0.1)
    hosts.enlist(a)
    assert next_name(hosts) == "b"


def shares(most_share, sites=("a", "b"), turns=60):
    hosts = active(most_share=most_share)
    for number, name in enumerate(sites):
        score_of(activate(hosts, name), *([0.9 - number / 10] * 100))
        hosts.enlist(hosts.find(name))
    asked = []
    for _ in range(turns):
        for host in hosts.choose(0.0):
            host.urls.popleft()
            hosts.begin(host, 0.0)
            hosts.end(host, "")
            hosts.enlist(host)
            asked.append(host.name)
            break
    return asked.count("a") / len(asked)


def test_one_site_has_no_more_than_its_share_while_others_wait():
    assert 0.5 <= shares(0.5) < 0.6
    assert shares(1.0) == 1.0
    assert shares(0.5, sites=("a",)) == 1.0, "a site that is alone has it all"
