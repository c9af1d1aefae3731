"""What the index keeps of a document: the terms of each of its places, weighted, and what is shown.

All places go into one field in which a term of a weighty place stands several times. BM25 then
sees weighted frequencies before it saturates them (BM25F), and a query asks one field only.
"""

import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from telusur.index.contract import IndexItem
from telusur.language.analysis import joined_terms

# How often the terms of a place count. Measured as a set (docs/search.md); don't tune one alone.
TITLE_WEIGHT = 3
HEADINGS_WEIGHT = 2
URL_WEIGHT = 2
DESCRIPTION_WEIGHT = 1
BODY_WEIGHT = 1

# A term no text has: it stands between two places, so that no phrase reaches across.
BORDER = "|"

INDEXED_CHARACTERS = 1_000_000
STORED_CHARACTERS = 100_000
_SHORT_CHARACTERS = 2_000

_DULL_URL_WORDS = re.compile(
    r"\b(?:https?|www|index|default|html?|xhtml|php\d?|aspx?|jsp|cgi|com|org|net)\b", re.IGNORECASE
)
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


@dataclass(slots=True, frozen=True)
class Fields:
    """The fields of one document; `everywhere` and `title_terms` are terms with spaces between."""

    url_id: bytes
    everywhere: str
    title_terms: str
    url: str
    title: str
    description: str
    text: str
    site: str
    hosts: tuple[str, ...]
    language: str
    date: str | None
    day: int
    fetched_at: float | None
    page_type: str = ""


def make_fields(item: IndexItem) -> Fields:
    """Return the fields of a document, the same on every machine and at any time."""
    document = item.document
    language = document.language
    title_terms = joined_terms(document.title[:_SHORT_CHARACTERS], language)
    headings = "\n".join(item.headings)[:_SHORT_CHARACTERS]
    about = f"{document.description[:_SHORT_CHARACTERS]}\n{document.keywords[:_SHORT_CHARACTERS]}"
    places = (
        *[title_terms] * TITLE_WEIGHT,
        *[joined_terms(headings, language)] * HEADINGS_WEIGHT,
        *[joined_terms(url_words(item.url), language)] * URL_WEIGHT,
        *[joined_terms(about, language)] * DESCRIPTION_WEIGHT,
        *[joined_terms(document.text[:INDEXED_CHARACTERS], language)] * BODY_WEIGHT,
    )
    return Fields(
        url_id=item.url_id,
        everywhere=f" {BORDER} ".join(place for place in places if place),
        title_terms=title_terms,
        url=item.url,
        title=document.title[:_SHORT_CHARACTERS],
        description=document.description[:_SHORT_CHARACTERS],
        text=document.text[:STORED_CHARACTERS],
        site=item.site,
        hosts=hosts_of(item.url, item.site),
        language=language,
        date=document.date,
        day=day_of(document.date),
        fetched_at=item.fetched_at,
        page_type=document.page_type,
    )


def url_words(url: str) -> str:
    """Return the words of a URL that say something: not its scheme, `www`, `index.html`."""
    parts = _split(url)
    if parts is None:
        return ""
    readable = unquote(f"{parts[0]} {parts[2]}", errors="replace")[:_SHORT_CHARACTERS]
    return _DULL_URL_WORDS.sub(" ", readable.replace("_", " "))


def hosts_of(url: str, site: str) -> tuple[str, ...]:
    """Return every name by which `site:` finds a URL: its site, its host, and the domains above."""
    parts = _split(url)
    if parts is None:
        return (site,) if site else ()
    host, port, _ = parts
    labels = host.split(".") if not host.replace(".", "").isdigit() else [host]
    names = [".".join(labels[i:]) for i in range(len(labels))]
    with_port = [f"{host}:{port}"] if port else []
    return tuple(dict.fromkeys(name for name in (site, *with_port, *names) if name))


def day_of(date: str | None) -> int:
    """Return the day of an ISO date as a number that sorts, 20240131, or 0 when there is none."""
    match = _DAY.match(date or "")
    return int("".join(match.groups())) if match else 0


def _split(url: str) -> tuple[str, int | None, str] | None:
    """Return host, port and path of a URL, or None for what is not one."""
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").strip("[]"), parts.port, parts.path
    except ValueError:
        return None
