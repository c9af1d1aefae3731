"""The one table of settings: name, type, default, one line of help.

Command-line flags, environment variables, `.env`, `telusur.toml`, the documentation page and
validation are all made from the fields below; a setting exists nowhere else.
"""

import math
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar

from telusur.errors import UsageError

T = TypeVar("T")
TOML_FILE = "telusur.toml"


def setting(default: Any, help: str, **more: Any) -> Any:
    """Declare one row: its default, its line of help, and limits (see `Setting`)."""
    return field(default=default, metadata={"help": help, **more})


@dataclass(frozen=True, kw_only=True)
class CrawlSettings:
    """What one crawl does."""

    urls_from: str | None = setting(
        None,
        "Read more start URLs from this file, one a line; - is standard input.",
        metavar="FILE",
    )
    pages: int | None = setting(
        None, "Stop after this many pages, counted over restarts.", minimum=1
    )
    depth: int | None = setting(None, "Follow links at most this far from a start URL.", minimum=0)
    seconds: float | None = setting(
        None,
        "Stop after this long, losing nothing.",
        minimum=0.001,
        historic_env="CRAWLER_DURATION_SECONDS",
    )
    total_bytes: int | None = setting(
        None, "Stop after fetching about this many bytes, losing nothing.", minimum=1
    )
    strategy: str | None = setting(
        None,
        "Which link is fetched next: a name, or a Python file of your own;"
        " without it breadth-first, or with a topic the best that goes by it.",
        metavar="NAME",
    )
    topic: str = setting("", "Words that say what the crawl is about.", metavar="WORDS")
    replay: str | None = setting(
        None,
        "Answer from the archive of this collection instead of the network.",
        metavar="DIR",
    )
    like: tuple[str, ...] = setting(
        (),
        "A page about the topic, file or URL, instead of words; may be repeated.",
        metavar="PAGE",
    )
    labels: str | None = setting(
        None,
        "Learn from this file what you call a `good URL` or a `bad URL`, one a line.",
        metavar="FILE",
    )
    relevant: float = setting(
        0.5, "From this topic score on, 0 to 1, a page counts as relevant.", minimum=0
    )
    relevant_share: float | None = setting(
        None,
        "Instead, count this share of the pages seen so far, those with the best topic scores;"
        " 0.1 is the best tenth.",
        minimum=0.001,
    )
    tune: tuple[str, ...] = setting(
        (), "Set a parameter of the strategy; may be repeated.", metavar="NAME=NUMBER", pairs=True
    )
    seed: int = setting(0, "Where a strategy that draws lots begins; the same gives the same.")
    most_share: float = setting(
        0.5,
        "With a strategy that goes by scores, the largest share of the pages that one site may have"
        " while others wait.",
        minimum=0.001,
    )
    scope: str = setting(
        "site", "Which links may be followed at all.", choices=("site", "host", "prefix", "any")
    )
    include: tuple[str, ...] = setting(
        (),
        "Fetch only URLs that match this regular expression; may be repeated.",
        metavar="PATTERN",
    )
    exclude: tuple[str, ...] = setting(
        (),
        "Never fetch URLs that match this regular expression; may be repeated.",
        metavar="PATTERN",
    )
    content_type: tuple[str, ...] = setting(
        (),
        "Keep only answers of this type; may be repeated.",
        choices=("text/html", "application/xhtml+xml", "text/plain"),
    )
    skip_extension: tuple[str, ...] = setting(
        (), "Do not follow links that end like this, php; may be repeated.", metavar="EXT"
    )
    follow_extension: tuple[str, ...] = setting(
        (),
        "Follow links that end like this, though such are usually skipped; may be repeated.",
        metavar="EXT",
    )
    sitemaps: str = setting(
        "auto",
        "Read sitemaps: never; those that robots.txt names, unless there is a --depth (auto); or "
        "these in any case, and /sitemap.xml of start hosts whose robots.txt names none (always).",
        choices=("never", "auto", "always"),
    )
    delay: float | None = setting(
        None,
        "Seconds between two requests to a host; without it 1, more for slow servers.",
        minimum=0,
        metavar="SECONDS",
    )
    per_host: int = setting(1, "Requests in flight to one host at once.", minimum=1)
    per_address: int | None = setting(
        None,
        "Requests in flight to hosts of one address; without it 8, any with --allow-private.",
        minimum=1,
    )
    fair: str = setting(
        "equal",
        "Share pages equally between sites, or go as fast as politeness allows.",
        choices=("equal", "none"),
    )
    weight: tuple[str, ...] = setting(
        (),
        "With --fair equal, give this site so many times the pages of others; may be repeated.",
        metavar="SITE=NUMBER",
        pairs=True,
    )
    budget: tuple[str, ...] = setting(
        (),
        "Fetch at most so many pages of a site, a host or below a URL; may be repeated.",
        metavar="WHAT=PAGES",
        pairs=True,
    )
    most_waiting: int | None = setting(
        None, "Let at most so many URLs wait; the worst are skipped: frontier full.", minimum=1
    )
    near_duplicates: bool = setting(
        True, "Also index pages that say nearly the same as another with the same title."
    )
    traps: bool = setting(True, "Also follow links to pages of a kind that brings nothing new.")
    allow_private: bool = setting(False, "Also fetch from private and loopback addresses.")
    allow_address: tuple[str, ...] = setting(
        (),
        "Also fetch from this one private address and port, 127.0.0.1:8000; may be repeated.",
        metavar="ADDRESS:PORT",
    )
    content: str = setting(
        "article",
        "Keep the main content of a page, or all of its visible text.",
        choices=("article", "text"),
    )
    model: str | None = setting(
        None, "Find the content with a model of `telusur train`.", metavar="FILE"
    )
    hooks: str | None = setting(
        None, "Let this Python file choose links and pull data out of pages.", metavar="FILE"
    )
    index: bool = setting(True, "Do not index while crawling.")
    vectors: str = setting(
        "auto",
        "Make vectors for search by meaning while crawling: never, if the collection has some "
        "(auto), or always.",
        choices=("never", "auto", "always"),
    )
    render: str = setting(
        "auto",
        "Load pages in a browser: those that are empty without JavaScript (auto), all, or none.",
        choices=("never", "auto", "always"),
    )
    browser: str | None = setting(
        None, "Chromium to render with; without it the system's.", metavar="FILE"
    )
    browsers: int = setting(1, "Browsers that render at the same time.", minimum=1)
    render_seconds: float = setting(
        10.0, "Seconds a page has to draw itself; then it is read as it is.", minimum=0.1
    )
    workers: int | None = setting(
        None,
        "Parser processes; without it one less than the cores, at least one.",
        minimum=1,
        historic_env="CRAWLER_MAX_THREADS",
    )
    connections: int = setting(64, "Requests in flight over all hosts.", minimum=1)
    timeout: float = setting(20.0, "Seconds one request may take in all.", minimum=0.1)
    max_bytes: int = setting(
        10_000_000, "Bytes of a page that are read, before and after decompression.", minimum=1000
    )
    min_free_bytes: int = setting(
        1_000_000_000, "Pause while the disk has less space than this; 0 never does.", minimum=0
    )
    user_agent: str = setting(
        "Telusur/{version} (a personal search crawler; obeys robots.txt rules for Telusur)",
        "How the crawler introduces itself; say who you are and how to reach you.",
        metavar="TEXT",
    )
    header: tuple[str, ...] = setting(
        (),
        'Send this header, for example "Accept-Language: de"; may be repeated.',
        metavar="'K: V'",
        env_separator="\n",
    )
    cookies: str | None = setting(
        None, "Start with the cookies of this file (Netscape format).", metavar="FILE"
    )
    proxy: str | None = setting(
        None, "Send requests through this proxy: http://, https:// or socks5://.", metavar="URL"
    )
    ca_bundle: str | None = setting(
        None, "Trust the certificate authorities of this file instead.", metavar="FILE"
    )
    insecure: bool = setting(False, "Do not check the certificates of servers.")
    host: dict[str, "HostSettings"] = field(default_factory=dict)
    """What is set for single hosts; it has no flag."""


