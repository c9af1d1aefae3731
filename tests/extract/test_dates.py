import pytest

from telusur.extract.dates import date_in_url, parse_date


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-17",
        "2024-05-17T23:59:00-08:00",
        "20240517",
        "2024/5/17",
        "May 17, 2024",
        "17 May 2024",
        "Friday, 17th of May 2024",
        "17. Mai 2024",
        "17 Mei 2024",
        "17 Mayıs 2024",
        "17.05.2024",
        "5/17/2024",
        "17/5/2024",
        "Updated: 17 mai 2024 at noon",
        "17 de mayo de 2024",
    ],
)
def test_the_same_day(text):
    assert parse_date(text) == "2024-05-17"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "3/4/2024",
        "2024-13-01",
        "2024-02-30",
        "17 Blah 2024",
        "1.2.3.4",
        "12 monkeys 1995",
    ],
)
def test_no_day(text):
    assert parse_date(text) is None


def test_day_in_url():
    assert date_in_url("http://coast.example/2024/05/17/fog") == "2024-05-17"
    assert date_in_url("http://coast.example/a-2024-05-17") is None
    assert date_in_url("http://coast.example/2024/99/17/") is None
