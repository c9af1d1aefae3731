"""Finds the date of publication: in the metadata, and beside the headline."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from turbohtml import Element

from telusur.extract.facts.dates import FoundDate, date_in_url, find_dates, parse_date
from telusur.extract.facts.days.date_words import CHANGED, OTHER_DAYS, PUBLISHED
from telusur.extract.facts.json_ld import as_text
from telusur.extract.facts.nearby import HAS_YEAR, Nearby, NearbyText, names_around
from telusur.extract.facts.signals import Signals
from telusur.extract.facts.statements import first_of

_DATE_NAMES = (
    "article:published_time", "datepublished", "date", "dc.date", "dcterms.created",
    "dc.date.issued", "dcterms.date", "citation_publication_date", "citation_date",
    "parsely-pub-date", "pubdate", "publishdate", "publish-date", "publication_date",
    "sailthru.date", "og:article:published_time", "article.published", "created", "dcterms.issued",
    "og:published_time", "cxenseparse:publishtime", "published", "og:pubdate", "uploaddate",
    "pub_date", "publicationdate", "dateposted", "article:created", "dc.date.created",
)  # fmt: skip
_DATE_PROPERTIES = ("datePublished", "dateCreated", "uploadDate", "datePosted")
_CHANGE_NAMES = ("article:modified_time", "og:updated_time", "datemodified")
_PUBLISHED_NAME = re.compile(r"publi\w*[-_.:]?(?:date|time|on|at)|(?:date|time)[-_.:]?publi")
# A selector and its signs: see TagIndex.
_TIME = ("time", "<time")
_MICRODATA = ("[itemprop~=datePublished],time", "date", "<time")
_NAMED = ("[class*=date],[class*=publish],[class*=posted]", "date")
_MARKS = (f"{_MICRODATA[0]},[class*=date],[class*=published]", "date", "<time")
_OF_OTHERS = re.compile(
    r"review|comment|updat|modif|revision|related|card|event|reply", re.IGNORECASE
)
_CHANGED_CLASS = re.compile(r"\b(?:updated?|modified|last-?mod)")
# A text with more words than this that begin in lower case, besides the date, is a sentence.
_FEW_WORDS = 5
_LOWER_WORD = re.compile(r"\b[a-z\u00df-\u00f6\u00f8-\u00ff\u03ac-\u03ce\u0430-\u045f]\w+")
_DATELINE = 30  # characters
# Within this distance of the headline a date outweighs the metadata; further away it counts only
# without metadata.
_BESIDE = 12
# Higher above it may stand the day on which the page was fetched.
_ABOVE = 1
_MAX_LENGTH = 120
_MOST_HEADINGS = 1  # a subtitle may be one
_MAX_MARKS = 10
_UNCLEAR = re.compile(r"\s*\d{1,2}[-./]\d{1,2}[-./]\d{4}")
_MONTH_FIRST_LANGUAGES = frozenset(("", "en", "en-us", "en-ph", "es-us"))
_DAY_FIRST_COUNTRIES = frozenset((
    "uk", "ie", "au", "nz", "in", "za", "sg", "my", "id", "eu", "ng", "ke", "pk", "lk", "hk", "mt",
))  # fmt: skip


class _Shown(NamedTuple):
    day: str
    distance: int
    is_change: bool
    # There are other headings between the headline and the date: it belongs to one of them.
    is_teasers: bool


class PageDay(NamedTuple):
    """The date of a page as YYYY-MM-DD, and whether the URL or the data of the page have it."""

    day: str
    is_stated: bool


def find_date(signals: Signals, latest: str) -> PageDay | None:
    """Return the date of publication, or None if there is none.

    A date beside the headline counts more than a date in the metadata that is not visible, unless
    it is that of a change. Dates after `latest` do not count.
    """
    if signals.title.is_front_page:
        return None  # its teasers have dates, the page has none
    if in_url := date_in_url(signals.url):
        return PageDay(in_url, is_stated=True)
    stated = _stated(signals, latest)
    day = _choose(signals, stated, latest)
    return PageDay(day, day == (stated.day if stated else "")) if day else None


def _choose(signals: Signals, stated: "_Stated | None", latest: str) -> str | None:
    """Return the stated day or one that the page shows."""
    month_first = is_month_first(signals.language, signals.url)
    changed = _changed(signals, latest)
    seen = [each for each in _shown_dates(signals.nearby, month_first) if each.day <= latest]
    if changed and not signals.is_thread:
        seen = [each for each in seen if each.day <= _next_day(changed)]
    is_list = len({each.day for each in seen}) > 1  # a single date is the page's own
    shown = [each for each in seen if not (each.is_teasers and is_list)]
    if not shown and signals.has_wares:
        return None
    best = next((each for each in shown if not each.is_change), None)
    if stated is None and not shown:
        return (
            None if seen else _in_heading(signals, latest) or _marked(signals, month_first, latest)
        )
    if stated is None:
        return (best or shown[0]).day
    days = {each.day for each in shown if not each.is_change}
    if stated.day not in days and (other := _other_stated(signals, days)):
        return other
    swapped = f"{stated.day[:4]}-{stated.day[8:]}-{stated.day[5:7]}"
    if stated.day not in days and swapped in days and not stated.is_clear:
        return swapped
    is_confirmed = not days.isdisjoint((stated.day, swapped)) or signals.is_thread
    if best and -_ABOVE <= best.distance <= _BESIDE and not is_confirmed:
        return best.day if best.day != changed else stated.day
    return stated.day


def _next_day(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def _in_heading(signals: Signals, latest: str) -> str | None:
    """Return the day that is a line of the headline itself."""
    heading = signals.title.heading
    for text in islice(heading.strings, _MAX_MARKS) if heading is not None else ():
        if HAS_YEAR.search(text) and (found := find_dates(text[:_MAX_LENGTH])):
            rest = text[: found[0].start] + text[found[0].end :]
            if found[0].day <= latest and not any(map(str.isalpha, rest)):
                return found[0].day
    return None


def is_month_first(language: str, url: str = "") -> bool:
    """Tell whether a page in this language, at this URL, writes 3/4/2024 for the 4th of March."""
    code = language.casefold().replace("_", "-")
    host = url.partition("//")[2].partition("/")[0]
    if code not in _MONTH_FIRST_LANGUAGES:
        return False
    return code == "en-us" or host.rpartition(".")[2] not in _DAY_FIRST_COUNTRIES


class _Stated(NamedTuple):
    day: str
    # It cannot be read in two ways, as 03-04-2024 can.
    is_clear: bool


def _other_stated(signals: Signals, shown: set[str]) -> str | None:
    """Return a date of publication in the metadata that the page shows, if not the first."""
    days = filter(None, map(parse_date, filter(None, _stated_texts(signals)[:_MAX_MARKS])))
    return next((day for day in days if day in shown), None)


def _stated_texts(signals: Signals) -> list[str]:
    facts, meta = signals.data.facts, signals.meta
    values = [as_text(facts.get(name)) for name in _DATE_PROPERTIES]
    return values + [value for name in _DATE_NAMES if name in meta for value in meta[name]]


def _stated(signals: Signals, latest: str) -> _Stated | None:
    """Return the first date in the metadata of the page's subject, not of the page as such."""
    if found := _first_date(_stated_texts(signals), latest):
        return found
    meta = signals.meta
    named = [name for name in meta if "publi" in name and _PUBLISHED_NAME.search(name)]
    return _first_date([value for name in named for value in meta[name]], latest)


