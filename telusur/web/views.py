"""Records of a collection turned into what the templates show; nothing here reads or renders."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import isclose

from telusur.models import Counts, Document, Event, Explanation, Hit, Story
from telusur.search.request import SearchRequest
from telusur.web import urls
from telusur.web.crumbs import Crumbs, read_crumbs
from telusur.web.dates import Moment, show_date, show_moment
from telusur.web.params import write_search
from telusur.web.searching import Found
from telusur.web.text import (
    MAX_TEXT_CHARS,
    Piece,
    clean,
    clean_line,
    language_name,
    language_tag,
    mark_pieces,
    paragraphs,
)

SITE_HUES = 12
_BAR_WIDTH = 1000
_MOST_FIELDS = 50
_MOST_COPIES = 20


@dataclass(slots=True, frozen=True)
class HitView:
    """A hit as the list of results shows it; `href` is None where the URL is no web address."""

    title: str
    href: str | None
    stored_url: str
    site_url: str | None
    crumbs: Crumbs
    hue: int
    snippet: list[Piece]
    date: Moment | None
    language: str
    language_name: str
    page_type: str
    number: int
    more: int
    """How many more hits the site has further down."""
    copies: list[tuple[str, str]]
    """Pages that say the same: what they are called, and where they are stored."""
    why_url: str
    explanation: Explanation | None
    is_explained: bool
    """The visitor asked about this hit."""


@dataclass(slots=True, frozen=True)
class Share:
    """One part of a whole: a number, and its place in a bar `_BAR_WIDTH` wide."""

    name: str
    number: int
    start: int
    width: int
    hue: int = 0
    url: str | None = None


@dataclass(slots=True, frozen=True)
class EventView:
    """One step in the life of a URL."""

    at: Moment
    state: str
    reason: str
    status: int | None


@dataclass(slots=True, frozen=True)
class DocumentView:
    """A stored document, its text in paragraphs."""

    author: str
    date: Moment | None
    description: str
    keywords: str
    language: str
    language_name: str
    paragraphs: list[str]
    is_cut: bool
    words: int
    page_type: str
    fields: list[tuple[str, str]]
    """What the user keeps with the document, by his own names."""


@dataclass(slots=True, frozen=True)
class StoryView:
    """What the collection knows of a URL beside its text."""

    state: str
    reason: str
    depth: int
    parent: str | None
    parent_url: str | None
    anchor: str
    indexed: bool
    changed_at: Moment
    events: list[EventView]


@dataclass(slots=True, frozen=True)
class Paging:
    """Links between the pages of results; a number without URL is the page being shown."""

    previous_url: str | None
    numbers: list[tuple[int, str | None]]
    next_url: str | None


def view_hit(hit: Hit, found: Found, number: int = 1, why: int = 0) -> HitView:
    """Return what the list of results shows of a hit; `why` is the number of the one explained."""
    wanted = found.wanted
    is_narrow = "site:" in wanted.query
    is_told = wanted.explain or number == why
    same_page = replace(wanted, as_of=found.results.as_of)
    return HitView(
        title=clean_line(hit.title) or clean_line(hit.url, 80),
        href=urls.live_href(hit.url),
        stored_url=urls.copy_url(hit.url, wanted.query),
        site_url=None if is_narrow else urls.site_url(hit.site, wanted.query),
        crumbs=read_crumbs(hit.url, hit.site),
        hue=hue_of(hit.site),
        snippet=mark_pieces(hit.snippet, hit.marks),
        date=show_date(hit.date),
        language=language_tag(hit.language),
        language_name=language_name(hit.language),
        page_type=clean_line(hit.page_type, 20),
        number=number,
        more=hit.more_from_site,
        copies=[
            (clean_line(url, 100), urls.page_url(url)) for url in hit.duplicates[:_MOST_COPIES]
        ],
        why_url=f"{urls.address_of(urls.SEARCH, same_page, why=number)}#hit-{number}",
        explanation=tidy_tree(hit.explanation) if hit.explanation and is_told else None,
        is_explained=number == why,
    )


def view_kept(wanted: SearchRequest) -> dict[str, str]:
    """Return the wishes that stay when another query is typed."""
    leaving = ("q", "page", "as_of", "facets", "explain")
    return {name: text for name, text in write_search(wanted).items() if name not in leaving}


def view_document(document: Document) -> DocumentView:
    """Return what the page of a document shows."""
    return DocumentView(
        author=clean_line(document.author or ""),
        date=show_date(document.date),
        description=clean_line(document.description, 500),
        keywords=clean_line(document.keywords, 300),
        language=language_tag(document.language),
        language_name=language_name(document.language),
        paragraphs=list(paragraphs(document.text)),
        is_cut=len(document.text) > MAX_TEXT_CHARS,
        words=len(document.text.split()),
        page_type=clean_line(document.page_type),
        fields=[
            (clean_line(name, 80), clean_line(str(value), 500))
            for name, value in list(document.fields.items())[:_MOST_FIELDS]
        ],
    )


def view_story(story: Story) -> StoryView:
    """Return the life of a URL, oldest step first."""
    return StoryView(
        state=story.state.value,
        reason=clean_line(story.reason),
        depth=story.depth,
        parent=clean_line(story.parent or "", 120) or None,
        parent_url=urls.page_url(story.parent) if story.parent else None,
        anchor=clean_line(story.anchor, 120),
        indexed=story.indexed,
        changed_at=show_moment(story.changed_at),
        events=[_view_event(event) for event in story.events],
    )


def when_fetched(story: Story) -> Moment | None:
    """Return when the page of a URL was last fetched; None where it never was."""
    answers = [event.at for event in story.events if event.status is not None]
    return show_moment(max(answers)) if answers else None


def tidy_tree(node: Explanation) -> Explanation:
    """Return a score tree without sums of a single thing."""
    details = tuple(tidy_tree(each) for each in node.details)
    is_bare = node.description.strip().rstrip(":") in ("sum of", "")
    if is_bare and len(details) == 1 and isclose(details[0].value, node.value, rel_tol=1e-4):
        return details[0]
    return replace(node, details=details)


def _view_event(event: Event) -> EventView:
    reason = clean_line(event.reason)
    return EventView(show_moment(event.at), event.state.value, reason, event.status)


def title_of(url: str, document: Document | None, story: Story | None) -> str:
    """Return the heading of a page: its title, else its URL."""
    titles = (document.title if document else "", story.title if story else "", url)
    return next((line for title in titles if (line := clean_line(title))), "Untitled")


def share_states(counts: Counts) -> list[Share]:
    """Return the states of all known URLs as parts of one bar."""
    parts = (
        ("done", counts.done),
        ("failed", counts.failed),
        ("skipped", counts.skipped),
        ("waiting", counts.waiting + counts.leased),
    )
    shares = []
    start = 0
    for name, number in parts:
        width = round(_BAR_WIDTH * number / max(counts.found, 1))
        shares.append(Share(name, number, start, width))
        start += width
    return shares


def share_sites(sites: Iterable[tuple[str, int]]) -> list[Share]:
    """Return the sites with bars against the largest of them."""
    rows = list(sites)
    most = max((number for _, number in rows), default=1)
    shares = []
    for site, number in rows:
        width = max(round(_BAR_WIDTH * number / most), 4)
        name, url = clean_line(site, 80), urls.site_url(site)
        shares.append(Share(name, number, 0, width, hue_of(site), url))
    return shares


def hue_of(site: str) -> int:
    """Return which colour stands for a site, the same everywhere and always."""
    return blake2b(clean(site).encode(), digest_size=1).digest()[0] % SITE_HUES


def view_paging(found: Found) -> Paging:
    """Return the links to the pages around the one being shown."""

    def link(page: int) -> str | None:
        there = found.at(page)
        return urls.address_of(urls.SEARCH, there) if there else None

    here, last = found.wanted.page, found.last_page
    first = max(min(here - 2, last - 4), 1)
    numbers = [(page, link(page)) for page in range(first, min(first + 4, last) + 1)]
    return Paging(link(here - 1), numbers, link(here + 1))
