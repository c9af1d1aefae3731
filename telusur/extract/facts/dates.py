"""Reads dates in many notations, and returns ISO dates."""

import re
from datetime import date
from typing import NamedTuple

_FIRST_YEAR = 1990
_LAST_YEAR = 2100
_MONTHS = {
    month: number
    for number, names in enumerate(
        (
            "jan january januari januar jänner ocak oca janvier janv enero ene gennaio gen janeiro "
            "stycznia styczeń января янв январь",
            "feb february februari februar şubat şub février févr fév fevrier febrero febbraio "
            "fevereiro fev lutego luty февраля фев февраль",
            "mar march maret märz mär mart mars marzo março marco maart mrt marca marzec "
            "марта мар март",
            "apr april nisan nis avril avr abril abr aprile kwietnia kwiecień апреля апр апрель",
            "may mei mai mayıs mayo maggio mag maio maja maj мая май",
            "jun june juni haziran haz juin junio giugno giu junho czerwca czerwiec июня июн июнь",
            "jul july juli temmuz tem juillet juil julio luglio lug julho lipca lipiec "
            "июля июл июль",
            "aug august agustus agu agt ağustos ağu août aout agosto ago augustus sierpnia "
            "sierpień августа авг август",
            "sep sept september eylül eyl septembre septiembre settembre set setembro września "
            "wrzesień сентября сен сент сентябрь",
            "oct october oktober okt ekim eki octobre octubre ottobre ott outubro out "
            "października październik октября окт октябрь",
            "nov november kasım kas novembre noviembre novembro listopada listopad "
            "ноября ноя ноябрь",
            "dec december desember des dezember dez aralık ara décembre déc decembre diciembre dic "
            "dicembre dezembro grudnia grudzień декабря дек декабрь",
        ),
        start=1,
    )
    for month in names.split()
}
_YEAR = r"(?:19|20)\d\d"
_WRITTEN = re.compile(
    rf"(?<![\d./-])(?:(?P<y1>{_YEAR})(?P<s1>[-/.])(?P<m1>\d{{1,2}})(?P=s1)(?P<d1>\d{{1,2}})(?!\d)"
    rf"|(?P<y2>{_YEAR})\s?[年년]\s{{0,2}}(?P<m2>\d{{1,2}})\s?[月월]\s{{0,2}}(?P<d2>\d{{1,2}})\s?[日일]"
    rf"|(?P<d3>\d{{1,2}})(?:st|nd|rd|th|er|º|ª)?(?:[.,]?\s{{1,2}}|[-.])(?:de\s|of\s|del\s)?"
    rf"(?P<m3>[^\W\d_]{{3,12}})(?:[.,]{{0,2}}\s{{1,2}}|-)(?:de\s|del\s)?(?P<y3>{_YEAR})(?!\d)"
    rf"|(?P<y6>{_YEAR}),?\s(?P<m6>[^\W\d_]{{3,12}})\.?\s(?P<d6>\d{{1,2}})(?![\d:.])"
    rf"|(?P<a5>\d{{1,2}})(?P<s5>[./-])(?P<b5>\d{{1,2}})(?P=s5)(?P<y5>{_YEAR}|\d\d)(?![\d./-]))"
    rf"|\b(?P<m4>[^\W\d_]{{3,12}})\.?\s{{1,2}}(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?:,\s?|\s)\s?"
    rf"(?P<y4>{_YEAR})(?!\d)"
)
_COMPACT = re.compile(rf"^({_YEAR})(\d\d)(\d\d)(?!\d)")
_IN_URL = re.compile(
    rf"/({_YEAR})[/-](\d{{1,2}}|[a-z]{{3,9}})[/-](\d{{1,2}})(?:[/+_-]|$)", re.IGNORECASE
)


class FoundDate(NamedTuple):
    """A date in a text, and its position."""

    day: str
    start: int
    end: int


def parse_date(text: str, *, month_first: bool | None = None) -> str | None:
    """Return the first day named in a short text as YYYY-MM-DD, or None.

    `month_first` says how to read 3/4/2024; without it, such a day does not count.
    """
    text = text[:200].strip()
    if match := _COMPACT.match(text):
        return _iso(*match.groups())
    found = find_dates(text, month_first=month_first)
    return found[0].day if found else None


def find_dates(text: str, *, month_first: bool | None = None) -> list[FoundDate]:
    """Return all dates in a text, in order."""
    found = []
    for match in _WRITTEN.finditer(text):
        if day := _read(match, month_first):
            found.append(FoundDate(day, match.start(), match.end()))
    return found


def date_in_url(url: str) -> str | None:
    """Return the day in a path such as /2024/05/17/, or None."""
    match = _IN_URL.search(url[:2000])
    if match is None:
        return None
    return _iso(match[1], _MONTHS.get(match[2].lower(), match[2]), match[3])


def _read(match: re.Match[str], month_first: bool | None) -> str | None:
    way = (match.lastgroup or "")[-1:]
    if way == "5":
        return _numeric_date(match["a5"], match["s5"], match["b5"], match["y5"], month_first)
    month: str | int | None = match["m" + way]
    if way in "346":
        month = _MONTHS.get(str(month).lower())
    return _iso(match["y" + way], month, match["d" + way])


def _numeric_date(
    first: str, separator: str, second: str, year: str, month_first: bool | None
) -> str | None:
    """Read 17.5.2024, 17/5/2024, 5/17/2024; a year of two digits only where the order is known."""
    if len(year) == 2:
        if month_first is None or (separator == "." and month_first):
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
