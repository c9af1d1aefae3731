"""The form of a new crawl: its fields from the one table of settings, and what is wrong in them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from telusur.crawl.strategies import STRATEGIES, describe_strategy
from telusur.crawl.urls import guess_url, host_of, parse_url
from telusur.errors import TelusurError, UsageError
from telusur.settings import CrawlSettings, Setting, settings_of
from telusur.web.crawls import Crawls
from telusur.web.text import clean_line

MOST_URLS = 50_000
_ROWS = {row.name: row for row in settings_of(CrawlSettings)}
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_FLAG = re.compile(r"--([a-z-]+)")
URLS, NAME, WHOLE = "urls", "name", ""
"""Fields that are no settings; WHOLE is the form itself."""


@dataclass(slots=True, frozen=True)
class FormField:
    """One setting in the form: how it is called there, and what its choices mean."""

    name: str
    label: str
    group: str
    choices: Mapping[str, str] | None = None
    unit: str = ""
    empty: str = ""
    """What an empty field means."""

    @property
    def row(self) -> Setting:
        """Return the row of the table of settings."""
        return _ROWS[self.name]


SCOPES = {
    "site": "The site of each start URL, with all its hosts",
    "host": "Only the host of each start URL",
    "prefix": "Only what lies below each start URL",
    "any": "All links, wherever they lead",
}
_RENDER = {
    "auto": "Where a page is empty without JavaScript",
    "never": "Never; the quickest",
    "always": "Every page; slow, and sees all",
}
_CONTENT = {
    "article": "The main content of a page",
    "text": "All of its visible text",
}
_FAIR = {
    "equal": "The same number of pages from each site",
    "none": "As many as politeness allows",
}
_SITEMAPS = {
    "auto": "Those that robots.txt names, unless there is a depth",
    "never": "None",
    "always": "These, or /sitemap.xml where it names none",
}
LIMITS, WHERE, ORDER, MANNERS, MORE = "limits", "where", "order", "manners", "more"

FORM = (
    FormField("scope", "Links to follow", WHERE, SCOPES),
    FormField("pages", "Pages", LIMITS, empty="any number"),
    FormField("depth", "Depth", LIMITS, unit="links from a start URL", empty="any depth"),
    FormField("seconds", "Time", LIMITS, unit="seconds", empty="until nothing is left"),
    FormField("strategy", "Which link next", ORDER, {}),
    FormField("topic", "Topic", ORDER),
    FormField("delay", "Delay", MANNERS, unit="seconds", empty="1, more for slow servers"),
    FormField("per_host", "At once to a host", MANNERS, unit="requests"),
    FormField("render", "Load pages in a browser", MANNERS, _RENDER),
    FormField("sitemaps", "Sitemaps", MORE, _SITEMAPS),
    FormField("include", "Only URLs that match", MORE),
    FormField("exclude", "No URLs that match", MORE),
    FormField("content", "Keep", MORE, _CONTENT),
    FormField("fair", "Between sites", MORE, _FAIR),
    FormField("user_agent", "User agent", MORE),
    FormField("allow_private", "Private addresses", MORE),
)


def choices_of(field: FormField) -> dict[str, str]:
    """Return the values of a field with what they mean; none where anything may be typed."""
    if field.name == "strategy":
        known = {name: describe_strategy(name) for name in STRATEGIES}
        return known if field.row.default else {"": "The one that fits best", **known}
    return dict(field.choices or {})


@dataclass(slots=True, frozen=True)
class Wish:
    """What a form asks for, and a sentence for each field that makes no sense."""

    name: str
    urls: tuple[str, ...]
    settings: CrawlSettings
    problems: dict[str, str]
    given: dict[str, str]

    @property
    def is_valid(self) -> bool:
        """Tell whether the crawl can be started."""
        return not self.problems


def read_wish(given: Mapping[str, str], crawls: Crawls) -> Wish:
    """Read a form, or raise nothing: what is wrong is told at its field."""
    problems: dict[str, str] = {}
    listed = _read_urls(given.get(URLS, ""), problems)
    settings = _read_settings(given, crawls.usual, problems)
    name = _read_name(given.get(NAME, ""), listed, crawls, problems)
    if not problems:
        _check(name, listed, settings, crawls, problems)
    return Wish(name, listed, settings, problems, dict(given))


def _read_urls(text: str, problems: dict[str, str]) -> tuple[str, ...]:
    lines = [line.strip() for line in text.splitlines()]
    words = [word for line in lines if not line.startswith("#") for word in line.split()]
    if len(words) > MOST_URLS:
        problems[URLS] = f"These are {len(words):,} URLs; the most is {MOST_URLS:,}."
        return ()
    wrong = [word for word in words if not (parse_url(word) or guess_url(word))]
    if wrong:
        named = ", ".join(repr(clean_line(word, 60)) for word in wrong[:3])
        more = f" and {len(wrong) - 3:,} more" if len(wrong) > 3 else ""
        verb = "is not a web address" if len(wrong) == 1 else "are not web addresses"
        problems[URLS] = f"{named}{more} {verb}; one looks like https://example.org/."
    return tuple(dict.fromkeys(words))


def _read_settings(
    given: Mapping[str, str], usual: CrawlSettings, problems: dict[str, str]
) -> CrawlSettings:
    values: dict[str, Any] = {}
    for field in FORM:
        row, text = field.row, given.get(field.name, "").strip()
        if row.kind is bool:
            values[field.name] = bool(text)
        elif text:
            try:
                value = text.splitlines() if row.many else text
                values[field.name] = row.parse(value, field.label)
            except UsageError as error:
                problems[field.name] = str(error)
    return replace(usual, **values)


def _read_name(text: str, listed: tuple[str, ...], crawls: Crawls, problems: dict[str, str]) -> str:
    if crawls.holds_one:
        return crawls.names()[0]
    name = text.strip() or suggest_name(listed)
    if not name:
        problems.setdefault(URLS, "Name at least one start URL.")
        return ""
    try:
        crawls.place_of(name)
    except TelusurError as error:
        problems[NAME] = str(error)
    return name


def suggest_name(listed: tuple[str, ...]) -> str:
    """Return a name for a collection that begins at these URLs."""
    url = next((parse_url(word) or guess_url(word) for word in listed), None)
    host = host_of(url).partition("://")[2] if url else ""
    return _NOT_IN_NAMES.sub("-", host.removeprefix("www.")).strip("-.")[:64]


def _check(
    name: str,
    listed: tuple[str, ...],
    settings: CrawlSettings,
    crawls: Crawls,
    problems: dict[str, str],
) -> None:
    """Ask the crawl itself; it names the flag that it does not like."""
    exists = name in crawls.names()
    if exists and crawls.open(name).is_crawling():
        problems[NAME] = f"A crawl of {name} is running; stop it first, or choose another name."
    if not listed and not (exists and crawls.open(name).counts().found):
        problems[URLS] = "Name at least one start URL."
    try:
        crawls.check(listed, settings)
    except TelusurError as error:
        flag = _FLAG.search(str(error))
        field = flag[1].replace("-", "_") if flag else URLS
        known = {each.name for each in FORM}
        problems[field if field in known else WHOLE] = str(error)


def fill_from(urls: tuple[str, ...], settings: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return the form as it was for a crawl, to start one like it."""
    given = {URLS: "\n".join(urls), NAME: name}
    usual = CrawlSettings()
    known = {each.name for each in fields(CrawlSettings)}
    for field in FORM:
        value = settings.get(field.name)
        # The version in the name is put there when a crawl starts.
        if field.name not in known or value is None or field.name == "user_agent":
            continue
        if field.row.kind is bool:
            given[field.name] = "on" if value else ""
        elif value != getattr(usual, field.name) or field.choices is not None:
            given[field.name] = "\n".join(value) if field.row.many else _plain(value)
    return given


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)
