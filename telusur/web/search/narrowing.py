"""Narrowing a search: facets as links, filters that can be removed, documents over time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from telusur.document_table import FIELD_FACETS, VALUE_FACETS
from telusur.models import FacetCount
from telusur.search.request import SearchRequest
from telusur.web.frame import urls
from telusur.web.frame.dates import month_name
from telusur.web.frame.text import clean_line, language_name

# The facets of the search page.
PAGE_FACETS = tuple(
    name for name, (_, facet) in FIELD_FACETS.items() if facet.heading or facet.step
)
SHOWN_AT_ONCE = 6
_SHOWN = {name: facet for name, (_, facet) in VALUE_FACETS.items() if facet.heading}
_WORDS = "|".join(facet.word for _, facet in VALUE_FACETS.values())
_TEXT_WORDS = "|".join(facet.word for _, facet in VALUE_FACETS.values() if facet.is_text)
_MOST_BARS = 60
_BARS_WIDTH, _BARS_HEIGHT = 240, 48
_WIDEST_GAP = 3
# Something like `before:lunch` is a word, not a filter, and cannot be removed.
_CHIP = re.compile(
    rf"(?<!\S)-?(?:(?:{_WORDS}):[^\s\"()]+|(?:{_TEXT_WORDS}):\"[^\"]*\""
    r"|(?:after|before):\d{4}(?:-\d\d){0,2})(?!\S)"
)
_TOO_MANY_YEARS_FOR_MONTHS = 3
_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"(\d{4})-(\d\d)")


class Choice(NamedTuple):
    """One value of a facet; without `url` it is not a link."""

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


class TimeBar(NamedTuple):
    """A bar of the histogram, in units of its view box."""

    x: float
    y: float
    width: float
    height: float
    text: str


@dataclass(slots=True, frozen=True)
class Histogram:
    """Documents over time: bars, a description for screen readers, and links."""

    bars: list[TimeBar]
    first: str
    last: str
    text: str
    choices: FacetView
    width: int = _BARS_WIDTH
    height: int = _BARS_HEIGHT


def view_facets(
    wanted: SearchRequest, facets: Mapping[str, Sequence[FacetCount]]
) -> list[FacetView]:
    """Return the facets that divide the hits; a facet with a single value narrows nothing."""
    shown = []
    for name, facet in _SHOWN.items():
        counts = [count for count in facets.get(name, ()) if count.value]
        is_filtered = any(f"{facet.word}:" in chip.text for chip in view_chips(wanted))
        if len(counts) < facet.least_values or is_filtered:
            continue
        choices = [_choose(wanted, name, count) for count in counts]
        shown.append(_folded(facet.heading, choices))
    return shown


def view_chips(wanted: SearchRequest) -> list[Chip]:
    """Return the filters of a query, except those inside quotes or brackets."""
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
    """Return documents by year, or by month within one or two years; None for a single step."""
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
    query = urls.narrowed(wanted.query, _SHOWN[facet].word, value)
    return Choice(text, count.count, _search(wanted, query) if query else None)


def _folded(heading: str, choices: list[Choice]) -> FacetView:
    # A line "1 more" would take as much room as the value itself.
    first = SHOWN_AT_ONCE + (len(choices) == SHOWN_AT_ONCE + 1)
    return FacetView(heading, choices[:first], choices[first:])


def _search(wanted: SearchRequest, query: str) -> str:
    """Return the address of the first page of another query with the same options."""
    return urls.address_of(urls.SEARCH, replace(wanted, query=query, page=1, as_of=None))


def _counts_by(shape: re.Pattern[str], facet: Sequence[FacetCount]) -> dict[str, int]:
    return {each.value: each.count for each in facet if shape.fullmatch(each.value)}


def _all_steps(counts: Mapping[str, int]) -> list[str]:
    """Return every step from the first to the last, including empty ones."""
    steps = [min(counts)]
    last = max(counts)
    # A page dated in the year 0001 must not make two thousand bars.
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
    """Return the search within a year or month; it replaces the dates of the query."""
    rest = wanted.query
    for chip in view_chips(wanted):
        if chip.text.startswith(("after:", "before:")):
            rest = rest.replace(chip.text, "")
    return _search(
        wanted, f"{' '.join(rest.split())} after:{step} before:{_next_step(step)}".strip()
    )


def _draw(steps: Sequence[str], counts: Mapping[str, int]) -> list[TimeBar]:
    most = max(counts.values())
    room = _BARS_WIDTH / len(steps)
    bars = []
    for number, step in enumerate(steps):
        count = counts.get(step, 0)
        height = max(round(_BARS_HEIGHT * count / most, 1), 2) if count else 0
        width = max(room - min(max(room * 0.15, 1), _WIDEST_GAP), 1)
        text = f"{_name_step(step)}: {count:,}"
        x = round(number * room, 1)
        bars.append(TimeBar(x, round(_BARS_HEIGHT - height, 1), round(width, 1), height, text))
    return bars
