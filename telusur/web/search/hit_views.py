"""Turns a page of hits into what its template shows; nothing here reads or renders."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import NamedTuple

from telusur.document_table import HIT_TAGS
from telusur.models import Explanation, Hit, HitGroup
from telusur.search.request import SearchRequest
from telusur.web.frame import urls
from telusur.web.frame.crumbs import Crumbs, read_crumbs
from telusur.web.frame.dates import Moment, show_date
from telusur.web.frame.params import write_search
from telusur.web.frame.text import TextPiece, clean_line, language_name, language_tag, mark_pieces
from telusur.web.search.searching import FoundHits

_MOST_COPIES = 20
_LONGEST_TAG = 20
# Fields of hits that are shown as they are; a date and a language have a form of their own.
_TAGS = tuple(field for field in HIT_TAGS if field.name not in ("date", "language"))


@dataclass(slots=True, frozen=True)
class HitView:
    """A hit in the list of results; `href` is None if the URL is not a web address."""

    title: str
    href: str | None
    stored_url: str
    site_url: str | None
    crumbs: Crumbs
    hue: int
    snippet: list[TextPiece]
    date: Moment | None
    language: str
    language_name: str
    # The other fields that hits have: what each is, and its value.
    tags: list[tuple[str, str]]
    number: int
    # How many more hits the site has further down.
    more: int
    # Duplicates: their URLs, and the addresses of their stored documents.
    copies: list[tuple[str, str]]
    why_url: str
    explanation: Explanation | None
    # The visitor asked for the score of this hit.
    is_explained: bool


@dataclass(slots=True, frozen=True)
class TopicView:
    """Hits about one topic."""

    name: str
    total: int
    hits: list[HitView]


class MeaningSwitch(NamedTuple):
    """Whether semantic matches are included, and the same search the other way."""

    is_on: bool
    url: str
    # How many documents have no vector yet.
    unread: int


@dataclass(slots=True, frozen=True)
class Paging:
    """Links between the pages of results; a number without URL is the current page."""

    previous_url: str | None
    numbers: list[tuple[int, str | None]]
    next_url: str | None


def view_topic(group: HitGroup, found: FoundHits) -> TopicView:
    """Return what the page shows of the hits about one topic."""
    name = clean_line(group.name, 80) or "other"
    here = _address_of(found)
    return TopicView(name, group.total, [view_hit(hit, found, here=here) for hit in group.hits])


def view_meaning(found: FoundHits, models: Sequence[str]) -> MeaningSwitch | None:
    """Return the switch for semantic search; None if no model is installed."""
    is_on = bool(found.results.semantic)
    if not (models or is_on):
        return None
    other = replace(found.wanted, semantic=False if is_on else models[0], page=1, as_of=None)
    return MeaningSwitch(is_on, urls.address_of(urls.SEARCH, other), found.results.unread)


def view_hits(found: FoundHits, why: int = 0) -> list[HitView]:
    """Return the list of results; `why` is the number of the hit to explain."""
    here = _address_of(found)
    return [view_hit(hit, found, n, why, here) for n, hit in enumerate(found.results.hits, 1)]


def _address_of(found: FoundHits) -> str:
    """Return the address that shows the same page of hits again."""
    return urls.address_of(urls.SEARCH, replace(found.wanted, as_of=found.results.as_of))


def view_hit(
    hit: Hit, found: FoundHits, number: int = 1, why: int = 0, here: str | None = None
) -> HitView:
    """Return one hit; `here` is the address of the page, if it is known."""
    wanted = found.wanted
    here = _address_of(found) if here is None else here
    is_narrow = "site:" in wanted.query
    is_told = wanted.explain or number == why
    return HitView(
        title=clean_line(hit.title) or clean_line(hit.url, 80),
        href=urls.live_href(hit.url),
        stored_url=urls.copy_url(hit.url, wanted.query),
        site_url=None if is_narrow else urls.site_url(hit.site, wanted.query),
        crumbs=read_crumbs(hit.url, hit.site),
        hue=found.hues.of(hit.site),
        snippet=mark_pieces(hit.snippet, hit.marks),
        date=show_date(hit.date),
        language=language_tag(hit.language),
        language_name=language_name(hit.language),
        tags=[
            (field.label or field.name, clean_line(str(value), _LONGEST_TAG))
            for field in _TAGS
            if (value := getattr(hit, field.name))
        ],
        number=number,
        more=hit.more_from_site,
        copies=[
            (clean_line(url, 100), urls.page_url(url)) for url in hit.duplicates[:_MOST_COPIES]
        ],
        why_url=f"{here}&why={number}#hit-{number}",
        explanation=tidy_tree(hit.explanation) if hit.explanation and is_told else None,
        is_explained=number == why,
    )


def view_kept(wanted: SearchRequest) -> dict[str, str]:
    """Return the options that stay when another query is typed."""
    leaving = ("q", "page", "as_of", "facets", "explain")
    return {name: text for name, text in write_search(wanted).items() if name not in leaving}


def tidy_tree(node: Explanation) -> Explanation:
    """Return a score tree without sums of a single term."""
    details = tuple(tidy_tree(each) for each in node.details)
    is_bare = node.description.strip().rstrip(":") in ("sum of", "")
    if is_bare and len(details) == 1 and isclose(details[0].value, node.value, rel_tol=1e-4):
        return details[0]
    return replace(node, details=details)


def view_paging(found: FoundHits) -> Paging:
    """Return the links to the pages around the current one."""

    def link(page: int) -> str | None:
        there = found.at(page)
        return urls.address_of(urls.SEARCH, there) if there else None

    here, last = found.wanted.page, found.last_page
    first = max(min(here - 2, last - 4), 1)
    numbers = [(page, link(page)) for page in range(first, min(first + 4, last) + 1)]
    return Paging(link(here - 1), numbers, link(here + 1))
