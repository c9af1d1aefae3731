"""The records of an audit: one table for each kind of finding."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

# A page that takes longer than this to answer is slow.
SLOW_SECONDS = 1.0


class BrokenLink(NamedTuple):
    """A link of the site to a page that failed."""

    page: str
    url: str
    anchor: str
    reason: str


class FailedPage(NamedTuple):
    """A URL of the site that failed, and the page that links to it."""

    url: str
    reason: str
    status: int | None
    found_on: str


class Redirect(NamedTuple):
    """A URL that redirects, with its redirect chain."""

    url: str
    status: int
    chain: tuple[str, ...]
    ends: str


class SlowPage(NamedTuple):
    """A page with a slow response."""

    url: str
    seconds: float
    size_bytes: int


class Copy(NamedTuple):
    """A page with the content of another one."""

    url: str
    original: str
    how: str


class Untold(NamedTuple):
    """A page without a title, or without a description."""

    url: str
    title: str


class SharedText(NamedTuple):
    """A title or description shared by several pages; the first of them are listed."""

    text: str
    pages: int
    urls: tuple[str, ...]


class Excluded(NamedTuple):
    """A URL that robots.txt disallows, and the rule."""

    url: str
    rule: str


class Gap(NamedTuple):
    """A URL that is in a sitemap and was not fetched, or the reverse."""

    url: str
    state: str


# The kinds of findings in display order, with the record of each.
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


@dataclass(slots=True, frozen=True)
class Finding:
    """The number of findings of one kind, and the first of them."""

    total: int = 0
    rows: tuple[Any, ...] = ()
    # Why this was not checked, or what the check leaves out.
    note: str = ""


@dataclass(slots=True, frozen=True)
class HostRules:
    """A host of the site, and its robots.txt."""

    host: str
    robots_status: int | None
    robots_at: float | None
    robots: str
    sitemaps: tuple[str, ...]


@dataclass(slots=True, frozen=True)
class SitemapFile:
    """A sitemap, its number of URLs, and its state; `urls` is None if it was not read."""

    url: str
    urls: int | None
    # State and reason; empty for a sitemap that robots.txt names and no crawl fetched.
    state: str = ""


@dataclass(slots=True, frozen=True)
class SiteAudit:
    """The audit of a site, or of all sites if `site` is empty."""

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
    # URLs in sitemaps.
    listed: int = 0
    # URLs in sitemaps that were fetched.
    listed_fetched: int = 0
