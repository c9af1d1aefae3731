"""When a feed wants to be polled: `ttl`, `skipHours`, `skipDays` and the syndication module."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from telusur.extract.feed.records import PollingHints

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PERIOD_MINUTES = {
    "hourly": 60, "daily": 1440, "weekly": 10_080, "monthly": 43_200, "yearly": 525_600,
}  # fmt: skip
LONGEST_MINUTES = 525_600
MOST_HUBS = 5
# What tells about polling stands before the entries.
_HEAD_BYTES = 65_536
_SKIPPED = re.compile(rb"<skip(hours|days)\b[^>]{0,200}>([^\0]{0,4000}?)</skip\1", re.IGNORECASE)
_ITEM = re.compile(rb"<(?:hour|day)\b[^>]{0,200}>\s{0,40}(\w{1,20})", re.IGNORECASE)


def read_hints(about: Mapping[str, Any], body: bytes) -> PollingHints:
    """Return what a feed says about polling; nonsense is ignored."""
    skipped = {name: set(values) for name, values in _skipped(body[:_HEAD_BYTES])}
    return PollingHints(
        ttl_minutes=_ttl(str(about.get("ttl", ""))) or _period(about),
        skip_hours=_most(skipped.get(b"hours", set()), 24),
        skip_days=_most(skipped.get(b"days", set()), 7),
        hubs=[
            link["href"] for link in about.get("links", ())
            if link.get("rel") == "hub" and link.get("href")
        ][:MOST_HUBS],
    )  # fmt: skip


def _skipped(head: bytes) -> Iterator[tuple[bytes, Iterator[int]]]:
    # A parser keeps only the last of several hours or days.
    for found in _SKIPPED.finditer(head):
        name = found[1].lower()
        read = _hour if name == b"hours" else _day
        items = (read(item.decode("latin-1")) for item in _ITEM.findall(found[2]))
        yield name, (item for item in items if item is not None)


def _most(values: set[int], all_of_them: int) -> frozenset[int]:
    """Return hours or days; a feed that skips all of them means none."""
    return frozenset(values) if len(values) < all_of_them else frozenset()


def _hour(text: str) -> int | None:
    # Older versions of RSS count from 1 to 24.
    return int(text) % 24 if text.isascii() and text.isdecimal() and int(text) <= 24 else None


def _day(text: str) -> int | None:
    return DAYS.index(text.lower()) if text.lower() in DAYS else None


def _ttl(text: str) -> float | None:
    with suppress(ValueError):
        minutes = float(text)
        return minutes if 0 < minutes <= LONGEST_MINUTES else None
    return None


def _period(about: Mapping[str, Any]) -> float | None:
    """Return the minutes between two updates by the syndication module."""
    minutes = PERIOD_MINUTES.get(str(about.get("sy_updateperiod", "")).strip().lower())
    times = _ttl(str(about.get("sy_updatefrequency", "1"))) or 1.0
    return None if minutes is None else max(1.0, minutes / times)