@dataclass(frozen=True, kw_only=True)
class HostSettings:
    """What may be set for one host, in a table of telusur.toml; the rest is as for all hosts."""

    delay: float | None = setting(None, "Seconds between two requests.", minimum=0)
    per_host: int | None = setting(None, "Requests in flight at once.", minimum=1)
    timeout: float | None = setting(None, "Seconds one request may take in all.", minimum=0.1)
    max_bytes: int | None = setting(None, "Bytes of a page that are downloaded.", minimum=1000)
    header: tuple[str, ...] = setting((), "Headers to send besides, or instead of the same ones.")
    proxy: str | None = setting(None, 'A proxy of its own; "" for none.')


@dataclass(frozen=True, kw_only=True)
class ServeSettings:
    """How the collection is shown in a browser."""

    host: str = setting("127.0.0.1", "Address to listen on; loopback unless you say otherwise.")
    port: int = setting(8080, "Port to listen on; 0 takes a free one.", minimum=0)
    rate_limit: float = setting(
        50.0, "Requests a second that one address may make over time; 0 for any number.", minimum=0
    )
    read_only: bool = setting(False, "Only search and read: no crawls are shown or started.")
    password: str = setting(
        "",
        "Ask for this password; in TELUSUR_PASSWORD or a file `ps` does not show it.",
    )
    password_file: str | None = setting(None, "Ask for the password in this file.", metavar="FILE")
    trust_header: str = setting(
        "", "Let in whom a reverse proxy names in this header, X-Remote-User.", metavar="NAME"
    )
    trust_proxy: tuple[str, ...] = setting(
        (),
        "Address of a proxy whose header counts, besides loopback; may be repeated.",
        metavar="ADDRESS",
    )


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table, as the command line, the environment and the docs see it."""

    name: str
    kind: type
    default: Any
    help: str
    many: bool = False
    minimum: float | None = None
    choices: tuple[str, ...] = ()
    metavar: str = ""
    historic_env: str = ""
    env_separator: str | None = None
    """What separates several values in an environment variable; any blank unless set."""
    pairs: bool = False
    """The values are `name=value`; in a file they may be a table."""

    @property
    def flag(self) -> str:
        """Return the command-line flag; a switch that is on by default is spelled `--no-...`."""
        name = self.name.replace("_", "-")
        return f"--no-{name}" if self.kind is bool and self.default else f"--{name}"

    @property
    def env(self) -> str:
        """Return the environment variable."""
        return f"TELUSUR_{self.name.upper()}"

    def parse(self, value: Any, source: str) -> Any:
        """Return `value` as this setting's type, or raise one clear sentence naming `source`."""
        if value is None:
            return self.default
        if self.many:
            if self.pairs and isinstance(value, Mapping):
                value = [f"{name}={one}" for name, one in value.items()]
            items = [value] if isinstance(value, str) else value
            return tuple(self._parse_one(item, source) for item in items)
        return self._parse_one(value, source)

    def _parse_one(self, value: Any, source: str) -> Any:
        try:
            parsed = _PARSERS[self.kind](value)
        except (TypeError, ValueError, KeyError, OverflowError):
            raise UsageError(f"{source}: {value!r} is not {_KIND_NAMES[self.kind]}.") from None
        if self.minimum is not None and parsed < self.minimum:
            raise UsageError(f"{source}: {value} is too small; the least is {self.minimum:g}.")
        if self.choices and parsed not in self.choices:
            known = ", ".join(self.choices)
            raise UsageError(f"{source}: there is no {value!r}; choose one of {known}.")
        return parsed


