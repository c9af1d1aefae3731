import pytest

from telusur.crawl.politeness import back_off, delay_between_requests, may_retry, retry_after

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
