"""The person whose name alone stands beside the day of an article, near its headline."""

import re
from itertools import pairwise

from telusur.extract.facts.dates import find_dates
from telusur.extract.facts.json_ld import as_text
from telusur.extract.facts.names import is_person, split_names
from telusur.extract.facts.signals import Signals
from telusur.extract.facts.site_names import squeeze

_SECTION_NAMES = ("article:section", "article:tag", "keywords", "news_keywords", "parsely-section")
_BESIDE_DAY = 8
_SEPARATOR = 2
_LONGEST = 30
_OF_SECTION = re.compile(
    r"/(?:categor\w+|kategori\w*|tags?|topics?|thema|themen|temas?|rubri\w+|sections?|se[cz]ione?s?)/",
    re.IGNORECASE,
)


def find_beside_day(signals: Signals) -> list[str]:
    """Return the person whose name alone stands right before or after a day, near the headline.

    The section of a site may stand there too; its address or the page's data mostly name it.
    """
    pieces = signals.nearby.after[:_BESIDE_DAY]
    pieces = [piece for piece in pieces if len(piece.text) > _SEPARATOR]
    sections = _sections(signals)
    for piece, following in pairwise(pieces):
        for name, other in ((piece, following), (following, piece)):
            if not (name.is_short and other.has_year and find_dates(other.text[:_LONGEST])):
                continue
            if name.heading < 0 and not _OF_SECTION.search(name.link):
                people = split_names(name.text)
                if people and all(_is_shown_person(each, sections) for each in people):
                    return people
    return []


def _sections(signals: Signals) -> str:
    """Return what may name the section of a page, squeezed to its letters."""
    told = [value for key in _SECTION_NAMES for value in signals.meta.get(key, ())[:10]]
    section = as_text(signals.data.facts.get("articleSection"))
    return "".join(squeeze(each) for each in (signals.url, section, *told))


def _is_shown_person(name: str, sections: str) -> bool:
    return is_person(name) and name[:1].isupper() and squeeze(name) not in sections
