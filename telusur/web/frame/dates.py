"""Dates of documents and times of the crawl, for people and for machines."""

from contextlib import suppress
from datetime import UTC, date, datetime
from email.utils import format_datetime
from typing import NamedTuple

from telusur.web.frame.text import clean_line

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip


class Moment(NamedTuple):
    """A point in time: `machine` is for a datetime attribute and is empty if the time is
    unknown."""

    machine: str
    text: str


def show_date(value: str | None) -> Moment | None:
    """Return the date of a document; a date that is not ISO is shown as the page has it."""
    if not value or not (text := clean_line(value, 40)):
        return None
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return Moment("", text)
    return Moment(day.isoformat(), f"{day.day} {_MONTHS[day.month - 1]} {day.year}")


def show_moment(at: float) -> Moment:
    """Return a time of the crawl, in UTC to the second."""
    try:
        moment = datetime.fromtimestamp(at, UTC).replace(microsecond=0, tzinfo=None)
    except (OverflowError, OSError, ValueError):
        return Moment("", "at an unknown time")
    return Moment(f"{moment.isoformat()}Z", f"{moment:%Y-%m-%d %H:%M:%S} UTC")


def month_name(number: int) -> str:
    """Return the short name of a month, 1 to 12; any other number as it is."""
    return _MONTHS[number - 1][:3] if 1 <= number <= len(_MONTHS) else str(number)


def mail_date(value: str | None, fetched_at: float | None) -> str:
    """Return the date of a document for a feed (RFC 822), or when it was fetched."""
    moment = None
    with suppress(ValueError):
        moment = datetime.fromisoformat((value or "")[:10]).replace(tzinfo=UTC)
    with suppress(OverflowError, OSError, ValueError):
        moment = moment or datetime.fromtimestamp(fetched_at or 0, UTC)
    return format_datetime(moment) if moment and (value or fetched_at) else ""
