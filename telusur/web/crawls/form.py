"""The form of a new crawl: its fields, from the one table of settings, and their errors."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from telusur.crawl.strategies.by_name import STRATEGIES, describe_strategy
from telusur.crawl.urls.identity import complete_url, host_of
from telusur.errors import TelusurError, UsageError
from telusur.pipeline.plan.strategy_source import is_installed
from telusur.settings import CrawlSettings
from telusur.settings.reading import settings_of
from telusur.settings.row import Setting
from telusur.web.crawls.contract import Crawls
from telusur.web.crawls.failed_starts import warn_of_private
from telusur.web.frame.text import clean_line

MOST_URLS = 50_000
_ROWS = {row.name: row for row in settings_of(CrawlSettings)}
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_FLAG = re.compile(r"--([a-z-]+)")
# A flag with the colon after it, or with the placeholder of its value.
_FLAG_AND_VALUE = re.compile(r"--(?P<name>[a-z][a-z-]*)(?:(?P<colon>:)| [A-Z]{2,}\b)?")
# Fields that are not settings; WHOLE is the form itself.
URLS, NAME, WHOLE = "urls", "name", ""


@dataclass(slots=True, frozen=True)
class FormField:
    """One setting in the form: its label, and what its choices mean."""

    name: str
    label: str
    group: str
    choices: Mapping[str, str] | None = None
    unit: str = ""
    # What an empty field means.
    empty: str = ""

    @property
    def row(self) -> Setting:
        """Return the row of the table of settings."""
        return _ROWS[self.name]


SCOPES = {
    "site": "The whole site of each start URL, with all its hosts",
    "host": "Only the host of each start URL",
    "prefix": "Only pages below each start URL",
    "any": "All links, wherever they lead",
}
_RENDER = {
    "auto": "Only pages that are empty without JavaScript",
    "never": "No pages; fastest",
    "always": "Every page; slow, but sees everything",
}
_CONTENT = {
    "article": "The main content of a page",
    "text": "All visible text of a page",
}
_FAIR = {
    "equal": "An equal share of pages per site",
    "none": "No shares; as fast as politeness allows",
}
_SITEMAPS = {
    "auto": "Those named in robots.txt, unless there is a depth limit",
    "never": "None",
    "always": "Those named in robots.txt, otherwise /sitemap.xml",
}
LIMITS, WHERE, ORDER, MANNERS, MORE = "limits", "where", "order", "manners", "more"

FORM = (
    FormField("scope", "Follow links to", WHERE, SCOPES),
    FormField("pages", "Pages", LIMITS, empty="no limit"),
    FormField("depth", "Depth", LIMITS, unit="links from a start URL", empty="no limit"),
    FormField("seconds", "Time", LIMITS, unit="seconds", empty="no limit"),
    FormField("strategy", "Strategy", ORDER, {}),
    FormField("topic", "Topic", ORDER),
    FormField("delay", "Delay", MANNERS, unit="seconds", empty="1, longer for slow servers"),
    FormField("per_host", "Parallel requests per host", MANNERS),
    FormField("render", "Load pages in a browser", MANNERS, _RENDER),
    FormField("sitemaps", "Sitemaps", MORE, _SITEMAPS),
    FormField("include", "Include only URLs matching", MORE),
    FormField("exclude", "Exclude URLs matching", MORE),
    FormField("content", "Index", MORE, _CONTENT),
    FormField("fair", "Fairness between sites", MORE, _FAIR),
    FormField("user_agent", "User agent", MORE),
    FormField("allow_private", "Private addresses", MORE),
)
LABELS = {field.name: field.label for field in FORM} | {"total_bytes": "Bytes"}


def choices_of(field: FormField) -> dict[str, str]:
    """Return the values of a field and their meanings; empty if any text is allowed."""
    if field.name == "strategy":
        known = {name: describe_strategy(name) for name in STRATEGIES}
        return (
            known
            if field.row.default
            else {"": "Breadth-first, or focused when there is a topic", **known}
        )
    return dict(field.choices or {})


@dataclass(slots=True, frozen=True)
class CrawlWish:
    """The crawl that a form asks for, and a sentence for each wrong field."""

    name: str
    urls: tuple[str, ...]
    settings: CrawlSettings
    problems: dict[str, str]
    given: dict[str, str]
    # A likely mistake, though the crawl can be started.
    warning: str = ""

    @property
    def is_valid(self) -> bool:
        """Tell whether the crawl can be started."""
        return not self.problems


def read_wish(given: Mapping[str, str], crawls: Crawls) -> CrawlWish:
    """Read a form; errors are reported at their fields and never raised.

    Nothing is looked up or started, so anybody may request it.
    """
    problems: dict[str, str] = {}
    listed = _read_urls(given.get(URLS, ""), problems)
    settings = _read_settings(given, crawls.usual, problems)
    name = _read_name(given.get(NAME, ""), listed, crawls, problems)
    warning = "" if URLS in problems else warn_of_private(listed, settings)
    return CrawlWish(name, listed, settings, problems, dict(given), warning)


def check_wish(wish: CrawlWish, crawls: Crawls) -> CrawlWish:
    """Check a form against the crawl itself; only for visitors who may start one."""
    problems = dict(wish.problems)
    if not problems:
        _check(wish.name, wish.urls, wish.settings, crawls, problems)
    return replace(wish, problems=problems)


def _read_urls(text: str, problems: dict[str, str]) -> tuple[str, ...]:
    lines = [line.strip() for line in text.splitlines()]
    words = [word for line in lines if not line.startswith("#") for word in line.split()]
    if len(words) > MOST_URLS:
        problems[URLS] = f"{len(words):,} URLs are too many; the maximum is {MOST_URLS:,}."
        return ()
    wrong = [word for word in words if not complete_url(word)]
    if wrong:
        named = ", ".join(repr(clean_line(word, 60)) for word in wrong[:3])
        more = f" and {len(wrong) - 3:,} more" if len(wrong) > 3 else ""
        verb = "is not a web address" if len(wrong) == 1 else "are not web addresses"
        problems[URLS] = f"{named}{more} {verb}; write them like https://example.org/."
    return tuple(dict.fromkeys(words))


def _read_settings(
    given: Mapping[str, str], usual: CrawlSettings, problems: dict[str, str]
) -> CrawlSettings:
    values: dict[str, Any] = {}
    for field in FORM:
        row, text = field.row, given.get(field.name, "").strip()
        if row.kind is bool:
            values[field.name] = bool(text)
        elif text and field.name == "strategy" and not is_installed(text):
            # A strategy file runs with our rights: only the person who started the server may name
            # one.
            known = ", ".join(STRATEGIES)
            problems[field.name] = (
                f"There is no strategy {clean_line(text, 60)!r}; choose one of {known}."
            )
        elif text:
            try:
                value = text.splitlines() if row.many else text
                values[field.name] = row.parse(value, field.label)
            except UsageError as error:
                problems[field.name] = name_fields(str(error))
    return replace(usual, **values)


def _read_name(text: str, listed: tuple[str, ...], crawls: Crawls, problems: dict[str, str]) -> str:
    if crawls.holds_one:
        return crawls.names()[0]
    name = text.strip() or suggest_name(listed)
    if not name:
        problems.setdefault(URLS, "Enter at least one start URL.")
        return ""
    try:
        crawls.place_of(name)
    except TelusurError as error:
        problems[NAME] = str(error)
    return name


def suggest_name(listed: tuple[str, ...]) -> str:
    """Suggest a name for a collection with these start URLs."""
    url = next((complete_url(word) for word in listed), None)
    host = host_of(url).partition("://")[2] if url else ""
    return _NOT_IN_NAMES.sub("-", host.removeprefix("www.")).strip("-.")[:64]


def _check(
    name: str,
    listed: tuple[str, ...],
    settings: CrawlSettings,
    crawls: Crawls,
    problems: dict[str, str],
) -> None:
    """Let the crawl check its settings; its error names the flag."""
    exists = name in crawls.names()
    if exists and crawls.open(name).is_crawling():
        problems[NAME] = f"A crawl of {name} is running; stop it first, or choose another name."
    if not listed and not (exists and crawls.open(name).counts().found):
        problems[URLS] = "Enter at least one start URL."
    try:
        crawls.check(listed, settings)
    except TelusurError as error:
        flag = _FLAG.search(str(error))
        field = flag[1].replace("-", "_") if flag else URLS
        known = {each.name for each in FORM}
        problems[field if field in known else WHOLE] = name_fields(str(error))


def name_fields(sentence: str) -> str:
    """Replace flags in a sentence by the labels of the form, where nobody typed a flag."""

    def name_one(flag: re.Match[str]) -> str:
        label = LABELS.get(flag["name"].replace("-", "_"))
        if label is None:
            return flag[0]
        return f"{label}:" if flag["colon"] else f"\u201c{label}\u201d"

    return _FLAG_AND_VALUE.sub(name_one, sentence)


def fill_from(urls: tuple[str, ...], settings: Mapping[str, Any], name: str) -> dict[str, str]:
    """Return the form as it was filled in for a crawl, to start one like it."""
    given = {URLS: "\n".join(urls), NAME: name}
    usual = CrawlSettings()
    known = {each.name for each in fields(CrawlSettings)}
    for field in FORM:
        value = settings.get(field.name)
        if field.name == "strategy" and not (value and is_installed(str(value))):
            continue
        # The version in the user agent is filled in when a crawl starts.
        if field.name not in known or value is None or field.name == "user_agent":
            continue
        if field.row.kind is bool:
            given[field.name] = "on" if value else ""
        elif value != getattr(usual, field.name) or field.choices is not None:
            given[field.name] = "\n".join(value) if field.row.many else _plain(value)
    return given


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) and value == int(value) else str(value)
