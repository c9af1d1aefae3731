"""What an audit of a site finds: a table for each kind of finding, its rows as records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class BrokenLink(NamedTuple):
    """A link of the site to something that could not be had."""

    page: str
    url: str
    anchor: str
    reason: str


class FailedPage(NamedTuple):
    """A URL of the site that could not be had, and where it was found."""

    url: str
    reason: str
    status: int | None
    found_on: str


class Redirect(NamedTuple):
    """A URL that leads elsewhere, all the way to where that ends."""

    url: str
    status: int
    chain: tuple[str, ...]
    ends: str


class SlowPage(NamedTuple):
    """A page that took long to answer."""

    url: str
    seconds: float
    size_bytes: int


class Copy(NamedTuple):
    """A page that says what another one says."""

    url: str
    original: str
    how: str


class Untold(NamedTuple):
    """A page without a title, or without a description."""

    url: str
    title: str


class SharedText(NamedTuple):
    """A title or description that several pages have; the first of them are named."""

    text: str
    pages: int
    urls: tuple[str, ...]


class Excluded(NamedTuple):
    """A URL that robots.txt forbids, and the line that does."""

    url: str
    rule: str


class Gap(NamedTuple):
    """A URL that is in a sitemap and was not fetched, or the other way round."""

    url: str
    state: str


COLUMNS: dict[str, type[Any]] = {
    "broken_links": BrokenLink,
    "failed": FailedPage,
    "redirects": Redirect,
    "slow": SlowPage,
    "duplicates": Copy,
    "missing_titles": Untold,
    "duplicate_titles": SharedText,
    "missing_descriptions": Untold,
    "duplicate_descriptions": SharedText,
    "robots": Excluded,
    "only_in_sitemap": Gap,
    "not_in_sitemap": Gap,
}
"""The kinds of findings in the order they are told, and what a row of each is."""


@dataclass(slots=True, frozen=True)
class Finding:
    """How many of a kind there are, and the first of them."""

    total: int = 0
    rows: tuple[Any, ...] = ()
    note: str = ""
    """Why this could not be looked at, or what it does not cover."""


@dataclass(slots=True, frozen=True)
class HostRules:
    """A host of the site, and the robots.txt it gave."""

    host: str
    robots_status: int | None
    robots_at: float | None
    robots: str
    sitemaps: tuple[str, ...]


@dataclass(slots=True, frozen=True)
class SitemapFile:
    """A sitemap, how many URLs it names, and what became of it; `urls` is None if none was read."""

    url: str
    urls: int | None
    state: str = ""
    """State and reason; empty for one that robots.txt names and no crawl asked for."""


@dataclass(slots=True, frozen=True)
class SiteAudit:
    """The health of a site, or of all sites when `site` is empty."""

    site: str
    hosts: tuple[HostRules, ...] = ()
    host_count: int = 0
    states: Mapping[str, int] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    types: Mapping[str, int] = field(default_factory=dict)
    skipped: Mapping[str, int] = field(default_factory=dict)
    documents: int = 0
    indexed: int = 0
    median_seconds: float = 0.0
    sitemaps: tuple[SitemapFile, ...] = ()
    findings: Mapping[str, Finding] = field(default_factory=dict)
    listed: int = 0
    """URLs that sitemaps name."""
    listed_fetched: int = 0
    """Those of them that were fetched."""
