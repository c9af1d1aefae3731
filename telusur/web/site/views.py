"""The findings of an audit turned into what the templates show."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from telusur.models import State
from telusur.run.audit_records import COLUMNS, Finding
from telusur.web import urls
from telusur.web.text import clean_line

_BAR_WIDTH = 1000
TITLES = {
    "broken_links": ("Broken links", "Links on this site to what could not be had."),
    "failed": ("Failed pages", "URLs of this site that could not be had."),
    "redirects": ("Redirects", "URLs that lead elsewhere, all the way to the end."),
    "slow": ("Slow pages", "Pages that took a second or longer to answer."),
    "duplicates": ("Duplicates", "Pages that say the same as another one, or nearly."),
    "missing_titles": ("Missing titles", "Pages in the index without a title."),
    "duplicate_titles": ("Shared titles", "Titles that several pages have."),
    "missing_descriptions": ("Missing descriptions", "Pages without a meta description."),
    "duplicate_descriptions": ("Shared descriptions", "Descriptions that several pages have."),
    "robots": ("Kept out by robots.txt", "URLs that were found and not fetched."),
    "only_in_sitemap": ("Only in a sitemap", "Listed in a sitemap, and not fetched."),
    "not_in_sitemap": ("Not in a sitemap", "In the index, and in no sitemap."),
}
_PROBLEMS = frozenset(("broken_links", "failed", "missing_titles"))
_URLS = frozenset(("url", "page", "original", "found_on", "chain", "urls"))


@dataclass(slots=True, frozen=True)
class Cell:
    """One value of a row, as links where it is made of URLs."""

    text: str
    links: tuple[tuple[str, str], ...] = ()
    is_number: bool = False


@dataclass(slots=True, frozen=True)
class FindingView:
    """One kind of finding: its name, how many there are, and a table of the first."""

    kind: str
    title: str
    help: str
    total: int
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    csv_url: str
    is_problem: bool


@dataclass(slots=True, frozen=True)
class Bar:
    """One row of a bar chart; `tone` is a state whose colour it has."""

    name: str
    number: int
    width: int
    tone: str


def view_finding(kind: str, finding: Finding, csv_url: str) -> FindingView:
    """Return what the page shows of one kind of finding."""
    title, help_text = TITLES[kind]
    names = COLUMNS[kind]._fields
    rows = tuple(tuple(map(_view_cell, names, row)) for row in finding.rows)
    return FindingView(
        kind, title, help_text, finding.total, finding.note,
        tuple(name.replace("_", " ") for name in names), rows, csv_url,
        kind in _PROBLEMS and finding.total > 0,
    )  # fmt: skip


def _view_cell(name: str, value: Any) -> Cell:
    if name in _URLS and value:
        several = value if isinstance(value, tuple) else (value,)
        return Cell("", tuple((clean_line(url, 200), urls.page_url(url)) for url in several))
    if isinstance(value, int | float) and name != "status":
        shown = f"{value:,.2f}" if isinstance(value, float) else f"{value:,}"
        return Cell(shown, is_number=True)
    return Cell(clean_line("" if value is None else str(value), 200))


def view_shares(counts: Mapping[str, int], what: str) -> list[Bar]:
    """Return counts as bars against the largest; `what` is state, status or type."""
    most = max(counts.values(), default=1)
    return [
        Bar(clean_line(name, 60), number, max(round(_BAR_WIDTH * number / most), 4),
            _tone_of(name, what))
        for name, number in counts.items()
    ]  # fmt: skip


def _tone_of(name: str, what: str) -> str:
    if what == "state":
        return name if name in set(State) else "waiting"
    if what == "status":
        return {"2": "done", "3": "skipped"}.get(name[:1], "failed")
    return "leased"
