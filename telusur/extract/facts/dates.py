"""Reads dates in many notations, and returns ISO dates."""

import re
from datetime import date
from typing import NamedTuple

from telusur.extract.facts.days.calendars import in_common_calendar
from telusur.extract.facts.days.month_names import MONTHS, MONTHS_OF_LANGUAGE

_FIRST_YEAR = 1990
_LAST_YEAR = 2100
_YEAR = r"(?:19|20)\d\d"
# A name of a month: some scripts have signs that are no letters, and some names two words.
_MONTH = r"(?:(?:كانون|تشرين)\s\w+|[^\W\d_][^\s\d,،;:|/()\[\]-]{1,14})"
_OF = r"(?:de\s|of\s|del\s|d[’']|tháng\s|ב)?"
_TH = r"(?:st|nd|rd|th|er|º|ª)?"
_WRITTEN = re.compile(
    rf"(?<![\d./-])(?:(?P<y1>{_YEAR})(?P<s1>-|/|\.\s?)(?P<m1>\d{{1,2}})(?P=s1)(?P<d1>\d{{1,2}})(?!\d)"
    rf"|(?P<y2>{_YEAR})\s?[年년]\s{{0,2}}(?P<m2>\d{{1,2}})\s?[月월]\s{{0,2}}(?P<d2>\d{{1,2}})\s?[日일号號]?"
    rf"|(?P<d3>\d{{1,2}}){_TH}(?:[.,]?\s{{1,2}}|[-./]){_OF}"
    rf"(?P<m3>{_MONTH}|(?<=tháng\s)\d{{1,2}})(?:[.,،]{{0,2}}\s{{1,2}}|[-./])(?:de\s|del\s|năm\s)?"
    rf"(?P<y3>{_YEAR})(?!\d)"
    rf"|(?P<y7>{_YEAR})\.?\s(?:gada|ж\.)\s(?P<d7>\d{{1,2}})\.?\s(?P<m7>{_MONTH})"
    rf"|(?P<y6>{_YEAR})(?:[,.]?\s(?:m\.\s|gada\s|ж\.\s)?|-)(?P<m6>{_MONTH})(?:\s|-)(?P<d6>\d{{1,2}})(?![\d:])"
    rf"|(?P<a5>\d{{1,2}})(?P<s5>[/-]|\.\s?)(?P<b5>\d{{1,2}})(?P=s5)(?P<y5>{_YEAR}|\d\d)(?![\d./-]))"
    rf"|\b(?P<m4>{_MONTH})\s{{1,2}}(?P<d4>\d{{1,2}}){_TH}(?:,\s?|\sde\s|\sdel\s|\s)\s?"
    rf"(?:\d\d:\d\d:\d\d\s(?:[A-Z]{{3,5}}\s)?)?(?P<y4>{_YEAR})(?!\d)"
)
_COMPACT = re.compile(rf"^({_YEAR})(\d\d)(\d\d)(?!\d)")
# /2024/05/17/ and /2024-05-17-title, but not /2024/05/17-reasons, and /20240517/ and /t20240517_12
_IN_URL = re.compile(
    rf"/({_YEAR})[/-](\d{{1,2}}|[a-z]{{3,9}})/(\d{{1,2}})(?:[/+]|$)"
    rf"|/({_YEAR})-(\d{{1,2}}|[a-z]{{3,9}})-(\d{{1,2}})(?:[/+_-]|$)"
    rf"|/t?({_YEAR})(\d\d)(\d\d)(?:[/_-]|$)",
    re.IGNORECASE,
)
# /29-10-2021-title
_DAY_FIRST_IN_URL = re.compile(rf"/(\d{{1,2}})[-_.](\d{{1,2}})[-_.]({_YEAR})(?:[/_.-]|$)")


class FoundDate(NamedTuple):
    """A date in a text, and its position."""

    day: str
    start: int
    end: int


def parse_date(text: str, *, month_first: bool | None = None, language: str = "") -> str | None:
    """Return the first day named in a short text as YYYY-MM-DD, or None.

    `month_first` says how to read 3/4/2024; without it, such a day does not count. `language` is
    needed for the few names that mean different months in different languages.
    """
    text = text[:200].strip()
    if match := _COMPACT.match(text):
        return _iso(*match.groups())
    found = find_dates(text, month_first=month_first, language=language)
    return found[0].day if found else None


def find_dates(
    text: str, *, month_first: bool | None = None, language: str = ""
) -> list[FoundDate]:
    """Return all dates in a text, in order."""
    if not text.isascii():
        text = in_common_calendar(text)
    found = []
    for match in _WRITTEN.finditer(text):
        if day := _read(match, month_first, language):
            found.append(FoundDate(day, match.start(), match.end()))
    return found


def date_in_url(url: str) -> str | None:
    """Return the day in a path such as /2024/05/17/, or None."""
    for match in _IN_URL.finditer(url[:2000]):
        year, month, day = filter(None, match.groups())
        if found := _iso(year, MONTHS.get(month.lower(), month), day):
            return found
    for match in _DAY_FIRST_IN_URL.finditer(url[:2000]):
        if found := _numeric_date(match[1], "/", match[2], match[3], None):
            return found
    return None


def _read(match: re.Match[str], month_first: bool | None, language: str) -> str | None:
    way = (match.lastgroup or "")[-1:]
    if way == "5":
        return _numeric_date(
            match["a5"], match["s5"].strip(), match["b5"], match["y5"], month_first
        )
    month: str | int | None = match["m" + way]
    if way in "3467" and not str(month).isdigit():
        name = str(month).lower().strip(".׳॰")
        month = MONTHS_OF_LANGUAGE.get(language[:2], MONTHS).get(name) or MONTHS.get(name)
    return _iso(match["y" + way], month, match["d" + way])


def _numeric_date(
    first: str, separator: str, second: str, year: str, month_first: bool | None
) -> str | None:
    """Read 17.5.2024, 17/5/2024, 5/17/2024; a year of two digits only where the order is known."""
    if len(year) == 2:
        is_full = separator == "." and len(first) == len(second) == 2
        if month_first is None or (separator == "." and month_first and not is_full):
            return None  # it may be a version number
        year = ("19" if year >= "90" else "20") + year
    if separator == ".":
        return _iso(year, second, first)
    if int(second) > 12:
        return _iso(year, first, second)
    if int(first) > 12:
        return _iso(year, second, first)
    if first.lstrip("0") == second.lstrip("0"):
        return _iso(year, first, second)
    if month_first is None:
        # 3/4/2024 is March in one country and April in the next
        return None if separator == "/" else _iso(year, second, first)
    return _iso(year, first, second) if month_first else _iso(year, second, first)


def _iso(year: str, month: str | int | None, day: str) -> str | None:
    try:
        found = date(int(year), int(month or 0), int(day))
    except ValueError:
        return None
    return found.isoformat() if _FIRST_YEAR <= found.year <= _LAST_YEAR else None
