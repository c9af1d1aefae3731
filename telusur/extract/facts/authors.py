"""Finds the authors of a page: in its metadata, and beside its headline."""

import re
from collections.abc import Iterator
from functools import lru_cache

from turbohtml import Element

from telusur.extract.facts.names import (
    BYLINE_STARTS,
    drop_groups,
    is_byline_label,
    is_handle,
    is_name,
    is_person,
    split_names,
    starts_with_by,
)
from telusur.extract.facts.nearby import Nearby, NearbyText, names_around
from telusur.extract.facts.people.beside_day import find_beside_day
from telusur.extract.facts.people.thread_starter import find_member, find_starter
from telusur.extract.facts.signals import Signals
from telusur.extract.facts.stated_people import (
    StatedNames,
    find_stated,
    is_publisher,
    names_publisher,
    unique,
)

_MARKS = "[itemprop~=author],a[rel~=author],[class*=author i],[class*=byline i],[class*=username]"
_AUTHOR_WORDS = re.compile(
    r"author|byline|writer|contributor|posted-?by|username|p-name\b|creator|\bautor|auteur|autore\b|"
    r"penulis|yazar|skribent|forfatter|verfasser|journalist|reporter|kolumnist"
)
_ELSEWHERE = re.compile(
    r"//(?:[\w-]+\.)?(?:facebook|twitter|x|instagram|youtube|pinterest|tiktok|linkedin)\.com/"
)
_OTHER_WORDS = re.compile(
    r"comment|related|review|authori[tz]|licen[cs]e|sidebar|footer|avatar|\bbio|-bio|about|share|social|reply|"
    r"widget|date|time|title-?author|job-?title|\brole|position|desc|recirc|popular|trending|latest|\bnav"
)
_AUTHOR_PATH = re.compile(
    r"/(?:authors?|writers?|contributors?|people|profiles?|by|staff|team|our-team|bio|users?|"
    r"columnists?|penulis|yazar|autor(?:en|es)?|auteurs?|autore|reporter|journalists?|experts?)/"
    r"(?!register|sign|log-?in|account|new\b)[^/]",
    re.IGNORECASE,
)
_OTHER_PATH = re.compile(
    r"/(?:categor\w+|kategori\w*|tags?|topics?|thema|themen|temas?|rubri\w+|sections?|se[cz]ione?s?)/",
    re.IGNORECASE,
)
_AUTHOR_AND_DATE = re.compile(r"\b(?:date[-_]author|author[-_]date)\b")
_JOINTS = frozenset((",", "and", "&", ", and", "und", "et", "y", "dan", "ve", "|", "·", "•"))
_PICTURE = re.compile(
    r"\b(?:photo(?:graph|graphy|s)?|image|picture|credit|courtesy|illustration|cited|video|"
    r"powered|foto|bild|gambar|ilustrasi|imagen?)s?:?$",
    re.IGNORECASE,
)
_MAX_LABEL = 30
_BESIDE = 14
_NEAR = 40
_NEAR_BEFORE = 16
_MAX_MARKS = 12
_MAX_NAMES = 10


def find_author(signals: Signals, *, has_date: bool) -> str | None:
    """Return the names of the authors, joined by commas, or None if the page has none of its own.

    1. Names announced beside the headline ("By ..."). 2. A person named in the metadata. 3. Names
    marked by classes or links beside the headline, or other names in the metadata. 4. The first
    name marked anywhere. The last two only for pages with a date, articles and threads.
    """
    if signals.title.is_front_page or (signals.has_wares and not signals.data.is_article):
        return None
    stated = find_stated(signals)
    is_person_stated = stated.are_people and any(map(is_person, stated.names))
    farthest = _BESIDE if is_person_stated else _NEAR
    announced = _find_announced(signals.nearby, farthest)
    if announced and not _counts_less(announced, stated, signals):
        return _join(_nearer_people(signals.nearby, announced) or announced, signals)
    if is_person_stated:
        is_doubtful = len(stated.names) == 1 and names_publisher(stated.names[0], signals)
        people = _find_people(signals.nearby) if is_doubtful else []
        return _join(people or stated.names, signals)
    marked = _find_marked(signals.nearby)
    if not (has_date or signals.is_article or signals.is_thread or signals.is_untold):
        return _join(marked, signals) if marked and all(map(is_person, marked)) else None
    return _join(
        find_starter(signals)
        or (marked if any(map(is_person, marked)) else [])
        or (stated.names if stated.are_people else [])
        or marked
        or _first_marked(signals)
        or find_member(signals)
        or find_beside_day(signals),
        signals,
    )


def _counts_less(announced: list[str], stated: StatedNames, signals: Signals) -> bool:
    """Tell whether names in a byline are less likely than the stated ones.

    They are no people ("By category"), or the site itself while a person is stated.
    """
    if not (stated.names and stated.are_people):
        return False
    if not any(map(is_person, announced)):
        return True
    return not stated.is_publisher and all(is_publisher(name, signals) for name in announced)


