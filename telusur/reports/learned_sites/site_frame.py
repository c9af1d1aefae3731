"""The frame of a site: what its record says, shown by a few of its pages.

A record has only hashes. The texts and places that they stand for are looked up on stored pages.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from telusur.arrays import Floats
from telusur.extract.document import read_page
from telusur.extract.site.evidence import FACTS
from telusur.extract.site.fact_places import LEAST_SHARE
from telusur.extract.site.judging import LEAST_PAGES
from telusur.extract.site.page_on_site import PageOnSite
from telusur.extract.site.record import OfPlace, OfText, SiteRecord
from telusur.models import Block

#: So many pages are looked at.
LOOKED_AT = 6
MOST_TEXTS = 100
MOST_PLACES = 60
# A text is part of the frame if it is on this share of the pages.
_FRAME_SHARE = 0.3
_LONGEST = 300


@dataclass(slots=True, frozen=True)
class FrameText:
    """A text that repeats: on how many pages, and the selector of its place."""

    text: str
    pages: int
    selector: str
    label: str


@dataclass(slots=True, frozen=True)
class FramePlace:
    """A place: on how many pages it was, and what stood there."""

    selector: str
    pages: int
    # The share of its lines that repeat.
    repeating: float
    # The probability that a line there is content, by the mean of the log-odds.
    content: float
    example: str


@dataclass(slots=True, frozen=True)
class FactPlace:
    """A place where a title, an author or a date stood."""

    fact: str
    selector: str
    pages: int
    example: str
    # A page without this fact is given what stands here.
    is_usual: bool = False


@dataclass(slots=True, frozen=True)
class SiteFrame:
    """What was learned about a site."""

    site: str
    # From how many pages; from too few, nothing is said about other pages.
    pages: int
    is_used: bool
    looked_at: tuple[str, ...] = ()
    texts: tuple[FrameText, ...] = ()
    places: tuple[FramePlace, ...] = ()
    facts: tuple[FactPlace, ...] = ()


@dataclass(slots=True)
class _Found:
    texts: dict[int, FrameText] = field(default_factory=dict)
    places: dict[int, FramePlace] = field(default_factory=dict)
    facts: dict[tuple[str, int], FactPlace] = field(default_factory=dict)


def read_frame(
    site: str, packed: bytes | None, urls: Iterable[str], html_of: Callable[[str], str | None]
) -> SiteFrame:
    """Return what a packed record says, shown by a few of these pages of the site."""
    record = SiteRecord.from_bytes(packed or b"")
    found, looked_at = _Found(), []
    for url in urls if record.pages else ():
        html = html_of(url)
        reading = read_page(html, url, site=record) if html is not None else None
        if reading is not None and reading.site is not None:
            _collect(record, reading.site, list(reading.document.blocks), found)
            looked_at.append(url)
    texts = sorted(found.texts.values(), key=lambda each: (-each.pages, -len(each.text)))
    places = sorted(found.places.values(), key=lambda each: (-each.pages, -each.content))
    facts = sorted(found.facts.values(), key=lambda each: (FACTS.index(each.fact), -each.pages))
    return SiteFrame(
        site, record.pages, record.pages >= LEAST_PAGES, tuple(looked_at),
        tuple(texts[:MOST_TEXTS]), tuple(places[:MOST_PLACES]), tuple(facts),
    )  # fmt: skip


def _collect(record: SiteRecord, page: PageOnSite, blocks: list[Block], found: _Found) -> None:
    """Add the texts and places of a page that the record knows."""
    evidence = page.evidence
    pages = record.texts.find(evidence.texts)[:, OfText.PAGES].tolist()
    rows = record.places.find(evidence.places)
    first = np.full(len(evidence.places), -1, np.int64)
    for line, (block, count) in enumerate(zip(blocks, pages, strict=False)):
        first[evidence.place_of[line]] = max(line, first[evidence.place_of[line]])
        if count >= max(LEAST_PAGES, _FRAME_SHARE * record.pages):
            key = int(evidence.texts[line])
            text = " ".join(block.text.split())[:_LONGEST]
            found.texts[key] = FrameText(text, int(count), block.selectors, block.label)
    for number, (row, line) in enumerate(zip(rows, first.tolist(), strict=True)):
        if line < 0 or row[OfPlace.PAGES] < LEAST_PAGES:
            continue
        key, block = int(evidence.places[number]), blocks[line]
        found.places[key] = _place(row, block)
        for column, fact in enumerate(FACTS):
            count = int(row[OfPlace.FACTS + column])
            if count >= LEAST_PAGES and count >= _FRAME_SHARE * row[OfPlace.PAGES]:
                example = " ".join(block.text.split())[:_LONGEST]
                is_usual = bool(count >= LEAST_SHARE * row[OfPlace.PAGES])
                found.facts[fact, key] = FactPlace(fact, block.selectors, count, example, is_usual)


def _place(row: Floats, block: Block) -> FramePlace:
    certainty = float(row[OfPlace.CERTAINTY] / row[OfPlace.PAGES])
    return FramePlace(
        block.selectors, int(row[OfPlace.PAGES]),
        round(float(row[OfPlace.REPEATED] / max(1, row[OfPlace.LINES])), 2),
        round(1 / (1 + float(np.exp(-certainty))), 2),
        " ".join(block.text.split())[:_LONGEST],
    )  # fmt: skip
