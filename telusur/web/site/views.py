"""Turns the findings of an audit into what the templates show."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from telusur.models import State
from telusur.reports.audit_records import COLUMNS, Finding
from telusur.web.frame import urls
from telusur.web.frame.text import clean_line

_BAR_WIDTH = 1000
TITLES = {
    "broken_links": ("Broken links", "Links to pages that return an error or cannot be reached."),
    "failed": ("Failed pages", "URLs of this site that return an error or cannot be reached."),
    "redirects": ("Redirects", "URLs that redirect, with the whole redirect chain."),
    "slow": ("Slow pages", "Pages that took a second or longer to respond."),
    "duplicates": ("Duplicates", "Pages with the same or nearly the same text as another page."),
    "missing_titles": ("Missing titles", "Pages in the index without a title."),
    "duplicate_titles": ("Shared titles", "Titles used by several pages."),
    "missing_descriptions": ("Missing descriptions", "Pages without a meta description."),
    "duplicate_descriptions": ("Shared descriptions", "Descriptions used by several pages."),
    "robots": (
        "Blocked by robots.txt",
        "URLs that were found but not fetched because of robots.txt.",
    ),
    "only_in_sitemap": ("Only in a sitemap", "URLs listed in a sitemap but not fetched."),
    "not_in_sitemap": ("Not in a sitemap", "Indexed pages that are not in any sitemap."),
}
_PROBLEMS = frozenset(("broken_links", "failed", "missing_titles"))
_URLS = frozenset(("url", "page", "original", "found_on", "chain", "urls"))


@dataclass(slots=True, frozen=True)
class Cell:
    """One value of a row, as links if it consists of URLs."""

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
class ShareBar:
    """One row of a bar chart; `tone` is the state that gives its colour."""

    name: str
    number: int
    width: int
    tone: str


def view_finding(kind: str, finding: Finding, csv_url: str) -> FindingView:
    """Return one kind of finding for its page."""
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


def view_shares(counts: Mapping[str, int], what: str) -> list[ShareBar]:
    """Return counts as bars relative to the largest; `what` is state, status or type."""
    most = max(counts.values(), default=1)
    return [
        ShareBar(clean_line(name, 60), number, max(round(_BAR_WIDTH * number / most), 4),
            _tone_of(name, what))
        for name, number in counts.items()
    ]  # fmt: skip


def _tone_of(name: str, what: str) -> str:
    if what == "state":
        return name if name in set(State) else "waiting"
    if what == "status":
        return {"2": "done", "3": "skipped"}.get(name[:1], "failed")
    return "leased"
