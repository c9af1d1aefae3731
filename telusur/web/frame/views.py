"""Records of a collection turned into what the templates show; nothing here reads or renders."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from telusur.models import Counts, Document, Event, Story
from telusur.web import urls
from telusur.web.dates import Moment, show_date, show_moment
from telusur.web.text import (
    MAX_TEXT_CHARS,
    clean,
    clean_line,
    language_name,
    language_tag,
    paragraphs,
)

SITE_HUES = 12
_BAR_WIDTH = 1000
_MOST_FIELDS = 50


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


SHADES = 5
"""Colours behind those of sites, of topic scores: the stronger, the more about its topic."""


def shade_of(topic: float) -> int:
    """Return the colour of a topic score, 0 to 1."""
    return SITE_HUES + min(int(topic * SHADES), SHADES - 1)


def hue_of(site: str) -> int:
    """Return which colour stands for a site, the same everywhere and always."""
    return blake2b(clean(site).encode(), digest_size=1).digest()[0] % SITE_HUES
