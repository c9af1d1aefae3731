"""The parameters of requests, as one table, and the reader that checks them.

A wrong number or an overlong query is reported in one clear sentence. The documentation of the API
is made from the same table.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from operator import attrgetter
from typing import Any

from starlette.datastructures import QueryParams

from telusur.crawl.limits import CHANGEABLE
from telusur.encoders.by_name import ENCODERS
from telusur.errors import UsageError
from telusur.graph.contract import MOST_NODES, MOST_STEPS, USUAL_NODES, MapRequest
from telusur.search.columns import COLUMNS, LONGEST_WORDS, ColumnRequest
from telusur.search.request import FACETS, GROUPS, MODELS, PER_SITE, SearchRequest
from telusur.settings.row import BOOL_WORDS

MAX_QUERY_CHARS = 2_000
MAX_URL_CHARS = 16_000
MAX_LIMIT = 100
# The index keeps in memory as many candidates as there are hits before the requested page.
MAX_PAGE = 10_000
MAX_PER_SITE = 1_000
MAX_SUGGESTIONS = 50
DEFAULT_LIMIT = 10

_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_SECONDS = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?", re.ASCII)


@dataclass(slots=True, frozen=True)
class Param:
    """One parameter of an address. `kind` is a name of `_READERS`."""

    name: str
    kind: str
    help: str
    default: Any = None
    least: int = 1
    most: int = 0
    choices: tuple[str, ...] = ()
    # Its name in the library, if that differs.
    field: str = ""
    # Where it is: in the query, the path, or a form.
    place: str = "query"
    # The error when it is missing; empty if it is optional.
    missing: str = ""

    @property
    def attribute(self) -> str:
        """Return its name in the library."""
        return self.field or self.name


class BadRequestError(UsageError):
    """The request is wrong; each sentence names one parameter."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


QUERY = Param(
    "q", "text", "what to search for, in the query language", "",
    most=MAX_QUERY_CHARS, field="query",
)  # fmt: skip
URL = Param(
    "url", "address", "the address of a crawled page", "", most=MAX_URL_CHARS,
    missing="url is missing; name the page: /page?url=https://example.org/",
)  # fmt: skip
LIMIT = Param("limit", "whole", "hits per page", DEFAULT_LIMIT, most=MAX_LIMIT)
SEARCH = (
    QUERY,
    Param("page", "whole", "the page of hits", 1, most=MAX_PAGE),
    LIMIT,
    Param("per_site", "whole", "at most this many hits of one site come first; 0 for no limit",
          PER_SITE, least=0, most=MAX_PER_SITE),
    Param("group", "choice", "site: hide the hits of a site beyond per_site; topic: also group "
          "the best hits by topic", "",
          choices=tuple(filter(None, GROUPS))),
    Param("facets", "names", "count the matching documents by these, separated by commas", (),
          choices=FACETS),
    Param("explain", "switch", "show how the score of each hit was calculated", False),
    Param("model", "choice", "the scoring model for words", MODELS[0], choices=MODELS),
    Param("semantic", "meaning", "include semantic matches: true for the model of the collection, "
          "the name of a model, or false"),
    Param("as_of", "seconds", "ignore pages fetched after this time, in seconds since 1970"),
)  # fmt: skip
WHY = Param(
    "why", "whole", "the number of the hit on this page whose score is explained", 0, most=MAX_LIMIT
)
SUGGEST = (
    QUERY,
    Param("limit", "whole", "maximum number of suggestions", DEFAULT_LIMIT, most=MAX_SUGGESTIONS),
)
FEED = (QUERY, Param("limit", "whole", "maximum number of items", 20, most=MAX_LIMIT))
PAGE = (URL,)
RELATED = (URL, Param("limit", "whole", "maximum number of pages", DEFAULT_LIMIT, most=MAX_LIMIT))
NAME = Param("name", "text", "the collection", "", most=200, place="path")
LISTED = (
    Param("state", "choice", "the state of the URLs", "failed",
          choices=("failed", "skipped", "done", "waiting", "leased")),
    Param("reason", "text", "only for this kind of reason", "", most=200),
    Param("after", "text", "where the list continues, from an earlier response", "", most=200),
)  # fmt: skip


def form_field(name: str, help: str, most: int = 200) -> Param:
    """Return a parameter of a form."""
    return Param(name, "text", help, "", most=most, place="form")


