"""Author and day that a page announces far from its headline: at its end, or in a corner.

The lines of a page are read for words that leave no doubt: "Posted by Ada Lind", "作者：",
"Published on 4 May". The name alone, or a date alone, says nothing here.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from telusur.extract.facts.dates import find_dates
from telusur.extract.facts.days.date_words import (
    CHANGED,
    LABEL,
    OF_WARES,
    OTHER_DAYS,
    PUBLISHED,
    PUBLISHED_BEHIND,
)
from telusur.extract.facts.names import (
    BYLINE_STARTS,
    announces_surely,
    is_byline_label,
    is_person,
    split_names,
    starts_with_by,
)
from telusur.extract.facts.nearby import HAS_YEAR

_LONGEST = 200  # characters
_LONGEST_BYLINE = 60
_LONGEST_LABEL = 30
_LEAD = 60
_MOST_LINES = 3000


def find_announced_day(
    lines: Sequence[str],
    latest: str,
    *,
    month_first: bool | None = None,
    is_one: bool = True,
    dated: Sequence[int] | None = None,
) -> str | None:
    """Return the day on which a page says that it was published, or None.

    A page with one subject (`is_one`) names its own day first; on any other, several days belong to
    its parts. Days after `latest` do not count. `dated` are the lines that may have a date, if that
    is known.
    """
    days: list[str] = []
    for number in range(len(lines)) if dated is None else dated:
        if number >= _MOST_LINES:
            break
        line = lines[number]
        if len(line) > _LONGEST or HAS_YEAR.search(line) is None:
            continue
        before = lines[number - 1] if number and len(lines[number - 1]) < _LONGEST_LABEL else ""
        days += (day for day in _days_in(line, before, month_first) if day <= latest)
        if days and is_one:
            return days[0]
    return days[0] if len(set(days)) == 1 else None


def _days_in(line: str, before: str, month_first: bool | None) -> Iterable[str]:
    start = 0
    for found in find_dates(line, month_first=month_first)[:3]:
        lead = line[max(start, found.start - _LEAD) : found.start]
        if not start and not lead.strip():
            lead = before
        if _is_published(lead, line[found.end : found.end + _LEAD]):
            yield found.day
        start = found.end


def _is_published(lead: str, behind: str) -> bool:
    if any(pattern.search(lead) for pattern in (OTHER_DAYS, CHANGED, OF_WARES)):
        return False
    return any(
        (PUBLISHED.search(lead), LABEL.search(lead), PUBLISHED_BEHIND.match(behind)),
    )


class Byline(NamedTuple):
    """The names in a line, and its number."""

    names: list[str]
    line: int


def find_byline(lines: Sequence[str]) -> Byline | None:
    """Return the line of the page that announces its authors beyond doubt, or None.

    "Posted by Ada" and "Author: Ada" do, wherever they stand. "By Ada Lind" does if it is a line of
    its own and the only one of its kind.
    """
    weak: list[Byline] = []
    for number, line in enumerate(lines[:_MOST_LINES]):
        if len(line) > _LONGEST or line[:2].casefold() not in BYLINE_STARTS:
            continue
        if announces_surely(line):
            if names := split_names(line.partition("\n")[0]):
                return Byline(names, number)
            continue
        is_label = is_byline_label(line) and number + 1 < len(lines)
        text = lines[number + 1] if is_label else line
        if len(text) < _LONGEST_BYLINE and (is_label or starts_with_by(line)):
            names = split_names(text)
            if names and all(map(is_person, names)):
                weak.append(Byline(names, number + is_label))
    is_only = weak and all(each.names == weak[0].names for each in weak)
    return weak[0] if is_only else None
