"""Turns records of a collection into what the templates show; nothing here reads or renders."""

from collections.abc import Iterable
from dataclasses import dataclass

from telusur.document_table import DOCUMENT_FIELDS
from telusur.models import Counts, Document, Event, Story
from telusur.web.frame import urls
from telusur.web.frame.dates import Moment, show_date, show_moment
from telusur.web.frame.site_colours import Hues
from telusur.web.frame.text import (
    MAX_TEXT_CHARS,
    clean_line,
    language_name,
    language_tag,
    paragraphs,
)

_BAR_WIDTH = 1000
_MOST_FIELDS = 50
_LABELLED = tuple(row for row in DOCUMENT_FIELDS if row.label)


@dataclass(slots=True, frozen=True)
class Share:
    """One part of a whole: a number, and its position in a bar of `_BAR_WIDTH`."""

    name: str
    number: int
    start: int
    width: int
    hue: int = 0
    url: str | None = None


@dataclass(slots=True, frozen=True)
class EventView:
    """One event in the history of a URL."""

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
    language: str
    language_name: str
    paragraphs: list[str]
    is_cut: bool
    words: int
    # The fields that have a label: label and value.
    facts: list[tuple[str, str]]
    # The user's own data about the document: name and value.
    fields: list[tuple[str, str]]


@dataclass(slots=True, frozen=True)
class StoryView:
    """The history of a URL."""

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
        language=language_tag(document.language),
        language_name=language_name(document.language),
        paragraphs=list(paragraphs(document.text)),
        is_cut=len(document.text) > MAX_TEXT_CHARS,
        words=len(document.text.split()),
        facts=[
            (row.label, clean_line(str(value), 300))
            for row in _LABELLED
            if (value := getattr(document, row.name))
        ],
        fields=[
            (clean_line(name, 80), clean_line(str(value), 500))
            for name, value in list(document.fields.items())[:_MOST_FIELDS]
        ],
    )


def view_story(story: Story) -> StoryView:
    """Return the history of a URL, oldest event first."""
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
    """Return when the page of a URL was last fetched; None if it never was."""
    answers = [event.at for event in story.events if event.status is not None]
    return show_moment(max(answers)) if answers else None


def _view_event(event: Event) -> EventView:
    reason = clean_line(event.reason)
    return EventView(show_moment(event.at), event.state.value, reason, event.status)


def title_of(url: str, document: Document | None, story: Story | None) -> str:
    """Return the heading of a page: its title, or its URL."""
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


def share_sites(sites: Iterable[tuple[str, int]], hues: Hues) -> list[Share]:
    """Return the sites with bars relative to the largest."""
    rows = list(sites)
    most = max((number for _, number in rows), default=1)
    shares = []
    for site, number in rows:
        width = max(round(_BAR_WIDTH * number / most), 4)
        name, url = clean_line(site, 80), urls.site_url(site)
        shares.append(Share(name, number, 0, width, hues.of(site), url))
    return shares
