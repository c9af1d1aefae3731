import pytest

from telusur.crawl.hosts.politeness import (
    Manners,
    back_off,
    delay_between_requests,
    may_retry,
    opens_at,
    retry_after,
)

NOW = 1_790_000_000.0


@pytest.mark.parametrize(
    ("own", "robots", "answer_took", "expected"),
    [
        (None, None, 0.1, 1.0),
        (None, None, 2.0, 4.0),
        (None, None, 500.0, 30.0),
        (None, 5.0, 0.1, 5.0),
        (0.0, None, 3.0, 0.0),
        (0.5, None, 3.0, 0.5),
        (0.0, 2.0, 0.0, 2.0),
        (0.0, 86400.0, 0.0, 30.0),
    ],
)
def test_delay(own, robots, answer_took, expected):
    assert delay_between_requests(own, robots, answer_took) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("3600", 3600.0),
        ("3601", None),
        ("99999999999999999999", None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("Mon, 21 Sep 2026 14:14:20 GMT", 60.0),
        ("Mon, 21 Sep 2020 14:14:20 GMT", 0.0),
        ("Mon, 99 Foo 2026 14:14:20 GMT", None),
    ],
)
def test_retry_after(header, expected):
    assert retry_after(header, NOW) == expected


def test_back_off_grows_and_is_bounded():
    assert [back_off(n) for n in (1, 2, 3, 4)] == [1, 2, 4, 8]
    assert back_off(1000) == 600


def test_only_what_may_change_is_tried_again():
    assert all(may_retry(status) for status in (None, 500, 502, 503, 504, 429, 408))
    assert not any(may_retry(status) for status in (200, 301, 400, 401, 403, 404, 410, 451))


MIDNIGHT = 1_789_948_800.0  # 2026-09-21 00:00 UTC


def at(hours, minutes=0, seconds=0.0):
    return MIDNIGHT + hours * 3600 + minutes * 60 + seconds


@pytest.mark.parametrize(
    ("window", "now", "expected"),
    [
        ((360, 525), at(6), at(6)),
        ((360, 525), at(8, 44, 59.9), at(8, 44, 59.9)),
        ((360, 525), at(8, 45), at(30)),
        ((360, 525), at(5, 59, 59), at(6)),
        ((360, 525), at(23), at(30)),
        ((1320, 120), at(23), at(23)),
        ((1320, 120), at(1, 59), at(1, 59)),
        ((1320, 120), at(2), at(22)),
        ((0, 1440), at(13), at(13)),
        ((600, 600), at(3), at(3)),
    ],
)
def test_a_host_with_visiting_hours_is_asked_when_it_opens(window, now, expected):
    assert opens_at(window, now) == expected


def test_manners_join_what_the_user_and_robots_txt_ask_for():
    manners = Manners(0.5, 2.0, (360, 525))
    assert manners.delay(9.0) == 2.0
    assert manners.next_time(at(9)) == at(30)
    assert Manners().delay(0.1) == 1.0
    assert Manners().next_time(at(9)) == at(9)
