"""What a request asks for, checked: a wrong number or an endless query is one clear sentence."""

import re
from dataclasses import dataclass

from starlette.datastructures import QueryParams

from telusur.errors import UsageError

MAX_QUERY_CHARS = 2_000
MAX_URL_CHARS = 16_000
MAX_LIMIT = 100
# The index keeps as many candidates in memory as there are hits before the page asked for.
MAX_PAGE = 10_000
DEFAULT_LIMIT = 10

_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)


@dataclass(slots=True, frozen=True)
class SearchRequest:
    """One page of hits somebody asks for."""

    query: str
    page: int = 1
    limit: int = DEFAULT_LIMIT


class BadRequestError(UsageError):
    """The request makes no sense; every sentence names one parameter."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


def read_search(params: QueryParams) -> SearchRequest:
    """Return what `q`, `page` and `limit` ask for, or raise all that is wrong."""
    query = _CONTROL.sub(" ", params.get("q", "")).strip()
    problems: list[str] = []
    if len(query) > MAX_QUERY_CHARS:
        problems.append(f"q is {len(query):,} characters long; the most is {MAX_QUERY_CHARS:,}.")
    page = _read_number(params, "page", 1, MAX_PAGE, problems)
    limit = _read_number(params, "limit", DEFAULT_LIMIT, MAX_LIMIT, problems)
    if problems:
        raise BadRequestError(*problems)
    return SearchRequest(query, page, limit)


def read_url(params: QueryParams) -> str:
    """Return the URL a page is asked for, or raise BadRequestError."""
    url = params.get("url", "").strip()
    if not url:
        raise BadRequestError("url is missing; say which page: /page?url=https://example.org/")
    if len(url) > MAX_URL_CHARS:
        sentence = f"url is {len(url):,} characters long; the most is {MAX_URL_CHARS:,}."
        raise BadRequestError(sentence)
    return url


def _read_number(
    params: QueryParams, name: str, default: int, most: int, problems: list[str]
) -> int:
    """Return a parameter between 1 and `most`; add a sentence to `problems` where it is not."""
    text = params.get(name, "").strip()
    if not text:
        return default
    if not _WHOLE_NUMBER.fullmatch(text):
        problems.append(f"{name} must be a whole number from 1 to {most:,}, not {text[:40]!r}.")
        return default
    if not 1 <= int(text) <= most:
        problems.append(f"{name} must be from 1 to {most:,}, not {text}.")
    return int(text)
