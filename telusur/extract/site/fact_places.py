"""Author and date by their place: where they stand on other pages of one template."""

from datetime import date, timedelta

from telusur.extract.facts.dates import find_dates
from telusur.extract.facts.metadata import Metadata
from telusur.extract.facts.names import is_person, split_names
from telusur.extract.facts.publication_date import is_month_first
from telusur.extract.site.evidence import FACTS
from telusur.extract.site.page_on_site import PageOnSite
from telusur.extract.site.record import OfPlace, SiteRecord
from telusur.models import Document

# A fact stands at a place on so many other pages, and on this share of those that have the place.
LEAST_PAGES = 2
LEAST_SHARE = 0.5
# A place with more lines than this is that of a list.
_MOST_LINES = 2
_LONGEST = 120  # characters


def add_facts_by_place(
    document: Document, metadata: Metadata, view: PageOnSite, record: SiteRecord
) -> None:
    """Add the author and the day that stand where they do on other pages, if they are missing."""
    if metadata.is_front_page or document.page_type not in ("article", "forum"):
        return
    if document.author is None:
        document.author = ", ".join(_people_at_place(view, record)) or None
    if document.date is None:
        document.date = _day_at_place(document, view, record)


def find_fact_line(view: PageOnSite, record: SiteRecord, fact: str) -> int | None:
    """Return the first line at the place where a fact stands on most other pages that have it."""
    page, number = view.evidence, FACTS.index(fact)
    rows = record.places.find(page.places)
    own = int(record.knows(page.address))
    with_fact = rows[:, OfPlace.FACTS + number]
    if own and page.facts[number] >= 0:
        with_fact[page.facts[number]] -= 1
    share = with_fact / (rows[:, OfPlace.PAGES] - own).clip(1)
    with_fact[(with_fact < LEAST_PAGES) | (share < LEAST_SHARE)] = 0
    best = int(with_fact.argmax())
    if not with_fact[best]:
        return None
    lines = (page.place_of == best).nonzero()[0]
    return int(lines[0]) if len(lines) <= _MOST_LINES else None


def _text_at_place(view: PageOnSite, record: SiteRecord, fact: str) -> str:
    line = find_fact_line(view, record, fact)
    if line is None or len(view.layout.texts[line]) > _LONGEST:
        return ""
    known = view.judgement
    if known.repeats[line] > LEAST_SHARE * known.place_pages[line]:
        return ""  # what stands on most pages is the frame
    view.fact_places[line] = fact
    return view.layout.texts[line]


def _people_at_place(view: PageOnSite, record: SiteRecord) -> list[str]:
    text = _text_at_place(view, record, "author")
    people = split_names(text) if text else []
    return people if all(map(is_person, people)) else []


def _day_at_place(document: Document, view: PageOnSite, record: SiteRecord) -> str | None:
    """Return the first day at the usual place."""
    text = _text_at_place(view, record, "date")
    month_first = is_month_first(document.language, document.url)
    days = [found.day for found in find_dates(text, month_first=month_first)]
    latest = (date.today() + timedelta(days=1)).isoformat()
    return next((day for day in days if day <= latest), None)
