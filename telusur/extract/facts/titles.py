"""Finds the title of a page: where headings, head and structured data agree."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import unescape

from turbohtml import Element

from telusur.extract.facts.headlines import Headline, is_no_title, read_headlines, words_of
from telusur.extract.facts.json_ld import StructuredData, as_text, is_article
from telusur.extract.facts.shown_title import Shown, find_shown, find_text
from telusur.extract.facts.site_names import (
    SITE_NAMES,
    host_labels,
    is_within,
    site_keys,
    split_names_off,
    squeeze,
    strip_known_name,
    strip_names,
    strip_site_name,
)
from telusur.extract.facts.slug import contradicts_slug, tells_slug
from telusur.extract.facts.statements import MAX_FIELD_LENGTH, Statements, clean, first_of
from telusur.extract.page.dom import TagIndex

_TITLE_NAMES = ("og:title", "twitter:title", "dc.title", "dcterms.title", "citation_title")
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})*[.)]?\s+\S")
_NUMBER = re.compile(r"(?:^|&)(?:p|[a-z_]*id|post|article|story|thread|news)=\d", re.IGNORECASE)
_LEAST_REPEATED = 4
_LEAST_AGREEMENT = 0.1
_LEAST_AGREEMENT_OF_OTHERS = 0.4
# The other headings, and which share of the head's title they must be.
_LESSER_RANKS = (("h2", 0.0), ("h3", 0.3), ("h4", 0.3))


@dataclass(slots=True)
class Title:
    """The title, where the page shows it, and the other candidates."""

    text: str = ""
    heading: Element | None = None
    # Its place among the headings of its rank.
    heading_number: int = 0
    # Where the page, written down, shows the title, if not as a heading; -1 if it does not.
    place: int = -1
    candidates: list[str] = field(default_factory=list)
    site_name: str = ""
    is_front_page: bool = False


def find_title(
    tags: TagIndex,
    meta: Statements,
    data: StructuredData,
    url: str,
    *,
    site_names: Iterable[str] = (),
) -> Title:
    """Return the heading confirmed by the head, or the head's title without the site name.

    `site_names` are what is known to stand before or after the titles of this site's pages. 1.
    Collect the titles in the head. 2. Remove the names of the site. 3. Choose a heading. 4. Without
    one, choose a part of the title that the page shows.
    """
    # 1
    head = _title_in_head(tags)
    named = as_text(data.facts.get("headline")) or as_text(data.facts.get("name"))
    given = dict.fromkeys(map(_tidy, (first_of(meta, _TITLE_NAMES), named)))
    stated = [value for value in given if value and value != head] + [head] * bool(head)
    # 2
    site = first_of(meta, SITE_NAMES[:1]) or clean(data.site_name)
    keys = site_keys(meta, site, url, site_names)
    titles = [
        strip_names(value, keys) if is_within(value, head) else strip_site_name(value, site, keys)
        for value in stated
    ]
    # 3
    known = [*titles, *stated]
    headings = read_headlines(tags, "h1", known, keys)
    is_front = _is_front_page(tags, data, url)
    shown: Shown | None = None
    if is_front:
        chosen = _confirmed(headings, stated, keys, url)
        text = chosen.text if chosen is not None else strip_known_name(head, keys)
    else:
        chosen = _last_step(tags, head, known, keys) or _choose_heading(
            headings, stated, titles, keys, url, is_article=is_article(data.types)
        )
        for tag, least in _LESSER_RANKS if chosen is None else ():
            lesser = read_headlines(tags, tag, known, keys)
            chosen = chosen or _confirmed(lesser, stated, keys, url, least)
        # 4
        others = keys | {squeeze(each.text) for each in headings}
        shown = _find_shown(tags, head, titles, others) if chosen is None else None
        text = chosen.text if chosen is not None else shown.text if shown else ""
        text = text or _best_stated(titles, keys)
        is_doubtful = _names_host(text, keys, url) and contradicts_slug(text, url)
        if is_doubtful and (told := _told(tags, known, keys, url)):
            chosen, text = told, told.text
    if not text and headings:
        chosen = headings[0]
        text = chosen.text
    candidates = dict.fromkeys([text, *titles, *(heading.text for heading in headings)])
    place = -1
    if chosen is None:
        place = shown.start if shown else find_text(tags.written, text, with_links=True)
    if chosen is None and place < 0:
        chosen = _nearest_of_any_rank(tags, headings, known, keys, [text, *titles])
    heading, number = (chosen.element, chosen.number) if chosen is not None else (None, 0)
    titles = [each for each in candidates if each]
    return Title(text, heading, number, place, titles, site, is_front)


def _nearest_of_any_rank(
    tags: TagIndex,
    headings: list[Headline],
    known: list[str],
    keys: frozenset[str],
    titles: list[str],
) -> Headline | None:
    """Return the heading that says most of what the titles say."""
    chosen = _nearest(headings, titles, 0)
    for tag, _ in _LESSER_RANKS if chosen is None else ():
        lesser = read_headlines(tags, tag, known, keys)
        chosen = chosen or _nearest(lesser, titles, _LEAST_AGREEMENT_OF_OTHERS)
    return chosen


def _names_host(text: str, keys: frozenset[str], url: str) -> bool:
    """Tell whether a title is that of the site, or has the name of its host in it."""
    squeezed = squeeze(text)
    return is_no_title(text, keys) or any(label in squeezed for label in host_labels(url))


def _told(tags: TagIndex, known: list[str], keys: frozenset[str], url: str) -> Headline | None:
    """Return the first heading that says what the address says."""
    for tag in ("h1", "h2", "h3"):
        for each in read_headlines(tags, tag, known, keys):
            if not each.is_logo and tells_slug(each.text, url):
                return each
    return None


def _find_shown(
    tags: TagIndex, head: str, titles: list[str], names: frozenset[str]
) -> Shown | None:
    """Return the part of the head's title that the page shows; that without the name counts first.

    But the name may have stood in front, and the title have been cut off.
    """
    if not head:
        return None
    return find_shown(tags.written, titles[-1], names) or find_shown(tags.written, head, names)


def _title_in_head(tags: TagIndex) -> str:
    """Return the text of the title element; a drawing may have one too."""
    titles = tags["title"][:20]
    return next((_tidy(each.text) for each in titles if each.closest("svg") is None), "")


def _tidy(text: str) -> str:
    """Return a title without the marks that a page or its software left in it."""
    return clean(unescape(text[: 4 * MAX_FIELD_LENGTH]).replace("\xad", ""))


def _is_front_page(tags: TagIndex, data: StructuredData, url: str) -> bool:
    """Tell whether a page is the front page of its site, not a single article."""
    rest, _, query = url.partition("//")[2].partition("#")[0].partition("?")
    if not rest or rest.partition("/")[2] or _NUMBER.search(query[:500]):
        return False
    return not data.is_article and len(tags["article"]) != 1


def _last_step(
    tags: TagIndex, head: str, known: list[str], keys: frozenset[str]
) -> Headline | None:
    """Return the heading that the head names last, as in "Site » Archive » Title".

    This sign leads from the greater to the smaller; headings before it are those of sections.
    """
    before, _, last = head.rpartition("»")
    last = last.strip()
    if not before or squeeze(last) in keys:
        return None
    for tag in ("h1", "h2", "h3"):
        for each in read_headlines(tags, tag, known, keys):
            if each.text == last and not each.is_logo:
                return each
    return None


def _choose_heading(
    headings: list[Headline],
    stated: list[str],
    titles: list[str],
    keys: frozenset[str],
    url: str,
    *,
    is_article: bool,
) -> Headline | None:
    """Return the first-level heading that agrees most with the head, if any.

    An article may have another title in its head; the heading of any other page must be confirmed
    by it.
    """
    real = [each for each in headings if not (each.is_logo or is_no_title(each.text, keys))]
    real = [each for each in real if not _is_name_in_head(each, stated, url)]
    real = _without_sections(real, stated)
    if not real:
        return None
    known = set(map(squeeze, titles))
    if all(is_no_title(title, keys) for title in titles):
        return real[0]
    for each in real:
        each.agreement = max((_agreement(each.words, value) for value in stated), default=1.0)
        each.agreement += squeeze(each.text) in known
    best = max(real, key=lambda each: each.agreement)  # the first of equals
    least = _LEAST_AGREEMENT if is_article else _LEAST_AGREEMENT_OF_OTHERS
    return best if best.agreement > least else None


def _without_sections(headings: list[Headline], stated: list[str]) -> list[Headline]:
    """Drop the headings of numbered sections, if there are several that the head does not name."""
    others = [each for each in headings if each.text in stated or not _SECTION.match(each.text)]
    return others if len(headings) - len(others) > 1 else headings


def _is_name_in_head(heading: Headline, stated: list[str], url: str) -> bool:
    """Tell whether a heading is the name that the head adds to the title.

    It is none if it is marked as the title, or the address says the same.
    """
    if not _is_added(heading.text, stated):
        return False
    return not (heading.is_marked or tells_slug(heading.text, url))


def _is_added(text: str, stated: list[str]) -> bool:
    """Tell whether a text is what the head has behind the title, or beside it."""
    parts = split_names_off(stated[-1]) if stated else []
    if len(parts) > 1 and parts[-1] == text and text not in parts[:-1]:
        return all(text not in value for value in stated[:-1])
    others = [value for value in stated[:-1] if value != stated[-1]]
    if others and text in stated[-1]:
        words = words_of(text)
        return all(value in stated[-1] and not words & words_of(value) for value in others)
    return False


def _confirmed(
    headings: list[Headline],
    stated: list[str],
    keys: frozenset[str],
    url: str,
    least: float = 0.0,
) -> Headline | None:
    """Return the heading that the head repeats word by word, and that is a fair part of it."""
    lower = [value.casefold() for value in stated]
    for each in headings:
        text = each.text.casefold()
        is_name = each.is_logo or is_no_title(text, keys) or _is_name_in_head(each, stated, url)
        share = 0.0 if each.is_marked else least
        is_repeated = any(text in value and len(text) > len(value) * share for value in lower)
        if len(text) > _LEAST_REPEATED and is_repeated and not is_name:
            return each
    return None


def _nearest(headings: list[Headline], titles: list[str], least: float) -> Headline | None:
    """Return the heading that says most of what the title says, as a place to look around."""
    for each in headings:
        each.agreement = max(_agreement(each.words, title) for title in titles)
    best = max(headings, key=lambda each: each.agreement, default=None)
    return best if best is not None and best.agreement >= least else None


def _agreement(words: frozenset[str], stated: str) -> float:
    """Return how much two titles have in common, from 0 to 1."""
    others = words_of(stated)
    if not words or not others:
        return 0.0
    shared = len(words & others)
    ours, theirs = shared / len(words), shared / len(others)
    return max(ours, theirs) * 0.7 + min(ours, theirs) * 0.3


def _best_stated(titles: list[str], keys: frozenset[str]) -> str:
    for title in titles:
        if not is_no_title(title, keys):
            return title
    return titles[0] if titles else ""
