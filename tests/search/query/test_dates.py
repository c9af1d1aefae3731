from datetime import date

import pytest

from telusur.search.query.dates import number_before, number_of_day, parse_day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024", date(2024, 1, 1)),
        ("2024-05", date(2024, 5, 1)),
        ("2024-05-31", date(2024, 5, 31)),
        ("2024/5/3", date(2024, 5, 3)),
        ("2024-02-30", None),
        ("0000", None),
        ("24", None),
        ("２０２４", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_as_they_are_typed(text, day):
    assert parse_day(text) == day


def test_days_are_numbers_that_sort():
    assert number_of_day(date(2024, 1, 31)) == 20240131
    assert number_before(date(2024, 3, 1)) == 20240229
    assert number_before(date.min) == 0
