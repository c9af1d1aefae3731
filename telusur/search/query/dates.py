"""Days as typed after before: and after:, and as the index numbers them."""

import re
from datetime import date, timedelta

_TYPED = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?", re.ASCII)


def parse_day(text: str) -> date | None:
    """Return the first day of `2024`, `2024-05` or `2024-05-31`; None if it is not a date."""
    match = _TYPED.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        return date(year, month, day)
    except ValueError:
        return None


def number_of_day(day: date) -> int:
    """Return a day as a number that sorts: 20240131."""
    return day.year * 10_000 + day.month * 100 + day.day


def number_before(day: date) -> int:
    """Return the number of the day before; 0 before the first of all days."""
    return number_of_day(day - timedelta(days=1)) if day > date.min else 0
