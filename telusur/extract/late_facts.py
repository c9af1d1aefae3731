"""What the lines of a page add to its date and author, and when a date is not the page's own."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from telusur.extract.facts.announced import find_announced_day, find_byline
from telusur.extract.facts.dates import find_dates
from telusur.extract.facts.metadata import Metadata
from telusur.extract.facts.nearby import HAS_YEAR
from telusur.extract.facts.people.shown import find_shown_people
from telusur.extract.facts.publication_date import is_month_first
from telusur.extract.facts.statements import clean
from telusur.models import Document

_WITHOUT_DAY = ("collection", "listing", "product")
_DATED = ("date", "author")
_WITHOUT_AUTHOR = ("collection", "listing", "product", "service")
_WITH_ONE_SUBJECT = ("article", "forum")
# /311510-fog.html, ?oid=8976, but not /best-horns-2024
_MOST_DAYS = 2
_MOST_LINES = 3000
_LONGEST = 200  # characters
_SENTENCE = 60
_LEAST_TEXT = 300
_IDENTITY = re.compile(r"\d{5}|(?<!\d)(?!19|20)\d{4}(?!\d)")


def settle_facts(
    document: Document,
    metadata: Metadata,
    lines: Sequence[str],
    labels: list[str],
    dated: Sequence[int] | None = None,
) -> None:
    """Drop what is not the page's own, and add what only a line of the page names.

    A date or a name that a list or a product shows belongs to a teaser, an offer or a review.
    `labels` are those of the lines; a byline that was found here is labelled, too. Without one, the
    author is the organisation that the page declares, an agency for example. `dated` are the
    lines that may have a date, if that is known.
    """
    if document.page_type in _WITHOUT_AUTHOR and metadata.is_author_shown:
        document.author = None
    if document.page_type in _WITHOUT_DAY and metadata.is_date_shown:
        if document.page_type == "product" or not _is_own_day(document, lines):
            document.date = None
        return
    if not document.title and "title" in labels:
        document.title = clean(lines[labels.index("title")])
    if metadata.is_front_page or metadata.has_wares:
        return
    is_one = document.page_type in _WITH_ONE_SUBJECT
    if document.date is None:
        document.date = _find_day(document, lines, labels, dated, is_one=is_one)
    if document.author is None and is_one and (byline := find_byline(lines)):
        document.author = ", ".join(byline.names)
        if labels[byline.line] in ("other", "date"):
            labels[byline.line] = "author"
    if document.author is None and is_one:
        people = find_shown_people(lines, labels, document.date)
        document.author = ", ".join(people) or None
    document.author = document.author or metadata.author_group or None


def _is_own_day(document: Document, lines: Sequence[str]) -> bool:
    """Tell whether a page taken for a list is an article, whose date is its own.

    Its address has a number; or it names hardly any other day, and has a text.
    """
    if _IDENTITY.search(document.url):
        return True
    month_first = is_month_first(document.language, document.url)
    short = (line for line in lines[:_MOST_LINES] if len(line) < _LONGEST and HAS_YEAR.search(line))
    days = {found.day for line in short for found in find_dates(line, month_first=month_first)}
    if document.date not in days or len(days) > _MOST_DAYS:
        return False
    return sum(len(line) for line in lines if len(line) > _SENTENCE) > _LEAST_TEXT


def _find_day(
    document: Document,
    lines: Sequence[str],
    labels: Sequence[str],
    dated: Sequence[int] | None,
    *,
    is_one: bool,
) -> str | None:
    """Return the day that a line announces, or that of the first line labelled as a date."""
    latest = (date.today() + timedelta(days=1)).isoformat()
    month_first = is_month_first(document.language, document.url)
    day = find_announced_day(lines, latest, month_first=month_first, is_one=is_one, dated=dated)
    if day:
        return day
    for line, label in zip(lines, labels, strict=True) if is_one else ():
        if label in _DATED and (found := find_dates(line[:_LONGEST], month_first=month_first)):
            return found[0].day if found[0].day <= latest else None
    return None