def _join(names: list[str], signals: Signals) -> str | None:
    """Join the names of people, without that of the site which a byline may have as well."""
    if len(names) > 1:
        others = [name for name in names if not names_publisher(name, signals)]
        names = drop_groups(others if any(map(is_person, others)) else names)
    return ", ".join(names[:_MAX_NAMES]) or None


def _nearer_people(nearby: Nearby, announced: list[str]) -> list[str]:
    """Return the people marked as authors who stand before the first text with an announced name.

    That announcement may be a picture's.
    """
    for number, piece in enumerate(nearby.after):
        if any(name in piece.text for name in announced):
            people = _marked(nearby.after[:number])
            return people if all(map(is_person, people)) else []
    return []


def _find_announced(nearby: Nearby, farthest: int) -> list[str]:
    """Return the names that words like "By" announce, after the headline or before it."""
    before = nearby.before[:_NEAR_BEFORE]
    return _announced(nearby.after[:farthest]) or _announced(before[::-1])


def _find_marked(nearby: Nearby) -> list[str]:
    """Return the names that a class or the address of a link shows to be an author's."""
    return _marked(nearby.after[:_NEAR]) or _marked(nearby.before[:_NEAR_BEFORE])


def _find_people(nearby: Nearby) -> list[str]:
    """Return the people whose names are marked as an author's after the headline."""
    names = _marked(nearby.after[:_BESIDE])
    return names if all(map(is_person, names)) else []


def _announced(pieces: list[NearbyText]) -> list[str]:
    """Return the names after the first "By" that begins a text, and not the rest of a sentence."""
    for number, piece in enumerate(pieces):
        if _may_announce(piece.text) and not _goes_on(pieces, number):
            previous = pieces[number - 1].text if number else ""
            following = pieces[number + 1 :]
            names = [] if _PICTURE.search(previous) else _announced_by(piece.text, following)
            if names and all(map(_may_be_announced, names)):
                return names
    return []


@lru_cache(maxsize=4096)
def _may_announce(text: str) -> bool:
    """Tell whether a text begins like a byline; cached, since a site repeats its texts."""
    if text[:2].casefold() not in BYLINE_STARTS:
        return False
    return is_byline_label(text) or starts_with_by(text)


def _goes_on(pieces: list[NearbyText], number: int) -> bool:
    """Tell whether a text goes on with a sentence that its element holds already."""
    element = pieces[number].element
    return any(
        piece.element == element and len(piece.text) > _MAX_LABEL for piece in pieces[:number]
    )


def _announced_by(text: str, following: list[NearbyText]) -> list[str]:
    if is_byline_label(text):
        return _following_names(following[:12])
    if starts_with_by(text):
        return [name for name in split_names(text) if not name.islower()]
    return []


def _may_be_announced(name: str) -> bool:
    return name[:1].isupper() or is_handle(name) or name[:1] > "\u0590"


def _following_names(pieces: list[NearbyText]) -> list[str]:
    """Return the name in the first text, and those that follow it after a comma or "and"."""
    names: list[str] = []
    is_joined = True
    for piece in pieces:
        text = piece.text
        if text.casefold() in _JOINTS:
            is_joined = True
            continue
        if not is_joined:
            break
        found = split_names(text) if len(text) <= 120 else []
        if not found:
            break
        names += found
        is_joined = text.rstrip().endswith((",", " and", "&"))
    return drop_groups(unique(names))


def _marked(pieces: list[NearbyText]) -> list[str]:
    names: list[str] = []
    for piece in pieces:
        if not piece.is_short:
            continue
        if not (_name_authors(piece.names) or _leads_to_author(piece.link)):
            if names:
                break
            continue
        if _OTHER_WORDS.search(_AUTHOR_AND_DATE.sub("", piece.classes)):
            continue
        if _OTHER_PATH.search(piece.link):
            continue
        found = [name for name in split_names(piece.text) if is_person(name)]
        if found:
            names += found
        elif not names and is_name(piece.text):
            names += split_names(piece.text)[:1]
            return names
    return unique(names)


@lru_cache(maxsize=4096)
def _name_authors(names: str) -> bool:
    """Tell whether names of elements mean authors; cached, since pages of one site share them."""
    return _AUTHOR_WORDS.search(names) is not None


def _leads_to_author(link: str) -> bool:
    """Tell whether a link leads to an author's page on the same site."""
    return _AUTHOR_PATH.search(link) is not None and _ELSEWHERE.search(link) is None


def _first_marked(signals: Signals) -> list[str]:
    """Return the names in the first element of the page marked as an author's, and in its like."""
    if signals.tags is None:
        return []
    names: list[str] = []
    shape = ""
    for element in signals.tags.select(_MARKS, "author")[:_MAX_MARKS]:
        around = names_around(element)
        if (names and around != shape) or _OTHER_WORDS.search(around):
            continue
        found = next(filter(None, map(split_names, _short_strings(element))), [])
        if not names:
            names, shape = found, around
        elif signals.is_article and all(map(is_person, found)):
            names = unique([*names, *found])
    return names


def _short_strings(element: Element) -> Iterator[str]:
    for number, text in enumerate(element.strings):
        if number == 6:
            return
        if not text.isspace() and not is_byline_label(text.strip()):
            yield text[:200]
