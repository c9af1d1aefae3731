"""Finds the title of a page: where headings, head and structured data agree."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from turbohtml import Element

from telusur.extract.facts.json_ld import StructuredData, as_text, is_article
from telusur.extract.facts.statements import Statements, clean, first_of
from telusur.extract.page.dom import TagIndex

_TITLE_NAMES = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title")
_SITE_NAMES = ("og:site_name", "application-name", "apple-mobile-web-app-title", "twitter:site")
_SEPARATORS = re.compile(r"\s+(?:[|\u2013\u2014\u00b7\u2022\u00bb:]|::|-)\s+|\s*\|\s*|:\s+")
_EDGES = " |-–—·•»:"
_PERMALINK = re.compile(r"\s*(?:[¶#§🔗]|\bPermalink\b|\bLink to this heading\b)\s*$")
_WORDS = re.compile(r"\w+")
_NAME_AT_END = re.compile(
    r"\s([|\u2013\u2014\u00b7\u2022\u00bb-])\s(?:(?!\s[|\u2013\u2014\u00b7\u2022\u00bb-]\s)[^|]){1,50}$"
)
_LABEL = re.compile(r"^(?:Thread|Topic|Question|Re|Thema|Topik|Konu):\s+", re.IGNORECASE)
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})*[.)]?\s+\S")
_NAME_SEPARATORS = re.compile(r"\s+[|\u2013\u2014\u00b7\u2022\u00bb-]\s+")
_LEAST_TITLE = 12
_LEAST_REPEATED = 4
_LEAST_AGREEMENT = 0.0
_LEAST_AGREEMENT_OF_OTHERS = 0.4
_MAX_HEADINGS = 8
_MAX_HEADING_LENGTH = 300
_UNTITLED = frozenset(("home", "menu", "homepage", "untitled", "navigation", "search", "welcome"))


@dataclass(slots=True)
class Title:
    """The title, its heading if there is one, and the other candidates."""

    text: str = ""
    heading: Element | None = None
    # Its place among the headings of its rank.
    heading_number: int = 0
    candidates: list[str] = field(default_factory=list)
    site_name: str = ""
    is_front_page: bool = False


@dataclass(slots=True)
class _Heading:
    element: Element
    number: int
    text: str
    words: frozenset[str]
    agreement: float = 0.0


def find_title(tags: TagIndex, meta: Statements, data: StructuredData, url: str) -> Title:
    """Return the heading confirmed by the head, or the head's title without the site name.

    1. Collect the titles in the head. 2. Remove the names of the site. 3. Choose a heading.
    """
    # 1
    head = clean(tags["title"][0].text) if tags["title"] else ""
    named = clean(as_text(data.facts.get("headline")) or as_text(data.facts.get("name")))
    given = dict.fromkeys((first_of(meta, _TITLE_NAMES), named))
    stated = [value for value in given if value and value != head] + [head] * bool(head)
    # 2
    site = first_of(meta, _SITE_NAMES[:1]) or clean(data.site_name)
    keys = _site_keys(meta, site, url)
    titles = [strip_site_name(value, site, keys) for value in stated]
    # 3
    headings = _read_headings(tags, "h1", titles, keys)
    is_front = _is_front_page(tags, data, url)
    if is_front:
        chosen = _confirmed(headings, stated, keys)
        text = chosen.text if chosen is not None else head
    else:
        chosen = _choose_heading(headings, stated, keys, is_article(data.types))
        chosen = chosen or _confirmed(_read_headings(tags, "h2", titles, keys), stated, keys)
        text = chosen.text if chosen is not None else _best_stated(titles, keys)
    if not text and headings:
        chosen = headings[0]
        text = chosen.text
    candidates = dict.fromkeys([text, *titles, *(heading.text for heading in headings)])
    chosen = chosen or _nearest(headings, [text, *titles], 0)
    for tag in () if chosen is not None else ("h2", "h3", "h4"):
        lesser = _read_headings(tags, tag, titles, keys)
        chosen = chosen or _nearest(lesser, [text, *titles], _LEAST_AGREEMENT_OF_OTHERS)
    heading, number = (chosen.element, chosen.number) if chosen is not None else (None, 0)
    titles = [each for each in candidates if each]
    return Title(text, heading, number, titles, site, is_front)


def _is_front_page(tags: TagIndex, data: StructuredData, url: str) -> bool:
    """Tell whether a page is the front page of its site, not a single article."""
    rest = url.partition("//")[2].partition("?")[0].partition("#")[0]
    if not rest or rest.partition("/")[2]:
        return False
    return not data.is_article and len(tags["article"]) != 1


def strip_site_name(title: str, site: str = "", keys: frozenset[str] = frozenset()) -> str:
    """Return the title without the name of the site before or after a separator.

    `keys` are further names of the site, squeezed to their letters.
    """
    parts = [part for part in _SEPARATORS.split(title) if part]
    if len(parts) < 2:
        return title
    names = keys | {squeeze(site)} if site else keys
    if squeeze(parts[-1]) in names:
        return title[: title.rindex(parts[-1])].rstrip(_EDGES)
    if squeeze(parts[0]) in names:
        return title[title.index(parts[0]) + len(parts[0]) :].lstrip(_EDGES)
    separator = ""
    for _ in range(2):
        ending = _NAME_AT_END.search(title)
        if ending is None or ending.start() < _LEAST_TITLE or ending[1] != (separator or ending[1]):
            break
        title, separator = title[: ending.start()], ending[1]
    return title


def _strip_known_name(title: str, keys: frozenset[str]) -> str:
    """Return a title without a name of the site at its end."""
    parts = _NAME_SEPARATORS.split(title)
    if len(parts) > 1 and squeeze(parts[-1]) in keys:
        return title[: title.rindex(parts[-1])].rstrip(_EDGES)
    return title


def _site_keys(meta: Statements, site: str, url: str) -> frozenset[str]:
    """Return the names of the site, squeezed to their letters: its own, and its host's."""
    names = [site, *(value for name in _SITE_NAMES for value in meta.get(name, ())[:1])]
    keys = {squeeze(name) for name in names}
    host = url.partition("//")[2].partition("/")[0].casefold().removeprefix("www.")
    labels = host.split(".")
    if len(labels) > 1:
        keys |= {squeeze(host), squeeze(labels[0]), squeeze(labels[-2])}
    return frozenset(key for key in keys if len(key) > 2)


