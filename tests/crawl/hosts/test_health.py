"""A page's trouble is not its host's trouble; time is an argument."""

import pytest

from telusur.crawl.hosts.health import MOST_DOUBTS, Health, Sign, is_hosts_reason, sign_of
from telusur.models import Page

NOW = 1000.0
SILENT = {"status": None, "reason": "timeout"}
AWAY = {"status": None, "reason": "network: no connection"}


def answer(status=200, reason="", status_line="", at=NOW, **headers):
    fields = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Page("http://a/", status, reason, fields, fetched_at=at, status_line=status_line)


@pytest.mark.parametrize(
    ("page", "sign"),
    [
        (answer(200), Sign.WELL),
        (answer(404), Sign.WELL),
        (answer(999), Sign.WELL),
        (answer(500), Sign.DOUBT),
        (answer(503), Sign.DOUBT),
        (answer(503, retry_after="soon"), Sign.DOUBT),
        (answer(503, retry_after="999999999"), Sign.DOUBT),
        (answer(503, retry_after="7"), Sign.REFUSES),
        (answer(429), Sign.REFUSES),
        (answer(**AWAY), Sign.AWAY),
        (answer(None, "network: no such host"), Sign.AWAY),
        (answer(None, "network: certificate not valid"), Sign.AWAY),
        (answer(None, "timeout: no connection"), Sign.AWAY),
        (answer(**SILENT), Sign.DOUBT),
        (answer(None, "timeout", "HTTP/1.1 200 OK"), Sign.WELL),
        (answer(None, "network: connection broke"), Sign.DOUBT),
        (answer(None, "network: connection broke", "HTTP/1.1 200 OK"), Sign.WELL),
        (answer(None, "bad response: empty answer"), Sign.DOUBT),
        (answer(None, "bad response: headers too large"), Sign.WELL),
        (answer(None, "bad response: cut short"), Sign.WELL),
        (answer(None, "private address: 127.0.0.1"), Sign.WELL),
    ],
)
def test_what_an_answer_says_about_its_host(page, sign):
    assert sign_of(page, NOW) is sign


def test_pages_that_answer_badly_never_make_their_host_wait():
    health = Health()
    for number in range(100):
        page = answer(None, "bad response: headers too large", at=NOW + number)
        assert health.heed(page, NOW + number, is_first_try=True) == 0.0
    assert not health.is_down


@pytest.mark.parametrize("trouble", [SILENT, {"status": 500}, {"status": 503}])
def test_one_page_with_an_error_says_nothing_several_in_a_row_do(trouble):
    health = Health()
    pauses = [
        health.heed(answer(**trouble, at=NOW + n), NOW + n, is_first_try=True)
        for n in range(MOST_DOUBTS + 3)
    ]
    assert pauses == [0.0, 0.0, 1.0, 2.0, 4.0, 8.0]
    assert health.is_down


def test_a_good_answer_between_them_clears_the_host():
    health = Health()
    for _ in range(50):
        assert health.heed(answer(500), NOW, is_first_try=True) == 0.0
        assert health.heed(answer(500), NOW, is_first_try=True) == 0.0
        assert health.heed(answer(404), NOW, is_first_try=True) == 0.0
    assert not health.is_down


def test_further_tries_of_bad_pages_say_nothing_about_the_host():
    health = Health()
    for number in range(50):
        assert health.heed(answer(500), NOW + number, is_first_try=False) == 0.0


def test_what_the_host_says_itself_holds_at_once():
    health = Health()
    assert health.heed(answer(429, retry_after="17"), NOW, is_first_try=True) == 17.0
    assert "Retry-After" in health.reason
    assert health.asked_for_rest
    assert health.heed(answer(429, at=NOW + 20), NOW + 20, is_first_try=False) == 2.0
    assert not health.is_down, "it may be this page that it does not like"


def test_a_host_that_cannot_be_reached_is_tried_with_growing_pauses_up_to_a_minute():
    health = Health()
    now, pauses = NOW, []
    for _ in range(9):
        pauses.append(health.heed(answer(**AWAY, at=now), now, is_first_try=True))
        now += pauses[-1]
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert health.is_down


def test_requests_that_were_under_way_together_fail_together():
    health = Health()
    together = [health.heed(answer(**AWAY, at=NOW), NOW + 5, is_first_try=True) for _ in range(8)]
    assert together == [1.0] * 8


def outage(health, patience):
    """Return after how many seconds a host is given up that never comes back."""
    now = NOW
    while not health.is_given_up:
        now += health.heed(answer(**AWAY, at=now), now, is_first_try=True)
        assert now < NOW + 10 * patience
    return now - NOW


def test_a_host_that_gave_pages_is_waited_for_longer_than_a_stranger():
    known = Health(patience=900.0)
    known.heed(answer(200), NOW - 1, is_first_try=True)
    assert 900 <= outage(known, 900) <= 1020
    assert outage(Health(patience=900.0), 900) <= 180
    assert outage(Health(patience=5.0), 900) <= 16


def test_a_host_that_asks_for_a_long_rest_is_asked_again_after_it():
    health = Health(patience=900.0)
    health.heed(answer(200), NOW, is_first_try=True)
    assert health.heed(answer(503, retry_after="1800"), NOW, is_first_try=True) == 1800
    assert not health.is_given_up
    health.heed(answer(200, at=NOW + 1801), NOW + 1801, is_first_try=False)
    assert (health.failures, health.is_down, health.reason) == (0, False, "")


@pytest.mark.parametrize(
    ("reason", "is_hosts"),
    [
        ("network: no connection", True),
        ("network: no such host", True),
        ("timeout: no connection", True),
        ("timeout (robots.txt)", True),
        ("http 503", True),
        ("http 429", True),
        ("timeout", False),
        ("http 500", False),
        ("http 404", False),
        ("network: connection broke", False),
        ("bad response: cut short", False),
        ("parser: the process died", False),
        ("private address: 127.0.0.1", False),
    ],
)
def test_which_failures_lay_with_the_host(reason, is_hosts):
    assert is_hosts_reason(reason) == is_hosts
