"""Stored settings of an earlier crawl: checked, and without secrets.

A collection may come from a stranger, and the workbench shows it to its readers. So invalid values
and possible secrets are left out.
"""

from dataclasses import fields, replace
from typing import Any

from telusur.crawl.secrets import without_secrets
from telusur.errors import UsageError
from telusur.settings import CrawlSettings, HostSettings
from telusur.settings.reading import settings_of
from telusur.settings.row import Setting
from telusur.store.records import CrawlRecord


def tidy_run(run: CrawlRecord) -> CrawlRecord:
    """Return a crawl with start URLs and settings that are safe to show."""
    urls = tuple(url for url in run.start_urls if isinstance(url, str))
    return replace(run, start_urls=urls, settings=read_stored(run.settings))


def read_stored(settings: Any) -> dict[str, Any]:
    """Return the valid settings by name; credentials are left out."""
    shown = without_secrets(settings)
    known = _read_table(CrawlSettings, shown)
    if "host" in shown:
        tables = shown["host"].items()
        known["host"] = {name: _read_table(HostSettings, table) for name, table in tables}
    return known


def _read_table(table: type, settings: dict[str, Any]) -> dict[str, Any]:
    rows = {row.name: row for row in settings_of(table)}
    known = {}
    for each in fields(table):
        value = settings.get(each.name)
        if each.name in rows and value is not None:
            try:
                known[each.name] = _parse(rows[each.name], value)
            except UsageError:
                continue
    return known


def _parse(row: Setting, value: Any) -> Any:
    texts = value if row.many and isinstance(value, list | tuple) else [value]
    if row.kind is str and not all(isinstance(text, str) for text in texts):
        raise UsageError(f"{row.name}: this is not text.")
    return row.parse(texts if row.many else value, row.name)