TOKEN = form_field(
    "token",
    "not needed with `Authorization: Bearer KEY`; otherwise the token of a form, with its cookie",
)
NEW_CRAWL = (
    TOKEN,
    form_field("urls", "start URLs, one per line", 2_000_000),
    Param("name", "text", "the collection; created if missing", "", most=64, place="form"),
    *(
        form_field(name, f"the setting {name.replace('_', '-')}")
        for name in ("pages", "depth", "seconds", "scope", "strategy", "topic", "delay", "per_host",
                     "render", "include", "exclude", "content", "fair", "user_agent",
                     "allow_private")
    ),
)  # fmt: skip
STEER = (
    NAME,
    TOKEN,
    Param("do", "choice", "what to do", "", choices=("pause", "resume", "stop", "limits"),
          place="form"),
    *(form_field(name, "with do=limits: the new limit; empty for none")
      for name in CHANGEABLE),
)  # fmt: skip
COLUMN_SEARCH = (
    Param("columns", "names", "the columns to search, separated by commas",
          ("title", "description"), choices=COLUMNS),
    Param("plain", "text", "the exact text to find, ignoring case", "",
          most=LONGEST_WORDS),
    Param("regex", "text", "a regular expression to find instead", "", most=LONGEST_WORDS),
    Param("page", "whole", "the page of documents", 1, most=MAX_PAGE),
    Param("limit", "whole", "documents per page", DEFAULT_LIMIT, most=MAX_LIMIT),
)  # fmt: skip
MAP = (
    Param("site", "text", "only pages of this site, and the pages that lead to them", "", most=300),
    Param("depth", "whole", "only pages at most this many links from a start URL",
          least=0, most=1_000),
    Param("q", "text", "only the best hits of this query", "", most=MAX_QUERY_CHARS, field="words"),
    Param("topic", "text", "only the hits of this topic", "", most=300),
    Param("about", "share", "only pages with at least this topic score, 0 to 1"),
    Param("around", "address", "only this page and its neighbours", "",
          most=MAX_URL_CHARS),
    Param("steps", "whole", "with around, how many links away", 1, most=MOST_STEPS),
    Param("most", "whole", "how many of the best pages", USUAL_NODES, most=MOST_NODES),
)  # fmt: skip
SELECTED = Param(
    "selected", "address", "the page selected in map and outline", "", most=MAX_URL_CHARS
)
VIEW = Param("view", "choice", "what the map shows; by default sites if there are too many pages",
             "", choices=("pages", "sites"))  # fmt: skip
COLOUR = Param("colour", "choice", "what the colours of the map mean", "site",
               choices=("site", "topic"))  # fmt: skip
START = Param("start", "whole", "how many to skip", 0, least=0, most=100_000_000)
BRANCHES = (
    Param("url", "address", "pages found on this page; without it, start URLs", "",
          most=MAX_URL_CHARS),
    START,
    Param("limit", "whole", "maximum number of pages", 50, most=500),
)  # fmt: skip


