"""The town calendar: real events in 2026, and a page for every month and day without end."""

from calendar import monthrange
from datetime import date, timedelta
from functools import cache
from typing import Any

from telusur.demo.content import read_table, slugify
from telusur.demo.markup import to_plain
from telusur.demo.records import SiteEntry, Truth
from telusur.demo.site import Site
from telusur.demo.sites.furniture import furnish

_FIRST = date(2026, 1, 1)
_ROBOTS = """User-agent: *
Crawl-delay: 0.02
Disallow: /book
"""


def build(site: Site) -> None:
    """Put the events of the year into the calendar; months and days are made when asked for."""
    furnish(site, "No such day", "There is no such day in our calendar.", _ROBOTS)
    events = read_table("calendar")["events"]
    for event in events:
        _show_event(site, event)
    site.show(
        site.truth("/", kind="home", title="Town calendar"),
        "calendar/home.html",
        events=events,
        event_path=_event_path,
    )
    for month in range(1, 13):
        first = _FIRST.replace(month=month)
        path = f"/calendar/2026/{month:02}"
        site.put(
            path,
            _month(
                site,
                first,
                site.truth(path, kind="list", title=f"{first:%B %Y}", shows=("endless",)),
            ),
        )
    site.rule("/calendar/", lambda path, query: _answer(site, path))


def _event_path(event: dict[str, Any]) -> str:
    return f"/event/{slugify(event['title'])}"


def _show_event(site: Site, event: dict[str, Any]) -> None:
    truth = site.truth(
        _event_path(event),
        kind="event",
        title=event["title"],
        date=event["date"],
        topic="events",
        text=to_plain(event["text"]),
    )
    site.show(
        truth,
        "calendar/event.html",
        body=site.html(event["text"]),
        event=event,
        month=f"/calendar/{event['date'][:4]}/{event['date'][5:7]}",
    )


def _answer(site: Site, path: str) -> SiteEntry | None:
    """Return the page of a month or a day, if the path names one."""
    if site.entries.get(path):
        return None
    try:
        numbers = [int(part) for part in path.removeprefix("/calendar/").rstrip("/").split("/")]
        day = date(*[*numbers, 1][:3]) if len(numbers) in (2, 3) else None
    except (ValueError, OverflowError):
        return None
    if day is None:
        return None
    return _month(site, day) if len(numbers) == 2 else _day(site, day)


def _month(site: Site, first: date, truth: Truth | None = None) -> SiteEntry:
    days = [
        first.replace(day=number + 1) for number in range(monthrange(first.year, first.month)[1])
    ]
    around = {"before": _step(first, -1), "after": _step(days[-1], 1)}
    title = f"{first:%B} {first.year}"
    context = {"title": title, "first": first, "days": days, "blanks": first.weekday()}
    return _entry(site, "month", truth, **around, **context)


def _day(site: Site, day: date) -> SiteEntry:
    title = f"{day:%A} {day.day} {day:%B} {day.year}"
    around = {"before": _step(day, -1), "after": _step(day, 1)}
    return _entry(site, "day", None, title=title, day=day, **around)


def _entry(site: Site, template: str, truth: Truth | None, **context: Any) -> SiteEntry:
    context |= {"event_path": _event_path, "events": _events_by_day()}
    html = site.render(f"calendar/{template}.html", **context)
    return SiteEntry(html.encode(), truth=truth)


@cache
def _events_by_day() -> dict[str, dict[str, Any]]:
    return {event["date"]: event for event in read_table("calendar")["events"]}


def _step(day: date, days: int) -> date:
    """Return a day some days later, clamped to the first and last possible date."""
    try:
        return day + timedelta(days)
    except OverflowError:
        return day
