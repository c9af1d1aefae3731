"""The limits of a crawl that may be changed while it runs."""

from collections.abc import Mapping
from typing import Any

from telusur.errors import UsageError
from telusur.settings import CrawlSettings
from telusur.settings.reading import settings_of
from telusur.settings.row import Setting

# Names of settings; None removes a limit, and a delay of None restores the default.
CHANGEABLE = ("pages", "depth", "seconds", "total_bytes", "scope", "delay")

ROWS: dict[str, Setting] = {
    row.name: row for row in settings_of(CrawlSettings) if row.name in CHANGEABLE
}

Limits = dict[str, float | int | str | None]


def limits_of(settings: CrawlSettings) -> Limits:
    """Return the limits a crawl starts with."""
    return {name: getattr(settings, name) for name in CHANGEABLE}


def describe_limits(limits: Limits) -> str:
    """Return limits in words: `pages 100, delay default`."""
    shown = [(name, _in_words(name, value)) for name, value in limits.items()]
    return ", ".join(f"{name.replace('_', ' ')} {words}" for name, words in shown)


def _in_words(name: str, value: float | int | str | None) -> str:
    if value is None:
        return "default" if name == "delay" else "unlimited"
    if isinstance(value, str):
        return value
    return f"{int(value) if value == int(value) else value:,}"


def read_limits(given: Mapping[str, Any]) -> Limits:
    """Return the requested changes, or raise one clear sentence."""
    unknown = sorted(set(given) - set(CHANGEABLE))
    if unknown:
        known = ", ".join(CHANGEABLE)
        raise UsageError(f"{unknown[0]} cannot be changed while a crawl runs; {known} can.")
    if not given:
        raise UsageError("There is nothing to change; name at least one limit.")
    if "scope" in given and given["scope"] is None:
        raise UsageError("--scope: it cannot be removed; use `any` to follow all links.")
    wanted = [name for name in CHANGEABLE if name in given]
    return {name: ROWS[name].parse(given[name], ROWS[name].flag) for name in wanted}