@lru_cache(maxsize=1024)
def squeeze(text: str) -> str:
    """Return only the letters and digits of a text, for comparing names."""
    return "".join(_WORDS.findall(text[:200].casefold())).replace("_", "")


def _read_headings(
    tags: TagIndex, tag: str, titles: list[str], keys: frozenset[str]
) -> list[_Heading]:
    found = []
    for number, element in enumerate(tags[tag][:_MAX_HEADINGS]):
        text = _strip_known_name(_heading_text(element, titles), keys)
        if 1 < len(text) <= _MAX_HEADING_LENGTH:
            found.append(_Heading(element, number, text, _words(text)))
    return found


def _heading_text(element: Element, titles: list[str]) -> str:
    """Return the text of a heading; if it has parts, only the part that the head repeats."""
    text = _tidy(element.text)
    pieces = [_tidy(piece) for piece in islice(element.strings, 20)]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) < 2:
        return text
    spaced = " ".join(pieces)
    for whole in (text, spaced, *pieces):
        if whole in titles:
            return whole
    return spaced if element.select_one("br,div,p,li") is not None else text


def _tidy(text: str) -> str:
    """Remove what themes add to a heading: permalink signs, and the kind of page."""
    text = clean(text[: 4 * _MAX_HEADING_LENGTH].replace("\xad", ""))
    return _LABEL.sub("", _PERMALINK.sub("", text))


@lru_cache(maxsize=256)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.casefold()))


def _choose_heading(
    headings: list[_Heading], stated: list[str], keys: frozenset[str], is_article: bool
) -> _Heading | None:
    """Return the first-level heading that agrees most with the head, if any.

    An article may have another title in its head; the heading of any other page must be confirmed
    by it.
    """
    real = [each for each in headings if not _is_no_title(each.text, keys)]
    real = [each for each in real if not _is_name_in_head(each.text, stated)]
    real = _without_sections(real, stated)
    if not real:
        return None
    for each in real:
        each.agreement = max((_agreement(each.words, value) for value in stated), default=1.0)
    best = max(real, key=lambda each: each.agreement)  # the first of equals
    least = _LEAST_AGREEMENT if is_article else _LEAST_AGREEMENT_OF_OTHERS
    return best if best.agreement > least else None


def _without_sections(headings: list[_Heading], stated: list[str]) -> list[_Heading]:
    """Drop the headings of numbered sections, if there are several that the head does not name."""
    others = [each for each in headings if each.text in stated or not _SECTION.match(each.text)]
    return others if len(headings) - len(others) > 1 else headings


def _is_name_in_head(text: str, stated: list[str]) -> bool:
    """Tell whether a heading is the name that the head adds to the title."""
    parts = _NAME_SEPARATORS.split(stated[-1]) if stated else []
    if len(parts) > 1 and parts[-1] == text and text not in parts[:-1]:
        return all(text not in value for value in stated[:-1])
    others = [value for value in stated[:-1] if value != stated[-1]]
    if others and text in stated[-1]:
        words = _words(text)
        return all(value in stated[-1] and not words & _words(value) for value in others)
    return False


def _confirmed(
    headings: list[_Heading], stated: list[str], keys: frozenset[str]
) -> _Heading | None:
    """Return the heading that the head repeats word by word."""
    for each in headings:
        is_name = _is_no_title(each.text, keys) or _is_name_in_head(each.text, stated)
        is_repeated = any(each.text in value for value in stated)
        if len(each.text) > _LEAST_REPEATED and is_repeated and not is_name:
            return each
    return None


def _nearest(headings: list[_Heading], titles: list[str], least: float) -> _Heading | None:
    """Return the heading that says most of what the title says, as a place to look around."""
    for each in headings:
        each.agreement = max(_agreement(each.words, title) for title in titles)
    best = max(headings, key=lambda each: each.agreement, default=None)
    return best if best is not None and best.agreement >= least else None


def _is_no_title(text: str, keys: frozenset[str]) -> bool:
    return text.casefold() in _UNTITLED or squeeze(text) in keys


def _agreement(words: frozenset[str], stated: str) -> float:
    """Return how much two titles have in common, from 0 to 1."""
    others = _words(stated)
    if not words or not others:
        return 0.0
    shared = len(words & others)
    return shared / len(words) * 0.7 + shared / len(others) * 0.3


def _best_stated(titles: list[str], keys: frozenset[str]) -> str:
    for title in titles:
        if not _is_no_title(title, keys):
            return title
    return titles[0] if titles else ""
