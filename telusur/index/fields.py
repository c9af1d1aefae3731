"""What the index keeps of a document: the terms of each of its places, weighted, and what is shown.

All places go into one field in which a term of a weighty place stands several times. BM25 then
sees weighted frequencies before it saturates them (BM25F), and a query asks one field only.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from telusur.index.contract import IndexItem, number_of
from telusur.index.places import SHORT_CHARACTERS, Place, places_of, split_url
from telusur.index.weights import BODY_WEIGHT
from telusur.language.analysis import joined_terms
from telusur.language.indexed_text import read_text

# A term no text has: it stands between two places, so that no phrase reaches across.
BORDER = "|"

STORED_CHARACTERS = 100_000
# Headings are part of the body, and what others say about a page is none of its own words.
EXACT_PLACES = ("title", "description", "body")

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


@dataclass(slots=True, frozen=True)
class Fields:
    """The fields of one document; those of terms are terms with spaces between."""

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
    tokens: str
    site: str
    site_number: int
    hosts: tuple[str, ...]
    language: str
    page_type: str
    topic: str
    topic_terms: str
    date: str | None
    day: int
    fetched_at: float | None


@dataclass(slots=True, frozen=True)
class _Analysed:
    """A place, and what the index keeps of its text."""

    place: Place
    terms: str
    exact: str
    tokens: str


def make_fields(item: IndexItem) -> Fields:
    """Return the fields of a document, the same on every machine and at any time."""
    document = item.document
    language = document.language
    analysed = [_Analysed(place, *read_text(place.text, language)) for place in places_of(item)]
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
        language=language,
        page_type=document.page_type,
        topic=document.topic,
        topic_terms=joined_terms(document.topic, language) if document.topic else "",
        date=document.date,
        day=day_of(document.date),
        fetched_at=item.fetched_at,
    )


def _tokens_of(text: str, language: str, analysed: list[_Analysed]) -> str:
    """Return the table of the text that is stored; that of a body that is stored whole is known."""
    if analysed and analysed[-1].place == ("body", text, BODY_WEIGHT):
        return analysed[-1].tokens
    return read_text(text, language).tokens


def _terms_of(name: str, analysed: list[_Analysed]) -> str:
    return _join(found.terms for found in analysed if found.place.name == name)


def _join(places: Iterable[str]) -> str:
    return f" {BORDER} ".join(filter(None, places))


@lru_cache(maxsize=1024)  # a crawl comes back to the same sites
def site_number_of(site: str) -> int:
    """Return a site as a number, to compare sites without reading their names; 0 is none."""
    if not site:
        return 0
    return int.from_bytes(blake2b(site.encode("utf-8", "replace"), digest_size=7).digest(), "big")


def hosts_of(url: str, site: str) -> tuple[str, ...]:
    """Return every name by which `site:` finds a URL: its site, its host, and the domains above."""
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
