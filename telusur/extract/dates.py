"""Read the many ways a page writes a day, and give it as an ISO date."""

import re
from datetime import date

_MONTHS = {
    month: number
    for number, names in enumerate(
        (
            "jan january januari januar jänner ocak oca janvier enero",
            "feb february februari februar şubat şub février febrero",
            "mar march maret märz mär mart mars marzo",
            "apr april nisan nis avril abril",
            "may mei mai mayıs mayo",
            "jun june juni haziran haz juin junio",
            "jul july juli temmuz tem juillet julio",
            "aug august agustus agu ağustos ağu août agosto",
            "sep sept september eylül eyl septembre septiembre",
            "oct october oktober okt ekim eki octobre octubre",
            "nov november kasım kas novembre noviembre",
            "dec december desember des dezember dez aralık ara décembre diciembre",
        ),
        start=1,
    )
    for month in names.split()
}
_ISO = re.compile(r"\b((?:19|20)\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_COMPACT = re.compile(r"^((?:19|20)\d\d)(\d\d)(\d\d)(?!\d)")
_DAY_FIRST = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)?[. ]{1,2}(?:de |of )?"
    r"([^\W\d_]{3,10})\.?,? (?:de )?((?:19|20)\d\d)\b"
)
_MONTH_FIRST = re.compile(r"\b([^\W\d_]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\d\d)\b")
_NUMERIC = re.compile(r"\b(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d)\b")
_IN_URL = re.compile(r"/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?:[/-]|$)")


def parse_date(text: str) -> str | None:
    """Return the first day named in a short text as YYYY-MM-DD, or None."""
    text = text[:200].strip()
    if match := _ISO.search(text) or _COMPACT.match(text):
        parts = match.groups()
        return _iso(parts[0], parts[-2], parts[-1])
    if match := _DAY_FIRST.search(text):
        return _iso(match[3], _MONTHS.get(match[2].lower()), match[1])
    if match := _MONTH_FIRST.search(text):
        return _iso(match[3], _MONTHS.get(match[1].lower()), match[2])
    if match := _NUMERIC.search(text):
        return _numeric_date(match)
    return None


def date_in_url(url: str) -> str | None:
    """Return the day in a path such as /2024/05/17/, or None."""
    match = _IN_URL.search(url[:2000])
    return _iso(match[1], match[2], match[3]) if match else None


def _numeric_date(match: re.Match[str]) -> str | None:
    """Read 17.5.2024 and 17/5/2024; with slashes the month is first where only that makes sense."""
    first, separator, second, year = match.groups()
    if separator == "/" and int(second) > 12:
        return _iso(year, first, second)
    if separator == "/" and int(first) <= 12:
        return None  # 3/4/2024 is March in one country and April in the next
    return _iso(year, second, first)


def _iso(year: str, month: str | int | None, day: str) -> str | None:
    try:
        return date(int(year), int(month or 0), int(day)).isoformat()
    except ValueError:
        return None