def _parse_int(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and value != int(value)):
        raise ValueError(value)
    return int(value)


def _parse_float(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError(value)
    return number


_TRUE_WORDS = {"1": True, "true": True, "yes": True, "on": True}
_BOOL_WORDS = _TRUE_WORDS | {"0": False, "false": False, "no": False, "off": False}
_PARSERS: dict[type, Any] = {
    int: _parse_int,
    float: _parse_float,
    str: str,
    bool: lambda value: _BOOL_WORDS[str(value).strip().lower()],
}
_KIND_NAMES = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


def settings_of(table: type) -> tuple[Setting, ...]:
    """Return the rows of a settings class, in order."""
    hints = typing.get_type_hints(table)
    rows = []
    for row in fields(table):
        if row.default is MISSING:  # a table in a table: it has no flag
            continue
        kind, many = _kind_of(hints[row.name])
        rows.append(Setting(row.name, kind, row.default, many=many, **row.metadata))
    return tuple(rows)


def _kind_of(hint: Any) -> tuple[type, bool]:
    """Return the plain type behind `X | None` and `tuple[X, ...]`, and whether there are many."""
    if typing.get_origin(hint) is tuple:
        return typing.get_args(hint)[0], True
    if isinstance(hint, types.UnionType):
        return next(arg for arg in typing.get_args(hint) if arg is not type(None)), False
    return hint, False


def make_settings(table: type[T], *sources: tuple[str, Mapping[str, Any]]) -> T:
    """Build the settings from `(where, values)` sources, the first that names a setting winning.

    `where` is a pattern for error messages in which `{name}`, `{flag}` and `{env}` are replaced.
    """
    values = {}
    known = settings_of(table)
    for where, given in sources:
        unknown = sorted(set(given) - {row.name for row in fields(table)})  # type: ignore[arg-type]
        if unknown:
            place = where.format(name=unknown[0], flag=unknown[0], env=unknown[0])
            raise UsageError(f"{place}: there is no such setting.")
    for row in known:
        for where, given in sources:
            if given.get(row.name) is not None:
                place = where.format(name=row.name, flag=row.flag, env=row.env)
                values[row.name] = row.parse(given[row.name], place)
                break
    for where, given in sources:
        if table is CrawlSettings and given.get("host"):
            values["host"] = _host_tables(given["host"], where.format(name="", flag="", env=""))
            break
    return table(**values)


def _host_tables(given: Any, where: str) -> dict[str, HostSettings]:
    """Return the settings of single hosts; a name may be `*.example.org`."""
    place = f"{TOML_FILE}, " if TOML_FILE in where else ""
    if not isinstance(given, Mapping):
        raise UsageError(f'{place}host: this is no table; write [host."example.org"].')
    tables = {}
    for name, values in given.items():
        if not isinstance(values, Mapping) or "/" in name or not name.strip():
            raise UsageError(
                f'{place}[host."{name}"]: this is no table of settings for a host, or '
                '"example.org" would do as its name.'
            )
        row = f'{place}[host."{name}"] '.replace("{", "{{").replace("}", "}}") + "{name}"
        tables[name.strip().lower()] = make_settings(HostSettings, (row, values))
    return tables


def most_per_address(settings: CrawlSettings) -> int | None:
    """Return how many requests may be in flight to one address; None for any number.

    Eight small hosts at once are no burden for the machine that serves them. In a private network
    the user knows his machines.
    """
    if settings.per_address is None and not settings.allow_private:
        return 8
    return settings.per_address


def settings_from_env(table: type, environ: Mapping[str, str]) -> dict[str, Any]:
    """Return what the environment sets: `TELUSUR_*`, and the historic names of some settings."""
    found: dict[str, Any] = {}
    for row in settings_of(table):
        value = environ.get(row.env) or environ.get(row.historic_env)
        if value:
            found[row.name] = value.split(row.env_separator) if row.many else value
    return found
