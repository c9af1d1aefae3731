"""The index fields of a document: the weighted terms of each place, and the stored text.

All places go into one field, in which a term of an important place is repeated. So BM25 sees
weighted frequencies before it saturates them (BM25F), and a query searches one field only.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from telusur.document_table import HIT_FIELDS, VALUE_FACETS
from telusur.documents import SITE, as_json
from telusur.index.contract import IndexItem, number_of
from telusur.index.places import SHORT_CHARACTERS, Place, places_of, split_url
from telusur.index.weights import PLACE_WEIGHTS
from telusur.language.analysis import joined_terms
from telusur.language.indexed_text import read_text

# A term that no text has; between two places it stops phrases from matching across them.
BORDER = "|"

STORED_CHARACTERS = 100_000
# Headings are part of the body, and link texts of other pages are not the page's own words.
EXACT_PLACES = ("title", "description", "body")

# Without the site, which is not a field of the document.
_FACET_NAMES = tuple(field.name for field, _ in VALUE_FACETS.values() if field is not SITE)
TEXT_FACETS = tuple(field.name for field, facet in VALUE_FACETS.values() if facet.is_text)
_facet_values = attrgetter(*_FACET_NAMES)
_SHOWN_NAMES = tuple(field.name for field in HIT_FIELDS)
_shown_values = attrgetter(*_SHOWN_NAMES)

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


@dataclass(slots=True, frozen=True)
class Fields:
    """The fields of one document; fields of terms are terms separated by spaces."""

    url_id: bytes
    number: int
    everywhere: str
    exact: str
    title_terms: str
    url_terms: str
    url: str
    title: str
    description: str
    text: str
    # The token table of the text; "" if snippets are cut without one.
    tokens: str
    site: str
    site_number: int
    hosts: tuple[str, ...]
    # What hits show, by the names of the fields.
    shown: dict[str, Any]
    # The values that are counted and matched, by the names of their fields.
    facets: tuple[tuple[str, str], ...]
    # The terms of facets that are searched by their words.
    facet_terms: tuple[tuple[str, str], ...]
    day: int
    fetched_at: float | None


@dataclass(slots=True, frozen=True)
class _Analysed:
    """A place and its analysed text."""

    place: Place
    terms: str
    exact: str
    tokens: str


def make_fields(item: IndexItem) -> Fields:
    """Return the fields of a document, the same on every machine and at any time."""
    document = item.document
    language = document.language
    analysed = [
        _Analysed(place, *read_text(place.text, language, with_table=False))
        for place in places_of(item)
    ]
    text = document.text[:STORED_CHARACTERS]
    return Fields(
        url_id=item.url_id,
        number=number_of(item.url_id),
        everywhere=_join(found.terms for found in analysed for _ in range(found.place.weight)),
        exact=_join(found.exact for found in analysed if found.place.name in EXACT_PLACES),
        title_terms=_terms_of("title", analysed),
        url_terms=_terms_of("url", analysed),
        url=item.url,
        title=document.title[:SHORT_CHARACTERS],
        description=document.description[:SHORT_CHARACTERS],
        text=text,
        tokens=_tokens_of(text, language, analysed),
        site=item.site,
        site_number=site_number_of(item.site),
        hosts=hosts_of(item.url, item.site),
        shown=dict(zip(_SHOWN_NAMES, map(_shown, _shown_values(document)), strict=True)),
        facets=tuple(map(_facet, _FACET_NAMES, _facet_values(document))),
        facet_terms=tuple(
            (name, joined_terms(text, language) if (text := getattr(document, name)) else "")
            for name in TEXT_FACETS
        ),
        day=day_of(document.date),
        fetched_at=item.fetched_at,
    )


def _facet(name: str, value: object) -> tuple[str, str]:
    """Return the value of a facet; one that is matched as a whole ignores case."""
    text = "" if value is None else str(value)
    return name, text if name in TEXT_FACETS else text.lower()


def _shown(value: Any) -> Any:
    """Return the value of a field as a hit shows it: texts are cut."""
    return value[:SHORT_CHARACTERS] if isinstance(value, str) else as_json(value)


def _tokens_of(text: str, language: str, analysed: list[_Analysed]) -> str:
    """Return the token table of the stored text if snippets need it; a whole body has it."""
    if analysed and analysed[-1].place == ("body", text, PLACE_WEIGHTS["body"]):
        return analysed[-1].tokens
    return read_text(text, language, with_table=False).tokens


def _terms_of(name: str, analysed: list[_Analysed]) -> str:
    return _join(found.terms for found in analysed if found.place.name == name)


def _join(places: Iterable[str]) -> str:
    return f" {BORDER} ".join(filter(None, places))


@lru_cache(maxsize=1024)  # a crawl returns to the same sites
def site_number_of(site: str) -> int:
    """Return a site as a number, to compare sites without reading their names; 0 is none."""
    if not site:
        return 0
    return int.from_bytes(blake2b(site.encode("utf-8", "replace"), digest_size=7).digest(), "big")


def hosts_of(url: str, site: str) -> tuple[str, ...]:
    """Return every name by which `site:` finds a URL: its site, its host, and parent domains."""
    parts = split_url(url)
    if parts is None:
        return (site,) if site else ()
    host, port, _ = parts
    return _names_of(host, port, site)


@lru_cache(maxsize=1024)
def _names_of(host: str, port: int | None, site: str) -> tuple[str, ...]:
    labels = host.split(".") if not host.replace(".", "").isdigit() else [host]
    names = [".".join(labels[i:]) for i in range(len(labels))]
    with_port = [f"{host}:{port}"] if port else []
    return tuple(dict.fromkeys(name for name in (site, *with_port, *names) if name))


def day_of(date: str | None) -> int:
    """Return the day of an ISO date as a number that sorts, 20240131, or 0 when there is none."""
    match = _DAY.match(date or "")
    return int("".join(match.groups())) if match else 0
