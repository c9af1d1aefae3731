import pytest

from telusur.extract.facts.dates import date_in_url, find_dates, parse_date


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
        "17 de maio de 2024",
        "17 maggio 2024",
        "17 mei 2024",
        "17 мая 2024",
        "17 maja 2024",
        "17-May-2024",
        "2024 May 17",
        "May 17th, 2024",
        "2024年5月17日",
        "2024년 5월 17일",
        "05-17-2024",
        "Mon May 17 12:45:00 EDT 2024",
        "mayo 17 de 2024",
        "17/mag/2024",
        "2024. május 17.",
        "2024 m. gegužės 17 d.",
        "2024. gada 17. maijs",
        "17. toukokuuta 2024",
        "17. května 2024",
        "17. svibnja 2024.",
        "17. maj 2024",
        "17 Μαΐου 2024",
        "17 травня 2024",
        "17 май 2024 г.",
        "17 במאי 2024",
        "17 मई 2024",
        "2024. 5. 17.",
        "17. 5. 2024",
        "Ngày 17 tháng 5 năm 2024",
        "17 tháng 5, 2024",
        "١٧ مايو ٢٠٢٤",
        "17 أيار 2024",
        "17 พ.ค. 2567",
        "๑๗ พฤษภาคม ๒๕๖๗",
        "۲۸ اردیبهشت ۱۴۰۳",
        "令和6年5月17日",
        "二〇二四年五月十七日",
        "2024 年 5 月 17 日",
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
        "17 May 1924",
        "17/5/24",
        "17.5.24",
        "192.168.1.2024",
    ],
)
def test_no_day(text):
    assert parse_date(text) is None


def test_day_in_url():
    assert date_in_url("http://coast.example/2024/05/17/fog") == "2024-05-17"
    assert date_in_url("http://coast.example/a-2024-05-17") is None
    assert date_in_url("http://coast.example/2024/may/17/fog") == "2024-05-17"
    assert date_in_url("http://coast.example/2024-05-17-fog") == "2024-05-17"
    assert date_in_url("http://coast.example/2024-05/17/c_1.htm") == "2024-05-17"
    assert date_in_url("http://coast.example/20240517/n1.shtml") == "2024-05-17"
    assert date_in_url("http://coast.example/zw/t20240517_12.html") == "2024-05-17"
    assert date_in_url("http://coast.example/2024/05/3-reasons-for-fog") is None
    assert date_in_url("http://coast.example/2024051799/") is None
    assert date_in_url("http://coast.example/2024/99/17/") is None
    assert date_in_url("http://coast.example/2024/sea/17/") is None
    assert date_in_url("http://coast.example/news/17-05-2024-fog/") == "2024-05-17"
    assert date_in_url("http://coast.example/news/05-17-2024") == "2024-05-17"
    assert date_in_url("http://coast.example/news/04-05-2024") is None
    assert date_in_url("http://coast.example/news/117-05-2024") is None


def test_order_of_day_and_month():
    assert parse_date("3/4/2024", month_first=True) == "2024-03-04"
    assert parse_date("3/4/2024", month_first=False) == "2024-04-03"
    assert parse_date("3.4.2024", month_first=True) == "2024-04-03"
    assert parse_date("3/4/24", month_first=False) == "2024-04-03"
    assert parse_date("3/4/98", month_first=False) == "1998-04-03"


def test_a_month_that_means_another_in_the_language_of_the_page():
    assert parse_date("17 listopada 2024") == "2024-11-17"
    assert parse_date("17. listopada 2024.", language="hr") == "2024-10-17"
    assert parse_date("17. svibnja 2024.", language="hr") == "2024-05-17"


def test_a_year_of_two_digits():
    assert parse_date("17.05.24", month_first=True) == "2024-05-17"
    assert parse_date("1.5.24", month_first=True) is None  # a version


def test_all_days_of_a_text():
    found = find_dates("Published 17 May 2024, updated on June 1, 2024")
    assert [each.day for each in found] == ["2024-05-17", "2024-06-01"]
    assert found[0].start == 10


@pytest.mark.parametrize("text", ["1" * 9999, "1." * 9999, "May " * 9999, "2024-" * 9999])
def test_hostile_texts_have_no_day(text):
    assert find_dates(text) == []
