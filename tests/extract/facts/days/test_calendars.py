import pytest

from telusur.extract.facts.days.calendars import in_common_calendar


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("٣ مارس ٢٠٢١", "3 مارس 2021"),
        ("３月２０２１", "3月2021"),
        ("พ.ศ. 2564", "2021"),
        ("2564", "2564"),
        ("令和元年5月1日", "2019年5月1日"),
        ("民國110年3月3日", "2021年3月3日"),
        ("二〇二一年十二月三十一日", "2021年12月31日"),
        ("二〇二一年十月二十日", "2021年10月20日"),
        # The first and the last day of a Persian year, common and leap years.
        ("۱ فروردین ۱۴۰۰", "2021-03-21"),
        ("۳۰ اسفند ۱۳۹۹", "2021-03-20"),
        ("۱ فروردین ۱۳۷۵", "1996-03-20"),
        ("۱ فروردین ۱۳۷۰", "1991-03-21"),
        ("۱۴۰۳/۰۷/۰۱", "2024-09-22"),
        ("۱۴۰۳/۱۳/۰۱", "1403/13/01"),
        ("1403/07/01 خبر", "2024-09-22 خبر"),
        ("Größe 1403/07/01", "Größe 1403/07/01"),
    ],
)
def test_years_of_other_calendars(text, expected):
    assert in_common_calendar(text) == expected