def _changed(signals: Signals, latest: str) -> str | None:
    values = [as_text(each.get("dateModified")) for each in (signals.data.facts, signals.data.page)]
    found = _first_date([*values, first_of(signals.meta, _CHANGE_NAMES)], latest)
    return found.day if found else None


def _first_date(values: list[str], latest: str) -> _Stated | None:
    for text in values[:50]:
        if text and (day := parse_date(text)) and day <= latest:
            return _Stated(day, _UNCLEAR.match(text) is None)
    return None


def _shown_dates(nearby: Nearby, month_first: bool) -> list[_Shown]:
    """Return the days written in short texts near the headline, each with what is said of it."""
    shown: list[_Shown] = []
    all_pieces = [*nearby.after, *nearby.before]
    has_published = any(each.moment and "published" in each.classes for each in all_pieces)
    for pieces, step in ((nearby.after, -1), (nearby.before, 1)):
        for number, piece in enumerate(pieces):
            if not (piece.has_year or piece.moment) or len(piece.text) > _MAX_LENGTH:
                continue
            days = _days_of(piece, month_first)
            if days and not _is_in_sentence(days[0], piece.text):
                before = number + step  # in reading order: the other way before the headline
                lead = _label_of(pieces[before]) if 0 <= before < len(pieces) else ""
                headings = {each.heading for each in pieces[: number + 1] if each.heading >= 0}
                is_change = has_published and _is_marked_change(piece.classes)
                is_teasers = len(headings) > _MOST_HEADINGS
                shown += _judge(days, piece, lead, is_change=is_change, is_teasers=is_teasers)
    return sorted(shown, key=_remoteness)


