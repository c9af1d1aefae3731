import pytest

from telusur.web.frame.dates import show_date, show_moment


@pytest.mark.parametrize("value", ["2026-03-14", "2026-03-14T08:30:00+07:00"])
def test_iso_dates_are_spelled_out(value):
    assert show_date(value) == ("2026-03-14", "14 March 2026")


def test_other_dates_are_shown_as_the_page_has_them():
    assert show_date("Ramadan\u202e 1447") == ("", "Ramadan 1447")


@pytest.mark.parametrize("value", [None, "", "  "])
def test_no_date(value):
    assert show_date(value) is None


def test_moments_are_in_utc():
    assert show_moment(0.7) == ("1970-01-01T00:00:00Z", "1970-01-01 00:00:00 UTC")


@pytest.mark.parametrize("at", [1e300, float("nan"), -1e18])
def test_a_moment_no_calendar_has(at):
    assert show_moment(at).machine == ""
