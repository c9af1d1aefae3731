"""Finds the authors of a page: in its metadata, and beside its headline."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from turbohtml import Element

from telusur.extract.facts.json_ld import StructuredData, as_text, types_of
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
from telusur.extract.facts.signals import Signals
from telusur.extract.facts.site_names import host_labels, squeeze
from telusur.extract.facts.statements import Statements, clean

_META_NAMES = (
    "author", "article:author", "dc.creator", "dcterms.creator", "citation_author",
    "parsely-author", "sailthru.author", "byl", "article:author_name", "og:article:author",
    "authors", "dc.contributor", "cxenseparse:author", "shareaholic:article_author_name",
)  # fmt: skip
_MARKS = "[itemprop~=author],a[rel~=author],[class*=author i],[class*=byline i],[class*=username]"
_POSTS = "[data-author],[data-author-username]"
_AUTHOR_WORDS = re.compile(
    r"author|byline|writer|contributor|posted-?by|username|p-name\b|creator|\bautor|auteur|autore\b|"
    r"penulis|yazar|skribent|forfatter|verfasser|journalist|reporter|kolumnist"
)
_ELSEWHERE = re.compile(
    r"//(?:[\w-]+\.)?(?:facebook|twitter|x|instagram|youtube|pinterest|tiktok|linkedin)\.com/"
)
_OTHER_WORDS = re.compile(
    r"comment|related|review|authori[tz]|sidebar|footer|avatar|\bbio|-bio|about|share|social|reply|"
    r"widget|date|time|title-?author|job-?title|\brole|position|desc|recirc|popular|trending|latest|\bnav"
)
_AUTHOR_PATH = re.compile(
    r"/(?:authors?|writers?|contributors?|people|profiles?|by|staff|team|our-team|bio|users?|"
    r"columnists?|penulis|yazar|autor(?:en|es)?|auteurs?|autore|reporter|journalists?|experts?)/"
    r"(?!register|sign|log-?in|account|new\b)[^/]",
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
_ARTICLE = 3  # letters: "Die Furche" of furche.example
_BESIDE = 14
_NEAR = 40
_NEAR_BEFORE = 16
_MAX_MARKS = 12
_MAX_NAMES = 10


@dataclass(slots=True)
class _Stated:
    names: list[str]
    are_people: bool = True
    # It is the name of the site or its publisher; many people name their site after themselves.
    is_publisher: bool = False


def find_author(signals: Signals, *, has_date: bool) -> str | None:
    """Return the names of the authors, joined by commas, or None if the page has none of its own.

    1. Names announced beside the headline ("By ..."). 2. A person named in the metadata. 3. Names
    marked by classes or links beside the headline, or other names in the metadata. 4. The first
    name marked anywhere. The last two only for pages with a date, articles and threads.
    """
    if signals.title.is_front_page or (signals.has_wares and not signals.data.is_article):
        return None
    stated = _find_stated(signals)
    is_person_stated = stated.are_people and any(map(is_person, stated.names))
    farthest = _BESIDE if is_person_stated else _NEAR
    if announced := _find_announced(signals.nearby, farthest):
        return _join(announced)
    if is_person_stated:
        people = _find_people(signals.nearby) if stated.is_publisher else []
        return _join(people or stated.names)
    if not (has_date or signals.is_article or signals.is_thread or signals.is_untold):
        return None
    return _join(
        _first_poster(signals)
        or _find_marked(signals.nearby)
        or (stated.names if stated.are_people else [])
        or _first_marked(signals)
    )


def _join(names: list[str]) -> str | None:
    return ", ".join(names[:_MAX_NAMES]) or None


def _find_stated(signals: Signals) -> _Stated:
    """Return the names that JSON-LD or meta elements give."""
    data, meta = signals.data, signals.meta
    found = _Stated([])
    for properties in (data.facts, data.page):
        for key in ("author", "creator"):
            if key in properties and not found.names:
                found = _read_people(properties[key], data)
    if not found.names:
        values = [value for key in _META_NAMES if key in meta for value in meta[key][:20]]
        values = values or _announced_in_cards(meta)
        found = _Stated(_unique(name for value in values for name in split_names(value)))
    found.is_publisher = len(found.names) == 1 and _is_publisher(found.names[0], signals)
    return found


def _announced_in_cards(meta: Statements) -> list[str]:
    """Return what cards for social networks announce as the author: label1, data1 and so on."""
    labels = {number: meta.get(f"twitter:label{number}", [""])[0] for number in (1, 2)}
    numbers = [number for number, label in labels.items() if is_byline_label(label.strip())]
    return [value for number in numbers for value in meta.get(f"twitter:data{number}", ())]


def _is_publisher(name: str, signals: Signals) -> bool:
    """Tell whether a name is that of the site or its publisher."""
    publisher = signals.data.resolve(signals.data.facts.get("publisher"))
    names = [signals.title.site_name]
    if isinstance(publisher, dict):
        names.append(as_text(publisher.get("name")))
    squeezed = squeeze(name)
    if squeezed in map(squeeze, filter(None, names)):
        return True
    return any(
        label in squeezed and len(squeezed) <= len(label) + _ARTICLE
        for label in host_labels(signals.url)
    )


def _read_people(value: Any, data: StructuredData) -> _Stated:
    """Read an author in JSON-LD: a name, an object with one, a reference, or a list of them."""
    people: list[str] = []
    organisations: list[str] = []
    for given in value[:20] if isinstance(value, list) else [value]:
        item = data.resolve(given)
        if isinstance(item, str):
            people += split_names(item)
        elif isinstance(item, dict):
            kinds = types_of(item)
            is_group = any("organi" in kind or "corporation" in kind for kind in kinds)
            (organisations if is_group else people).extend(split_names(as_text(item.get("name"))))
    if people:
        return _Stated(_unique(people))
    return _Stated(_unique(organisations), are_people=False)


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
    return drop_groups(_unique(names))


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
        found = [name for name in split_names(piece.text) if is_person(name)]
        if found:
            names += found
        elif not names and is_name(piece.text):
            names += split_names(piece.text)[:1]
            return names
    return _unique(names)


@lru_cache(maxsize=4096)
def _name_authors(names: str) -> bool:
    """Tell whether names of elements mean authors; cached, since pages of one site share them."""
    return _AUTHOR_WORDS.search(names) is not None


def _leads_to_author(link: str) -> bool:
    """Tell whether a link leads to an author's page on the same site."""
    return _AUTHOR_PATH.search(link) is not None and _ELSEWHERE.search(link) is None


def _first_poster(signals: Signals) -> list[str]:
    """Return the author of the first post of a thread, if the forum software names one."""
    if signals.tags is None or not signals.is_thread:
        return []
    for element in signals.tags.select(_POSTS, "data-author")[:_MAX_MARKS]:
        name = clean(element.attr("data-author") or element.attr("data-author-username") or "")
        if is_name(name):
            return [name]
    return []


def _first_marked(signals: Signals) -> list[str]:
    """Return the name in the first element of the page that by its mark is an author's."""
    if signals.tags is None:
        return []
    for element in signals.tags.select(_MARKS, "author")[:_MAX_MARKS]:
        if _OTHER_WORDS.search(names_around(element)):
            continue
        for text in _short_strings(element):
            if names := split_names(text):
                return names
    return []


def _short_strings(element: Element) -> Iterator[str]:
    for number, text in enumerate(element.strings):
        if number == 6:
            return
        if not text.isspace() and not is_byline_label(text.strip()):
            yield text[:200]


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))