def _remoteness(shown: _Shown) -> int:
    """Return how far a day is from the headline; days above it are less often the page's."""
    return shown.distance if shown.distance > 0 else -2 * shown.distance


def _is_in_sentence(found: FoundDate, text: str) -> bool:
    """Tell whether running text names a day: it says when something else happened.

    A text may begin with the place and the day of a report: "Berlin, 3 May".
    """
    if len(_LOWER_WORD.findall(text)) <= _FEW_WORDS:
        return False
    if found.start < _DATELINE and not _LOWER_WORD.search(text[: found.start]):
        return False
    return not (PUBLISHED.search(text) or CHANGED.search(text))


def _days_of(piece: NearbyText, month_first: bool) -> list[FoundDate]:
    """Return the first days that a text names, or the one that its element states."""
    days = find_dates(piece.text, month_first=month_first)[:2] if piece.has_year else []
    if not days and (moment := parse_date(piece.moment)):
        return [FoundDate(moment, 0, 0)]
    return days


def _judge(
    days: list[FoundDate], piece: NearbyText, lead: str, *, is_change: bool, is_teasers: bool
) -> Iterator[_Shown]:
    """Yield those days of a text that may be the page's; `lead` is what stands before it."""
    start = 0
    for found in days:
        lead += piece.text[start : found.start]
        told = _what_is_told(lead)
        if told != "other":
            is_of_change = is_change or told == "change"
            yield _Shown(found.day, piece.distance, is_of_change, is_teasers)
        lead, start = "", found.end


@lru_cache(maxsize=4096)
def _what_is_told(lead: str) -> str:
    """Return what happened on the day after these words; cached, since sites repeat them."""
    if OTHER_DAYS.search(lead):
        return "other"
    return "change" if CHANGED.search(lead) else ""


def _is_marked_change(classes: str) -> bool:
    """Tell whether an element has its class for the day of a change and no other."""
    return _CHANGED_CLASS.search(classes) is not None and "publish" not in classes


def _label_of(piece: NearbyText) -> str:
    """Return the end of the text before one near the headline, unless it names a day itself."""
    return "" if piece.has_year else f"{piece.text[-30:]} "


def _marked(signals: Signals, month_first: bool, latest: str) -> str | None:
    """Return the day in the first element that by its name holds the page's own."""
    if signals.tags is None:
        return None
    for element in signals.tags.select(*_marks_for(signals))[:_MAX_MARKS]:
        day = parse_date(_day_text(element), month_first=month_first)
        if day and day <= latest and not _OF_OTHERS.search(names_around(element)):
            return day
    return None if signals.has_wares else _announced(signals, month_first, latest)


def _announced(signals: Signals, month_first: bool, latest: str) -> str | None:
    """Return the day that the page says it was published on, wherever it says so."""
    assert signals.tags is not None
    for element in signals.tags.select(*_NAMED)[:_MAX_MARKS]:
        text = " ".join(element.to_text().split()) if len(element.text) < _MAX_LENGTH else ""
        if PUBLISHED.match(text) and not _OF_OTHERS.search(names_around(element)):
            day = parse_date(text, month_first=month_first)
            if day and day <= latest:
                return day
    return None


def _marks_for(signals: Signals) -> tuple[str, ...]:
    """Return what to look for: names of classes cost a walk over the whole page."""
    if signals.is_article or signals.is_thread:
        return _MARKS
    return _MICRODATA if signals.is_untold else _TIME


def _day_text(element: Element) -> str:
    return element.attr("datetime") or element.attr("content") or element.text
