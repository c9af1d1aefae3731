import pytest

from telusur.crawl.frontier_records import LeasedUrl
from telusur.crawl.rules.verdicts import has_content, verdict_of, verdict_without_robots
from telusur.models import Page, State

NOW = 1000.0


def judge(status=None, *, tries=0, hops=0, reason="", is_host_down=False, **headers):
    leased = LeasedUrl(b"id", "http://a/", 0, hops, tries)
    fields = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    page = Page("http://a/", status, reason, fields)
    return verdict_of(leased, page, NOW, is_host_down=is_host_down)


@pytest.mark.parametrize(
    ("status", "state", "reason"),
    [
        (200, State.DONE, ""),
        (203, State.DONE, ""),
        (204, State.DONE, "http 204"),
        (206, State.DONE, "http 206"),
        (304, State.FAILED, "http 304"),
        (300, State.FAILED, "http 300"),
        (404, State.FAILED, "http 404"),
        (410, State.FAILED, "http 410"),
        (403, State.FAILED, "http 403"),
        (999, State.WAITING, "http 999, try 1 of 3"),
    ],
)
def test_status_decides(status, state, reason):
    verdict = judge(status)
    assert (verdict.state, verdict.reason) == (state, reason)


def test_errors_are_tried_three_times_with_a_pause_between():
    first, second, third = (judge(500, tries=tries) for tries in range(3))
    assert (first.state, first.retry_after) == (State.WAITING, 0.05)
    assert (second.state, second.retry_after) == (State.WAITING, 0.1)
    assert (third.state, third.reason) == (State.FAILED, "http 500")


def test_retry_after_is_obeyed_up_to_an_hour():
    assert judge(503, retry_after="17").retry_after == 17
    assert judge(503, retry_after="86400").retry_after == 0.05
    assert judge(429, tries=2, retry_after="17").state is State.FAILED


def test_a_try_that_used_up_the_time_limit_leaves_one_more():
    first = judge(reason="timeout")
    assert (first.state, first.reason, first.tries) == (State.WAITING, "timeout, try 1 of 2", 2)
    for second in (judge(reason="timeout", tries=2), judge(500, tries=2)):
        assert second.state is State.FAILED
    assert judge(reason="timeout", tries=1).state is State.FAILED, "the second in all"
    assert judge(reason="timeout: no connection").tries == 1


def test_a_host_that_cannot_be_reached_costs_no_try():
    away = judge(reason="network: no connection", tries=2, is_host_down=True)
    assert (away.state, away.tries, away.retry_after) == (State.WAITING, 0, 0.0)
    assert away.reason == "network: no connection, waiting for the host"


def test_while_its_host_is_down_no_url_fails_but_it_waits_behind_the_others():
    for tries, used in ((0, 1), (1, 1), (2, 0)):
        silent = judge(reason="timeout", tries=tries, is_host_down=True)
        assert (silent.state, silent.tries) == (State.WAITING, used)
    assert judge(404, is_host_down=True).state is State.FAILED
    assert judge(reason="private address: ::1", is_host_down=True).state is State.FAILED


def test_no_answer_is_tried_again_but_a_private_address_is_not():
    assert judge(reason="timeout").state is State.WAITING
    assert judge(reason="private address: 127.0.0.1").state is State.FAILED


def test_redirects():
    assert judge(301, location="/b").state is State.DONE
    assert judge(301, location="/b").reason == "redirect"
    assert judge(302).reason == "bad response: redirect without a target"
    assert judge(302, hops=10, location="/b").reason == "too many redirects"


def test_unwanted_content_is_skipped_with_its_type():
    verdict = judge(200, reason="content type", content_type="image/png")
    assert (verdict.state, verdict.reason) == (State.SKIPPED, "content type: image/png")


def test_only_a_full_answer_has_content():
    assert has_content(Page("u", 200))
    assert not any(has_content(Page("u", status)) for status in (204, 206, 301, 304, 404, None))
    assert not has_content(Page("u", 200, "content type"))


def test_a_host_that_refuses_its_robots_file():
    leased = LeasedUrl(b"id", "http://a/", 0, 0, 0)
    down = verdict_without_robots(leased, Page("u", None, "network: no such host"))
    assert (down.state, down.reason) == (State.FAILED, "network: no such host")
    silent = verdict_without_robots(leased, Page("u", None, "timeout"))
    assert (silent.state, silent.reason) == (State.FAILED, "timeout (robots.txt)")
    broken = verdict_without_robots(leased, Page("u", 503))
    assert (broken.state, broken.reason) == (State.SKIPPED, "robots: unreachable, http 503")