def read_params(table: Sequence[Param], given: QueryParams) -> dict[str, Any]:
    """Return the values by their names in the library, or raise all errors at once."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for param in table:
        text = given.get(param.name, "")
        if param.kind == "names":  # a form repeats the name for each ticked box
            text = ",".join(given.getlist(param.name))
        text = _CONTROL.sub(" ", text).strip()
        try:
            values[param.attribute] = _read_one(param, text)
        except ValueError as problem:
            problems.append(str(problem))
    if problems:
        raise BadRequestError(*problems)
    return values


def read_search(given: QueryParams) -> SearchRequest:
    """Return the requested search, or raise all errors."""
    return SearchRequest(**read_params(SEARCH, given))


def read_column_search(given: QueryParams, seconds: float) -> ColumnRequest:
    """Return the requested search in columns, with its time limit."""
    asked = read_params(COLUMN_SEARCH, given)
    plain, pattern = asked.pop("plain"), asked.pop("regex")
    if plain and pattern:
        raise BadRequestError("plain and regex are both given; use one of them.")
    return ColumnRequest(pattern or plain, is_regex=bool(pattern), seconds=seconds, **asked)


def write_column_search(request: ColumnRequest) -> dict[str, str]:
    """Return a search in columns as parameters, without defaults."""
    named = {param.name: param.default for param in COLUMN_SEARCH}
    words = {"regex" if request.is_regex else "plain": request.words}
    given = {"columns": request.columns, **words, "page": request.page, "limit": request.limit}
    return {name: _write_one(value) for name, value in given.items() if value != named[name]}


def read_map(given: QueryParams) -> MapRequest:
    """Return the requested map, or raise all errors."""
    return MapRequest(**read_params(MAP, given))


def write_map(request: MapRequest) -> dict[str, str]:
    """Return the request for a map as parameters, without defaults."""
    return _WRITE_MAP(request)


def read_url(given: QueryParams) -> str:
    """Return the URL of the requested page, or raise BadRequestError."""
    return str(read_params(PAGE, given)["url"])


def write_search(request: SearchRequest) -> dict[str, str]:
    """Return a search as parameters, without defaults."""
    return _WRITE_SEARCH(request)


class _Writer:
    """Writes records as parameters; prepared once, since a page of hits has fifty addresses."""

    def __init__(self, table: Sequence[Param]) -> None:
        self._values_of = attrgetter(*(param.attribute for param in table))
        self._params = [(param.name, param.default, _way_to_write(param)) for param in table]

    def __call__(self, request: Any) -> dict[str, str]:
        rows = zip(self._params, self._values_of(request), strict=True)
        return {name: write(value) for (name, default, write), value in rows if value != default}


def _way_to_write(param: Param) -> Callable[[Any], str]:
    return "{:g}".format if param.kind == "share" else _write_one


def _write_one(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, float):  # round up: the time of a later page must not be before the first
        return f"{ceil(value * 1000) / 1000:.3f}"
    return str(value).lower() if isinstance(value, bool) else str(value)


_WRITE_MAP = _Writer(MAP)
_WRITE_SEARCH = _Writer(SEARCH)


def _read_one(param: Param, text: str) -> Any:
    if text:
        return _READERS[param.kind](param, text)
    if param.missing:
        raise ValueError(param.missing)
    return param.default


def _read_text(param: Param, text: str) -> str:
    if len(text) > param.most:
        sentence = f"{param.name} is {len(text):,} characters long; the maximum is {param.most:,}."
        raise ValueError(sentence)
    return text


def _read_whole(param: Param, text: str) -> int:
    span = f"from {param.least} to {param.most:,}"
    if not _WHOLE_NUMBER.fullmatch(text):
        raise ValueError(f"{param.name} must be a whole number {span}, not {text[:40]!r}.")
    if not param.least <= int(text) <= param.most:
        raise ValueError(f"{param.name} must be {span}, not {text}.")
    return int(text)


def _read_seconds(param: Param, text: str) -> float:
    if not _SECONDS.fullmatch(text):
        raise ValueError(f"{param.name} must be seconds since 1970, not {text[:40]!r}.")
    return float(text)


def _read_share(param: Param, text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ValueError(f"{param.name} must be a number from 0 to 1, not {text[:40]!r}.")
    return share


def _read_switch(param: Param, text: str) -> bool:
    if text.lower() not in BOOL_WORDS:
        raise ValueError(f"{param.name} must be true or false, not {text[:40]!r}.")
    return BOOL_WORDS[text.lower()]


def _read_meaning(param: Param, text: str) -> bool | str:
    if text.lower() in BOOL_WORDS:
        return BOOL_WORDS[text.lower()]
    if text not in ENCODERS:
        known = ", ".join(ENCODERS)
        raise ValueError(f"{param.name} must be true, false or one of {known}, not {text[:40]!r}.")
    return text


def _read_choice(param: Param, text: str) -> str:
    if text not in param.choices:
        known = " or ".join(param.choices)
        raise ValueError(f"{param.name} must be {known}, not {text[:40]!r}.")
    return text


def _read_names(param: Param, text: str) -> tuple[str, ...]:
    names = dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    if unknown := [name for name in names if name not in param.choices]:
        known = ", ".join(param.choices)
        raise ValueError(f"{param.name} may have {known}, not {unknown[0][:40]!r}.")
    return tuple(names)


_READERS: dict[str, Callable[[Param, str], Any]] = {
    "text": _read_text,
    "address": _read_text,
    "whole": _read_whole,
    "seconds": _read_seconds,
    "share": _read_share,
    "switch": _read_switch,
    "meaning": _read_meaning,
    "choice": _read_choice,
    "names": _read_names,
}
