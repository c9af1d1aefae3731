"""Writes the digits and years of other scripts and calendars as those of the common calendar.

A Thai page says 2567, a Persian one 1403, a Japanese one the sixth year of Reiwa; all mean 2024.
"""

import re
from datetime import date, timedelta

from telusur.extract.facts.days.month_names import PERSIAN_MONTHS

_ZEROS = "٠۰०০੦૦୦௦౦೦൦๐໐၀០０"
_DIGITS = {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}
_CHINESE = {sign: number for number, sign in enumerate("〇一二三四五六七八九")} | {"○": 0, "零": 0}
_CHINESE_DAY = re.compile(
    r"([一二][〇○零一二三四五六七八九]{3})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})日"
)
# The first year of each counts as 1: 令和元年 is 2019.
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
_ERA_YEAR = re.compile(rf"({'|'.join(_ERAS)})\s?(\d{{1,3}}|元)\s?年")
_THAI_YEAR = re.compile(r"(?<!\d)(?:พ\.?ศ\.?\s?)?(2[45]\d\d)(?!\d)")
_THAI = re.compile(r"[\u0e01-\u0e3a]")
_BUDDHIST = 543
_PERSIAN_DAY = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s({'|'.join(PERSIAN_MONTHS)})(?:\sماه)?،?\s(1[34]\d\d)(?!\d)"
    r"|(?<!\d)(1[34]\d\d)([-/])(\d{1,2})\5(\d{1,2})(?!\d)"
)
_ARABIC = re.compile(r"[\u0600-\u06ff]")
# The Persian year begins on 20 or 21 March. Within 33 years the eight leap years are these.
_LEAP_YEARS = frozenset((1, 5, 9, 13, 17, 22, 26, 30))
_CYCLE = 33
_FIRST_CYCLE = (1375, date(1996, 3, 20))  # a year and its first day
_FIRST_HALF = 6  # these months have 31 days, the others 30


def in_common_calendar(text: str) -> str:
    """Return a text with its dates in digits and years that everybody reads."""
    is_arabic = _ARABIC.search(text) is not None
    text = text.translate(_DIGITS)
    text = _CHINESE_DAY.sub(_read_chinese, text)
    text = _ERA_YEAR.sub(_read_era, text)
    if _THAI.search(text):
        text = _THAI_YEAR.sub(lambda match: str(int(match[1]) - _BUDDHIST), text)
    return _PERSIAN_DAY.sub(_read_persian, text) if is_arabic else text


def _read_chinese(match: re.Match[str]) -> str:
    year = "".join(str(_CHINESE[sign]) for sign in match[1])
    return f"{year}年{_count(match[2])}月{_count(match[3])}日"


def _count(signs: str) -> int:
    """Return a Chinese number below 100: 二十一 is 21."""
    tens, ten, units = signs.rpartition("十")
    return (_CHINESE[tens] if tens else 1) * 10 * bool(ten) + (_CHINESE[units] if units else 0)


def _read_era(match: re.Match[str]) -> str:
    return f"{_ERAS[match[1]] + (1 if match[2] == '元' else int(match[2]))}年"


def _read_persian(match: re.Match[str]) -> str:
    """Return a Persian day as YYYY-MM-DD, or as it is if there is no such day."""
    if match[2]:
        year, month, day = int(match[3]), PERSIAN_MONTHS[match[2]], int(match[1])
    else:
        year, month, day = int(match[4]), int(match[6]), int(match[7])
    if not (1 <= month <= 12 and 1 <= day <= (31 if month <= _FIRST_HALF else 30)):
        return match[0]
    days = 31 * min(month - 1, _FIRST_HALF) + 30 * max(0, month - 1 - _FIRST_HALF) + day - 1
    return (_persian_new_year(year) + timedelta(days=days)).isoformat()


def _persian_new_year(year: int) -> date:
    first, day = _FIRST_CYCLE
    step = 1 if year >= first else -1
    for each in range(min(first, year), max(first, year)):
        day += step * timedelta(days=365 + (each % _CYCLE in _LEAP_YEARS))
    return day
