"""Ways to narrow a search: counts as links, filters that can be taken back, documents over time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from telusur.models import FacetCount
from telusur.search.request import SearchRequest
from telusur.web import urls
from telusur.web.dates import month_name
from telusur.web.text import clean_line, language_name

# What the search page counts.
PAGE_FACETS = ("site", "language", "type", "topic", "year", "month")
SHOWN_AT_ONCE = 6
_FILTERS = {"site": "site", "language": "lang", "type": "type", "topic": "topic"}
_HEADINGS = {"site": "Site", "language": "Language", "type": "Kind of page", "topic": "Topic"}
_MOST_BARS = 60
_BARS_WIDTH, _BARS_HEIGHT = 240, 48
_WIDEST_GAP = 3
# What is no filter, like `before:lunch`, is a word and not to be taken back.
_CHIP = re.compile(
    r"(?<!\S)-?(?:(?:site|lang|type|topic):[^\s\"()]+|topic:\"[^\"]*\"|(?:after|before):\d{4}(?:-\d\d){0,2})(?!\S)"
)
_TOO_MANY_YEARS_FOR_MONTHS = 3
_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"(\d{4})-(\d\d)")


class Choice(NamedTuple):
    """One value to narrow by; without `url` it can only be read."""

    text: str
    number: int
    url: str | None


class FacetView(NamedTuple):
    """The values of one facet: the first ones, and those behind "more"."""

    heading: str
    first: list[Choice]
    more: list[Choice]


class Chip(NamedTuple):
    """A filter of the query, and the search without it."""

    text: str
    url: str


class Bar(NamedTuple):
    """A bar of the histogram, in its own units."""

    x: float
    y: float
    width: float
    height: float
    text: str


@dataclass(slots=True, frozen=True)
class Histogram:
    """Documents over time: bars to look at, a sentence to hear, links to follow."""

    bars: list[Bar]
    first: str
    last: str
    text: str
    choices: FacetView
    width: int = _BARS_WIDTH
    height: int = _BARS_HEIGHT


def view_facets(
    wanted: SearchRequest, facets: Mapping[str, Sequence[FacetCount]]
) -> list[FacetView]:
    """Return the facets that part the hits; one with a single value would narrow nothing."""
    shown = []
    for name, filter_name in _FILTERS.items():
        counts = [count for count in facets.get(name, ()) if count.value]
        is_filtered = any(f"{filter_name}:" in chip.text for chip in view_chips(wanted))
        # Pages without a topic are not counted, so a single one narrows too.
        least = 1 if name == "topic" else 2
        if len(counts) < least or is_filtered:
            continue
        choices = [_choose(wanted, name, count) for count in counts]
        shown.append(_folded(_HEADINGS[name], choices))
    return shown


def view_chips(wanted: SearchRequest) -> list[Chip]:
    """Return the filters of a query, those within quotes and brackets left out."""
    chips = []
    for match in _CHIP.finditer(wanted.query):
        if wanted.query.count('"', 0, match.start()) % 2:
            continue
        rest = f"{wanted.query[: match.start()].rstrip()} {wanted.query[match.end() :].lstrip()}"
        chips.append(Chip(clean_line(match[0], 60), _search(wanted, rest.strip())))
    return chips


def view_histogram(
    wanted: SearchRequest, facets: Mapping[str, Sequence[FacetCount]]
) -> Histogram | None:
    """Return documents by year, or by month if they are of one or two years; None if of one."""
    years = _counts_by(_YEAR, facets.get("year", ()))
    months = _counts_by(_MONTH, facets.get("month", ()))
    by_month = len(years) < _TOO_MANY_YEARS_FOR_MONTHS and len(months) > 1
    counts = months if by_month else years
    if len(counts) < 2:
        return None
    steps = _all_steps(counts)[-_MOST_BARS:]
    named = [(_name_step(step), counts[step], step) for step in steps if step in counts]
    choices = [Choice(name, count, _within(wanted, step)) for name, count, step in named]
    told = ", ".join(f"{name}: {count:,}" for name, count, _ in named)
    return Histogram(
        _draw(steps, counts),
        _name_step(steps[0]),
        _name_step(steps[-1]),
        f"Documents by {'month' if by_month else 'year'}. {told}",
        _folded("Date", choices[::-1]),
    )


def _choose(wanted: SearchRequest, facet: str, count: FacetCount) -> Choice:
    value = count.value
    text = (language_name(value) if facet == "language" else "") or clean_line(value, 60)
    query = urls.narrowed(wanted.query, _FILTERS[facet], value)
    return Choice(text, count.count, _search(wanted, query) if query else None)


def _folded(heading: str, choices: list[Choice]) -> FacetView:
    # One line "1 more" would take the place of that one.
    first = SHOWN_AT_ONCE + (len(choices) == SHOWN_AT_ONCE + 1)
    return FacetView(heading, choices[:first], choices[first:])


def _search(wanted: SearchRequest, query: str) -> str:
    """Return the first page of another query with the same wishes, as it is now."""
    return urls.address_of(urls.SEARCH, replace(wanted, query=query, page=1, as_of=None))


def _counts_by(shape: re.Pattern[str], facet: Sequence[FacetCount]) -> dict[str, int]:
    return {each.value: each.count for each in facet if shape.fullmatch(each.value)}


def _all_steps(counts: Mapping[str, int]) -> list[str]:
    """Return every step from the first to the last, those without documents too."""
    steps = [min(counts)]
    last = max(counts)
    # A page that calls itself of the year 0001 must not make two thousand bars.
    while steps[-1] < last and len(steps) < 12 * _MOST_BARS:
        steps.append(_next_step(steps[-1]))
    return steps if steps[-1] == last else sorted(counts)


def _next_step(step: str) -> str:
    if month := _MONTH.fullmatch(step):
        year, number = int(month[1]), int(month[2])
        return f"{year + number // 12:04}-{number % 12 + 1:02}"
    return f"{int(step) + 1:04}"


def _name_step(step: str) -> str:
    month = _MONTH.fullmatch(step)
    return f"{month_name(int(month[2]))} {month[1]}" if month else step


def _within(wanted: SearchRequest, step: str) -> str:
    """Return the search within a year or month; dates that were asked for before give way."""
    rest = wanted.query
    for chip in view_chips(wanted):
        if chip.text.startswith(("after:", "before:")):
            rest = rest.replace(chip.text, "")
    return _search(
        wanted, f"{' '.join(rest.split())} after:{step} before:{_next_step(step)}".strip()
    )


def _draw(steps: Sequence[str], counts: Mapping[str, int]) -> list[Bar]:
    most = max(counts.values())
    room = _BARS_WIDTH / len(steps)
    bars = []
    for number, step in enumerate(steps):
        count = counts.get(step, 0)
        height = max(round(_BARS_HEIGHT * count / most, 1), 2) if count else 0
        width = max(room - min(max(room * 0.15, 1), _WIDEST_GAP), 1)
        text = f"{_name_step(step)}: {count:,}"
        x = round(number * room, 1)
        bars.append(Bar(x, round(_BARS_HEIGHT - height, 1), round(width, 1), height, text))
    return bars
