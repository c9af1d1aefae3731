"""The user's own code in a crawl: judges links, reads pages, and cannot break the crawl.

An error in it is reported with the page; the crawl continues.
"""

import copy
import json
import math
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from numbers import Real
from typing import Any

from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.urls.identity import parse_url
from telusur.document_table import DOCUMENT_FIELDS
from telusur.extract.page.decode import clean_text
from telusur.extract.writing.part_records import PageParts
from telusur.extract.writing.parts import read_parts
from telusur.language.reading_time import reading_minutes
from telusur.machine.time_limit import TimeIsUp, time_limit
from telusur.models import Document, Link, Reason
from telusur.pipeline.parsing.hooks_file import HooksFile, describe_error, load_functions

# Seconds that `visit` may take per page, and `follow` for all links of a page.
PAGE_SECONDS = 10.0
MOST_FIELD_CHARACTERS = 1_000_000
REFUSED = "follow() said no"
# Fields of a document that `visit` may change, by type. It may not change the URL.
_CHANGEABLE = [field for field in DOCUMENT_FIELDS if field.is_extracted and field.name != "url"]
_TEXTS = tuple(field.name for field in _CHANGEABLE if field.type is str)
_TEXTS_OR_NONE = tuple(field.name for field in _CHANGEABLE if field.type == str | None)
_FLAGS = tuple(field.name for field in _CHANGEABLE if field.type is bool)
_NUMBERS = tuple(field.name for field in _CHANGEABLE if field.type is int)


class CrawledPage:
    """A page as hooks see it: its document, which `visit` may change, and its origin."""

    def __init__(self, document: Document, depth: int, read_html: Callable[[], str]) -> None:
        self.document = document
        # Links away from a start URL.
        self.depth = depth
        self._read_html = read_html

    @property
    def url(self) -> str:
        """Return the page's URL."""
        return self.document.url

    @property
    def title(self) -> str:
        """Return its title."""
        return self.document.title

    @property
    def text(self) -> str:
        """Return its main text."""
        return self.document.text

    @property
    def links(self) -> list[Link]:
        """Return its links; `visit` may append more."""
        return self.document.links

    @cached_property
    def html(self) -> str:
        """Return its decoded source, or the rendered page if a browser rendered it."""
        return self._read_html()

    @cached_property
    def parts(self) -> PageParts:
        """Return its forms, tables, lists, images, scripts, styles and metadata."""
        return read_parts(self.html, self.url)


class Hooks:
    """The functions of a user's file, called so that they cannot break the crawl."""

    def __init__(self, file: HooksFile) -> None:
        self._file = file
        self._functions = load_functions(file)

    @property
    def judges_links(self) -> bool:
        """Tell whether the file judges links."""
        return self._functions.follow is not None

    def visit(self, page: CrawledPage) -> str:
        """Call `visit`, and store the fields it returns; return the error, or ""."""
        if self._functions.visit is None:
            return ""
        before = copy.copy(page.document)
        before.links = list(page.document.links)
        try:
            with time_limit(PAGE_SECONDS):
                answer = self._functions.visit(page)
            page.document.fields = _fields_of(answer)
            _settle(page.document, before)
        except (Exception, SystemExit) as error:
            page.document = before
            return self._complain("visit", error)
        return ""

    def judge(self, found: Sequence[FoundLink], page: CrawledPage) -> tuple[list[FoundLink], str]:
        """Ask which links in scope to follow; return the judged links, and the error or "".

        A link without an answer is not followed.
        """
        judged: list[FoundLink] = []
        trouble = ""
        if self._functions.follow is None:
            return list(found), trouble
        try:
            with time_limit(PAGE_SECONDS):
                for one in found:
                    answer = one if one.skip_reason else self._ask(one, page)
                    trouble = trouble or _trouble_in(answer)
                    judged.append(answer)
        except TimeIsUp as error:
            trouble = self._complain("follow", error)
            judged += [one._replace(skip_reason=trouble) for one in found[len(judged) :]]
        return judged, trouble

    def _ask(self, found: FoundLink, page: CrawledPage) -> FoundLink:
        assert self._functions.follow is not None
        try:
            answer = self._functions.follow(found.link, page)
            if not answer:
                return found._replace(skip_reason=f"{Reason.HOOKS}: {REFUSED}")
            score = None
            if isinstance(answer, Real) and not isinstance(answer, bool):
                score = float(answer)
                if not math.isfinite(score):
                    raise ValueError(f"a score of {score}")
        except TimeIsUp:
            raise
        except (Exception, SystemExit) as error:
            return found._replace(skip_reason=self._complain("follow", error))
        return found._replace(score=score, is_wanted=True)

    def _complain(self, name: str, error: BaseException) -> str:
        if isinstance(error, TimeIsUp):
            return f"{Reason.HOOKS}: {name}() took longer than {PAGE_SECONDS:g} s"
        return f"{Reason.HOOKS}: {name}() failed, {describe_error(error, self._file)}"


@cache
def load_hooks(file: HooksFile) -> Hooks:
    """Return the hooks of a file, loaded once per process."""
    return Hooks(file)


def _trouble_in(judged: FoundLink) -> str:
    reason = judged.skip_reason
    is_ours = reason.startswith(Reason.HOOKS) and not reason.endswith(REFUSED)
    return reason if is_ours else ""


def _fields_of(answer: Any) -> dict[str, Any]:
    """Return the result of `visit` as plain JSON; other processes do not know its classes."""
    if answer is None:
        return {}
    if not isinstance(answer, dict):
        raise TypeError(f"it returned {type(answer).__name__}; return a dict of fields, or None")
    stored = json.dumps(answer, allow_nan=False)
    if len(stored) > MOST_FIELD_CHARACTERS:
        raise ValueError(f"its fields are larger than {MOST_FIELD_CHARACTERS:,} characters")
    fields: dict[str, Any] = json.loads(stored)
    return fields


def _settle(document: Document, before: Document) -> None:
    """Check that a document can be stored after `visit` may have changed it."""
    for name in _TEXTS + _TEXTS_OR_NONE:
        value = getattr(document, name)
        if not isinstance(value, str) and (value is not None or name in _TEXTS):
            raise TypeError(f"document.{name} is {type(value).__name__}; it must be text")
        if value is not getattr(before, name) and value is not None:
            setattr(document, name, clean_text(str(value)))
    for name in _FLAGS:
        setattr(document, name, bool(getattr(document, name)))
    for name in _NUMBERS:
        setattr(document, name, int(getattr(document, name)))
    if document.text != before.text and document.reading_minutes == before.reading_minutes:
        document.reading_minutes = reading_minutes(document.text, document.language)
    document.url = before.url
    known = set(map(id, before.links))
    document.links = [
        link if id(link) in known else _plain(link, before.url) for link in document.links
    ]


def _plain(link: Any, base: str) -> Link:
    """Return a link as the parser would make it: absolute URL, plain text."""
    if not isinstance(link, Link):
        raise TypeError(f"document.links has {type(link).__name__}; append telusur.Link(url)")
    url = parse_url(str(link.url), base)
    if url is None:
        raise ValueError(f"{link.url!r} is not a URL that can be fetched")
    anchor, around, rel = (clean_text(str(text)) for text in link[1:4])
    return Link(url, anchor, around, rel, int(link.position))
